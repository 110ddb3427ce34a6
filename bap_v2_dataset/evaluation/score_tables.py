"""From prediction files and baselines to the score table of the paper (BAP v2, Tables 1 and 7).

A prediction file has one JSON object a line with at least "id" (the row's) and "prediction" (the model's raw text);
`training/predict.py` writes such files. Lines may come in any order.
"""

import codecs
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

import bap_v2_metric
from bap_v2_dataset.baselines.rules import BASELINES
from bap_v2_metric.errors import UserError
from bap_v2_simulators.corpora import SIMULATORS

COLUMNS = {"type": "Type", "color": "Color", "location": "Location", "shape": "Shape", "fairer": "Overall"}
ROWS = {"eb_": "EB", "neb_": "NEB", "": "Overall"}
LEGEND = (
    "EB, NEB: items that start from an empty, a non-empty board; row Overall: both; column Overall: fairer F1; "
    "infeasible actions change nothing (human logs hold some too)"
)
_NAME_WIDTHS = (32, 24, 16)  # in which the names of systems are folded where their table would be too wide
_FULL = 10_000  # columns of a terminal in which everything fits


class PredictionError(UserError):
    """A prediction file that cannot be scored; the message names the file, the line and the mend."""


@dataclass(frozen=True)
class System:
    """One scored system."""

    name: str
    items: list[dict]  # the counts of `bap_v2_metric.score_items`, in the order of the rows
    scores: dict[str, Any]  # of `bap_v2_metric.score`
    intervals: dict[str, tuple[float, float]]  # of `bap_v2_metric.bootstrap`; empty without resampling
    missing: int = 0  # rows without a prediction, scored as empty ones


