"""From prediction files to the tables of the paper: 1, 4, 6 and 7 (BAP v2), our numbers beside those it reports.

A file belongs to a system, the model that wrote it, and answers a test set. Both are read from
`<file>.settings.json` where there is one, else from the ids and the name; `NAME=FILE` says the system. What a system
learned from is in the `training_run.json` of its model.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

import bap_v2_metric
from bap_v2_dataset import paper as published
from bap_v2_dataset.evaluation import error_analysis
from bap_v2_dataset.evaluation import score_tables as scoreboard
from bap_v2_dataset.evaluation.score_tables import COLUMNS, ROWS, PredictionError, System, counted, split_rows
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.builder import CONFIGS

INPUTS = {"n": "N", "n_posb": "N+PosB", "n_posb_s": "N+PosB+S"}  # Table 5
NO_VALUE = "–"
_TEST_WORDS = re.compile(
    rf"(?<![A-Za-z0-9])(?:{'|'.join(sorted(CONFIGS, key=len, reverse=True))}|train|validation|val|test|predictions?)"
    r"(?![A-Za-z0-9])",
    re.IGNORECASE,
)


# --- What is scored.
@dataclass(frozen=True)
class Items:
    """The items of a test set that are scored."""

    config: str
    split: str
    rows: Sequence[Mapping]
    labels: str  # whose say which items count
    split_items: int  # of the split, of which `rows` may be a part

    @property
    def key(self) -> tuple[str, str]:
        return self.config, self.split

    @property
    def title(self) -> str:
        """`dss`, `dss validation`, `dss (200 of 1,000 items)`."""
        part = "" if len(self.rows) == self.split_items else f" ({len(self.rows):,} of {self.split_items:,} items)"
        return f"{self.config}{'' if self.split == 'test' else f' {self.split}'}{part}"


@dataclass(frozen=True)
class Entrant:
    """A system, and how it did on each test set."""

    name: str
    model: str | None = None  # folder or name on the Hub
    train: tuple[str, ...] | None = None  # configs, or files, that it learned from; None: not recorded
    train_items: int | None = None
    representation: str | None = None
    seed: int | None = None
    baseline: bool = False
    scores: Mapping[tuple[str, str], System] = field(default_factory=dict)  # by key of Items


@dataclass(frozen=True)
class Resampling:
    """How sure the scores are: see `bap_v2_metric.bootstrap`."""

    n: int = 1000  # 0: no intervals and no tests
    confidence: float = 0.95
    seed: int = 20260


@dataclass(frozen=True)
class Report:
    """All that the tables are made of."""

    tests: Sequence[Items]
    entrants: Sequence[Entrant]
    against: str  # the system that the others are compared with
    resampling: Resampling = Resampling()
    notes: Sequence[str] = ()

    def on(self, test: Items) -> list[tuple[Entrant, System]]:
        """The systems that were tested on it, with their scores there."""
        return [(entrant, entrant.scores[test.key]) for entrant in self.entrants if test.key in entrant.scores]


# --- Which file belongs to which system, and answers what.
@dataclass(frozen=True)
class Answers:
    """A prediction file: whose answers to what."""

    path: Path
    system: str
    config: str
    split: str
    predictions: Mapping[str, str]  # by row id
    settings: Mapping[str, Any]  # of `<path>.settings.json`; empty without one


def read_answers(arguments: Sequence[str]) -> list[Answers]:
    """The prediction files of a command line, `FILE` or `NAME=FILE`.

    Raises:
        PredictionError: a file that cannot be read or was made for own data, and two files of one system for the same
            test set.
    """
    named = [_named(argument) for argument in arguments]
    settings = [_json(path.with_name(f"{path.name}.settings.json")) for _, path in named]
    found: list[Answers] = []
    taken: dict[tuple[str, str, str], Path] = {}
    for (_, path), system, its in zip(named, _system_names(named, settings), settings):
        predictions = scoreboard.read_predictions(path)
        config, split = scoreboard.made_for([path], None, None, next(iter(predictions)), lambda: "")
        if not config:
            config, split = _human_test(predictions, split)
        if config == "all" and split.startswith("test_"):  # the same rows
            config, split = split.removeprefix("test_"), "test"
        if (earlier := taken.setdefault((system, config, split), path)) is not path:
            raise PredictionError(
                f"{earlier} and {path} both answer {config}, {split}, as the system {system!r}: "
                f"name one of them, e.g. other={path}"
            )
        found.append(Answers(path, system, config, split, predictions, its))
    return found


def _named(argument: str) -> tuple[str, Path]:
    """The name, or "", and the file of an argument."""
    name, equals, path = argument.partition("=")
    return (
        (name.strip(), Path(path)) if equals and name.strip() and not Path(argument).exists() else ("", Path(argument))
    )


def _json(path: Path) -> dict[str, Any]:
    """What a record holds; empty if it cannot be read as one (`scoreboard.made_for` complains where that matters)."""
    try:
        found = orjson.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _system_names(named: Sequence[tuple[str, Path]], settings: Sequence[Mapping]) -> list[str]:
    """The system of each file: as told, else its model, else its folder or what its name says besides the test set."""
    keys, short = [], []
    for (name, path), its in zip(named, settings):
        own = re.sub(r"^[\W_]+|[\W_]+$", "", re.sub(r"[-_. ]{2,}", "_", _TEST_WORDS.sub("", path.stem)))
        folder = path.absolute().parent.name
        model = str(its["model"]) if its.get("model") else ""
        whose = model.rstrip("/").rpartition("/")[2] or model or ("" if own else folder)
        keys.append((name, "" if name else model or str(path.absolute().parent), str(its.get("representation")), own))
        short.append(name or "/".join(filter(None, (whose, own if own != whose else ""))) or path.stem)
    clashing = {name for name in short if len({key for key, other in zip(keys, short) if other == name}) > 1}
    longer = []
    for name, (told, where, representation, own) in zip(short, keys):
        if name in clashing and not told:
            others = {key for key, other in zip(keys, short) if other == name}
            if len({key[1] for key in others}) > 1:
                name = "/".join(filter(None, (where, own)))
            if len({key[2] for key in others if key[1] == where}) > 1:
                name += f" ({INPUTS.get(representation, representation)})"
        longer.append(name)
    return longer


def _human_test(predictions: Mapping[str, str], split: str) -> tuple[str, str]:
    """The human test set whose items these are; the first of those that are set up that holds them all."""
    there = [name for name in ("mdc_v2", "mdc") if install.is_set_up(name)]
    for name in there:
        if predictions.keys() <= set(split_rows(name, split)["id"]):
            return name, split
    return (there or ["mdc_v2"])[0], split


def _facts(answers: Answers) -> dict[str, Any]:
    """What is recorded of the system that wrote the answers."""
    model = answers.settings.get("model")
    if not model:
        return {}
    facts = {"model": str(model), "representation": answers.settings.get("representation")}
    beside = answers.path.absolute().parent
    folders = [Path(model), *([beside] if beside.name == Path(model).name else [])]  # runs are moved and downloaded
    run = next(filter(None, (_json(folder / "training_run.json") for folder in folders)), {})
    if run:
        facts["train"] = learned_from(run)
        facts["train_items"] = (run.get("train") or {}).get("items")
        facts["seed"] = run.get("seed")
        facts["representation"] = facts["representation"] or run.get("representation")
    return facts


def learned_from(run: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The configs, or names of own data, in a `training_run.json`; the joint corpus is its four parts."""
    dataset = run.get("dataset") or {}
    if mix := dataset.get("mix"):  # mdc_v2=all,dr=8000
        amounts = [part.partition("=") for part in str(mix).split(",")]
        names = [name.strip() for name, _, amount in amounts if amount.strip() != "0"]
    else:
        names = [Path(str(value)).name for key, value in dataset.items() if key in ("config", "path") and value]
    names = [part for name in names for part in (published.JOINT if name == "all" else (str(name),))]
    ranks = {name: rank for rank, name in enumerate(published.JOINT)}
    return tuple(sorted(dict.fromkeys(names), key=lambda name: ranks.get(name, len(ranks)))) or None


