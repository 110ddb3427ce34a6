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
import random
import re
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tqdm import tqdm

from bap_v2_dataset.sentences import visible
from bap_v2_simulators.atomic_files import atomic_write
from bap_v2_training.errors import UsageError
from bap_v2_training.in_context.connection import checked_url, client_of, hiding, httpx2, proxy_of
from bap_v2_training.in_context.refusals import advice, words_of
from bap_v2_training.in_context.streamed import added_up, is_stream

_RETRIED = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}
_LONGEST_BACKOFF = 60.0  # seconds
_LONGEST_OBEYED = 600.0  # seconds of a Retry-After
_SHOWN = 300  # characters of an endpoint's message
_HIDDEN, _HIDDEN_IN_ANSWERS = 4, 8  # characters of a key; shorter ones are placeholders, and could be words


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
    longest: int = 0  # prompt tokens of a request
    lengths: set[int] = field(default_factory=set)  # of the requests with so many, in characters

    def note_prompt(self, response: dict, length: int) -> None:
        """Note how many tokens a request of that many characters had, also of a cached response."""
        tokens = (response.get("usage") or {}).get("prompt_tokens") or 0
        if tokens > self.longest:
            self.longest, self.lengths = tokens, set()
        if tokens == self.longest:
            self.lengths.add(length)

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
        if self.longest >= 256 and len(self.lengths) > 2 and max(self.lengths) > 1.05 * min(self.lengths):
            sentence += (
                f"\nwarning: {len(self.lengths)} requests of different lengths have the same, highest number of prompt "
                f"tokens, {self.longest:,}: does the server cut prompts? Raise its context (num_ctx in Ollama)"
            )
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
        options: those of --request-options, for advice that goes on from them.
    Raises:
        UsageError: the address is not http(s) or holds a password; httpx2 is not installed; or the environment names
            proxies or certificates that cannot be used.
    """

    def __init__(
        self, base_url: str, api_key: str | None, cache: Path, timeout: float, max_retries: int, first_delay: float,
        options: Mapping[str, Any] | None = None,
    ):  # fmt: skip
        self.base_url = checked_url(base_url)
        self.cache = cache
        self.timeout = timeout
        self.max_retries = max_retries
        self.first_delay = first_delay
        self.usage = Usage()
        self._key, self._options = api_key, options or {}
        length = len(api_key or "")
        self._key_in_answers = hiding(api_key) if length >= _HIDDEN_IN_ANSWERS else None
        self._key_in_messages = hiding(api_key, cut_off=True) if length >= _HIDDEN else None
        self._told = False  # that requests are repeated
        self._not_before = 0.0  # of time.monotonic(): the endpoint asked all requests to wait until then
        self._proxy = proxy_of(self.base_url)
        self._client = client_of(self.base_url, api_key, timeout, self._proxy)

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
        address, length = f"{self.base_url}/{path}", len(json.dumps(request))
        name = hashlib.sha256(json.dumps([address, request], sort_keys=True).encode()).hexdigest()
        cached = self.cache / name[:2] / f"{name}.json"
        with suppress(OSError, ValueError):  # not cached, or not a whole file
            response = json.loads(cached.read_bytes())
            if usable(response):
                self.usage.from_cache += 1
                self.usage.note_prompt(response, length)
                return response

        for attempt in range(self.max_retries + 1):
            # Send it, when the endpoint wants to be asked again.
            unconnected = False
            if (wait := self._not_before - time.monotonic()) > 0:
                await asyncio.sleep(wait + random.uniform(0, min(wait, 1.0)))  # not all at once
            try:
                async with asyncio.timeout(self.timeout):
                    answer, text = await self._sent(address, request)
            except (httpx2.RequestError, TimeoutError) as error:
                unconnected = isinstance(error, httpx2.ConnectError | httpx2.ProxyError)
                problem = self._broken(error)
            else:
                # A usable response is cached, a refusal ends the attempts; some refuse with a success.
                response, status = _json(text), answer.status_code
                if answer.is_success and isinstance(response, dict) and usable(response):
                    self.usage.add(response)
                    self.usage.note_prompt(response, length)
                    cached.parent.mkdir(parents=True, exist_ok=True)
                    atomic_write(cached, json.dumps(response).encode())
                    return response
                nothing = "a redirect" if 300 <= status < 400 else "(nothing)"
                words = " ".join((words_of(response) or text).split())[:_SHOWN] or nothing
                if answer.is_success and (code := _code_of_error(response)):
                    status = code
                if 200 <= status < 300:
                    problem = f"an answer that is cut off or has another form: {words}"
                    if re.match(r"\s*<(?:!doctype|html)", text, re.IGNORECASE):
                        raise self._error(f"{address} is a page for people: {words}; is --base-url right (it often "
                                          "ends in /v1)?", True)  # fmt: skip
                else:
                    problem = f"{status}: {words}{self._around() if status in (403, 407, 502, 503, 504) else ''}"
                    if status not in _RETRIED or "insufficient_quota" in text:
                        said = answer.headers.get("location", "") if 300 <= status < 400 else text
                        fix, fatal = advice(status, said, request, self._options, bool(self._key), address)
                        raise self._error(f"{address} refused with {problem}{fix}", fatal)
                    self._note_requested_wait(answer, problem)

            # Wait longer each time.
            if attempt < self.max_retries:
                self._tell(address, problem)
                self.usage.retries += 1
                delay = min(self.first_delay * 2**attempt, _LONGEST_BACKOFF)
                await asyncio.sleep(random.uniform(delay / 2, delay))
        raise self._error(
            f"{address} gave no answer in {self.max_retries + 1} attempts; the last: {problem}", fatal=unconnected
        )

    async def _sent(self, address: str, request: dict) -> "tuple[httpx2.Response, str]":
        """Send a request; return the answer and its text, without the key. A stream ends with its last event."""
        async with self._client.stream("POST", address, json=request) as answer:
            text = ""
            async for part in answer.aiter_text():
                text += part
                if is_stream(text[:200]) and re.search(r"^data: ?\[DONE\]", text[-len(part) - 20 :], re.MULTILINE):
                    break  # some leave the connection open
        return answer, self._key_in_answers.sub("***", text) if self._key_in_answers else text

    def _broken(self, error: Exception) -> str:
        """Say why an attempt got no answer, and what may help."""
        if isinstance(error, httpx2.ConnectError | httpx2.ProxyError):
            fix = self._around() or "; check that a server runs at --base-url"
            if "CERTIFICATE_VERIFY_FAILED" in str(error):
                fix = "; SSL_CERT_FILE=FILE names the certificates to trust"
            elif "SSL" in str(error):
                fix = "; is it http:// in place of https://?"
            return f"no connection ({error}){fix}"
        if isinstance(error, (TimeoutError, httpx2.TimeoutException)):
            # Servers go on with what nobody waits for any more, so that a repeated request is only slower.
            return (
                f"no answer within {self.timeout:g} s; a slow server needs a longer --timeout or less --concurrency"
                f"{self._around()}"
            )
        return repr(error)

    def _around(self) -> str:
        """Say which proxy was asked, and how to do without it; nothing if there is none."""
        host = urlsplit(self.base_url).hostname
        return f"; asked through {self._proxy}: NO_PROXY={host} asks without it" if self._proxy else ""

    def _tell(self, address: str, problem: str) -> None:
        """Say once why nothing seems to happen."""
        if not self._told:
            self._told = True
            text = f"{address}: {problem}; trying again (--max-retries {self.max_retries})"
            tqdm.write(visible(self._hidden(text)), file=sys.stderr)

    def _note_requested_wait(self, answer: "httpx2.Response", problem: str) -> None:
        """Note when the next request may be sent, if the endpoint names a time."""
        seconds = _retry_after(answer.headers.get("retry-after"))
        if seconds > _LONGEST_OBEYED:
            raise self._error(f"{self.base_url} asks to wait {seconds:.0f} s ({problem}); run again later", True)
        self._not_before = max(self._not_before, time.monotonic() + seconds)

    def _error(self, message: str, fatal: bool) -> EndpointError:
        return EndpointError(self._hidden(message), fatal)

    def _hidden(self, text: str) -> str:
        return self._key_in_messages.sub("***", text) if self._key_in_messages else text


def _json(text: str) -> object:
    """Return a response, also one that was streamed; None if it is none."""
    with suppress(ValueError, TypeError, AttributeError, RecursionError):  # also what only looks like a stream of ours
        return added_up(text) if is_stream(text) else json.loads(text)
    return None


def _code_of_error(response: object) -> int:
    """Return the status that an error inside a response names: as a code, or 500; 0 if there is no error."""
    error = response.get("error") if isinstance(response, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    return (code if isinstance(code, int) and 400 <= code < 600 else 500) if error else 0


def _retry_after(value: str | None) -> float:
    """Read the seconds to wait, from a number or a date; 0 if there is no readable value."""
    try:
        return max(0.0, float(value or 0))
    except ValueError:
        try:
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
        except ValueError:
            return 0.0
