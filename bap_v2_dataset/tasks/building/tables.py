"""The tables of a report: all systems, and Tables 1, 4, 6 and 7 of BAP v2, our numbers beside those it reports."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bap_v2_dataset.evaluation.results import Report, Result, ScoredSplit, System
from bap_v2_dataset.evaluation.score_tables import drawn_in
from bap_v2_dataset.evaluation.scores import ItemGroup, Score, cell
from bap_v2_dataset.predictions.model_records import input_name
from bap_v2_dataset.tables.cells import NO_VALUE, Cell, Line, ScoreTable, Value
from bap_v2_dataset.tasks.building import paper
from bap_v2_dataset.tasks.building.paper import COLUMNS, HEADLINE, JOINT, PUBLISHED_ITEMS, PUBLISHED_TEST, ROWS


def tables(report: Report) -> list[ScoreTable]:
    """Return all systems in one table, and the tables of the paper that these test sets and systems belong to."""
    candidates = [_overall(report), _table_1(report), _table_4(report), _table_6(report)]
    candidates += [_table_7(report, test) for test in report.tests if test.config != "mdc"]
    return [table for table in candidates if table is not None]


def _score(result: Result, key: str, group: str = "") -> Cell:
    return cell(result, ItemGroup("", group), Score(key, ""))


def measures(result: Result, group: str) -> list[Cell]:
    """Type, Color, Location, Shape and the headline."""
    return [_score(result, f"{measure}_f1", group) for measure in COLUMNS]


def _group(lines: Iterable[Line]) -> list[Line]:
    """Lines that stand together: the first of them opens the group."""
    return [replace(line, opens=not position) for position, line in enumerate(lines)]


def _trained_on(train: Sequence[str] | None) -> str:
    if not train:
        return NO_VALUE
    return "all" if set(train) == set(JOINT) else ", ".join(train)


def _table_1(report: Report) -> ScoreTable | None:
    """v1 and v2 evaluation of the same system: those with predictions for the legacy test set, and GRUs."""
    # Systems that both evaluations are about
    v1, v2 = ("mdc", "test"), ("mdc_v2", "test")
    systems = [
        system for system in report.systems
        if v1 in system.results or (v2 in system.results and _is_of_paper(system))
    ]  # fmt: skip
    if not systems:
        return None

    # Both test sets of each system, then the paper's
    lines = []
    blank = [NO_VALUE] * (len(COLUMNS) - 1)
    for system in systems:
        part = []
        if legacy := system.results.get(v1):
            items = f"{legacy.scores['n_items']:,}"
            part.append(Line([system.title, "ours", "v1", items, *blank, _score(legacy, "strict_f1")]))
        if clean := system.results.get(v2):
            part += [
                Line([system.title, "ours", f"v2 {ROWS[group]}", *_counted_measures(clean, group)]) for group in ROWS
            ]
        lines += _group(part)
    for model in paper.LEGACY:
        rows = [["v1", f"{PUBLISHED_ITEMS['test']:,}", *blank, Value(model.legacy)]]
        rows += [[f"v2 {ROWS[group]}", *_paper_measures(model, group)] for group in model.boards]
        lines += _group(Line([model.name, "paper", *row], paper=True) for row in rows)
    return ScoreTable(
        "table_1",
        "Table 1: the same systems under the original (v1) and the v2 evaluation",
        ("System", "Source", "Evaluation", "Items", *COLUMNS.values()),
        lines,
        3,
        "v1: strict F1 on the original test set (mdc); v2: fairer F1 on the clean one (mdc_v2). Paper: Tables 1 and 7, "
        "sections 2.6 and 2.7.",
        drawn=drawn_in(replace(report, tests=[test for test in report.tests if test.key in (v1, v2)])),
    )


def _counted_measures(result: Result, group: str) -> list[Cell]:
    """Return the items of a board, and all measures on them."""
    return [f"{result.scores[f'{group}n_items']:,}", *measures(result, group)]


def _paper_measures(model: paper.PublishedModel, group: str) -> list[Cell]:
    """Return the measures of a model of the paper, which says how many items there are in all."""
    return [NO_VALUE if group else f"{PUBLISHED_TEST['items']:,}", *map(Value, model.boards[group])]


def _overall(report: Report) -> ScoreTable | None:
    """Return the headline of every system on every test set, whatever kind of system it is, above those of the paper.

    The legacy test set has another headline, and Table 1.
    """
    tests = [test for test in report.tests if test.config != "mdc"]
    if not tests:
        return None

    # Our systems
    lines = _group(
        Line([system.title, "ours", _kind(system), _trained_on(system.train),
              *(_headline(system, test.key) for test in tests)])
        for system in report.systems
        if any(test.key in system.results for test in tests)
    )  # fmt: skip

    # Then those of the paper, if it has scores on one of the test sets
    models = _MODELS if any(map(_is_reported, tests)) else ()
    lines += _group(
        Line(
            [model.name, "paper", "GRU" if model in paper.TABLE_4 else input_name(model.representation),
             _trained_on(model.train), *(_reported(model, test) for test in tests)],
            paper=True,
        )
        for model in models
    )  # fmt: skip
    return ScoreTable(
        "overall",
        f"All systems: {HEADLINE}",
        ("System", "Source", "Kind, or input", "Train data", *(test.title for test in tests)),
        lines,
        4,
        f"{_ALL} Paper: Tables 4 and 6." if models else "",
    )


_MODELS = (paper.GRU, paper.TABLE_4[-1], paper.NEBULA, paper.LLAMA_CRAFTS)  # without and with synthetic data
_ALL = f"all: {', '.join(JOINT)}. In the paper these are D_sb, D_ss, D_r and D_mc."


def _is_reported(test: ScoredSplit) -> bool:
    """Tell if the paper has scores on a test set."""
    return test.config in JOINT and test.split == "test"


def _reported(model: paper.PublishedModel, test: ScoredSplit) -> Cell:
    return Value(model.test[test.config]) if _is_reported(test) else NO_VALUE


def _kind(system: System) -> str:
    """Name the kind of a system: a rule, a learned Builder, or a language model with its input."""
    if system.baseline:
        return "rule"
    return system.builder_kind.name if system.builder_kind else input_name(system.representation)


def _is_of_paper(system: System) -> bool:
    """Return whether it has the architecture of the paper's Tables 1 and 4."""
    return system.builder_kind is not None and system.builder_kind.of_paper


