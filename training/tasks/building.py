"""Builder Action Prediction and its variants, as a language model learns and answers them: actions, line by line."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets import Dataset

from bap_v2_dataset.chat import retrieval
from bap_v2_dataset.interface.table import task_of
from bap_v2_dataset.items.prompts import REPRESENTATIONS, Representation, render, representation_of, shown_history
from bap_v2_metric.errors import UserError
from bap_v2_training.errors import UsageError
from bap_v2_training.in_context import chat_settings
from bap_v2_training.in_context.questions import Question, questions
from bap_v2_training.learning import rewards
from bap_v2_training.learning.dataset_rows import check_columns, load_rows
from bap_v2_training.learning.options import check_unused
from bap_v2_training.tasks.training_task import ItemTexts, PredictArguments, Row, TrainingTask

NEW_TOKENS = 640  # 512 would cut off a validation item
_NEW_TOKENS_WITH_THOUGHTS = 32_768


@dataclass(frozen=True)
class BapTexts(ItemTexts):
    """Prompts of Table 5 (BAP v2), or ours as the Builder sees the board, without the oldest lines of the history."""

    history_lines: int | None = None

    @property
    def seen(self) -> Representation:
        """The input of the model. Raises: UsageError for an unknown representation."""
        try:
            return representation_of(self.representation)
        except UserError as error:
            raise UsageError(str(error)) from error

    @property
    def version(self) -> str:
        return self.seen.version

    @property
    def read_with(self) -> tuple[str, ...]:
        return self.seen.read_with

    @property
    def columns(self) -> tuple[str, ...]:
        return ("id", "history", "dialogue", *self.seen.columns)

    def texts(self, row: Row) -> dict[str, Any]:
        completion = {"completion": self.seen.completion(row)} if "completion" in row else {}
        return {
            "prompt": render(row, self.representation, self.history_lines),
            "history": shown_history(row, self.representation, self.history_lines),
            **completion,
        }

    def prompted(self, rows: Dataset, others: Sequence[str] = ()) -> Dataset:
        if self.seen.in_rows and self.history_lines is None:
            column = f"prompt_{self.representation}"
            taken = ["id", "history", column, *others]
            check_columns(rows, taken)
            if unknown := rows.data.column(column).null_count:
                raise UsageError(
                    f"{unknown} items have no {column}: they lack a dialogue, or a pose (n does without a pose)"
                )
            return rows.select_columns(taken).rename_column(column, "prompt")
        check_columns(rows, [*self.columns, *others])
        for name in self.columns:
            if unknown := rows.data.column(name).null_count:
                raise UsageError(f"{unknown} items have no {name}: representation {self.representation} is made of it")
        return super().prompted(rows, others)

    def prediction(self, text: str, row: Row) -> str:
        return self.seen.to_world(text, row)


class BuildingTraining(TrainingTask):
    """Builder Action Prediction, with its variants."""

    representations = ()
    usual = "n_posb_s"
    text_settings = ("history_lines",)
    has_history = has_variants = answers_actions = True
    unrecorded = ("task", "reasoning")
    unrecorded_here = ("shots",)
    rewards = {
        "fairer_f1": rewards.fairer_f1,
        "micro_gain": rewards.micro_gain,
        "feasible": rewards.feasible,
        "well_formed": rewards.well_formed,
        "clean": rewards.clean,
    }
    usual_rewards = "fairer_f1=1,clean=0.5,ended=0.5"

    def texts(self, settings: Any) -> BapTexts:
        return BapTexts(settings.representation or self.usual, settings.history_lines)

    def complete_prediction(self, arguments: PredictArguments) -> None:
        check_unused(arguments, ["shots"], f"is for --backend openai: other models read {self.items} without any")
        if arguments.representation is None:
            known = ", ".join(REPRESENTATIONS)
            raise UsageError(f"{arguments.model} has no record of its training: pass --representation, one of {known}")
        super().complete_prediction(arguments)

    def complete_question(self, arguments: PredictArguments) -> None:
        """Fills in and checks which messages an endpoint is sent: items with shots that are chosen for each.

        Raises:
            UsageError: for settings that do not go together.
        """
        # The prompt, and how long an answer may be
        check_unused(arguments, ["reasoning"], f"is not for {self.items}; see --prompt")
        reasons = arguments.prompt == "reasoning"
        if arguments.shots is None:
            arguments.shots = 0 if reasons else 5
        chat_settings.check(arguments)
        arguments.representation = arguments.representation or self.usual
        chat_settings.check_representation(arguments, arguments.representation)
        if arguments.max_new_tokens is None:
            arguments.max_new_tokens = _NEW_TOKENS_WITH_THOUGHTS if reasons else NEW_TOKENS

        # The items, and those that shots are chosen from
        if arguments.dataset_path is not None:
            arguments.dataset_config = None
        if arguments.shots_path is not None:
            arguments.shots_config = None
        elif "," not in (arguments.dataset_config or ""):
            self.complete_test_set(arguments)
        own, shots = arguments.dataset_path, arguments.shots_path
        if arguments.shots and own and shots and Path(own).is_file() and Path(own).resolve() == Path(shots).resolve():
            raise UsageError(
                f"{own} is one split, so its items cannot also be the shots: pass train items with --shots-path or "
                "--shots-config, or set --shots 0"
            )

    def complete_test_set(self, arguments: PredictArguments) -> None:
        if arguments.shots_config is None and arguments.shots_path is None:
            arguments.shots_config = _trained_on(arguments.dataset_config)
            arguments.shots_path = arguments.dataset_path

    def question_settings(self, arguments: chat_settings.ChatArguments) -> dict[str, Any]:
        return chat_settings.answer_settings(arguments)

    def questions(self, arguments: PredictArguments, rows: Dataset) -> list[Question]:
        pool = []
        if arguments.shots:
            pool = _chat_rows(load_rows(arguments.shots_config, "train", arguments.shots_path), ["completion"])
        return asyncio.run(questions(arguments, arguments.representation, _chat_rows(rows, []), pool))


def _trained_on(config: str | None) -> str | None:
    """Return the config whose train items go with the items of this one: some have test items alone, made of others."""
    task = task_of(config) if config else None
    if task is None or "train" in task.configs[config].splits:
        return config or None
    return task.configs[config].made_of[0]


def _chat_rows(rows: Dataset, others: Sequence[str]) -> list[dict]:
    """Return the rows with what shots are retrieved by and messages are made of; the prompts are rendered from that."""
    needed = [*retrieval.COLUMNS, "pose", *others]
    check_columns(rows, needed)
    return rows.select_columns(needed).to_list()


BUILDING = BuildingTraining("bap", "Builder Action Prediction")
