"""What an endpoint's refusal means, and what to do about it."""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit, urlunsplit

_FATAL = {401, 402, 403, 404, 405, 429}  # every other item would be answered the same
_TOO_LONG = re.compile(r"max_(?:completion_)?tokens|max_model_len|context.?(?:length|size|window)|too (?:long|large)")
_UNSUPPORTED = re.compile(
    r"unsupported|(?:not|n't|never) (?:\w+ )?(?:support|permit|allow|accept|recogni[sz]|valid)\w*|unrecogni[sz]ed|unknown"
    r"|unexpected|extra (?:inputs|fields)|only the default|deprecated",
    re.IGNORECASE,
)
_NO_SYSTEM = re.compile(
    r"\bsystem\b[^.]{0,60}\b(?:role|message|prompt|instruction)|\brole\b[^.]{0,60}\bsystem\b|developer instruction"
    r"|roles? must alternate",
    re.IGNORECASE,
)
_NEEDED = r"(?:only|must|requir|enabl|support)"
_STREAMS = re.compile(rf"\bstream[^.]{{0,60}}\b{_NEEDED}|\b{_NEEDED}[^.]{{0,60}}\bstream", re.IGNORECASE)
_STREAM = {"stream": True, "stream_options": {"include_usage": True}}
_OTHER_NAME = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


def words_of(body: object) -> str:
    """Return an endpoint's own words about what is wrong: the first text under a name of errors, however deep.

    >>> words_of([{"error": {"code": 404, "message": "no such model", "status": "NOT_FOUND"}}])
    'no such model'
    """
    if isinstance(body, list):
        return next(filter(None, map(words_of, body)), "")
    if isinstance(body, dict):
        inner = (body[name] for name in ("error", "errors", "message", "detail", "msg", "choices") if name in body)
        return next(filter(None, map(words_of, inner)), "")
    return body if isinstance(body, str) else ""


def advice(
    status: int, text: str, request: Mapping[str, Any], options: Mapping[str, Any], key_sent: bool, address: str,
    location: str | None,
) -> tuple[str, bool]:  # fmt: skip
    """Return what to do about a refusal, and whether requests for other items would fail, too.

    Args:
        text: of the refusal.
        options: those of --request-options, which advice goes on from.
        location: where a redirect leads.
    """
    embedding = "embedding-" * address.endswith("/embeddings")
    if 300 <= status < 400:
        return _redirected(address, location, f"--{embedding}base-url"), True
    if status in (401, 403):
        fix = "is the API key right?" if key_sent else "f"no API key was sent (see --{embedding}api-key-env)"
        return f"; {fix}", True
    if status == 404:
        return f"; are --{embedding}base-url (it often ends in /v1) and --{embedding}model right?", True
    if status in (400, 422):
        # A field, a role or a form that this endpoint does not have, and none of the requests can do without.
        if _NO_SYSTEM.search(text) and any(one["role"] == "system" for one in request.get("messages", ())):
            return "; pass --system-role user", True
        if _STREAMS.search(text) and "stream" not in request:
            return f"; pass --request-options '{json.dumps({**options, **_STREAM})}'", True
        if _UNSUPPORTED.search(text) and (field := _named(text, request)):
            if field in ("tools", "tool_choice"):
                return "; leave out --tools", True
            other = _OTHER_NAME.get(field)
            changes = {field: None} | ({other: request[field]} if other else {})
            return f"; pass --request-options '{json.dumps({**options, **changes})}'", True
        if _TOO_LONG.search(text):
            return "; see --max-new-tokens, --shots and --history-lines", False
    return "", status in _FATAL


def _named(text: str, request: Mapping[str, Any]) -> str | None:
    """Return the field of a request that a refusal names first."""
    found = [(match.start(), name) for name in request if name not in ("model", "messages", "input")
             and (match := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))]  # fmt: skip
    return min(found, default=(0, None))[1]


def _redirected(address: str, location: str | None, option: str) -> str:
    """Say where a redirect leads, as the value of an option; what may be a secret in it is left out."""
    if not location:
        return "; it redirects, and does not say where to"
    parts = urlsplit(urljoin(address, location))
    place = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    ending = next((one for one in ("/chat/completions", "/embeddings") if address.endswith(one)), "")
    if ending and place.rstrip("/").endswith(ending):
        return f"; it leads elsewhere: pass {option} {place.rstrip('/').removesuffix(ending)}"
    return f"; it leads to {place}: is {option} right?"
