"""Put trained Builders together: an ensemble that answers better than each of them.

    bap-v2 ensemble --members runs/people_reader runs/people runs/gru_agg --out runs/ensemble
    bap-v2 ensemble --members runs/seed1 runs/seed2 runs/seed3 --rules none --out runs/ensemble    # no rule
    bap-v2 ensemble --members USER/NAME runs/pointer --fit mdc_v2:validation_clear dr:100 --out runs/ensemble
    bap-v2 ensemble --members runs/pointer runs/gru_agg --samples 64 24 --out runs/ensemble     # a GRU is slow
    bap-v2 predict --model runs/ensemble --dataset-config mdc_v2 --split test --out mdc_v2.jsonl

Each member, a GRU, a pointer transformer or a language model that train_sft.py has taught, gives samples for validation
items, rules give an answer, and a logistic regression learns from them how probable an action is
(training/ensemble/member_predictions.py). The table shows what each answers alone and what they answer together, by
weights learned from other games. The output folder holds copies of the members: it is answered with, played and pushed
like any model. Whatever is unfinished is kept in OUT.unfinished, and the same command resumes there."""

import bap_v2_training.before_libraries  # isort: skip # noqa: F401 (before the libraries)

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from rich.table import Table

import bap_v2_metric
from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_dataset.items.versions import DATA_VERSION
from bap_v2_dataset.labels.readings import READER
from bap_v2_dataset.predictions.model_records import MEMBER, TRAINING_RUN, larger_model_sources, learned_from
from bap_v2_dataset.publishing.model import files_of_model
from bap_v2_dataset.tables.console import Console
from bap_v2_simulators.atomic_files import atomic_write, check_parent, only_writer
from bap_v2_training.decoding.learned_builder import situations_of
from bap_v2_training.decoding.networks import accelerator_or_cpu
from bap_v2_training.decoding.output_file import digest_of
from bap_v2_training.decoding.resolved_model import ResolvedModel, resolve_model
from bap_v2_training.decoding.trained_model import training_run
from bap_v2_training.ensemble.builder import (
    NO_RECORD,
    RULES,
    EnsembleSettings,
    check_member,
    check_rules,
    prompt_version,
)
from bap_v2_training.ensemble.fitting import (
    Fit,
    FitItem,
    answers_of_member,
    answers_of_rule,
    fit_items,
    folds_of,
    samples_of,
    trust_of,
)
from bap_v2_training.ensemble.member_predictions import feature_names
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.checkpoints import check_unused
from bap_v2_training.learning.dataset_rows import config_and_split, load_rows
from bap_v2_training.learning.options import check_least, option, parsed
from bap_v2_training.learning.run_record import versions
from bap_v2_training.pointer.held_out import readings_of, reference_of, scored

THRESHOLDS = (0.08, 0.1, 0.12, 0.15, 0.18, 0.2, 0.22, 0.25, 0.3, 0.4, 0.5)
_OTHER = ("ensemble, whole answers", "ensemble, each action")  # how it does not answer, by `whole_answers`


@dataclass(kw_only=True)
class EnsembleArguments:
    """The Builders that answer together, and how their weights are learned."""

    members: list[str]
    output: str = option(aliases=["--out"])
    overwrite: bool = False
    rules: list[str] = option(default_factory=lambda: ["symbolic"])
    fit: list[str] = option(default_factory=lambda: ["mdc_v2:validation_clear"])
    samples: list[int] = option(default_factory=lambda: [64])
    min_probability: float | None = None
    whole_answers: bool = False
    dtype: str = option("float32", choices=["float32", "bfloat16", "float16"])
    batch_size: int = 32

    def __post_init__(self) -> None:
        # Lists, also where a file has a single value
        for name in ("members", "rules", "fit", "samples"):
            if not isinstance(value := getattr(self, name), list):
                setattr(self, name, [value])
        if not self.members:
            raise UsageError("members: name at least one model")
        self.rules = [] if self.rules == ["none"] else self.rules
        check_rules(self.rules)
        # Numbers: of samples as many as there are members
        if len(self.samples) not in (1, len(self.members)) or min(self.samples) < 2:
            raise UsageError(
                f"samples is {' '.join(map(str, self.samples))}: expected a number for all members, or one for each of "
                f"the {len(self.members)}, at least 2"
            )
        if len(self.samples) == 1:
            self.samples = self.samples * len(self.members)
        if self.min_probability is not None and not 0.0 <= self.min_probability < 1.0:
            raise UsageError(f"min_probability is {self.min_probability}: expected a probability from 0 to below 1")
        check_least(self, {"batch_size": 1})