def counted(number: int, noun: str) -> str:
    """`1 item`, `1,161 items`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def read_predictions(path: "str | Path") -> dict[str, str]:
    """The predictions of a file by row id.

    Raises:
        PredictionError: no such file, a line that is not such an object, or an id that occurs twice.
    """
    predictions: dict[str, str] = {}
    try:
        lines = Path(path).read_bytes().removeprefix(codecs.BOM_UTF8).split(b"\n")
    except OSError as error:
        raise PredictionError(f"{path}: {error.strerror or error}") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)  # not orjson: models write lone surrogates, and json.dumps escapes them
        except ValueError as error:
            raise PredictionError(
                f"{path}, line {number} is not JSON ({error}): write one object a line, "
                'e.g. {"id": "B1-A3-C5-1522432776975/0", "prediction": "place red 0 1 0"}'
            ) from None
        if not isinstance(record, dict) or not all(isinstance(record.get(key), str) for key in ("id", "prediction")):
            text = line.decode(errors="replace").strip()
            shown = text if len(text) <= 80 else f"{text[:80]}…"
            raise PredictionError(f'{path}, line {number} needs the strings "id" and "prediction": {shown}')
        if record["id"] in predictions:
            raise PredictionError(f"{path}, line {number}: a second prediction for {record['id']}")
        predictions[record["id"]] = record["prediction"]
    if not predictions:
        raise PredictionError(f"{path} holds no predictions")
    return predictions


def matched(predictions: Mapping[str, str], ids: Sequence[str], source: str, partial: bool = False) -> list[str]:
    """The predictions in the order of the rows.

    Args:
        predictions: by row id.
        ids: of the rows.
        source: what to call the predictions in an error.
        partial: score rows without a prediction as if it were empty, instead of refusing them.
    Raises:
        PredictionError: for ids that are no row's, and for rows without a prediction.
    """
    known = set(ids)
    unknown = [row_id for row_id in predictions if row_id not in known]
    games = {row_id.rpartition("/")[0] for row_id in ids} - {""}
    if unknown and all(row_id.rpartition("/")[0] in games for row_id in unknown):
        raise PredictionError(
            f"{source} has {counted(len(unknown), 'item')} of this split's games that the split lacks, e.g. "
            f"{unknown[0]!r}. Was it made under other labels? Set those up (`bap-v2 setup --labels FILE`), or pass "
            "--subset to score what is in both; for legacy items --config mdc"
        )
    if unknown:
        raise PredictionError(
            f"{source} has {counted(len(unknown), 'id')} not in this split, e.g. {unknown[0]!r} "
            f"(the split has e.g. {ids[0]!r}): choose the config and split it was made for"
        )
    missing = [row_id for row_id in ids if row_id not in predictions]
    if missing and not partial:
        raise PredictionError(
            f"{source} has no prediction for {len(missing):,} of {counted(len(ids), 'item')}, e.g. {missing[0]!r}: "
            "finish it, or pass --subset to leave them out, or --partial to score them as empty"
        )
    return [predictions.get(row_id, "") for row_id in ids]


_SIMULATED_ID = re.compile(rf"(?P<config>{'|'.join(SIMULATORS)})-(?P<split>train|validation|test)-[0-9]+/")


def made_for(
    files: Sequence[Path],
    config: str | None,
    split: str | None,
    an_id: str = "",
    default: Callable[[], str] = lambda: "mdc_v2",
) -> tuple[str, str]:
    """The config and split to score on: as given, as in `<file>.settings.json`, as the ids say, or else by default.

    Args:
        an_id: of one of the predictions.
        default: gives the config; asked only if nothing else says it. The split is "test".

    Raises:
        PredictionError: if the files were made for different ones, or not for those given.
    """
    found = {"dataset_config": ("--config", config), "split": ("--split", split)}
    for file in files:
        settings_file = file.with_name(f"{file.name}.settings.json")
        if not settings_file.is_file():
            continue
        try:
            settings = dict(orjson.loads(settings_file.read_bytes()))
        except (ValueError, TypeError) as error:
            raise PredictionError(f"{settings_file} does not hold the settings of {file.name}: {error}") from None
        if settings.get("dataset_path"):
            raise PredictionError(
                f"{file} was made for own data ({settings['dataset_path']}), which have no config: "
                "score them with bap_v2_metric.score and their own references"
            )
        for key, (option, value) in found.items():
            if settings.get(key) is None:
                continue
            if value not in (None, settings[key]):
                raise PredictionError(
                    f"{file} was made for {key} {settings[key]!r}, not {value!r} (says {settings_file.name}): "
                    f"pass the matching {option}, or score the files apart"
                )
            found[key] = (option, settings[key])
    if found["dataset_config"][1] is None and (simulated := _SIMULATED_ID.match(an_id)):
        found["dataset_config"] = ("--config", simulated["config"])
        found["split"] = ("--split", found["split"][1] or simulated["split"])
    return found["dataset_config"][1] or default(), found["split"][1] or "test"


def labels_of(rows: Sequence[Mapping], config: str) -> str:
    """Who said which items can be scored, and which have multiple interpretations: said with every score."""
    said = {row["metadata"].get("annotation", {}).get("labels") for row in rows} - {None}
    if said:
        return "; ".join(sorted(said))
    if config == "mdc":
        return "none (legacy MDC): every item counts, with a unique interpretation"
    if all(row["metadata"].get("source") == "simulated" for row in rows):
        return "none needed (synthetic): items on an empty board have multiple interpretations"
    return "none: of human items, every one counts, with a unique interpretation"


def split_rows(config: str, split: str, hint: str = "it has") -> Any:
    """The rows of a split, a `datasets.Dataset`.

    Args:
        hint: what an error says before the names of the splits that there are.
    Raises:
        PredictionError: if there is no such config, or if it has no such split.
    """
    import datasets

    from bap_v2_dataset.loading.builder import CONFIGS

    if config not in CONFIGS:
        raise PredictionError(f"unknown config {config!r} (expected one of {', '.join(CONFIGS)})")

    try:
        return datasets.load_dataset("bap_v2", config, split=split)
    except ValueError as error:
        if not str(error).startswith("Unknown split"):
            raise
        splits = datasets.load_dataset_builder("bap_v2", config).info.splits  # known: load_dataset has built them
        raise PredictionError(f"the config {config} has no split {split!r}: {hint} {', '.join(splits)}") from None


def scored_rows(split: Any) -> list[dict]:
    """The rows of a split of the dataset with the columns that scoring and baselines need."""
    return split.remove_columns([name for name in split.column_names if name.startswith("prompt_")]).to_list()


def rows_with_predictions(rows: Sequence[Mapping], files: Mapping[Path, Mapping[str, str]]) -> list[Mapping]:
    """The rows that the files answer. Raises: PredictionError if they answer different ones, or none of these."""
    (first, wanted), *others = files.items()
    for path, found in others:
        if found.keys() != wanted.keys():
            raise PredictionError(f"{path} and {first} answer different items: score them apart, or with --partial")
    kept = [row for row in rows if row["id"] in wanted]
    if not kept:
        raise PredictionError(f"no id of {first} is in this split: choose the config and split it was made for")
    return kept


def check_output(path: Path, predictions: Iterable[Path]) -> None:
    """That writing scores there loses nothing: no file yet, an empty one, or earlier scores.

    Raises:
        PredictionError: for anything else, and where there is no folder for it.
    """
    if not path.absolute().parent.is_dir():
        raise PredictionError(f"--json: there is no directory {path.absolute().parent}")
    if path.is_dir():
        raise PredictionError(f"--json: {path} is a directory: name a file")
    if not path.is_file():  # a new one, or a device
        return
    if any(file.exists() and path.samefile(file) for file in predictions):
        raise PredictionError(f"--json: {path} is a prediction file: name another file for the scores")
    data = path.read_bytes()
    try:
        scores = not data or {"settings", "systems"} <= dict(orjson.loads(data)).keys()
    except (ValueError, TypeError):
        scores = False
    if not scores:
        raise PredictionError(
            f"--json: {path} exists and does not hold scores of this command: remove it, or name another file"
        )


def distinct_names(files: Sequence[Path]) -> dict[Path, str]:
    """A short name for each file: its stem, with its folder where that says little (`runs/a/test.jsonl` is a/test)."""
    stems = [file.stem for file in files]

    def name(file: Path) -> str:
        tells = stems.count(file.stem) == 1 and file.stem not in ("train", "validation", "test", "predictions")
        return file.stem if tells or not file.parent.name else f"{file.parent.name}/{file.stem}"

    names = {file: name(file) for file in files}
    return {file: short if list(names.values()).count(short) == 1 else str(file) for file, short in names.items()}


def scored(
    name: str,
    predictions: Sequence[str],
    references: Sequence[Mapping],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 20260,
    missing: int = 0,
) -> System:
    """A system's counts, scores and, unless n_resamples is 0, confidence intervals."""
    items = bap_v2_metric.score_items(predictions, references)
    intervals = bap_v2_metric.bootstrap(items, n_resamples, confidence, seed) if n_resamples else {}
    return System(name, items, bap_v2_metric.aggregate(items), intervals, missing)