# --- Scoring.
def scored_report(
    answers: Sequence[Answers],
    baselines: Sequence[str] = (),
    *,
    against: str | None = None,
    subset: bool = False,
    partial: bool = False,
    resampling: Resampling = Resampling(),
    progress: Callable[[str], None] = lambda said: None,
) -> Report:
    """Scores of all systems on all test sets.

    Predictions for the legacy test set `mdc` are also scored on `mdc_v2`, whose items are among its items and have the
    same prompts. Baselines are tested on the test sets of the files; without files on all that are set up.

    Args:
        against: the system that the others are compared with; by default the first.
        subset: score only the items that have predictions.
        partial: score items without a prediction as if it were empty.
        progress: called with what is being scored.
    Raises:
        PredictionError: predictions that do not fit their test set, an unknown baseline or system.
    """
    by_test: dict[tuple[str, str], list[Answers]] = {}
    for its in answers:
        by_test.setdefault((its.config, its.split), []).append(its)
    if (legacy := by_test.get(("mdc", "test"))) and install.is_set_up("mdc_v2"):
        there = {its.system for its in by_test.get(("mdc_v2", "test"), ())}
        by_test.setdefault(("mdc_v2", "test"), []).extend(its for its in legacy if its.system not in there)
    if not answers:
        by_test = {(name, "test"): [] for name in (*published.JOINT, "mdc") if install.is_set_up(name)}
    ranks = {name: rank for rank, name in enumerate((*published.JOINT, "mdc"))}
    tests: list[Items] = []
    notes: list[str] = []
    entrants: dict[str, dict[str, Any]] = {}
    for its in answers:
        entrants.setdefault(its.system, {"name": its.system, "scores": {}}).update(_facts(its))
    for name in baselines:
        if name in entrants:
            raise PredictionError(f"a system and a baseline are both called {name}: name the file, NAME=FILE")
        entrants[name] = {"name": name, "baseline": True, "scores": {}}
    for (config, split), files in sorted(by_test.items(), key=lambda its: (ranks.get(its[0][0], 9), its[0])):
        progress(f"{config}, {split}")
        rows = scoreboard.scored_rows(split_rows(config, split))
        n_rows = len(rows)
        given = {
            its.path: (
                its.predictions
                if its.config == config
                else {row["id"]: its.predictions[row["id"]] for row in rows if row["id"] in its.predictions}
            )
            for its in files
        }
        if subset and given:
            rows = scoreboard.rows_with_predictions(rows, given)
            inside = {row["id"] for row in rows}
            if left_out := len(next(iter(given.values())).keys() - inside):
                notes.append(f"{config}, {split}: left out {counted(left_out, 'prediction')} of items that it lacks")
            given = {path: {key: its[key] for key in its.keys() & inside} for path, its in given.items()}
        test = Items(config, split, rows, scoreboard.labels_of(rows, config), n_rows)
        tests.append(test)
        ids = [row["id"] for row in rows]
        texts = {
            its.system: (
                scoreboard.matched(given[its.path], ids, str(its.path), partial),
                len(set(ids) - given[its.path].keys()),
            )
            for its in files
        }
        texts |= {name: (scoreboard.baseline_predictions(name, rows), 0) for name in baselines}
        references = [{key: row[key] for key in ("before", "after", "interpretations")} for row in rows]
        for name, (predictions, missing) in texts.items():
            entrants[name]["scores"][test.key] = scoreboard.scored(
                name, predictions, references, resampling.n, resampling.confidence, resampling.seed, missing
            )
    if against is not None and against not in entrants:
        raise PredictionError(f"--against {against}: there is no such system (there are {', '.join(entrants)})")
    first = against or next(iter(entrants))
    return Report(tests, [Entrant(**facts) for facts in entrants.values()], first, resampling, notes)


