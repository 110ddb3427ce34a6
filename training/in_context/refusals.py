"""What an endpoint's refusal means, and what to do about it."""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit, urlunsplit

from bap_v2_dataset.chat.system_role import FIX

_FATAL = {401, 402, 403, 404, 405, 429}  # every other item would be answered the same
_TOO_LONG = re.compile(r"max_(?:completion_)?tokens|max_model_len|context.?(?:length|size|window)|too (?:long|large)")
_UNSUPPORTED = re.compile(
    r"unsupported|(?:not|n't|never) (?:\w+ )?(?:support|permit|allow|accept|recogni[sz]|valid)\w*|unrecogni[sz]ed"
    r"|unknown|unexpected|extra (?:inputs|fields)|only the default|deprecated", re.IGNORECASE,
)  # fmt: skip
_NO_SYSTEM = re.compile(
    r"\bsystem\b[^.]{0,60}\b(?:role|message|prompt|instruction)|\brole\b[^.]{0,60}\bsystem\b|developer instruction"
    r"|roles? must alternate", re.IGNORECASE,
)  # fmt: skip
_STREAMS = re.compile(r"(?:only|must|requir\w*|enabl\w*|supports?)\b[^.]{0,60}\bstream", re.IGNORECASE)
_STREAM = {"stream": True, "stream_options": {"include_usage": True}}
_OTHER_NAME = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


def words_of(body: object) -> str:
    """Return an endpoint's own words about what is wrong: the first text under a name of errors, however deep.

    >>> words_of([{"error": {"code": 404, "message": "no such model", "status": "NOT_FOUND"}}])
    'no such model'
    """
    if isinstance(body, dict):
        names = ("error", "errors", "message", "detail", "msg", "choices")
        body = [body[name] for name in names if name in body]
    if isinstance(body, list):
        return next(filter(None, map(words_of, body)), "")
    return body if isinstance(body, str) else ""


def advice(
    status: int, text: str, request: Mapping[str, Any], options: Mapping[str, Any], key_sent: bool, address: str
) -> tuple[str, bool]:
    """Return what to do about a refusal, and whether requests for other items would fail, too.

    Args:
        text: of the refusal; of a redirect, where it leads.
        options: those of --request-options, which advice goes on from.
    """
    option = "--embedding-" if address.endswith("/embeddings") else "--"
    if 300 <= status < 400:
        return _redirected(address, text, f"{option}base-url"), True
    if status in (401, 403):
        return "; is the API key right?" if key_sent else f"; no API key was sent (see {option}api-key-env)", True
    if status == 404:
        return f"; are {option}base-url (it often ends in /v1) and {option}model right?", True
    if status in (400, 422):
        # A role, a form or a field that this endpoint does not have, and every request does.
        if _NO_SYSTEM.search(text) and any(one["role"] == "system" for one in request.get("messages", ())):
            return f"; {FIX}", True
        changes: dict[str, Any] = {}
        if _STREAMS.search(text) and "stream" not in request:
            changes = _STREAM
        elif _UNSUPPORTED.search(text) and (name := _named(text, request)):
            if name in ("tools", "tool_choice"):
                return "; leave out --tools", True
            changes = {name: None} | ({_OTHER_NAME[name]: request[name]} if name in _OTHER_NAME else {})
        if changes:
            return f"; pass --request-options '{json.dumps({**options, **changes})}'", True
        if _TOO_LONG.search(text):
            return "; see --max-new-tokens, --shots and --history-lines", False
    return "", status in _FATAL


def _named(text: str, request: Mapping[str, Any]) -> str | None:
    """Return the field of a request that a refusal names first."""
    places = {name: re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in request}
    found = [(match.start(), name) for name, match in places.items() if match and name not in ("model", "messages")]
    return min(found, default=(0, None))[1]


def _redirected(address: str, location: str, option: str) -> str:
    """Say where a redirect leads, as the value of an option; what may be a secret in it is left out."""
    parts = urlsplit(urljoin(address, location))
    place = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))
    ending = next(one for one in ("/chat/completions", "/embeddings", "") if address.endswith(one))
    if place.endswith(ending) and location:
        return f"; it leads elsewhere: pass {option} {place.removesuffix(ending)}"
    return f"; it leads to {place}: is {option} right?"
