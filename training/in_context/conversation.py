"""One item asked of a chat model: a request, and as many more as it calls tools."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tqdm import tqdm

from bap_v2_dataset.chat.tools import DEFINITIONS, Toolbox
from bap_v2_dataset.predictions.endings import ENDINGS
from bap_v2_metric.chat_marks import answer_of
from bap_v2_metric.prediction_records import calls_of
from bap_v2_training.in_context.endpoint import Endpoint, Usage

MOST_CALLS = 32  # of one message
LAST_REQUEST = "No more tool calls are possible. Write your answer now."
# Of a message that is sent back. The thoughts, under the names of different endpoints, must stand beside the calls
# that they led to; an endpoint that wrote none is sent none.
_THOUGHTS = ("reasoning_content", "reasoning", "reasoning_details")
_SENT_BACK = ("role", "content", "tool_calls", *_THOUGHTS)
_ENDED = {  # what endpoints call the end of a message, in lower case
    "stop", "eos", "eos_token", "end", "end_turn", "stop_sequence", "complete", "completed", "tool_calls", "tool_call",
    "function_call", "tool_use", "none", "null", "",
}  # fmt: skip


@dataclass
class Conversation:
    """Messages about an item, up to its answer.

    Attributes:
        response: the last one; its message is the answer.
        messages: all that followed the question: of the model and, when it called tools, of these.
        usage: the tokens of all requests, also of those whose response was cached.
    """

    response: dict[str, Any] = field(default_factory=dict)
    messages: list[dict[str, Any]] = field(default_factory=list)
    tool_calls: int = 0
    usage: Usage = field(default_factory=Usage)

    @property
    def text(self) -> str:
        """Text of the last message, with its calls of tools that are not ours: a line each, as answers are read.

        Of a message in parts, those that are thoughts are left out.
        """
        message = _message(self.response)
        content = message.get("content") or ""
        if not isinstance(content, str):
            parts = (part.get("text") for part in content if part.get("type") == "text")
            content = "".join(part for part in parts if isinstance(part, str))
        return "\n".join(filter(None, [content, calls_of(message)]))

    @property
    def finished(self) -> bool:
        """True if the model ended its last message by itself, with an answer."""
        return self.unfinished is None

    @property
    def unfinished(self) -> str | None:
        """The reason why the last message is no whole answer: "length", "refused", "thoughts" or "tool_calls"."""
        message, reason = _message(self.response), _reason(self.response)
        if reason in ENDINGS:
            return ENDINGS[reason]
        if reason not in _ENDED:
            _tell_unknown(reason)
        if answer_of(self.text).strip():
            return None
        # No answer: there may be something else.
        parts = message["content"] if isinstance(message.get("content"), list) else []
        types = {part.get("type") for part in parts}
        if message.get("refusal") or "refusal" in types:
            return "refused"
        if _calls(message) or "call" in reason:
            return "tool_calls"
        thoughts = any(map(message.get, _THOUGHTS)) or types & {"thinking", "reasoning"} or self.text.strip()
        return "thoughts" if thoughts else None


async def conversation(
    endpoint: Endpoint,
    request: dict[str, Any],
    toolbox: Toolbox | None,
    rounds: int,
    before_each: Callable[[], None],
) -> Conversation:
    """Ask, and answer the model's tool calls until it answers itself.

    After `rounds` messages with calls, it is told to answer, and may call no more.

    Args:
        request: with `messages`, that end with the question.
        toolbox: answers the calls; None offers no tools.
        before_each: is called before each request, and may raise.
    Raises:
        EndpointError: a request got no answer. What was answered before is cached: the same call resumes.
    """
    so_far = Conversation()
    offered = {"tools": DEFINITIONS} if toolbox is not None else {}
    for left in range(rounds if toolbox is not None else 0, -1, -1):
        if offered and not left:
            # The tools stay: endpoints refuse messages with calls of tools that they are not told.
            offered["tool_choice"] = "none"
            so_far.messages.append({"role": "user", "content": LAST_REQUEST})

        # Ask, with all that was said.
        before_each()
        messages = [*request["messages"], *so_far.messages]
        so_far.response = await endpoint.response(
            "chat/completions", {**request, **offered, "messages": messages}, usable
        )
        so_far.usage.add(so_far.response)

        # Keep the message, and answer its calls; without any it is the answer.
        message = _message(so_far.response)
        calls = _calls(message) if left else []
        sent_back = {name: message[name] for name in _SENT_BACK if message.get(name) is not None}
        so_far.messages.append({"role": "assistant", "content": message.get("content"), **sent_back})
        if not calls:
            break
        so_far.messages[-1]["tool_calls"] = [_sound(call, number) for number, call in enumerate(calls)]
        so_far.messages += [_answer(toolbox, call, number) for number, call in enumerate(calls)]
        so_far.tool_calls += len(calls)
    return so_far


def usable(response: dict) -> bool:
    """Return whether a response is a chat completion that the endpoint did not break off.

    Its content is a text, or a list of parts, or null, if the model would not answer.
    """
    try:
        content = response["choices"][0]["message"].get("content")
        if response["choices"][0].get("error") or ENDINGS.get(_reason(response)) == "error":
            return False
    except (KeyError, IndexError, TypeError, AttributeError):
        return False
    return isinstance(content, str | None) or (isinstance(content, list) and all(isinstance(p, dict) for p in content))


def _message(response: dict) -> dict[str, Any]:
    return response["choices"][0]["message"]


def _reason(response: dict) -> str:
    return str(response["choices"][0].get("finish_reason")).lower()


@cache
def _tell_unknown(reason: str) -> None:
    """Say once that a reason is not known here."""
    tqdm.write(f"finish_reason {reason!r} is not known here: such answers count as whole", file=sys.stderr)


def _calls(message: dict[str, Any]) -> list[dict]:
    calls = message.get("tool_calls")
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def _answer(toolbox: Toolbox, call: dict, number: int) -> dict[str, str]:
    """Return the message of a tool."""
    text = f"Error: not carried out; one message may hold {MOST_CALLS} calls"
    if number < MOST_CALLS:
        text = toolbox.answer(*_function(call))
    return {"role": "tool", "tool_call_id": _id(call, number), "content": text}


def _sound(call: dict, number: int) -> dict[str, Any]:
    """Return a call as it is sent back: models write arguments that are no JSON object, and endpoints refuse them."""
    name, arguments = _function(call)
    try:
        is_object = isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        is_object = False
    function = {"name": name, "arguments": arguments if is_object else "{}"}
    return {**call, "id": _id(call, number), "type": "function", "function": function}


def _function(call: dict) -> tuple[str, str]:
    """Return the name and the arguments of a call."""
    function = call.get("function")
    function = function if isinstance(function, dict) else {}
    arguments = function.get("arguments", "{}")
    return str(function.get("name")), arguments if isinstance(arguments, str) else json.dumps(arguments)


def _id(call: dict, number: int) -> str:
    given = call.get("id")
    return given if isinstance(given, str) and given else f"call_{number}"