# --- Tables, in no format yet.
@dataclass(frozen=True)
class Score:
    """F1 in per cent; with an interval if one was computed."""

    value: float
    low: float | None = None
    high: float | None = None


Cell = str | Score


@dataclass(frozen=True)
class Line:
    cells: Sequence[Cell]
    paper: bool = False  # a number of the paper, not ours
    opens: bool = False  # a group of lines


@dataclass(frozen=True)
class ScoreTable:
    name: str  # of files and labels
    title: str
    headings: Sequence[str]
    lines: Sequence[Line]
    n_texts: int  # columns at the left that hold text; the others hold numbers
    note: str = ""


def tables(report: Report) -> list[ScoreTable]:
    """The tables of the paper that the test sets allow, and the paired tests."""
    found = [_table_1(report), _table_4(report), _table_6(report)]
    found += [_table_7(report, test) for test in report.tests if test.config != "mdc"]
    found.append(_paired_tests(report))
    return [table for table in found if table is not None]


def _score(system: System, key: str, group: str = "") -> Cell:
    if not system.scores[f"{group}n_items"]:
        return NO_VALUE
    bounds = system.intervals.get(f"{group}{key}", ())
    return Score(100 * system.scores[f"{group}{key}"], *(100 * bound for bound in bounds))


def _battery(system: System, group: str) -> list[Cell]:
    """Type, Color, Location, Shape and Overall."""
    return [_score(system, f"{measure}_f1", group) for measure in COLUMNS]


