"""The settings of an OpenAI-compatible endpoint: where it is, how often it is asked, and the limits of a run."""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import datasets

from bap_v2_dataset.chat.system_role import SYSTEM_ROLES
from bap_v2_training.errors import UsageError
from bap_v2_training.in_context.connection import api_key, checked_url, hiding
from bap_v2_training.in_context.endpoint import Endpoint, EndpointError, Usage
from bap_v2_training.learning.options import check_least, option

Asked = TypeVar("Asked")  # one of the many things


@dataclass
class EndpointArguments:
    """The fields of the command line that are for --backend openai, whatever it is asked."""

    base_url: str | None = None
    api_key_env: str = "OPENAI_API_KEY"
    request_options: str | None = None
    concurrency: int = 8
    timeout: float | None = None
    max_retries: int = 6
    retry_delay: float = 1.0
    max_failures: int = 5
    price_prompt: float = 0.0
    price_completion: float = 0.0
    max_cost: float | None = None
    cache: str | None = None
    system_role: str | None = option(None, choices=list(SYSTEM_ROLES))


# Answers do not depend on these: a run may be resumed with other values.
NOT_IN_ANSWERS = (
    "api_key_env", "concurrency", "timeout", "max_retries", "retry_delay", "max_failures", "price_prompt",
    "price_completion", "max_cost", "cache",
)  # fmt: skip
_LEAST = {
    **dict.fromkeys(("max_retries", "retry_delay", "price_prompt", "price_completion"), 0),
    **dict.fromkeys(("concurrency", "max_failures"), 1),
    "timeout": 0.001,
}


def check_endpoint(arguments: EndpointArguments, timeout: float) -> None:
    """Bring the address into one form, and fill in the timeout.

    Args:
        timeout: in seconds, where none was passed.
    Raises:
        UsageError: no address, or values that do not go together.
    """
    if arguments.timeout is None:
        arguments.timeout = timeout
    if arguments.base_url is None:
        raise UsageError("--backend openai needs --base-url, for example https://api.openai.com/v1")
    check_written(arguments, arguments.api_key_env, ("base_url", "request_options"))
    arguments.base_url = checked_url(arguments.base_url)
    check_least(arguments, _LEAST)
    if arguments.max_cost is not None and not (arguments.price_prompt or arguments.price_completion):
        raise UsageError("--max-cost needs --price-prompt and --price-completion")
    request_options(arguments)


def check_written(arguments: object, key_variable: str, names: Sequence[str]) -> None:
    """Raises: UsageError if a setting, which is written beside the predictions, holds the API key of that variable."""
    key = api_key(key_variable)
    for name in names:
        if key and len(key) >= 8 and hiding(key).search(str(getattr(arguments, name))):
            raise UsageError(
                f"--{name.replace('_', '-')} holds the API key, and would be written beside the predictions: leave it "
                f"out, {key_variable} is enough"
            )


def unrecorded_role(arguments: EndpointArguments) -> set[str]:
    """Return `system_role` in a set if it is as it always was: files that do not name it have the same answers."""
    return set() if arguments.system_role == "user" else {"system_role"}


def request_options(arguments: EndpointArguments) -> dict:
    """Read the further fields of a request."""
    try:
        options = json.loads(arguments.request_options or "{}")
    except ValueError as error:
        raise UsageError(f"--request-options is not JSON ({error}): {arguments.request_options}") from error
    if not isinstance(options, dict):
        raise UsageError(f"--request-options is not a JSON object: {arguments.request_options}")
    return options


def endpoint_at(address: str, key_variable: str, arguments: EndpointArguments) -> Endpoint:
    """Return an endpoint with the limits of the run.

    Args:
        key_variable: the environment variable with its API key.
    """
    cache = Path(arguments.cache or Path(datasets.config.HF_CACHE_HOME) / "bap_v2_responses")
    limits = {"timeout": arguments.timeout, "max_retries": arguments.max_retries, "first_delay": arguments.retry_delay}
    return Endpoint(address, api_key(key_variable), cache, **limits, options=request_options(arguments))


class EndpointRun(Generic[Asked]):
    """Asks an endpoint many things, several at a time; whatever ends the run, it says what was used and what failed.

    What got no answer is not written.

    Attributes:
        usage: what the run used so far.
        failures: what got no answer, and why.
    """

    unanswered: ClassVar[str]  # said of how many there are

    def __init__(self, arguments: EndpointArguments, request: dict):
        """Args: request: what all requests have in common; `request_options` change it."""
        self.arguments, self.usage = arguments, Usage()
        self.failures: list[str] = []
        request = request | request_options(arguments)
        self.request = {name: value for name, value in request.items() if value is not None}

    async def answered(self, endpoint: Endpoint, asked: Asked) -> Any:
        """Return what is written of one of them. Raises: EndpointError without an answer."""
        raise NotImplementedError

    def name_of(self, asked: Asked) -> str:
        """Return the name of one of them in messages."""
        raise NotImplementedError

    async def answer_all(self, asked: Sequence[Asked], write: Callable[[Any], None]) -> None:
        """Ask for all, `concurrency` at a time, and write each when it is answered.

        Raises:
            EndpointError: nothing more can be answered, or too many got no answer, or --max-cost is reached.
        """
        remaining = iter(asked)  # shared: each worker takes the next one
        async with endpoint_at(self.arguments.base_url, self.arguments.api_key_env, self.arguments) as endpoint:
            endpoint.usage = self.usage
            try:
                async with asyncio.TaskGroup() as workers:
                    for _ in range(min(self.arguments.concurrency, len(asked))):
                        workers.create_task(self._work(endpoint, remaining, write))
            except ExceptionGroup as group:  # not `except*`: Python 3.11.2 wraps what is raised there
                refused, others = group.split(EndpointError)
                if refused is None or others is not None:
                    raise
                raise refused.exceptions[0] from None

    async def _work(self, endpoint: Endpoint, remaining: Iterator[Asked], write: Callable[[Any], None]) -> None:
        """One worker: asks until nothing is left."""
        for asked in remaining:
            try:
                answer = await self.answered(endpoint, asked)
            except EndpointError as error:
                self.failures.append(f"{self.name_of(asked)}: {error}")
                if error.fatal:
                    raise
                if len(self.failures) >= self.arguments.max_failures:
                    raise EndpointError(f"{len(self.failures)} {self.unanswered}; the last: {error}", True) from error
            else:
                write(answer)

    def check_cost(self) -> None:
        """Raises: EndpointError if --max-cost is reached."""
        limit = self.arguments.max_cost
        cost = self.usage.cost(self.arguments.price_prompt, self.arguments.price_completion)
        if limit is not None and cost >= limit:
            raise EndpointError(f"this run has cost {cost:.4f}, and --max-cost is {limit:g}", True)
