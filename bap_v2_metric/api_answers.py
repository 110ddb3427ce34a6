"""What APIs answer: the texts of messages, of their calls of tools, and why an answer is not whole."""

import json
from collections.abc import Mapping
from contextlib import suppress
from itertools import takewhile
from typing import Any, NamedTuple

SEVERAL = {"outputs", "choices", "generated_text"}  # texts under these names are choices, elsewhere lines
# Where a text stands in what an API answers; "output" before "text", which in the responses API is a format.
_INSIDE = ("body", "message", "choices", "outputs", "output", "content", "text", "generated_text")
_TEXTS = {"text", "output_text"}  # types of parts of a message; others are thoughts, calls and pictures
_CALLS = {"function_call", "tool_use", "tool_call"}
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")  # fields of a message, and types of its parts
_OF_MODEL, _OF_TOOL = {"assistant", "model"}, {"tool", "function"}  # roles
_OWN_TOOLS = {"try_actions", "cells_from"}  # of `bap_v2_dataset.chat.tools`: they change nothing
# Words of APIs for the end of an answer that is not whole, and where these words stand.
_ENDINGS = {
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length", "incomplete"), "length"),
    **dict.fromkeys(("refused", "refusal", "content_filter", "content_filtered", "safety", "recitation"), "refused"),
    **dict.fromkeys(("error", "failed", "abort"), "error"),
}
_ENDING_KEYS = ("reason", "finish_reason", "stop_reason", "finishReason", "done_reason", "status")
UNFINISHED = {  # what is said of an answer that is not whole
    "length": "cut off at the limit of tokens", "thoughts": "only thoughts", "refused": "refused",
    "error": "ended by an error", "tool_calls": "only calls of other tools",
}  # fmt: skip


class Answer(NamedTuple):
    """A text, None where there is none, and why it is not whole: a key of UNFINISHED, or ""."""

    text: str | None
    unfinished: str = ""


def ending(record: Mapping[str, Any]) -> str:
    """Return why an answer is not whole, as far as its record or message says: a key of UNFINISHED, or "".

    >>> ending({"finish_reason": "length"}), ending({"finish_reason": "STOP"}), ending({"finished": False})
    ('length', '', 'length')
    """
    if (own := str(record.get("unfinished"))) in UNFINISHED:
        return own
    for part in (record.get("incomplete_details"), record.get("details"), record):
        words = (str(part.get(key)).lower() for key in _ENDING_KEYS) if isinstance(part, Mapping) else ()
        if why := next(filter(None, map(_ENDINGS.get, words)), ""):
            return why
    for key, why in (("refusal", "refused"), ("error", "error")):
        if isinstance(record.get(key), str | Mapping) and record[key]:
            return why
    return "length" if str(record.get("finished")).lower() == "false" else ""


def calls_of(message: Mapping[str, Any]) -> str:
    """Return the calls of a message, or of a part that is one, but for those of our own tools: a line of JSON each.

    >>> calls_of({"tool_calls": [{"function": {"name": "pick", "arguments": '{"x": 0, "y": 2, "z": 0}'}}]})
    '{"name": "pick", "arguments": {"x": 0, "y": 2, "z": 0}}'
    """
    calls = message.get("tool_calls") or [message.get("function_call")]
    lines = []
    for call in [message] if message.get("type") in _CALLS else calls if isinstance(calls, list) else ():
        function = call.get("function", call) if isinstance(call, Mapping) else None
        function = function if isinstance(function, Mapping) else {**call, "name": function} if function else {}
        arguments = function.get("arguments", function.get("input"))
        with suppress(ValueError, RecursionError):  # else as the model wrote them
            arguments = json.loads(arguments) if isinstance(arguments, str) else arguments
        if function.get("name") and function["name"] not in _OWN_TOOLS:
            lines.append(json.dumps({"name": function["name"], "arguments": arguments}))
    return "\n".join(lines)


