"""Plancraft, as a language model learns it: dialogues of solved tasks. It is asked by playing, turn by turn.

The rewards are functions of TRL: the environment plays the answers, and says whether they succeed. They read columns of
the config plancraft. An answer is a dialogue, whose assistant messages are the turns, or a text with one turn per line.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from datasets import Dataset
from transformers import PreTrainedTokenizerBase

from bap_v2_dataset.tasks.plancraft import written_plans
from bap_v2_dataset.tasks.plancraft.counts import kinds_of
from bap_v2_dataset.tasks.plancraft.versions import PROMPT_VERSION
from bap_v2_simulators.plancraft.episode import Episode
from bap_v2_simulators.plancraft.turns import INVALID
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.chats import CHAT_TEMPLATE, chat_tokenized, plain_text, template_facts
from bap_v2_training.learning.rewards import Completion, LogMetric, text_of
from bap_v2_training.learning.tokenization import LearnedText
from bap_v2_training.tasks.training_task import ItemTexts, Row, TrainingTask

PLAYED, DIALOGUES = "plancraft", "plancraft_oracle"
_COLUMNS = ("id", "target", "impossible", "inventory")


@dataclass(frozen=True)
class ChatTexts(ItemTexts):
    """Dialogues, of the column `messages`; what a model reads of them is made by the template of its tokenizer."""

    everything: bool = False  # is learned, also what the others say
    system_role: str | None = None  # of the system text

    columns = ("id", "messages")

    @property
    def version(self) -> str:
        return PROMPT_VERSION

    def texts(self, row: Row) -> dict[str, Any]:
        return {"prompt": plain_text(row["messages"]), "history": [], "completion": ""}

    def prompted(self, rows: Dataset, others: Sequence[str] = ()) -> Dataset:
        """Return the dialogues as plain text: enough to train a tokenizer on."""
        return super().prompted(rows)

    def learned(self, rows: Dataset) -> Dataset:
        return rows.select_columns(["messages"])

    def tokenized(
        self, batch: Mapping[str, list], tokenizer: PreTrainedTokenizerBase, longest_prompt: int | None,
        longest: int | None,
    ) -> list[LearnedText]:  # fmt: skip
        """Dialogues in tokens, each one example or several."""
        made = (
            chat_tokenized(chat, tokenizer, longest, self.everything, self.system_role) for chat in batch["messages"]
        )
        return [example for examples in made for example in examples]


class PlancraftTraining(TrainingTask):
    """Plancraft."""

    representations = ("chat",)
    usual = "chat"
    column = "messages"
    unrewarded = (
        "dialogues are played, turn by turn: give the rewards of training/tasks/plancraft.py to TRL's own script"
    )

    def check_config(self, config: str) -> None:
        if config == PLAYED:
            raise UsageError(
                f"{PLAYED} holds tasks to play: learn {DIALOGUES}, and play with `bap-v2 play-games {PLAYED}`"
            )

    def texts(self, settings: Any) -> ChatTexts:
        return ChatTexts(
            self.usual, getattr(settings, "learn_observations", False), getattr(settings, "system_role", None)
        )

    def check_training(self, bap: Any, training: Any) -> None:
        for name in ("max_prompt_tokens", "curriculum"):
            if getattr(bap, name) is not None:
                raise UsageError(f"{name} is not for dialogues; max_length says how long they are")
        if bap.robust:
            raise UsageError("robust training is for Builder Action Prediction: dialogues have no variants")
        if training.packing:
            raise UsageError("packing is not for dialogues: set packing: false")

    def prepare(self, tokenizer: PreTrainedTokenizerBase) -> dict[str, str]:
        if tokenizer.chat_template is None:
            tokenizer.chat_template = CHAT_TEMPLATE
        return template_facts(tokenizer)

    def sources(self, rows: Dataset, examples: int, own: bool) -> list[str]:
        return ["own" if own else "plancraft"] * examples

    def complete_prediction(self, arguments: Any) -> None:
        raise UsageError(f"dialogues are played, turn by turn: `bap-v2 play-games {PLAYED}` lets a model play them")

    complete_question = complete_prediction


def plancraft_success(
    completions: Sequence[Completion], log_metric: LogMetric | None = None, **columns: Any
) -> list[float]:
    """1 for an answer that crafts the target, or gives up an impossible one; else 0 (Plancraft, 3).

    Args:
        columns: those of rows of plancraft.
    Raises:
        UsageError: naming a column that is missing.
        PlancraftMissing: without the package.
    """
    rewards = [float(episode.success) for episode in _played(completions, columns)]
    if log_metric and rewards:
        log_metric("plancraft_success", sum(rewards) / len(rewards))
    return rewards


def plancraft_valid(completions: Sequence[Completion], **columns: Any) -> list[float]:
    """Minus the share of turns that no tool reads, in -1..0; -1 for an answer without a turn."""
    rewards = []
    for episode in _played(completions, columns):
        kinds = kinds_of(episode.turns)
        rewards.append(-kinds.count(INVALID) / len(kinds) if kinds else -1.0)
    return rewards


def turns_of(completion: Completion) -> list[str]:
    """Return the turns of an answer.

    >>> turns_of("move: from [I2] to [B1] with quantity 1\\n\\nimpossible: no coal")
    ['move: from [I2] to [B1] with quantity 1', 'impossible: no coal']
    """
    if isinstance(completion, str):
        return written_plans.turns_of(completion)
    return [text_of([message]) for message in completion if message.get("role") == "assistant"]


def _played(completions: Sequence[Completion], columns: Mapping[str, Sequence]) -> Iterator[Episode]:
    """Yield an episode of each answer; what was written after its end is not played."""
    if missing := [name for name in _COLUMNS if name not in columns]:
        raise UsageError(f"the Plancraft rewards need the column {missing[0]!r}: train on rows of the config plancraft")
    for index, completion in enumerate(completions):
        task = {name: columns[name][index] for name in _COLUMNS}
        yield written_plans.played(task, turns_of(completion))


PLANCRAFT = PlancraftTraining("chat", "Plancraft", "dialogues")
