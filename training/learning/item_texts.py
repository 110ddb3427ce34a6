"""What a language model reads and writes of an item: each task has a way of its own, and `texts_of` chooses it.

Everything else of training and prediction is the same for all tasks: it takes rows `id`, `prompt`, `history` (the
lines of the prompt that may be dropped) and `completion`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from datasets import Dataset

from bap_v2_dataset.loading.own_data import DataError
from bap_v2_dataset.tasks.architect import prompts as architect_prompts
from bap_v2_dataset.tasks.architect.prompts import STRUCTURES
from bap_v2_dataset.tasks.building.prompts import prompt_version, to_world
from bap_v2_dataset.tasks.gsu.blocks import REPRESENTATIONS
from bap_v2_dataset.tasks.gsu.prompts import MOST_SHOTS, PROMPT_VERSION, render, usual_form
from bap_v2_dataset.tasks.plancraft.prompts import PROMPT_VERSION as PLANCRAFT_PROMPT_VERSION
from bap_v2_dataset.tasks.table import TASKS
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.chats import plain_text
from bap_v2_training.learning.dataset_rows import check_columns, own_columns, prompted

# Builder Action Prediction, with its variants; Grid Spatial Understanding; dialogues such as those of Plancraft; the
# Architect's next utterance.
BAP, GSU, CHAT, ARCHITECT = "bap", "gsu", "chat", "architect"
TEXT_SETTINGS = ("representation", "history_lines", "shots", "reasoning")  # that say what the text of an item is
READ_WITH = ("pose", "history")  # columns that an answer is read with, if the items have them
USUAL_REPRESENTATION = {BAP: "n_posb_s", GSU: "text", CHAT: "chat", ARCHITECT: STRUCTURES}
PLAYED, DIALOGUES = "plancraft", "plancraft_oracle"
_NEXT_ITEM = re.compile(r"^(?:Example|Your turn)$", re.MULTILINE)  # as `render` begins them
_OF_ARCHITECT = ("history", "pose", "before", "target")  # columns that prompts of the Architect are made of
_COLUMNS = ("id", "task", "question", "blocks", "metadata")  # of GSU, that prompts are made of


class ItemTexts(Protocol):
    """How rows of one task become text, and answers become predictions."""

    @property
    def representation(self) -> str:
        """Of the situation, or of blocks."""

    @property
    def version(self) -> str:
        """Of the prompts."""

    def prompted(self, rows: Dataset, others: Sequence[str] = ()) -> Dataset:
        """The rows as `id`, `prompt`, `history` and `others`; of these, `completion` is what is learned.

        Raises:
            UsageError: the rows lack what their prompts are made of.
        """

    def prediction(self, text: str, row: Mapping[str, Any]) -> str:
        """What of a model's text is the prediction. Args: row: with the columns READ_WITH."""


@dataclass(frozen=True)
class BapTexts:
    """Prompts of Table 5 (BAP v2), or ours as the Builder sees the board, without the oldest lines of the history."""

    representation: str
    history_lines: int | None = None

    @property
    def version(self) -> str:
        return prompt_version(self.representation)

    def prompted(self, rows: Dataset, others: Sequence[str] = ()) -> Dataset:
        return prompted(rows, self.representation, self.history_lines, others)

    def prediction(self, text: str, row: Mapping[str, Any]) -> str:
        return to_world(text, row, self.representation)


@dataclass(frozen=True)
class GsuTexts:
    """Questions of GSU after some solved ones; with reasoning, an answer follows its trace."""

    representation: str  # of blocks
    shots: int | None = None  # None: as in Table 1 of the paper
    reasoning: bool | None = None  # the same; structures have no traces, and so never reason

    @property
    def version(self) -> str:
        return PROMPT_VERSION

    def prompted(self, rows: Dataset, others: Sequence[str] = ()) -> Dataset:
        check_columns(rows, [*_COLUMNS[:-1], *others])
        taken = [name for name in (*_COLUMNS, "reasoning", *others) if name in rows.column_names]
        return rows.select_columns(list(dict.fromkeys(taken))).map(
            _gsu_texts,
            fn_kwargs={"texts": self, "version": self.version},
            remove_columns=[name for name in taken if name not in ("id", *others)],
            desc="Rendering prompts",
        )

    def prediction(self, text: str, row: Mapping[str, Any]) -> str:
        """What stands before a further item; models that only continue texts go on with some of their own."""
        return _NEXT_ITEM.split(text, maxsplit=1)[0]

    def prompt(self, row: Mapping[str, Any]) -> str:
        """What a model reads of a row."""
        reasoning = self.reasoning and usual_form(row["task"])[1] if self.reasoning is not None else None
        return render(_without_gaps(row), self.shots, reasoning, self.representation)

    def completion(self, row: Mapping[str, Any]) -> str:
        """What is learned of a row: its trace, if there is one and it is wanted, and its answer."""
        reasons = usual_form(row["task"])[1] if self.reasoning is None else self.reasoning
        trace = row.get("reasoning") if reasons else None
        return f"{trace}\n{row['completion']}" if trace else row["completion"]