def baseline_predictions(name: str, rows: Sequence[Mapping]) -> list[str]:
    """What a baseline predicts for each row. Raises: PredictionError for an unknown name."""
    if name not in BASELINES:
        raise PredictionError(f"unknown baseline {name!r} (expected one of {', '.join(BASELINES)})")
    return [BASELINES[name](row) for row in rows]


@dataclass(frozen=True)
class Fitting:
    """The first of the layouts that is no wider than the terminal, or else the last in full: nothing is cut."""

    layouts: Sequence[RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for layout in self.layouts:
            width = Measurement.get(console, options.update(max_width=_FULL), layout).minimum
            if width <= options.max_width:
                break
        yield from console.render(layout, options.update(max_width=max(width, options.max_width)))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self.layouts[0])


def _table(title: str, compact: bool) -> Table:
    style: dict[str, Any] = {"box": box.HORIZONTALS, "padding": 0} if compact else {}
    return Table(title=escape(title), title_justify="left", header_style="bold", **style)


def _name_widths(systems: Sequence[System]) -> list[int]:
    """Widths for the column of names, the widest first; the first holds every name on one line."""
    longest = max(cell_len(system.name) for system in systems)
    return [longest, *(width for width in _NAME_WIDTHS if width < longest)]


def titled(system: System) -> str:
    """Its name and, where items have no prediction, how many have."""
    if not system.missing:
        return system.name
    predicted = f"{len(system.items) - system.missing:,} of {counted(len(system.items), 'item')} predicted"
    return f"{system.name} ({predicted}, the rest scored as empty)"


def score_table(systems: Sequence[System], title: str) -> Fitting:
    """F1 in per cent: rows EB, NEB and Overall, columns Type, Color, Location, Shape and Overall (fairer F1).

    In a narrow terminal names are folded, then lines between the columns left out; in the end every system has a table
    of its own.
    """
    layouts: list[RenderableType] = [
        _score_grid(systems, title, compact, width) for compact in (False, True) for width in _name_widths(systems)
    ]
    if len(systems) > 1:
        titles = [f"{title}\n\n{systems[0].name}", *(system.name for system in systems[1:])]
        width = len("100.0–100.0") if any(system.intervals for system in systems) else 0  # so that columns line up
        grids = [_score_grid([one], name, compact=True, width=width) for one, name in zip(systems, titles)]
        layouts.append(Group(*grids))
    return Fitting(layouts)


