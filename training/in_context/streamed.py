"""Responses of servers that only stream: server-sent events, each with a piece of the message."""

import json
import re
from typing import Any

_SAID_AGAIN = {"role", "id", "type", "name", "index"}  # not piece by piece


def is_stream(text: str) -> bool:
    """Return whether a response is a stream, whatever its type is called. Comments may stand before the first event."""
    return re.match(r"\s*(?::[^\n]*\s+)*(?:data|event|id|retry):", text) is not None


def added_up(text: str) -> dict[str, Any] | None:
    """Return the response that the events of a stream add up to, or the error in them; None: it was broken off.

    >>> stream = 'data: {"choices": [{"delta": {"content": "pick "}}]}\\n\\ndata: {"choices": [{"delta": {"content": '
    >>> added_up(stream + '"0 1 0"}, "finish_reason": "stop"}]}\\n\\ndata: [DONE]')["choices"][0]["message"]
    {'content': 'pick 0 1 0'}
    """
    response, message, choice = {}, {}, {"index": 0}
    done, event = False, ""
    for line in re.split(r"\r\n?|\n", text):
        # An event is one line of data, or some that are one JSON together.
        name, _, data = line.partition(":")
        event = event + data.strip() + "\n" if name == "data" else event if line else ""
        if done := event.strip() == "[DONE]":
            break
        try:
            chunk = json.loads(event)
        except ValueError:
            continue
        event = ""
        if not isinstance(chunk, dict) or chunk.get("error"):
            return chunk
        # What it says of the whole, and the next piece of the message, or all of it.
        response |= {name: value for name, value in chunk.items() if value is not None}
        for part in chunk.get("choices") or []:
            if part.get("index", 0) == 0:
                whole = part.pop("message", None)
                _add(message, part.pop("delta", None) or {})
                message |= whole or {}
                choice |= {name: value for name, value in part.items() if value is not None}
    for call in message.get("tool_calls", []):
        call.pop("index", None)  # of the pieces
    return response | {"choices": [choice | {"message": message}]} if done or "finish_reason" in choice else None


def _add(whole: dict[str, Any], piece: dict[str, Any]) -> None:
    """Add a piece to what came before it: texts and lists go on, calls of tools by their index."""
    for name, value in piece.items():
        earlier = whole.get(name)
        if name == "tool_calls":
            calls = whole.setdefault(name, [])
            for call in value or []:
                begun = [one for one in calls if one.get("index") == call.get("index")]
                if not begun or (call.get("index") is None and call.get("id")):
                    calls += (begun := [{}])
                _add(begun[-1], call)
        elif isinstance(value, dict) and isinstance(earlier, dict):
            _add(earlier, value)
        elif name not in _SAID_AGAIN and type(value) is type(earlier) and isinstance(value, str | list):
            whole[name] = earlier + value
        elif value not in (None, "") or name not in whole:
            whole[name] = value
