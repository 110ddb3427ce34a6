"""What a chat model is asked: the rules, solved train items as earlier turns, and the item (BAP v2, 6.4)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bap_v2_dataset.prompts import render
from bap_v2_metric.notation import format_call, parse_action
from bap_v2_training.in_context import retrieval
from bap_v2_training.in_context.chat_settings import ANSWER_FORMS, ChatArguments
from bap_v2_training.in_context.similarities import similarities

CHAT_VERSION = "1"  # raised whenever a message changes by a character

_SYSTEM = """\
You are the Builder in a game of Minecraft. An Architect, who knows the target structure, tells you in a chat what to \
build. You place and remove single blocks.

The board: x and z go from -5 to 5 along the ground, y goes from 1 (the ground) to 9 (up). A Builder with a yaw of 0 \
degrees looks along +z, with 90 along -x, with 180 along -z, with -90 along +x; left and right, in front and behind \
are meant as the Builder sees them. Colours are red, orange, yellow, green, blue and purple. A block can only be \
placed into an empty cell, on the ground or face to face with another block; a floating one needs a supporting block \
that is removed again afterwards.

You read the game so far: what was said, and the actions you took. Answer with the actions you take next, up to where \
you would wait for the Architect again, in their order, one a line, and with nothing else:

{form}"""


class Question(NamedTuple):
    """What a chat model is asked about one item."""

    id: str
    messages: list[dict]
    shots: list[str]  # their ids
    history_lines_dropped: int


async def questions(
    arguments: ChatArguments, representation: str, rows: Sequence[Mapping], pool: Sequence[Mapping]
) -> list[Question]:
    """What is asked about each row, with its shots.

    Args:
        rows: of the dataset, to be answered.
        pool: train rows; empty without shots.
    """
    if arguments.shots and pool:
        chosen = list(retrieval.retrieved(rows, pool, arguments.shots, await similarities(arguments, rows, pool)))
    else:
        chosen = [[] for _ in rows]
    return [
        question(row, [pool[position] for position in positions], representation, arguments)
        for row, positions in zip(rows, chosen, strict=True)
    ]


def question(row: Mapping, shots: Sequence[Mapping], representation: str, arguments: ChatArguments) -> Question:
    """What is asked about one row: the rules, the shots as earlier turns of the chat, and the row's prompt."""
    form = arguments.answer_form
    messages = [{"role": "system", "content": _SYSTEM.format(form=ANSWER_FORMS[form])}]
    for shot in shots:
        messages.append({"role": "user", "content": _prompt(shot, representation, arguments.shot_history_lines)})
        messages.append({"role": "assistant", "content": _answer(shot, form)})
    messages.append({"role": "user", "content": _prompt(row, representation, arguments.history_lines)})
    shown = len(row["history"]) if arguments.history_lines is None else arguments.history_lines
    dropped = max(0, len(row["history"]) - shown)
    return Question(row["id"], messages, [shot["id"] for shot in shots], dropped)


def _prompt(row: Mapping, representation: str, history_lines: int | None) -> str:
    history = row["history"]
    if history_lines is not None:
        history = history[max(0, len(history) - history_lines) :]
    return render({**row, "history": history}, representation)


def _answer(row: Mapping, form: str) -> str:
    if form == "lines":
        return row["completion"]
    return "\n".join(format_call(parse_action(line, anywhere=True)) for line in row["completion"].splitlines())
