"""Answers of a chat model behind an endpoint."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

from bap_v2_training.in_context.chat_settings import ChatArguments, endpoint_of, request_options
from bap_v2_training.in_context.endpoint import Endpoint, EndpointError, Usage
from bap_v2_training.in_context.questions import Question


class ChatRun:
    """Sends questions to a chat model; whatever ends the run, it says what was used and what failed.

    Attributes:
        usage: what the run used so far.
        failures: the items that got no answer, and why.
    """

    def __init__(self, arguments: ChatArguments, model: str, max_new_tokens: int):
        request = {"model": model, "temperature": 0, "max_tokens": max_new_tokens, **request_options(arguments)}
        self._request = {name: value for name, value in request.items() if value is not None}
        self._arguments = arguments
        self.usage = Usage()
        self.failures: list[str] = []

    async def answer_all(self, questions: Sequence[Question], write: Callable[[dict], None]) -> None:
        """Send all questions, `concurrency` at a time, and write each answer when it comes.

        Args:
            write: is given each answer as a line of the output file.
        Raises:
            EndpointError: nothing more can be answered, or too many items got no answer, or --max_cost is reached.
        """
        remaining = iter(questions)  # shared: each worker takes the next one
        async with endpoint_of(self._arguments) as endpoint:
            endpoint.usage = self.usage
            try:
                async with asyncio.TaskGroup() as workers:
                    for _ in range(min(self._arguments.concurrency, len(questions))):
                        workers.create_task(self._answer(endpoint, remaining, write))
            except* EndpointError as group:
                raise group.exceptions[0] from None

    async def _answer(self, endpoint: Endpoint, questions: Iterator[Question], write: Callable[[dict], None]) -> None:
        """One worker: answers questions until there are none left."""
        for question in questions:
            self._check_cost()
            request = {**self._request, "messages": question.messages}
            try:
                response = await endpoint.response("chat/completions", request, _usable)
            except EndpointError as error:
                self.failures.append(f"{question.id}: {error}")
                if error.fatal:
                    raise
                if len(self.failures) >= self._arguments.max_failures:
                    raise EndpointError(f"{len(self.failures)} items got no answer; the last: {error}", True) from error
            else:
                write(_line(question, response))

    def _check_cost(self) -> None:
        """Raises: EndpointError if --max_cost is reached."""
        limit = self._arguments.max_cost
        cost = self.usage.cost(self._arguments.price_prompt, self._arguments.price_completion)
        if limit is not None and cost >= limit:
            raise EndpointError(f"this run has cost {cost:.4f}, and --max_cost is {limit:g}", True)


def _line(question: Question, response: dict) -> dict:
    """A line of the output file."""
    choice, tokens = response["choices"][0], response.get("usage") or {}
    return {
        "id": question.id,
        "prediction": choice["message"].get("content") or "",
        "finished": choice.get("finish_reason") == "stop",
        "history_lines_dropped": question.history_lines_dropped,
        "shots": question.shots,
        "prompt_tokens": tokens.get("prompt_tokens"),
        "completion_tokens": tokens.get("completion_tokens"),
    }


def _usable(response: dict) -> bool:
    """Whether a response is a chat completion; its content may be null, if the model would not answer."""
    try:
        message = response["choices"][0]["message"]
        return isinstance(message, dict) and isinstance(message.get("content"), str | None)
    except (KeyError, IndexError, TypeError):
        return False
