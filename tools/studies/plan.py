"""What a study is: arms, seeds and test sets, read from a YAML file and checked before anything is trained."""

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from bap_v2_dataset.sentences import unknown_name
from bap_v2_metric.scoring import GROUPS, MEASURES
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.options import config_settings


@dataclass(frozen=True)
class Trainer:
    """A training script, imported when it is used."""

    name: str  # of the script
    settings: str  # the module with its `parse_arguments`
    first_model: str  # the setting that names the model a run starts from
    of_first_model: tuple[str, ...]  # settings that such a run has of that model
    trains_language_models: bool = False  # so arms may name a model; its items are rows, which may come more than once

    @property
    def parse_arguments(self) -> Callable[..., tuple]:
        """The settings of a command line, checked."""
        return importlib.import_module(self.settings).parse_arguments

    @property
    def main(self) -> Callable[..., Any]:
        """Trains with these settings."""
        return importlib.import_module(f"bap_v2_training.{self.name}").main


TRAINERS = {
    "train_pointer": Trainer("train_pointer", "bap_v2_training.pointer.settings", "init_from", ("model", "features")),
    "train_sft": Trainer(
        "train_sft",
        "bap_v2_training.learning.training_settings",
        "model_name_or_path",
        ("new_model", "tokenizer_pieces", "tokenizer_configs"),
        True,
    ),
}


_KEYS = {
    "title", "question", "notes", "trainer", "base", "settings", "configs", "arms", "seeds", "tests", "predict",
    "measure", "max_test_items", "axis",
}  # fmt: skip
_OF_ARMS = {"after", "stage", "x"}
_MEANS = ("score",)  # measures that are means over items


@dataclass(frozen=True)
class Arm:
    """One way of training."""

    name: str
    settings: Mapping[str, Any]  # of the trainer
    after: str | None = None  # the arm whose model, of the same seed, is trained further
    stage: bool = False  # only trained, for arms that come after it: neither tested nor compared
    x: float | None = None  # where it stands on the axis of the plot

    @property
    def folder(self) -> str:
        return re.sub(r"[^\w.+-]+", "_", self.name).strip("_.")


@dataclass(frozen=True)
class TestSet:
    """The items of a split of a config, or of a file of own data."""

    name: str  # `dsb:validation`, or the path of a file
    config: str | None  # None: own data
    split: str

    @classmethod
    def of(cls, name: str) -> "TestSet":
        """The test set of this name: CONFIG, which means its test split, CONFIG:SPLIT, or a path."""
        if "/" in name or "." in name:
            return cls(name, None, "test")
        config, _, split = name.partition(":")
        return cls(name, config, split or "test")

    @property
    def title(self) -> str:
        """`dsb test`, or `own/dsb-validation` of a file."""
        path = Path(self.name)
        return f"{self.config} {self.split}" if self.config else f"{path.parent.name}/{path.stem}".strip("/")

    @property
    def file_name(self) -> str:
        """Of the answers to them."""
        return re.sub(r"[^\w.+-]+", "_", self.title).strip("_.") + ".jsonl"

    def arguments(self) -> list[str]:
        """What predict.py is told about them."""
        data = ["--dataset_config", self.config] if self.config else ["--dataset_path", self.name]
        return [*data, "--split", self.split]


@dataclass(frozen=True)
class Study:
    """Arms that are compared with the first one."""

    name: str
    title: str
    question: str
    notes: tuple[str, ...]  # sentences below the tables: how to read them
    arms: tuple[Arm, ...]
    seeds: tuple[int, ...]
    trainer: Trainer
    tests: Mapping[str, tuple[TestSet, ...]]  # by the name of their group, e.g. "in distribution"
    predict: Mapping[str, Any] = field(default_factory=dict)  # options of predict.py
    measure: str = "neb_fairer"  # the headline: its micro F1 is compared; or `score`, a mean over items
    max_test_items: int | None = None  # of each test set: a fixed subset
    axis: str | None = None  # what the x of arms are; None: no plot
    config: str | None = None  # of a file with several `configs`, of which each is a study: the one of this study

    @property
    def compared(self) -> list[Arm]:
        """The arms that are tested; the first is what the others are compared with."""
        return [arm for arm in self.arms if not arm.stage]

    @property
    def test_sets(self) -> list[TestSet]:
        """All of them, in the order of their groups."""
        return [test for group in self.tests.values() for test in group]

    @property
    def is_f1(self) -> bool:
        """Whether its measure is an F1 of counts, and not a mean over items."""
        return self.measure not in _MEANS


