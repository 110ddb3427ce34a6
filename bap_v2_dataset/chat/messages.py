"""What a chat model is asked: the rules, solved train items as earlier turns, and the item (BAP v2, 6.4).

There are two prompts. `direct` says the rules in short and asks for the actions at once: that of the paper's few-shot
runs. `reasoning` (`chat.reasoning`) says all conventions, lets the model think, and reads what follows a marker.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bap_v2_dataset.chat import reasoning
from bap_v2_dataset.items.prompts import completion_of, render, representation_of
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import format_call, parse_action

CHAT_VERSIONS = {"direct": "3", "reasoning": "2"}  # of each prompt: raised whenever a message changes by a character
PROMPTS = tuple(CHAT_VERSIONS)
_TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
ANSWER_FORMS: dict[str, str] = _TEXTS["forms"]  # as the chat model is told them
SHOT_HISTORY_LINES = 8  # of a shot, by default


def chat_messages(
    row: Mapping[str, Any],
    shots: Sequence[Mapping[str, Any]] = (),
    representation: str = "n_posb_s",
    *,
    prompt: str = "direct",
    tools: bool = False,
    answer_form: str = "lines",
    history_lines: int | None = None,
    shot_history_lines: int | None = SHOT_HISTORY_LINES,
) -> list[dict[str, str]]:
    """Return what is asked about a row: the rules, the shots as earlier turns of the chat, and the row's prompt.

    Args:
        row: of the dataset.
        shots: solved train rows, the one nearest to the question last.
        representation: of `bap_v2_dataset.items.prompts`.
        prompt: "direct" asks for the actions at once, "reasoning" tells all conventions and lets the model think:
            what of its text is the answer, `chat.final_answer` says.
        tools: tell a reasoning model that it can call those of `chat.tools`.
        answer_form: "lines" or "calls": how the model is told to answer, and how the shots are answered.
        history_lines: at most this many of the newest history entries of the row; by default all.
        shot_history_lines: the same for each shot.
    Returns:
        Messages {"role", "content"}, from "system" to "user".
    Raises:
        UserError: for an unknown representation, prompt or answer form, and a row that lacks what its prompt is made
            of.

    >>> row = {"history": [], "dialogue": ["<Architect> a red one"], "before": [],
    ...        "pose": {"x": 0.0, "y": 1.0, "z": 0.0, "yaw": 0.0}}
    >>> [message["role"] for message in chat_messages(row, [{**row, "completion": "place red 0 1 0"}])]
    ['system', 'user', 'assistant', 'user']
    """
    if answer_form not in ANSWER_FORMS:
        raise UserError(f"unknown answer form {answer_form!r} (expected one of {', '.join(ANSWER_FORMS)})")
    if prompt not in PROMPTS:
        raise UserError(f"unknown prompt {prompt!r} (expected one of {', '.join(PROMPTS)})")
    # A reasoning prompt asks and answers within sentences of its own
    asked, answered = (reasoning.user_message, reasoning.answer_message) if prompt == "reasoning" else (str, str)
    messages = [{"role": "system", "content": _system(prompt, representation, answer_form, tools)}]
    # Solved items are earlier turns of the chat; the row is asked last
    for shot in shots:
        check_row(shot, representation, "completion")
        answer = answered(_in_form(completion_of(shot, representation), answer_form))
        messages.append({"role": "user", "content": asked(render(shot, representation, shot_history_lines))})
        messages.append({"role": "assistant", "content": answer})
    check_row(row, representation)
    messages.append({"role": "user", "content": asked(render(row, representation, history_lines))})
    return messages


def check_row(row: Mapping[str, Any], representation: str, *more: str) -> None:
    """Raises: UserError if the row lacks a column that its prompt is made of, or one of `more`."""
    for name in ("history", "dialogue", *more, *representation_of(representation).columns):
        if row.get(name) is None:
            fix = 'pass representation="n", which needs none' if name == "pose" else "its prompt is made of it"
            raise UserError(f"{row.get('id', 'the row')} has no {name}: {fix}")


def _system(prompt: str, representation: str, form: str, tools: bool) -> str:
    if prompt == "direct":
        board = _TEXTS["board"]["ego" if representation_of(representation).egocentric else "world"]
        return _TEXTS["system"].format(board=board, form=ANSWER_FORMS[form])
    example = _in_form("\n".join(reasoning.example(representation)), form).splitlines()
    return reasoning.system_message(representation, ANSWER_FORMS[form], example, tools)


def _in_form(actions: str, form: str) -> str:
    """Lines of the notation in an answer form."""
    if form == "lines":
        return actions
    return "\n".join(format_call(parse_action(line, anywhere=True)) for line in actions.splitlines())