def _score_grid(
    systems: Sequence[System], title: str, compact: bool = False, name_width: int = 0, width: int = 0
) -> Table:
    table = _table(title, compact)
    table.add_column("Dataset", no_wrap=True)
    if len(systems) > 1:
        table.add_column("System", overflow="fold", max_width=max(name_width, len("System")))
    table.add_column("Items", justify="right", no_wrap=True)
    for heading in COLUMNS.values():
        style = "bold" if heading == "Overall" else ""
        table.add_column(heading, justify="right", style=style, no_wrap=True, min_width=width)
    for position, (group, label) in enumerate(ROWS.items()):
        for number, system in enumerate(systems):
            cells = [label if not number else ""]
            if len(systems) > 1:
                cells.append(escape(system.name))
            cells.append(f"{system.scores[f'{group}n_items']:,}")
            cells += [
                _score_cell(system, f"{group}{measure}_f1") if system.scores[f"{group}n_items"] else "–"
                for measure in COLUMNS
            ]
            table.add_row(*cells, end_section=number == len(systems) - 1 and position < len(ROWS) - 1)
    return table


def _score_cell(system: System, key: str) -> str:
    value = f"{100 * system.scores[key]:.1f}"
    if key in system.intervals:
        low, high = system.intervals[key]
        value += f"\n[dim]{100 * low:.1f}–{100 * high:.1f}[/dim]"
    return value


def comparison_table(systems: Sequence[System], n_resamples: int, confidence: float, seed: int) -> Fitting:
    """Paired bootstrap tests of every system against the first, on Overall (fairer) F1."""
    rows: list[list[str]] = []
    for system in systems[1:]:
        tests = bap_v2_metric.paired_bootstrap(system.items, systems[0].items, n_resamples, confidence, seed)
        for position, group in enumerate(group for group in ROWS if system.scores[f"{group}n_items"]):
            test = tests[f"{group}fairer_f1"]
            rows.append([
                "" if position else escape(system.name),
                ROWS[group],
                f"{100 * test['a']:.1f}",
                f"{100 * test['difference']:+.1f} [dim]({100 * test['low']:+.1f} to {100 * test['high']:+.1f})[/dim]",
                f"{test['p_value']:.3f}" if test["p_value"] >= 0.001 else "<0.001",
            ])  # fmt: skip

    def grid(compact: bool, name_width: int) -> Table:
        table = _table(f"Against {systems[0].name} (paired bootstrap)", compact)
        table.add_column("System", overflow="fold", max_width=max(name_width, len("System")))
        table.add_column("Dataset", no_wrap=True)
        for heading in ("Overall F1", "Difference", "p"):
            table.add_column(heading, justify="right", no_wrap=True)
        for row in rows:
            table.add_row(*row)
        return table

    return Fitting([grid(compact, width) for compact in (False, True) for width in _name_widths(systems[1:])])


def report(
    systems: Sequence[System], title: str, labels: str, n_resamples: int = 1000, confidence: float = 0.95,
    seed: int = 20260,
) -> Group:  # fmt: skip
    """Everything that is printed about scores: tables, what could not be read, and how the numbers were made."""
    parts: list = [score_table(systems, title)]
    if len(systems) > 1 and n_resamples:
        parts.append(comparison_table(systems, n_resamples, confidence, seed))
    parts.append(Text(LEGEND))
    for system in systems:
        notes = [
            counted(system.scores["unparsed_lines"], "unparsed line"),
            counted(system.scores["infeasible_actions"], "infeasible action"),
            f"strict F1 {100 * system.scores['strict_f1']:.1f}",
        ]
        if system.missing:
            notes.append(f"{counted(system.missing, 'item')} without a prediction, scored as empty")
        parts.append(Text(f"{system.name}: {', '.join(notes)}"))
    how = "F1 in per cent, micro-averaged"
    if n_resamples:
        resamples = counted(n_resamples, "resample")
        how += f"; intervals: {100 * confidence:g}% percentile bootstrap, {resamples}, seed {seed}"
    signature = Text(f"signature: {bap_v2_metric.SIGNATURE}", style="dim", no_wrap=True, overflow="ignore")
    parts += [Text(how), Text(f"labels: {labels}"), signature]
    return Group(*parts)


def to_json(systems: Sequence[System], **settings: Any) -> bytes:
    """The scores and intervals of all systems, with the settings they were made with."""
    record = {
        "settings": settings,
        "systems": [
            {
                "name": system.name,
                "missing": system.missing,
                "scores": system.scores,
                "confidence_intervals": system.intervals,
            }
            for system in systems
        ],
    }
    return orjson.dumps(record, option=orjson.OPT_INDENT_2)


def print_report(group: Group, console: Console | None = None) -> None:
    """Prints a report at full width: a piped table is not folded, and the signature can be copied from any terminal."""
    console = console or Console()
    if not console.is_terminal:
        full = Measurement.get(console, console.options.update(max_width=_FULL), group)
        console.width = max(console.width, 120, full.maximum)
    console.print(group, crop=False)
