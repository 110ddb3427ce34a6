"""An OpenAI-compatible endpoint over HTTP: retries, a cache of responses on disk, and what a run used and cost.

Why not a client library: against the faults of tests/support/chat_stand_in.py, `AsyncInferenceClient` of
huggingface_hub 2.4 retries none. `AsyncOpenAI` 3.54 retries 429, 5xx, time-outs and broken connections, but not a
response of half a JSON or without choices; it retries a spent quota, gives up at a Retry-After above 120 s, and lets
each request find out for itself that the endpoint is to be left alone. The loop below, the cache and the counts would
remain.

The API key is read from the environment, sent to the endpoint, and neither printed nor written.
"""

import asyncio
import hashlib
import json
import os
import random
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urlsplit

from tqdm import tqdm

from bap_v2_simulators.atomic_files import atomic_write
from bap_v2_training.errors import UsageError

try:
    import httpx2
except ImportError:  # models that run here do not need it
    httpx2 = None

_RETRIED = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}
_FATAL = {401, 402, 403, 404, 405}  # every other item would be answered the same
_LONGEST_BACKOFF = 60.0  # seconds
_LONGEST_OBEYED = 600.0  # seconds of a Retry-After
_TOO_LONG = ("max_tokens", "max_completion_tokens", "max_model_len", "context length", "context_length", "context size")
_SHOWN = 300  # characters of an endpoint's message


class EndpointError(UsageError):
    """An endpoint gave no answer; the message says why. `fatal`: requests for other items would fail, too."""

    def __init__(self, message: str, fatal: bool = False):
        super().__init__(message)
        self.fatal = fatal


@dataclass
class Usage:
    """Usage of a run: tokens as the endpoint counts them; responses from the cache are counted separately."""

    responses: int = 0
    from_cache: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int | None = None  # of the completion tokens; None if no response tells
    without_usage: int = 0  # responses that do not tell how many tokens they used

    def add(self, response: dict) -> None:
        """Count a new response."""
        usage = response.get("usage") or {}
        self.responses += 1
        self.without_usage += "prompt_tokens" not in usage
        prompt, completion = usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0
        self.prompt_tokens += prompt
        # Some endpoints leave the tokens of thoughts out of the completion, but charge for them: the total has them.
        self.completion_tokens += max(completion, (usage.get("total_tokens") or 0) - prompt)
        reasoning = (usage.get("completion_tokens_details") or {}).get("reasoning_tokens")
        if reasoning is not None:
            self.reasoning_tokens = (self.reasoning_tokens or 0) + reasoning

    def cost(self, price_prompt: float, price_completion: float) -> float:
        """Return the cost in the currency of the prices, which are for a million tokens."""
        return (self.prompt_tokens * price_prompt + self.completion_tokens * price_completion) / 1e6

    def bill(self, price_prompt: float = 0.0, price_completion: float = 0.0) -> str:
        """Return what was used as a sentence; with prices, also what it cost."""
        sentence = (
            f"{self.responses} responses of the endpoint and {self.from_cache} from the cache, {self.retries} retries; "
            f"{self.prompt_tokens:,} prompt and {self.completion_tokens:,} completion tokens"
        )
        if self.reasoning_tokens:
            sentence += f" ({self.reasoning_tokens:,} of them for reasoning)"
        if self.without_usage:
            sentence += f", not counting {self.without_usage} responses that did not tell how many"
        if price_prompt or price_completion:
            sentence += f"; cost {self.cost(price_prompt, price_completion):.4f}"
        return sentence


