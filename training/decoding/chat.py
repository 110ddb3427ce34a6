"""Answers of a chat model behind an endpoint."""

import asyncio
from collections.abc import Callable, Sequence

from bap_v2_training.in_context.endpoint import Accounts, Endpoint, EndpointError
from bap_v2_training.in_context.questions import Question
from bap_v2_training.in_context.settings import ChatArguments, endpoint_of, request_options


async def answer_all(
    arguments: ChatArguments,
    model: str,
    max_new_tokens: int,
    questions: Sequence[Question],
    write: Callable[[dict], None],
    accounts: Accounts,
    failures: list[str],
) -> None:
    """Send all questions, `concurrency` at a time, and write each answer when it comes.

    Args:
        write: is given each answer as a line of the output file.
        accounts: is filled with what the run used.
        failures: is filled with the items that got no answer, and why.
    Raises:
        EndpointError: nothing more can be answered, or too many items got no answer, or --max_cost is reached.
    """
    request = {"model": model, "temperature": 0, "max_tokens": max_new_tokens, **request_options(arguments)}
    request = {name: value for name, value in request.items() if value is not None}
    remaining = iter(questions)  # shared: each worker takes the next one

    async def worker(endpoint: Endpoint) -> None:
        for question in remaining:
            cost = accounts.cost(arguments.price_prompt, arguments.price_completion)
            if arguments.max_cost is not None and cost >= arguments.max_cost:
                raise EndpointError(f"this run has cost {cost:.4f}, and --max_cost is {arguments.max_cost:g}", True)
            try:
                response = await endpoint.response(
                    "chat/completions", {**request, "messages": question.messages}, _usable
                )
            except EndpointError as error:
                failures.append(f"{question.id}: {error}")
                if error.hopeless:
                    raise
                if len(failures) >= arguments.max_failures:
                    raise EndpointError(f"{len(failures)} items got no answer; the last: {error}", True) from error
                continue
            choice, usage = response["choices"][0], response.get("usage") or {}
            write(
                {
                    "id": question.id,
                    "prediction": choice["message"].get("content") or "",
                    "finished": choice.get("finish_reason") == "stop",
                    "history_lines_dropped": question.history_lines_dropped,
                    "shots": question.shots,
                    "prompt_tokens": usage.get("prompt_tokens"),
                    "completion_tokens": usage.get("completion_tokens"),
                }
            )

    async with endpoint_of(arguments) as endpoint:
        endpoint.accounts = accounts
        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(min(arguments.concurrency, len(questions))):
                    workers.create_task(worker(endpoint))
        except* EndpointError as group:
            raise group.exceptions[0] from None


def _usable(response: dict) -> bool:
    """Whether a response is a chat completion; its content may be null, if the model would not answer."""
    try:
        message = response["choices"][0]["message"]
        return isinstance(message, dict) and isinstance(message.get("content"), str | None)
    except (KeyError, IndexError, TypeError):
        return False
