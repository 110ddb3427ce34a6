"""Plancraft, as a language model learns it: dialogues of solved tasks. It is asked by playing, turn by turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from datasets import Dataset
from transformers import PreTrainedTokenizerBase

from bap_v2_dataset.tasks.plancraft.prompts import PROMPT_VERSION
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.chats import CHAT_TEMPLATE, chat_tokenized, plain_text
from bap_v2_training.learning.tokenization import LearnedText
from bap_v2_training.tasks.training_task import ItemTexts, Row, TrainingTask

PLAYED, DIALOGUES = "plancraft", "plancraft_oracle"


@dataclass(frozen=True)
class ChatTexts(ItemTexts):
    """Dialogues, of the column `messages`; what a model reads of them is made by the template of its tokenizer."""

    everything: bool = False  # is learned, also what the others say

    columns = ("id", "messages")

    @property
    def version(self) -> str:
        return PROMPT_VERSION

    def texts(self, row: Row) -> dict[str, Any]:
        return {"prompt": plain_text(row["messages"]), "history": [], "completion": ""}

    def prompted(self, rows: Dataset, others: Sequence[str] = ()) -> Dataset:
        """The dialogues as plain text: enough to train a tokenizer on."""
        return super().prompted(rows)

    def learned(self, rows: Dataset) -> Dataset:
        return rows.select_columns(["messages"])

    def tokenized(
        self, batch: Mapping[str, list], tokenizer: PreTrainedTokenizerBase, longest_prompt: int | None,
        longest: int | None,
    ) -> list[LearnedText]:  # fmt: skip
        """Dialogues in tokens, each one example or several."""
        made = (chat_tokenized(chat, tokenizer, longest, self.everything) for chat in batch["messages"])
        return [example for examples in made for example in examples]


class PlancraftTraining(TrainingTask):
    """Plancraft."""

    representations = ("chat",)
    usual = "chat"
    column = "messages"
    unrewarded = "dialogues are played, turn by turn: no reward reads them"

    def check_config(self, config: str) -> None:
        if config == PLAYED:
            raise UsageError(
                f"{PLAYED} holds tasks to play: learn {DIALOGUES}, and play with `bap-v2 play-games {PLAYED}`"
            )

    def texts(self, settings: Any) -> ChatTexts:
        return ChatTexts(self.usual, getattr(settings, "learn_observations", False))

    def check_training(self, bap: Any, training: Any) -> None:
        for name in ("max_prompt_tokens", "curriculum"):
            if getattr(bap, name) is not None:
                raise UsageError(f"{name} is not for dialogues; max_length says how long they are")
        if bap.robust:
            raise UsageError("robust training is for Builder Action Prediction: dialogues have no variants")
        if training.packing:
            raise UsageError("packing is not for dialogues: set packing: false")

    def prepare(self, tokenizer: PreTrainedTokenizerBase) -> None:
        if tokenizer.chat_template is None:
            tokenizer.chat_template = CHAT_TEMPLATE

    def sources(self, rows: Dataset, examples: int, own: bool) -> list[str]:
        return ["own" if own else "plancraft"] * examples

    def complete_prediction(self, arguments: Any) -> None:
        raise UsageError(f"dialogues are played, turn by turn: `bap-v2 play-games {PLAYED}` lets a model play them")

    complete_question = complete_prediction


PLANCRAFT = PlancraftTraining("chat", "Plancraft", "dialogues")
