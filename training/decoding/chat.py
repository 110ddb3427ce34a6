"""Answers of a chat model behind an endpoint."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

from bap_v2_dataset.chat.final_answer import FinalAnswer, final_answer
from bap_v2_dataset.chat.tools import Toolbox
from bap_v2_training.in_context.chat_settings import ChatArguments, endpoint_of
from bap_v2_training.in_context.conversation import Conversation, conversation
from bap_v2_training.in_context.endpoint import Endpoint, EndpointError, Usage
from bap_v2_training.in_context.endpoint_settings import request_options
from bap_v2_training.in_context.questions import Question
from bap_v2_training.tasks.learned_task import ItemTexts


class ChatRun:
    """Sends questions to a chat model; whatever ends the run, it says what was used and what failed.

    Attributes:
        usage: what the run used so far.
        failures: the items that got no answer, and why.
        unmarked: how many answers of a reasoning model had no marker.
    """

    def __init__(self, arguments: ChatArguments, model: str, texts: ItemTexts, max_new_tokens: int):
        request: dict = {"model": model, "temperature": 0, "max_tokens": max_new_tokens}
        if arguments.prompt == "reasoning":  # models that reason refuse the other fields
            request = {"model": model, "max_completion_tokens": max_new_tokens}
        request |= request_options(arguments)
        self._request = {name: value for name, value in request.items() if value is not None}
        self._arguments = arguments
        self._texts = texts
        self.usage = Usage()
        self.failures: list[str] = []
        self.unmarked = 0

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
            request = {**self._request, "messages": question.messages}
            toolbox = Toolbox(question.row, self._texts.representation) if self._arguments.tools else None
            rounds = self._arguments.max_tool_rounds
            try:
                came = await conversation(endpoint, request, toolbox, rounds, self._check_cost)
            except EndpointError as error:
                self.failures.append(f"{question.id}: {error}")
                if error.fatal:
                    raise
                if len(self.failures) >= self._arguments.max_failures:
                    raise EndpointError(f"{len(self.failures)} items got no answer; the last: {error}", True) from error
            else:
                write(self._line(question, came))

    def _check_cost(self) -> None:
        """Raises: EndpointError if --max_cost is reached."""
        limit = self._arguments.max_cost
        cost = self.usage.cost(self._arguments.price_prompt, self._arguments.price_completion)
        if limit is not None and cost >= limit:
            raise EndpointError(f"this run has cost {cost:.4f}, and --max_cost is {limit:g}", True)

    def _line(self, question: Question, came: Conversation) -> dict:
        """A line of the output file."""
        reasons = self._arguments.prompt == "reasoning"
        answer = final_answer(came.text) if reasons else FinalAnswer(came.text, True)
        self.unmarked += not answer.marked
        counted = not came.usage.without_usage
        line = {
            "id": question.id,
            "prediction": self._texts.prediction(answer.text, question.row),
            "finished": came.finished,
            "history_lines_dropped": question.history_lines_dropped,
            **({} if question.shots is None else {"shots": question.shots}),
            "prompt_tokens": came.usage.prompt_tokens if counted else None,
            "completion_tokens": came.usage.completion_tokens if counted else None,
        }
        if reasons:
            line |= {
                "marked": answer.marked,
                "reasoning_tokens": came.usage.reasoning_tokens,
                "requests": came.usage.responses,
                "tool_calls": came.tool_calls,
            }
        return line | ({"messages": came.messages} if self._arguments.keep_messages else {})
