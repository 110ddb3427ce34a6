"""Answers of a chat model behind an endpoint."""

from bap_v2_dataset.chat.final_answer import FinalAnswer, final_answer
from bap_v2_dataset.chat.system_role import in_role
from bap_v2_dataset.chat.tools import Toolbox
from bap_v2_training.in_context.chat_settings import ChatArguments
from bap_v2_training.in_context.conversation import Conversation, conversation
from bap_v2_training.in_context.endpoint import Endpoint
from bap_v2_training.in_context.endpoint_settings import EndpointRun
from bap_v2_training.in_context.questions import Question
from bap_v2_training.tasks.training_task import ItemTexts


class ChatRun(EndpointRun[Question]):
    """Sends questions to a chat model, and gives the lines of an output file.

    Attributes:
        unmarked: how many answers of a reasoning model had no marker.
    """

    arguments: ChatArguments
    unanswered = "items got no answer"

    def __init__(self, arguments: ChatArguments, model: str, texts: ItemTexts, max_new_tokens: int):
        request: dict = {"model": model, "temperature": 0, "max_tokens": max_new_tokens}
        if arguments.prompt == "reasoning":  # models that reason refuse the other fields
            request = {"model": model, "max_completion_tokens": max_new_tokens}
        super().__init__(arguments, request)
        self._texts, self.unmarked = texts, 0

    def name_of(self, asked: Question) -> str:
        return asked.id

    async def answered(self, endpoint: Endpoint, asked: Question) -> dict:
        request = {**self.request, "messages": in_role(asked.messages, self.arguments.system_role)}
        toolbox = Toolbox(asked.row, self._texts.representation) if self.arguments.tools else None
        came = await conversation(endpoint, request, toolbox, self.arguments.max_tool_rounds, self.check_cost)
        return self._line(asked, came)

    def _line(self, question: Question, came: Conversation) -> dict:
        """Return a line of the output file."""
        # What follows its marker, if it reasons
        reasons = self.arguments.prompt == "reasoning"
        answer = final_answer(came.text) if reasons else FinalAnswer(came.text, True)
        self.unmarked += not answer.marked
        # What is written of it, with what it cost
        counted = not came.usage.without_usage
        line = {
            "id": question.id,
            "prediction": self._texts.prediction(answer.text, question.row),
            "finished": came.finished,
            **({} if came.finished else {"unfinished": came.unfinished}),
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
        return line | ({"messages": came.messages} if self.arguments.keep_messages else {})