def _trained_on(train: Sequence[str] | None) -> str:
    if not train:
        return NO_VALUE
    return "all" if set(train) == set(published.JOINT) else ", ".join(train)


def _input(representation: str | None) -> str:
    return INPUTS.get(representation, NO_VALUE)


def _table_1(report: Report) -> ScoreTable | None:
    """v1 and v2 evaluation of the same system; if one has predictions for the legacy test set."""
    v1, v2 = ("mdc", "test"), ("mdc_v2", "test")
    systems = [its for its in report.entrants if v1 in its.scores]
    if not systems:
        return None
    lines = []
    for entrant in systems:
        legacy = entrant.scores[v1]
        blank = [NO_VALUE] * (len(COLUMNS) - 1)
        first = [
            entrant.name,
            "ours",
            "v1",
            f"{legacy.scores['n_items']:,}",
            *blank,
            _score(legacy, "strict_f1"),
        ]
        lines.append(Line(first, opens=True))
        if clean := entrant.scores.get(v2):
            lines += [
                Line([entrant.name, "ours", f"v2 {ROWS[group]}", f"{clean.scores[f'{group}n_items']:,}",
                      *_battery(clean, group)])
                for group in ROWS
            ]  # fmt: skip
    for its in published.LEGACY:
        blank = [NO_VALUE] * (len(COLUMNS) - 1)
        lines.append(Line([its.name, "paper", "v1", "1,616", *blank, Score(its.legacy)], paper=True, opens=True))
        lines += [
            Line([its.name, "paper", f"v2 {ROWS[group]}", "1,155" if not group else NO_VALUE,
                  *map(Score, its.boards[group])], paper=True)
            for group in its.boards
        ]  # fmt: skip
    return ScoreTable(
        "table_1",
        "Table 1: the same systems under the original (v1) and the v2 evaluation",
        ("System", "Source", "Evaluation", "Items", *COLUMNS.values()),
        lines,
        3,
        "v1: strict F1 on the original test set (mdc); v2: fairer F1 on the clean one (mdc_v2). Paper: Tables 1 and 7, "
        "sections 2.6 and 2.7.",
    )


def _grid(entrant: Entrant) -> list[Cell]:
    """Overall F1 on the four test sets; nothing where it was not tested."""
    return [
        _score(entrant.scores[name, "test"], "fairer_f1") if (name, "test") in entrant.scores else NO_VALUE
        for name in published.JOINT
    ]


def _tested_in_full(report: Report) -> list[Entrant]:
    return [its for its in report.entrants if any((name, "test") in its.scores for name in published.JOINT)]


def _table_4(report: Report) -> ScoreTable | None:
    """Train data by test data; if it is known what a system learned from."""
    systems = [its for its in _tested_in_full(report) if its.train]
    if not systems:
        return None
    theirs = {frozenset(its.train): its for its in published.TABLE_4}
    ours: dict[frozenset, list[Entrant]] = {}
    for entrant in systems:
        ours.setdefault(frozenset(entrant.train or ()), []).append(entrant)
    lines = []
    for train in (*theirs, *(train for train in ours if train not in theirs)):
        group = [
            Line([_trained_on(its.train), its.name, "ours", *_grid(its)], opens=not position)
            for position, its in enumerate(ours.get(train, ()))
        ]
        if its := theirs.get(train):
            numbers = [Score(its.test[name]) for name in published.JOINT]
            group.append(Line([_trained_on(its.train), its.name, "paper", *numbers], paper=True, opens=not group))
        lines += group
    return ScoreTable(
        "table_4",
        "Table 4: train data (lines) by test data (columns), Overall F1",
        ("Train data", "System", "Source", *published.JOINT),
        lines,
        3,
        _ALL,
    )