def main(arguments: EnsembleArguments) -> Path:
    """Draw the members' samples, learn the weights, show what they bring, and write the folder; returns it."""
    # The members, and the items that teach their weights
    output, started = Path(arguments.output), datetime.now(UTC)
    if not arguments.overwrite:
        check_unused(output, "out")
    if output.exists() and not (output / TRAINING_RUN).is_file():
        raise UsageError(f"{output} exists, and is no model: choose another --out")
    check_parent(output)
    members = [resolve_model(name) for name in arguments.members]
    for name, member in zip(arguments.members, members, strict=True):
        check_member(member.folder, name)
        if not training_run(member.folder):
            raise UsageError(f"{name} {NO_RECORD}")
    rows = {config: _rows(config) for config in arguments.fit}
    folds = folds_of([name for of_config in rows.values() for name in of_config["id"]])
    # Samples are kept beside the output, so that the same command resumes
    unfinished = output.with_name(f"{output.name}.unfinished")
    unfinished.mkdir(exist_ok=True)
    with only_writer(unfinished / "lock"):
        names = [f"{MEMBER}{number}" for number in range(1, len(members) + 1)]
        items = {config: _items(arguments, members, names, config, rows[config], folds, unfinished) for config in rows}
        fit = Fit([item for of_config in items.values() for item in of_config])
        # The weights, and what they are worth
        labels = _labels(arguments.members)
        settings = EnsembleSettings(
            names, arguments.rules, arguments.samples, arguments.min_probability or 0.0,
            fit.weights.round(6).tolist(), trust_of(fit.weights[: len(names)]), whole_answers=arguments.whole_answers,
        )  # fmt: skip
        if arguments.min_probability is None:
            settings = with_threshold(next(iter(items.values())), settings, fit)
        scores = {config: scores_of(of_config, settings, fit, labels) for config, of_config in items.items()}
        console = Console()
        console.print(f"Actions above {settings.min_probability:g} are answered, the members' too", highlight=False)
        console.print(as_table(scores, {config: len(of_config) for config, of_config in items.items()}))
        # The folder, which appears as a whole
        whole = unfinished / "folder"
        shutil.rmtree(whole, ignore_errors=True)
        whole.mkdir()
        for name, member in zip(names, members, strict=True):
            _copy(member.folder, whole / name)
        settings.save(whole)
        record = _record(arguments, members, settings, scores, items, started)
        atomic_write(whole / TRAINING_RUN, (json.dumps(record, indent=2) + "\n").encode())
        if output.exists():
            output.rename(unfinished / "replaced")  # which is removed with it
        whole.rename(output)
    shutil.rmtree(unfinished)
    console.print(f"saved in {output}: {', '.join(arguments.members)}", highlight=False)
    return output


def _labels(members: Sequence[str]) -> list[str]:
    """Name the members: the last parts of their paths, with a number where that is not enough."""
    names = [Path(name).name for name in members]
    taken = (*RULES, "ensemble", *names)
    return [name if taken.count(name) == 1 else f"{name} ({number})" for number, name in enumerate(names, 1)]


def _rows(config: str) -> Dataset:
    name, number = _numbered(config)
    return load_rows(*config_and_split(name), None, number)


def _numbered(config: str) -> tuple[str, int | None]:
    """Read the name of a set of items, and how many of them are taken; None: all."""
    name, _, number = config.rpartition(":")
    return (name, int(number)) if name and number.isdigit() else (config, None)


def _items(
    arguments: EnsembleArguments, members: Sequence[ResolvedModel], names: Sequence[str], config: str, rows: Dataset,
    folds: Mapping[str, int], folder: Path,
) -> list[FitItem]:  # fmt: skip
    answers, situations = [], situations_of(rows)
    digest = digest_of(situations)
    for name, member, samples in zip(names, members, arguments.samples, strict=True):
        settings = {
            "model": member.folder, "finished": training_run(member.folder).get("finished"), "fit": config,
            "samples": samples, "dtype": arguments.dtype, "batch_size": arguments.batch_size,
            "items_sha256": digest, **prompt_version(member.folder),
        }  # fmt: skip
        path = folder / f"{name}.{config.replace(':', '.')}.jsonl"
        answers.append(samples_of(member.folder, situations, path, settings))
    return fit_items(rows.to_list(), answers, arguments.rules, folds)


def scores_of(items: Sequence[FitItem], settings: EnsembleSettings, fit: Fit, members: Sequence[str]) -> dict:
    """All scores of each member, each rule and the ensemble, by their names; the ensemble's answers are those of `Fit`.

    `exact` counts the items without an error. READER is the bound, where all items have a larger model's readings.
    """
    answers = {
        **{name: answers_of_member(items, number, settings.min_probability) for number, name in enumerate(members)},
        **{name: answers_of_rule(items, number) for number, name in enumerate(settings.rules)},
        "ensemble": fit.answers(items, settings),
        **({READER: readings} if (readings := readings_of([item.row for item in items])) else {}),
        _OTHER[settings.whole_answers]: fit.answers(items, replace(settings, whole_answers=not settings.whole_answers)),
    }
    references = [reference_of(item.row) for item in items]
    return {name: scored(texts, references) for name, texts in answers.items()}