def answers_in(value: Any, name: str = "") -> list[Answer] | None:
    """Return the answers in a prediction, several of several choices; None for anything else.

    Args:
        name: under which it stands, which says whether a list of texts is of choices or of lines.

    >>> answers_in({"choices": [{"message": {"content": "pick 0 1 0"}, "finish_reason": "length"}]})
    [Answer(text='pick 0 1 0', unfinished='length')]
    >>> answers_in(["pick 0 1 0", "pick 0 2 0"])
    [Answer(text='pick 0 1 0\\npick 0 2 0', unfinished='')]
    >>> [answer.text for answer in answers_in(["pick 0 1 0", "pick 0 2 0"], "outputs")]
    ['pick 0 1 0', 'pick 0 2 0']
    """
    # No answer, plain text, or an object of an API.
    if value is None or value != value:  # nan
        return [Answer(None)]
    if isinstance(value, str):
        return [Answer(value)]
    if isinstance(value, Mapping):
        return _in_object(value)
    # A list: of texts, of messages, of parts of one message, or of several answers.
    if not isinstance(value, list):
        return None
    if all(isinstance(part, str) for part in value):
        several = (value or [None]) if name.rpartition(".")[2] in SEVERAL else ["\n".join(value)]
        return [Answer(text) for text in several]
    if not all(isinstance(part, Mapping) for part in value):
        return None
    if any("role" in part for part in value):
        return [_in_turn([part for part in value if "role" in part or part.get("type") in _CALLS])]
    if all(isinstance(part.get("type"), str) for part in value):
        return [_in_parts(value)]
    several = [answers_in(part) for part in value]
    return None if None in several else [answer for answers in several for answer in answers]


def _in_object(value: Mapping[str, Any]) -> list[Answer] | None:
    """Return the answers in one of the fields of an object, and its calls behind them."""
    name, calls, why = next((name for name in _INSIDE if name in value), None), calls_of(value), ending(value)
    if value.get("content", "") is None and isinstance(value.get("refusal"), str):
        return [Answer(value["refusal"], why)]
    if name is None:
        return [Answer(calls, why)] if calls else None
    inner = answers_in(value[name], name) if value[name] != [] or name == "content" else [Answer(None)]
    if inner is None:
        return None
    if not calls and not why and not any(answer.text for answer in inner):
        why = "tool_calls" if value.get("tool_calls") else "thoughts" if _thinks(value) else ""
    return [Answer(_joined(answer.text, calls), answer.unfinished or why) for answer in inner]


def _thinks(message: Mapping[str, Any]) -> bool:
    return any(isinstance(message.get(key), str | list) and message[key] for key in _THOUGHTS)  # not settings of it


def _in_turn(messages: list[Mapping[str, Any]]) -> Answer:
    """Return the answer of the last messages of a model: what the last one says, and the calls of all of them."""
    turn = list(takewhile(lambda part: part.get("role", "model") in _OF_MODEL | _OF_TOOL, reversed(messages)))
    own = [part for part in reversed(turn) if part.get("role", "model") in _OF_MODEL]
    last = max((place for place, part in enumerate(own) if "role" in part), default=-1)
    said = [
        (answers_in(part) or [Answer(None)])[0] if place == last else Answer(calls_of(part))
        for place, part in enumerate(own)
    ]
    return Answer(_joined(*(answer.text for answer in said)), said[last].unfinished if said else "")


def _in_parts(parts: list[Mapping[str, Any]]) -> Answer:
    """Return the text of the parts of a message, and the calls among them."""
    calls = [f"\n{call}\n" if (call := calls_of(part)) else part.get("refusal") for part in parts]
    texts = [part.get("text") if part["type"] in _TEXTS else call for part, call in zip(parts, calls)]
    texts = [text for text in texts if isinstance(text, str)]
    kinds = {part["type"] for part in parts}
    why = "refused" if "refusal" in kinds else "" if texts or not kinds & {*_THOUGHTS} else "thoughts"
    return Answer("".join(texts) if texts else None, why)


def _joined(*texts: str | None) -> str | None:
    return "\n".join(filter(None, texts)) if any(texts) else texts[0] if texts else None
