"""Why an answer is not whole, as its record says: a line of `bap-v2 predict`, or what APIs and logs write."""

from collections.abc import Mapping
from typing import Any

from bap_v2_metric.prediction_records import calls_of

UNFINISHED = {  # the reasons, in words
    "length": "cut off at the limit of tokens", "thoughts": "only thoughts", "refused": "refused",
    "error": "ended by an error", "tool_calls": "only calls of other tools",
}  # fmt: skip
_LENGTHS = (
    "length", "max_tokens", "max_output_tokens", "model_length", "max_length", "token_limit", "incomplete",
    "model_context_window_exceeded",
)  # fmt: skip
_REFUSALS = (
    "refusal", "content_filter", "content_filtered", "safety", "recitation", "blocklist", "prohibited_content", "spii",
    "sensitive", "guardrail_intervened",
)  # fmt: skip
_ERRORS = (
    "error", "failed", "abort", "aborted", "cancelled", "canceled", "network_error", "insufficient_system_resource",
)  # fmt: skip
ENDINGS = {  # what endpoints call the ends that are none, in lower case
    **dict.fromkeys(_LENGTHS, "length"), **dict.fromkeys(_REFUSALS, "refused"), **dict.fromkeys(_ERRORS, "error"),
    "malformed_function_call": "tool_calls",
}  # fmt: skip
_NAMES = ("reason", "finish_reason", "stop_reason", "finishReason", "done_reason", "status")
_INSIDE = (
    "incomplete_details", "details", "response", "result", "prediction", "messages", "completion", "body", "message",
    "choices", "outputs", "output", "content",
)  # fmt: skip


def ending(value: Any, run: int = 0) -> str:
    """Return why the answer of a record or a message is not whole: a key of UNFINISHED; "" if nothing says so.

    Args:
        run: which of several choices it is, from 0.

    >>> ending({"choices": [{"finish_reason": "length"}]}), ending({"finish_reason": "STOP"})
    ('length', '')
    """
    # Of choices the one of the run, of messages and parts the last.
    if isinstance(value, list) and value:
        last = run >= len(value) or (isinstance(value[run], Mapping) and "role" in value[run])
        return ending(value[-1 if last else run])
    if not isinstance(value, Mapping) or (own := str(value.get("unfinished"))) in UNFINISHED:
        return own if isinstance(value, Mapping) else ""
    # What stands in the record, then what it says itself.
    told = [ending(value.get(name), run) for name in _INSIDE]
    told += [ENDINGS.get(str(value.get(name)).lower(), "") for name in _NAMES]
    for name, why in (("refusal", "refused"), ("error", "error")):
        told.append(why * bool(isinstance(value.get(name), str | Mapping) and value[name]))
    told.append("length" * (str(value.get("finished")).lower() == "false"))
    if value.keys() & {"content", "type"} and not (value.get("content") or calls_of(value)):
        thoughts = map(value.get, ("reasoning_content", "reasoning", "thinking"))
        told.append("tool_calls" * bool(value.get("tool_calls")))
        told.append("thoughts" * any(isinstance(thought, str) and thought for thought in thoughts))
    return next((why for why in told if why not in ("", "thoughts")), "thoughts" * ("thoughts" in told))