_ALL = f"all: {', '.join(published.JOINT)}. In the paper these are D_sb, D_ss, D_r and D_mc."


def _table_6(report: Report) -> ScoreTable | None:
    """Models, inputs and train data; ours stand above the model of the paper with the same input and train data."""
    systems = _tested_in_full(report)
    if not systems:
        return None
    theirs = {(its.representation, frozenset(its.train)): its for its in published.TABLE_6}
    ours: dict[tuple, list[Entrant]] = {}
    for entrant in systems:
        key = (entrant.representation, frozenset(entrant.train or ()))
        ours.setdefault(key if key in theirs else (), []).append(entrant)
    lines = []
    for key in (*theirs, ()):
        group = [
            Line([its.name, "ours", _input(its.representation), _trained_on(its.train), *_grid(its)])
            for its in ours.get(key, ())
        ]
        if its := theirs.get(key):
            row = [its.name, "paper", _input(its.representation), _trained_on(its.train)]
            group.append(Line([*row, *(Score(its.test[name]) for name in published.JOINT)], paper=True))
        lines += [Line(line.cells, line.paper, opens=not position) for position, line in enumerate(group)]
    return ScoreTable(
        "table_6",
        "Table 6: model, input, train data, and Overall F1 on the four test sets",
        ("Model", "Source", "Input", "Train data", *published.JOINT),
        lines,
        4,
        f"{_ALL} Paper: Llama-3-8B with QLoRA.",
    )


def _table_7(report: Report, test: Items) -> ScoreTable:
    """All measures by board; the paper has it for human dialogues."""
    lines = []
    for group, board in ROWS.items():
        part = [
            Line([board, entrant.name, "ours", f"{system.scores[f'{group}n_items']:,}", *_battery(system, group)])
            for entrant, system in report.on(test)
        ]
        if test.key == ("mdc_v2", "test"):
            part += [
                Line([board, its.name, "paper", NO_VALUE if group else "1,155", *map(Score, its.boards[group])],
                     paper=True)
                for its in published.TABLE_7
            ]  # fmt: skip
        lines += [Line(line.cells, line.paper, opens=not position) for position, line in enumerate(part)]
    return ScoreTable(
        f"table_7_{_file_name(test)}",
        f"Table 7: all measures on {test.title}",
        ("Board", "System", "Source", "Items", *COLUMNS.values()),
        lines,
        3,
    )


def _file_name(test: Items) -> str:
    return test.config if test.split == "test" else f"{test.config}_{test.split}"


def _paired_tests(report: Report) -> ScoreTable | None:
    """Every system against one, on the items that both were tested on."""
    lines = []
    for test in report.tests:
        on = {entrant.name: system for entrant, system in report.on(test)}
        base = on.pop(report.against, None)
        if base is None or not report.resampling.n:
            continue
        for position, (name, system) in enumerate(on.items()):
            its = bap_v2_metric.paired_bootstrap(
                system.items, base.items, report.resampling.n, report.resampling.confidence, report.resampling.seed
            )
            key = "strict_f1" if test.config == "mdc" else "fairer_f1"
            cells: list[Cell] = [test.title, name]
            for group in ("", "eb_", "neb_"):
                if not system.scores[f"{group}n_items"]:
                    cells += [NO_VALUE, NO_VALUE] if group else [NO_VALUE] * 3
                    continue
                found = its[f"{group}{key}"]
                cells.append(f"{100 * found['difference']:+.1f}")
                if not group:
                    cells.append(f"{100 * found['low']:+.1f} to {100 * found['high']:+.1f}")
                cells.append(f"{found['p_value']:.3f}" if found["p_value"] >= 0.001 else "<0.001")
            lines.append(Line(cells, opens=not position))
    if not lines:
        return None
    return ScoreTable(
        "paired_tests",
        f"Differences from {report.against}: Overall F1, paired bootstrap",
        ("Test set", "System", "Overall", "interval", "p", "EB", "p", "NEB", "p"),
        lines,
        2,
        "On mdc: strict F1. p is two-sided, and not corrected for the number of comparisons.",
    )