def _headline(system: System, key: tuple[str, str]) -> Cell:
    return _score(system.results[key], "fairer_f1") if key in system.results else NO_VALUE


def _grid(system: System) -> list[Cell]:
    """Return the headline on the four test sets; nothing where it was not tested."""
    return [_headline(system, (name, "test")) for name in JOINT]


def _paper_grid(model: paper.PublishedModel) -> list[Cell]:
    return [Value(model.test[name]) for name in JOINT]


def _tested(report: Report) -> list[System]:
    return [system for system in report.systems if any((name, "test") in system.results for name in JOINT)]


def _table_4(report: Report) -> ScoreTable | None:
    """Train data by test data, of GRUs; if it is known what a system learned from."""
    systems = [system for system in _tested(report) if system.train and _is_of_paper(system)]
    if not systems:
        return None

    # The systems by what they learned from
    theirs = {frozenset(model.train): model for model in paper.TABLE_4}
    ours: dict[frozenset, list[System]] = {}
    for system in systems:
        ours.setdefault(frozenset(system.train or ()), []).append(system)

    # Ours stand above the paper's
    lines = []
    for train in (*theirs, *(train for train in ours if train not in theirs)):
        part = [
            Line([_trained_on(system.train), system.title, "ours", *_grid(system)]) for system in ours.get(train, ())
        ]
        if model := theirs.get(train):
            part.append(Line([_trained_on(model.train), model.name, "paper", *_paper_grid(model)], paper=True))
        lines += _group(part)
    return ScoreTable(
        "table_4",
        f"Table 4: GRUs, train data (lines) by test data (columns), {HEADLINE}",
        ("Train data", "System", "Source", *JOINT),
        lines,
        3,
        _ALL,
    )


def _table_6(report: Report) -> ScoreTable | None:
    """Language models by input and train data; ours stand above the model of the paper with the same of both."""
    systems = [system for system in _tested(report) if system.representation and system.builder_kind is None]
    if not systems:
        return None

    # The systems by what they read and learned from
    theirs = {(model.representation, frozenset(model.train)): model for model in paper.TABLE_6}
    ours: dict[tuple, list[System]] = {}
    for system in systems:
        key = (system.representation, frozenset(system.train or ()))
        ours.setdefault(key if key in theirs else (), []).append(system)

    # Ours stand above the paper's, and those that no model of the paper is like at the end
    lines = []
    for key in (*theirs, ()):
        part = [
            Line([system.title, "ours", input_name(system.representation), _trained_on(system.train), *_grid(system)])
            for system in ours.get(key, ())
        ]
        if model := theirs.get(key):
            row = [model.name, "paper", input_name(model.representation), _trained_on(model.train)]
            part.append(Line([*row, *_paper_grid(model)], paper=True))
        lines += _group(part)
    return ScoreTable(
        "table_6",
        f"Table 6: language models, input, train data, and {HEADLINE} on the four test sets",
        ("Model", "Source", "Input", "Train data", *JOINT),
        lines,
        4,
        f"{_ALL} Paper: Llama-3-8B with QLoRA.",
    )


def _table_7(report: Report, test: ScoredSplit) -> ScoreTable:
    """Return all measures by board; the paper has it for human dialogues alone, of GRUs in Table 1."""
    # The models of the paper that are like these systems
    learned = any(system.builder_kind for system, _ in report.on(test))
    models = (*paper.TABLE_7, paper.GRU) if learned else paper.TABLE_7
    of_paper = test.key == ("mdc_v2", "test")

    # Board by board, ours above the paper's
    lines = []
    for group, board in ROWS.items():
        part = [
            Line([board, system.title, "ours", *_counted_measures(result, group)]) for system, result in report.on(test)
        ]
        if of_paper:
            part += [Line([board, model.name, "paper", *_paper_measures(model, group)], paper=True) for model in models]
        lines += _group(part)
    return ScoreTable(
        f"table_7_{test.file_name}" if of_paper else f"measures_{test.file_name}",
        f"Table 7: all measures on {test.title}" if of_paper else f"All measures on {test.title}",
        ("Board", "System", "Source", "Items", *COLUMNS.values()),
        lines,
        3,
        drawn=drawn_in(replace(report, tests=[test])),
    )
