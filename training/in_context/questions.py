"""What a chat model is asked about each item of a run, with the shots that --retrieval chooses (BAP v2, 6.4)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bap_v2_dataset.chat import retrieval
from bap_v2_dataset.chat.messages import chat_messages
from bap_v2_dataset.tasks.building.prompts import shown_history
from bap_v2_training.in_context.chat_settings import ChatArguments
from bap_v2_training.in_context.similarities import similarities


class Question(NamedTuple):
    """What a chat model is asked about one item."""

    id: str
    messages: list[dict]
    shots: list[str] | None  # their ids; None: the prompt tells which they are
    history_lines_dropped: int
    row: Mapping


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
    """What is asked about one row, in the form that the arguments name."""
    messages = chat_messages(
        row,
        shots,
        representation,
        prompt=arguments.prompt,
        tools=arguments.tools,
        answer_form=arguments.answer_form,
        history_lines=arguments.history_lines,
        shot_history_lines=arguments.shot_history_lines,
    )
    dropped = len(shown_history(row, representation)) - len(shown_history(row, representation, arguments.history_lines))
    return Question(row["id"], messages, [shot["id"] for shot in shots], dropped, row)


def prompt_questions(rows: Iterable[Mapping]) -> list[Question]:
    """What is asked about rows whose prompts say all: each is the one message.

    Args:
        rows: with `id` and `prompt`.
    """
    return [
        Question(row["id"], [{"role": "user", "content": row["prompt"].removesuffix("\n")}], None, 0, row)
        for row in rows
    ]