@dataclass(frozen=True)
class ArchitectTexts:
    """What the Architect says next, without the oldest lines of the history."""

    representation: str
    history_lines: int | None = None

    @property
    def version(self) -> str:
        return architect_prompts.PROMPT_VERSION

    def prompted(self, rows: Dataset, others: Sequence[str] = ()) -> Dataset:
        needed = ["id", *_OF_ARCHITECT, *others]
        check_columns(rows, needed)
        return rows.select_columns(needed).map(
            _architect_texts,
            fn_kwargs={"representation": self.representation, "newest": self.history_lines, "version": self.version},
            remove_columns=[name for name in _OF_ARCHITECT if name != "history"],
            desc="Rendering prompts",
        )

    def prediction(self, text: str, row: Mapping[str, Any]) -> str:
        return text


def _architect_texts(row: dict, representation: str, newest: int | None, version: str) -> dict:
    """A row's prompt and history; `version` only makes that new versions are not read from the cache."""
    render, shown = architect_prompts.render, architect_prompts.shown_history
    return {"prompt": render(row, representation, newest), "history": shown(row, representation, newest)}


@dataclass(frozen=True)
class ChatTexts:
    """Dialogues, of the column `messages`; what a model reads of them is made by the template of its tokenizer."""

    @property
    def representation(self) -> str:
        return USUAL_REPRESENTATION[CHAT]

    @property
    def version(self) -> str:
        return PLANCRAFT_PROMPT_VERSION

    def prompted(self, rows: Dataset, others: Sequence[str] = ()) -> Dataset:
        """The dialogues as plain text, with an empty `completion`: enough to train a tokenizer on."""
        check_columns(rows, ["id", "messages"])
        return rows.select_columns(["id", "messages"]).map(
            _chat_text, remove_columns=["messages"], desc="Rendering dialogues"
        )

    def prediction(self, text: str, row: Mapping[str, Any]) -> str:
        return text


def _chat_text(row: dict) -> dict:
    return {"prompt": plain_text(row["messages"]), "history": [], "completion": ""}


def _gsu_texts(row: dict, texts: GsuTexts, version: str) -> dict:
    """A row's texts; `version` only makes that new versions are not read from the cache."""
    completion = {"completion": texts.completion(row)} if "completion" in row else {}
    return {"prompt": texts.prompt(row), "history": [], **completion}


def _without_gaps(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row without settings that are null: a file of own data may hold other settings in other rows."""
    metadata = row.get("metadata")
    if not isinstance(metadata, Mapping) or not metadata.get("settings"):
        return row
    settings = {name: value for name, value in metadata["settings"].items() if value is not None}
    return {**row, "metadata": {**metadata, "settings": settings}}


def texts_of(settings: Any) -> ItemTexts:
    """What the settings of a training or a prediction say that a language model reads and writes.

    Args:
        settings: with `task` and TEXT_SETTINGS.
    """
    representation = settings.representation or USUAL_REPRESENTATION[settings.task]
    if settings.task == CHAT:
        return ChatTexts()
    if settings.task == GSU:
        return GsuTexts(representation, settings.shots, settings.reasoning)
    if settings.task == ARCHITECT:
        return ArchitectTexts(representation, settings.history_lines)
    return BapTexts(representation, settings.history_lines)


def task_asked(dataset_config: str | None, dataset_path: str | None, split: str) -> str:
    """The task of the items that the settings name: BAP, GSU, CHAT or ARCHITECT.

    Data that are not there have the task of the config, or count as BAP: loading them says that they are missing.

    Raises:
        UsageError: for configs of several tasks, and for tasks that are played.
    """
    if dataset_path is not None:
        with suppress(DataError):
            return task_of_columns(own_columns(dataset_path, split))
    tasks = {_task_of_config(name) for name in (dataset_config or "").split(",")}
    if len(tasks) > 1:
        raise UsageError(f"dataset_config {dataset_config}: configs of several tasks need a run each")
    return tasks.pop()


def task_of_columns(columns: Iterable[str]) -> str:
    """The task of rows with these columns.

    >>> task_of_columns(["id", "question", "answer"]), task_of_columns(["id", "history", "before"])
    ('gsu', 'bap')
    """
    columns = set(columns)
    if "utterances" in columns:
        return ARCHITECT
    return GSU if "question" in columns else CHAT if "messages" in columns else BAP


def _task_of_config(name: str) -> str:
    if name == PLAYED:
        raise UsageError(f"{PLAYED} holds tasks to play: learn {DIALOGUES}, and play with training/play.py")
    if name == DIALOGUES:
        return CHAT
    return next((task for task in (GSU, ARCHITECT) if name in TASKS[task].configs), BAP)


def check_gsu_texts(settings: Any) -> None:
    """Raises: UsageError for text settings that GSU does not have."""
    if settings.representation not in (None, *REPRESENTATIONS):
        raise UsageError(f"representation is {settings.representation!r}: GSU has {', '.join(REPRESENTATIONS)}")
    if settings.history_lines is not None:
        raise UsageError("history_lines is for Builder Action Prediction: items of GSU have no history")
    if settings.shots is not None and not 0 <= settings.shots <= MOST_SHOTS:
        raise UsageError(f"shots is {settings.shots}: expected 0 to {MOST_SHOTS} for GSU")


def check_architect_texts(settings: Any) -> None:
    """Raises: UsageError for text settings that Architect generation does not have."""
    known = architect_prompts.REPRESENTATIONS
    if settings.representation not in (None, *known):
        raise UsageError(f"representation is {settings.representation!r}: Architect configs have {', '.join(known)}")
    for name in ("shots", "reasoning"):
        if getattr(settings, name) is not None:
            raise UsageError(f"{name} is for GSU: what an Architect says is learned without")