class Endpoint:
    """POST requests to one base URL, for use in one event loop: `async with Endpoint(...) as endpoint`.

    Args:
        base_url: for example https://api.openai.com/v1 or http://localhost:8000/v1.
        api_key: sent as a bearer token, if there is one.
        cache: folder of responses, one file each, named after the SHA-256 of address and request.
        timeout: seconds for one attempt, from sending to the last byte.
        max_retries: further attempts after 429, 5xx, a broken connection, a time-out or an answer that is cut off.
        first_delay: seconds before the first retry; doubled each time, with jitter. A Retry-After takes precedence.
    Raises:
        UsageError: the address is not http(s) or holds a password; or httpx2 is not installed.
    """

    def __init__(
        self, base_url: str, api_key: str | None, cache: Path, timeout: float, max_retries: int, first_delay: float
    ):
        if httpx2 is None:
            raise UsageError('--backend openai needs httpx2 (pip install -e ".[training,icl]")')
        self.base_url = checked_url(base_url)
        self.cache = cache
        self.timeout = timeout
        self.max_retries = max_retries
        self.first_delay = first_delay
        self.usage = Usage()
        self._key = api_key
        self._told = False  # that requests are repeated
        self._not_before = 0.0  # of time.monotonic(): the endpoint asked all requests to wait until then
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx2.AsyncClient(headers=headers, timeout=timeout, limits=httpx2.Limits(max_connections=None))

    async def __aenter__(self) -> "Endpoint":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def response(self, path: str, request: dict, usable: Callable[[dict], bool]) -> dict:
        """Return the endpoint's response to a request, from the cache if it was given before.

        Args:
            path: for example "chat/completions".
            usable: whether a response has the parts that are needed; if not, the request is repeated.
        Raises:
            EndpointError: the request was refused, or all attempts failed.
        """
        address = f"{self.base_url}/{path}"
        name = hashlib.sha256(json.dumps([address, request], sort_keys=True).encode()).hexdigest()
        cached = self.cache / name[:2] / f"{name}.json"
        with suppress(OSError, ValueError):  # not cached, or not a whole file
            response = json.loads(cached.read_bytes())
            if usable(response):
                self.usage.from_cache += 1
                return response

        for attempt in range(self.max_retries + 1):
            # Send it, when the endpoint wants to be asked again.
            unconnected = False
            if (wait := self._not_before - time.monotonic()) > 0:
                await asyncio.sleep(wait + random.uniform(0, min(wait, 1.0)))  # not all at once
            try:
                async with asyncio.timeout(self.timeout):
                    answer = await self._client.post(address, json=request)
            except (httpx2.TransportError, TimeoutError) as error:
                unconnected = isinstance(error, httpx2.ConnectError)
                problem = self._broken(error)
            else:
                # A usable response is cached, a refusal ends the attempts.
                if answer.is_success:
                    response = _json(answer)
                    if isinstance(response, dict) and usable(response):
                        self.usage.add(response)
                        cached.parent.mkdir(parents=True, exist_ok=True)
                        atomic_write(cached, json.dumps(response).encode())
                        return response
                    problem = f"an answer that is cut off or has another form: {self._shown(answer.text)}"
                else:
                    problem = f"{answer.status_code}: {self._message(answer)}"
                    if answer.status_code not in _RETRIED or "insufficient_quota" in answer.text:
                        raise self._refusal(address, answer, problem)
                    self._note_requested_wait(answer, problem)

            # Wait longer each time.
            if attempt < self.max_retries:
                self._tell(address, problem)
                self.usage.retries += 1
                delay = min(self.first_delay * 2**attempt, _LONGEST_BACKOFF)
                await asyncio.sleep(random.uniform(delay / 2, delay))
        raise EndpointError(
            f"{address} gave no answer in {self.max_retries + 1} attempts; the last: {problem}", fatal=unconnected
        )

    def _broken(self, error: Exception) -> str:
        """Say why an attempt got no answer, and what may help."""
        if isinstance(error, httpx2.ConnectError):
            return f"no connection ({error}); check that a server runs at --base-url"
        if isinstance(error, (TimeoutError, httpx2.TimeoutException)):
            # Servers go on with what nobody waits for any more, so that a repeated request is only slower.
            return f"no answer within {self.timeout:g} s; a slow server needs a longer --timeout or less --concurrency"
        return repr(error)

    def _tell(self, address: str, problem: str) -> None:
        """Say once why nothing seems to happen."""
        if not self._told:
            self._told = True
            tqdm.write(f"{address}: {problem}; trying again (--max-retries {self.max_retries})", file=sys.stderr)

    def _note_requested_wait(self, answer: "httpx2.Response", problem: str) -> None:
        """Note when the next request may be sent, if the endpoint names a time."""
        seconds = _retry_after(answer.headers.get("retry-after"))
        if seconds > _LONGEST_OBEYED:
            raise EndpointError(f"{self.base_url} asks to wait {seconds:.0f} s ({problem}); run again later", True)
        self._not_before = max(self._not_before, time.monotonic() + seconds)

    def _refusal(self, address: str, answer: "httpx2.Response", problem: str) -> EndpointError:
        fix = ""
        if answer.status_code in (401, 403):
            fix = "; is the API key right?" if self._key else "; no API key was sent (see --api-key-env)"
        elif answer.status_code == 404:
            fix = "; are --base-url (it often ends in /v1) and --model right?"
        elif answer.status_code == 400 and any(word in answer.text for word in _TOO_LONG):
            fix = "; see --max-new-tokens, --shots and --history-lines"
        fatal = answer.status_code in _FATAL or answer.status_code == 429
        return EndpointError(f"{address} refused with {problem}{fix}", fatal)

    def _message(self, answer: "httpx2.Response") -> str:
        """Return the endpoint's own words about what is wrong."""
        body = _json(answer)
        error = body.get("error", body) if isinstance(body, dict) else None
        message = error.get("message") if isinstance(error, dict) else error
        return self._shown(message if isinstance(message, str) else answer.text)

    def _shown(self, text: str) -> str:
        text = text.replace(self._key, "***") if self._key else text
        return " ".join(text.split())[:_SHOWN] or "(nothing)"


def checked_url(base_url: str) -> str:
    """Return the base URL without a slash at its end. Raises: UsageError: it is none, or holds a secret."""
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(
            f"{base_url!r} is not the address of an endpoint (expected for example http://localhost:8000/v1)"
        )
    if parts.username or parts.password or parts.query:
        # Not shown; and it would be written beside the predictions.
        raise UsageError(f"the address of {parts.hostname} holds a user name, password or query: give the API key "
                         "in the environment (see --api-key-env)")  # fmt: skip
    return base_url.rstrip("/")


def api_key(variable: str) -> str | None:
    """Read the API key in that environment variable, if any."""
    return os.environ.get(variable, "").strip() or None


def _json(answer: "httpx2.Response") -> object:
    try:
        return answer.json()
    except ValueError:
        return None


def _retry_after(value: str | None) -> float:
    """Read the seconds to wait, from a number or a date; 0 if there is no readable value."""
    try:
        return max(0.0, float(value or 0))
    except ValueError:
        try:
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
        except ValueError:
            return 0.0
