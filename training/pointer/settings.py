"""The settings of a pointer transformer's training: a YAML file, overridden by the command line."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from transformers import TrainingArguments

from bap_v2_dataset.predictions.model_records import packaged_builder
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.data_settings import RunArguments
from bap_v2_training.learning.options import check_choices, check_unused, mapping_of, option
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

    rewards: str | None = None
    samples: int = USUAL_SAMPLES
    advantage: str = option("leave_one_out", choices=["leave_one_out", "scaled"])
    supervised_weight: float = 0.0

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
        if self.rewards is None:
            why = "is for a training with rewards: set rewards: fairer_f1=1"
            check_unused(self, ("samples", "advantage", "supervised_weight"), why)


@dataclass
class PointerItemArguments:
    """The items that are learned. Mappings are JSON on the command line; weights also dr=0.5,dss=0.5."""

    mix: dict | str | None = None
    rows: dict | str | None = None
    streaming: bool = False
    simulators: dict | str | None = None
    simulated_items: int | None = None
    augmentation: dict | str | None = None
    word_dropout: dict | str | None = None
    joined_turns: dict | str | None = None
    readings: dict | str | None = None
    repairs: dict | str | None = None
    synthetic_instructions: dict | str | None = None
    next_turn_weights: dict | str | None = None
    chunk_items: int = 8192
    vocabulary_items: int = 20_000
    vocabulary_least: int = 2


@dataclass
class PointerModelArguments:
    """The model that learns."""

    features: dict | str | None = None
    model: dict | str | None = None
    reader: dict | str | None = None
    init_from: str | None = None
    ema_decay: float | None = None


@dataclass
class EvaluationArguments:
    """The items that judge the training."""

    eval_sets: list[str] | None = None
    max_eval_items: int | None = None
    eval_scores: bool = False


@dataclass
class PointerArguments(
    PolicyArguments, RobustArguments, EvaluationArguments, PointerModelArguments, PointerItemArguments, RunArguments
):
    """The settings of a training of a pointer transformer."""

    def __post_init__(self) -> None:
        # Mappings that were given as texts
        for name in (
            "mix", "rows", "simulators", "augmentation", "word_dropout", "joined_turns", "readings", "repairs",
            "synthetic_instructions", "next_turn_weights", "features", "model",
        ):  # fmt: skip
            value = getattr(self, name)
            if isinstance(value, str):
                setattr(self, name, mapping_of(name, value))
        if isinstance(self.reader, str) and self.reader.lstrip().startswith("{"):
            self.reader = mapping_of("reader", self.reader)
        # What is that of the model where the training starts is not set again
        if self.init_from is not None:
            self.init_from = str(packaged_builder(self.init_from) or self.init_from)
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
            mix=_numbers("mix", self.mix),
            seed=training.seed if training.data_seed is None else training.data_seed,
            batch_size=training.per_device_train_batch_size,
            simulators=self.simulators or {},
            rows=self.rows or {},
            augmentation={name: _made(AugmentationSettings, own) for name, own in (self.augmentation or {}).items()},
            joined_turns={name: rate for name, rate in _numbers("joined_turns", self.joined_turns).items() if rate},
            **{name: _numbers(name, getattr(self, name)) for name in _OF_SOURCES},
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


_OF_SOURCES = ("word_dropout", "readings", "repairs", "synthetic_instructions", "next_turn_weights")


def _numbers(option: str, values: Mapping[str, Any] | None) -> dict[str, float]:
    try:
        return {name: float(value) for name, value in (values or {}).items()}
    except (AttributeError, TypeError, ValueError):
        raise UsageError(f"{option} is {values!r}: expected numbers by name, e.g. human=0.3") from None


def _made(kind: type, values: Mapping[str, Any] | None) -> Any:
    """Return an object of a dataclass of settings. Raises: UsageError for a field that it does not have."""
    values = values or {}
    if not isinstance(values, Mapping):
        raise UsageError(f"{values!r}: expected settings by name (of {', '.join(asdict(kind()))})")
    known = asdict(kind())
    if unknown := [name for name in values if name not in known]:
        raise UsageError(f"there is no setting {unknown[0]!r} (expected one of {', '.join(known)})")
    return kind(**values)