def error_bins(report: Report) -> dict[tuple[str, str], list[error_analysis.Bin]]:
    """The error analysis of every test set, by its key; the legacy test set has none."""
    resampling = report.resampling
    return {
        test.key: error_analysis.binned(
            test.rows, [system.items for _, system in report.on(test)], resampling.n, resampling.confidence,
            resampling.seed,
        )
        for test in report.tests
        if test.config != "mdc"
    }  # fmt: skip


def error_tables(report: Report, bins: Mapping[tuple[str, str], Sequence[error_analysis.Bin]]) -> list[ScoreTable]:
    """A table for each test set: Overall F1 of every system in every bin."""
    found = []
    for test in report.tests:
        lines, last = [], None
        for its in bins.get(test.key, ()):
            opens = its.dimension is not last
            last = its.dimension
            intervals = its.intervals or [()] * len(its.f1)
            scores = [Score(100 * f1, *(100 * bound for bound in bounds)) for f1, bounds in zip(its.f1, intervals)]
            lines.append(Line([its.dimension.title, its.label, f"{its.n_items:,}", *scores], opens=opens))
        dimensions = {its.dimension for its in bins.get(test.key, ())}
        overlapping = [its.title for its in error_analysis.DIMENSIONS if its.overlapping and its in dimensions]
        if lines:
            names = [entrant.name for entrant, _ in report.on(test)]
            note = f"An item can be in several bins of: {', '.join(overlapping)}." if overlapping else ""
            title = f"Error analysis on {test.title}: Overall F1"
            found.append(ScoreTable(f"errors_{_file_name(test)}", title, ("", "", "Items", *names), lines, 2, note))
    return found


# --- What is said about the numbers.
def remarks(report: Report) -> list[str]:
    """Everything that a reader needs to judge the tables, as sentences."""
    said = list(report.notes)
    for entrant in report.entrants:
        parts = []
        if entrant.model:
            parts.append(f"model {entrant.model}")
        if entrant.train:
            items = f"{entrant.train_items:,} items of " if entrant.train_items else ""
            parts.append(f"learned from {items}{', '.join(entrant.train)}")
        elif not entrant.baseline:
            parts.append("what it learned from is not recorded")
        if entrant.representation:
            parts.append(f"input {_input(entrant.representation)}")
        if entrant.seed is not None:
            parts.append(f"seed {entrant.seed}")
        if entrant.baseline:
            parts.append("a baseline of this project")
        said.append(f"{entrant.name}: {'; '.join(parts)}")
    for test in report.tests:
        said.append(f"Labels of {test.title}: {test.labels}")
        for entrant, system in report.on(test):
            scores = system.scores
            odd = [
                counted(scores[key], noun)
                for key, noun in (("unparsed_lines", "unparsed line"), ("infeasible_actions", "infeasible action"))
                if scores[key]
            ]
            if system.missing:
                odd.append(f"{counted(system.missing, 'item')} without a prediction, scored as empty")
            if odd:
                said.append(f"{entrant.name} on {test.title}: {', '.join(odd)}")
    said.append(
        "Source ours: computed here. Source paper: as reported, under its authors' labels of the human test items and "
        "on its authors' synthetic games, which were not released; ours follow the same recipe."
    )
    said.append(f"{scoreboard.LEGEND}.")
    how = "F1 in per cent, micro-averaged over items"
    if report.resampling.n:
        how += (
            f"; intervals: {100 * report.resampling.confidence:g}% percentile bootstrap over items, "
            f"{counted(report.resampling.n, 'resample')}, seed {report.resampling.seed}"
        )
    said.append(f"{how}.")
    return said


def score_files(report: Report) -> Iterable[tuple[str, bytes]]:
    """For each system and test set a path and the content, as `bap-v2 score --json` writes it."""
    slugs: dict[str, str] = {}
    for entrant in report.entrants:
        slug = re.sub(r"[^\w.+-]+", "_", entrant.name).strip("._") or "system"
        while slug in slugs.values():
            slug += "_"
        slugs[entrant.name] = slug
    for test in report.tests:
        for entrant, system in report.on(test):
            settings = {
                "config": test.config, "split": test.split, "items": len(test.rows), "split_items": test.split_items,
                "labels": test.labels, "resamples": report.resampling.n, "confidence": report.resampling.confidence,
                "seed": report.resampling.seed,
            }  # fmt: skip
            name = f"scores/{slugs[entrant.name]}/{test.config}-{test.split}.json"
            yield name, scoreboard.to_json([system], **settings)