def with_threshold(items: Sequence[FitItem], settings: EnsembleSettings, fit: Fit) -> EnsembleSettings:
    """Return the settings with the one of THRESHOLDS that gives the highest F1 of these items."""
    references = [reference_of(item.row) for item in items]
    each = [replace(settings, min_probability=one) for one in THRESHOLDS]
    return max(each, key=lambda one: scored(fit.answers(items, one), references)["fairer_f1"])


def as_table(scores: Mapping[str, Mapping[str, Mapping[str, float]]], items: Mapping[str, int]) -> Table:
    """Fairer F1 in percent, and exact items, of everyone on each set of validation items."""
    table = Table(title="Validation items: fairer F1 in percent, exact items", title_justify="left")
    table.add_column("")
    for config in scores:
        table.add_column(f"{_numbered(config)[0]} ({items[config]:,})", justify="right")
    for name in dict.fromkeys(name for of in scores.values() for name in of):
        found = [of.get(name) for of in scores.values()]
        cells = [f"{100 * one['fairer_f1']:.1f}  {one['exact']:>4,}" if one else "" for one in found]
        table.add_row(name, *cells, style="bold" if name == "ensemble" else None)
    return table


def _copy(member: str, folder: Path) -> None:
    """A member without what else its training left; a checkpoint gets the record of its run."""
    folder.mkdir()
    for path in files_of_model(Path(member)):
        shutil.copyfile(path, folder / path.name)
    atomic_write(folder / TRAINING_RUN, (json.dumps(training_run(member), indent=2) + "\n").encode())


def _record(
    arguments: EnsembleArguments, members: Sequence[ResolvedModel], settings: EnsembleSettings, scores: Mapping,
    items: Mapping[str, Sequence[FitItem]], started: datetime,
) -> dict[str, Any]:  # fmt: skip
    """The `training_run.json` of an ensemble: it learned what its members learned, and its weights from `fit`."""
    # What members learned, and the items of `fit`
    runs = [training_run(member.folder) for member in members]
    learned = dict.fromkeys(config for run in runs for config in learned_from(run) or ("unknown",))
    learned |= dict.fromkeys(config.partition(":")[0] for config in arguments.fit)
    own = asdict(arguments) | {"members": settings.members, "output": Path(arguments.output).name}
    del own["overwrite"]
    now, device, labels = datetime.now(UTC), accelerator_or_cpu().type, _labels(arguments.members)
    names = feature_names(labels, arguments.rules)
    # Language models that read for members, those that were fine-tuned, and the members that are language models
    readers = [reader["model"] for run in runs if (reader := (run.get("features") or {}).get("reader"))]
    taught = [
        run["model"] for run in runs if run.get("representation") and not run["arguments"]["bap"].get("new_model")
    ]
    texts = [name for name, run in zip(settings.members, runs, strict=True) if run.get("representation")]
    return {
        "started": started.isoformat(timespec="seconds"), "finished": now.isoformat(timespec="seconds"),
        "model_type": settings.model_type, "representation": None,
        "dataset": {"mix": dict.fromkeys(learned, 1.0), "rows": {}, **larger_model_sources(*runs)},
        "dataset_version": DATA_VERSION,
        "train": {"split": "train", "items": None, "chunk": {}},
        "members": dict(zip(settings.members, labels, strict=True)),
        "fit": {config: len(of_config) for config, of_config in items.items()},
        "fit_scores": scores, "weights": dict(zip(names, settings.weights, strict=True)),
        "features": {"readers": [*dict.fromkeys(readers)]}, "base_models": [*dict.fromkeys(taught)],
        "language_models": texts,
        "metric_signature": bap_v2_metric.SIGNATURE, "seed": 0, "trained_parameters": len(settings.weights),
        "seconds": round((now - started).total_seconds(), 1), "processes": 1, "versions": versions(),
        "device": torch.cuda.get_device_name() if device == "cuda" else device,
        "arguments": {"bap": own, "training": {"max_steps": 0}},
    }  # fmt: skip


def command() -> None:
    """`bap-v2 ensemble`: the command line."""
    with sentences_for_the_user(Path(sys.argv[0]).name, "stopped; the same command resumes where it stopped"):
        main(parsed(EnsembleArguments, sys.argv[1:]))


if __name__ == "__main__":
    command()