def load_studies(
    path: Path,
    settings: Mapping[str, Any] = {},
    seeds: Sequence[int] | None = None,
    max_test_items: int | None = None,
) -> list[Study]:
    """The study of a YAML file (or, by its mere name, of one in this folder), with these settings in all its arms.

    A file with `configs` is as many studies: in each, `{config}` stands for one of them.

    Raises:
        UsageError: there is no such file, or it says something that cannot be done; the message names the arm.
    """
    folder = Path(__file__).parent
    if not path.exists() and path.parent == Path() and (folder / path.with_suffix(".yaml")).is_file():
        path = folder / path.with_suffix(".yaml")
    if not path.is_file():
        names = ", ".join(file.stem for file in sorted(folder.glob("*.yaml")))
        raise UsageError(f"there is no study {path} ({folder} has {names})")
    plan = config_settings(path)
    if unknown := sorted(plan.keys() - _KEYS):
        raise UsageError(f"{path}: {unknown_name('key', unknown[0], sorted(_KEYS))}")
    if missing := [name for name in ("base", "arms", "seeds", "tests") if not plan.get(name)]:
        raise UsageError(f"{path} says nothing about {missing[0]}")
    trainer = plan.get("trainer", "train_pointer")
    if trainer not in TRAINERS:
        raise UsageError(f"{path}: {unknown_name('trainer', trainer, TRAINERS)}")
    plan["settings"] = config_settings(path.parent / plan["base"]) | (plan.get("settings") or {})
    plan |= {"seeds": seeds or plan["seeds"], "max_test_items": max_test_items or plan.get("max_test_items")}
    configs = plan.pop("configs", None)
    if configs is None:
        return [_study(path, plan, settings)]
    return [_study(path, _with_config(plan, config), settings, config) for config in configs]


def _study(path: Path, plan: Mapping[str, Any], settings: Mapping[str, Any], config: str | None = None) -> Study:
    """The study of a checked plan. Raises: UsageError, as `load_studies`."""
    trainer = TRAINERS[plan.get("trainer", "train_pointer")]
    study = Study(
        name=path.stem,
        title=plan.get("title", path.stem),
        question=" ".join((plan.get("question") or "").split()),
        notes=tuple(" ".join(note.split()) for note in plan.get("notes") or ()),
        arms=tuple(_arm(name, plan["settings"], own or {}, settings, trainer) for name, own in plan["arms"].items()),
        seeds=tuple(plan["seeds"]),
        trainer=trainer,
        predict=plan.get("predict") or {},
        tests={group: tuple(map(TestSet.of, names)) for group, names in plan["tests"].items()},
        measure=plan.get("measure", "neb_fairer"),
        max_test_items=plan["max_test_items"],
        axis=plan.get("axis"),
        config=config,
    )
    _check(study, path)
    return study


def _with_config(plan: Any, config: str) -> Any:
    """A plan in which `{config}` is this config."""
    if isinstance(plan, str):
        return plan.replace("{config}", config)
    if isinstance(plan, Mapping):
        return {key: _with_config(value, config) for key, value in plan.items()}
    return [_with_config(value, config) for value in plan] if isinstance(plan, list) else plan


def run_settings(study: Study, arm: Arm, seed: int, out: Path) -> dict[str, Any]:
    """All settings of one run: what its `config.yaml` holds."""
    settings = dict(arm.settings)
    if arm.after is not None:
        first = next(other for other in study.arms if other.name == arm.after)
        settings = {name: value for name, value in settings.items() if name not in study.trainer.of_first_model}
        settings[study.trainer.first_model] = str(run_folder(out, first, seed))
    return {**settings, "seed": seed, "output_dir": str(run_folder(out, arm, seed))}


def run_folder(out: Path, arm: Arm, seed: int) -> Path:
    """Where the model of an arm and a seed is, with its answers."""
    return out / arm.folder / f"seed-{seed}"


def checked_settings(pairs: Sequence[str]) -> dict[str, Any]:
    """The settings of `--set NAME=VALUE`, with values as in YAML. Raises: UsageError."""
    settings = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"--set {pair}: expected NAME=VALUE, e.g. max_steps=100")
        try:
            settings[name] = yaml.safe_load(value)
        except yaml.YAMLError as error:
            raise UsageError(f"--set {pair}: {value} is not YAML") from error
    return settings


def _arm(
    name: str, base: Mapping[str, Any], own: Mapping[str, Any], overrides: Mapping[str, Any], trainer: Trainer
) -> Arm:
    if not isinstance(own, Mapping):
        raise UsageError(f"arm {name!r}: expected settings, not {own!r}")
    if own.get("after") and trainer.first_model in own | overrides:
        raise UsageError(f"arm {name!r}: {trainer.first_model} is set by the study itself")
    settings = {key: value for key, value in own.items() if key not in _OF_ARMS}
    stage = bool(own.get("stage"))
    return Arm(str(name), {**base, **settings, **overrides}, own.get("after"), stage, own.get("x"))


def _check(study: Study, path: Path) -> None:
    """Raises: UsageError for what would fail later, or compare what should not be compared."""
    names = [arm.name for arm in study.arms]
    if len({arm.folder for arm in study.arms}) < len(names):
        raise UsageError(f"{path}: two arms would have the same folder; give them other names")
    if len(set(study.seeds)) < len(study.seeds) or not all(isinstance(seed, int) for seed in study.seeds):
        raise UsageError(f"{path}: seeds are {list(study.seeds)} (expected different whole numbers)")
    if len(study.compared) < 2:
        raise UsageError(f"{path}: a study compares at least two arms")
    measures = [*(f"{group}{measure}" for group in GROUPS for measure in MEASURES), *_MEANS]
    if study.measure not in measures:
        raise UsageError(f"{path}: {unknown_name('measure', study.measure, measures)}")
    if len({test.file_name for test in study.test_sets}) < len(study.test_sets):
        raise UsageError(f"{path}: a test set is named twice")
    if study.axis is not None and (lacking := [arm.name for arm in study.compared if arm.x is None]):
        raise UsageError(f"{path}: arm {lacking[0]!r} has no x for the axis {study.axis!r}")
    for number, arm in enumerate(study.arms):
        if arm.after is not None and arm.after not in names[:number]:
            raise UsageError(f"arm {arm.name!r} comes after {arm.after!r}, which is not an arm above it")
        trainer = study.trainer
        first = () if trainer.trains_language_models else (trainer.first_model,)
        if taken := [name for name in (*first, "resume_from_checkpoint") if name in arm.settings]:
            raise UsageError(f"arm {arm.name!r}: {taken[0]} is set by the study itself")
        if not int(arm.settings.get("max_steps") or 0) > 0:
            raise UsageError(f"arm {arm.name!r} says no max_steps: add it to settings, or pass --set max_steps=1000")
        if arm.after is not None and arm.settings.get("use_peft"):
            raise UsageError(f"arm {arm.name!r} comes after an adapter: only whole models are trained further")
        settings = run_settings(study, arm, study.seeds[0], Path("runs"))
        if arm.after is not None:  # there is no model yet
            settings = {**arm.settings, "seed": study.seeds[0], "output_dir": "runs"}
        with TemporaryDirectory() as folder:
            config = Path(folder, "config.yaml")
            config.write_text(yaml.safe_dump(settings), encoding="utf-8")
            try:
                study.trainer.parse_arguments(["--config", str(config)])
            except UsageError as error:
                raise UsageError(f"{path}, arm {arm.name!r}: {error}") from error
