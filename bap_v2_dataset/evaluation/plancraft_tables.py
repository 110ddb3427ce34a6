"""Tables of Plancraft: what `bap-v2 score` and `bap-v2 report` show of episodes, beside the paper's tables."""

from collections.abc import Iterator, Sequence

from rich.console import Group as Shown
from rich.console import RenderableType
from rich.text import Text

from bap_v2_dataset.evaluation.fitted_tables import fitted
from bap_v2_dataset.evaluation.plancraft_remarks import remarks_on
from bap_v2_dataset.evaluation.plancraft_tests import against_table, paired_tests
from bap_v2_dataset.evaluation.plancraft_values import (
    MORE_HEADINGS,
    TOOL_SETS,
    headings_of,
    letters,
    published,
    value,
)
from bap_v2_dataset.evaluation.report import Report
from bap_v2_dataset.evaluation.score_tables import Fitting
from bap_v2_dataset.evaluation.scoring import USUAL_RESAMPLING, Resampling, Result, System
from bap_v2_dataset.evaluation.table_cells import Cell, Line, ScoreTable
from bap_v2_dataset.evaluation.test_sets import ScoredSplit
from bap_v2_dataset.plancraft.paper import (
    HEADINGS,
    KEY,
    RECIPE_HEADINGS,
    TABLE_2,
    TABLE_3,
    TABLE_5,
    TABLE_6,
    TABLE_7,
    Published,
)
from bap_v2_metric.plancraft_turns import tools_of

_PAPER_SET = ("plancraft", "test")
_MAIN, _RECIPES, _MORE = tuple(HEADINGS), tuple(RECIPE_HEADINGS), tuple(MORE_HEADINGS)
_OF_PICTURES = ("success", "turns", "ae_turns", "tokens")


def score_table(results: Sequence[Result], title: str, labels: str, resampling: Resampling = USUAL_RESAMPLING) -> Shown:
    """Everything that `bap-v2 score` prints: scores as in Table 2, further ones, tests, and how they were made."""
    parts: list[RenderableType] = []
    for table in _score_tables(results, "", title):
        parts += [fitted(table), Text()]
    if len(results) > 1 and resampling.n:
        parts += [comparison(results, resampling), Text()]
    parts += [Text(line) for line in remarks_on(results, labels, resampling)]
    for signature in dict.fromkeys(result.signature for result in results):
        parts.append(Text(f"signature: {signature}", style="dim", no_wrap=True, overflow="ignore"))
    return Shown(*parts)


def comparison(systems: Sequence[Result], resampling: Resampling) -> Fitting:
    """The tests of all systems against the first: what `Evaluation.compare` prints too."""
    return fitted(against_table(systems[1:], systems[0], resampling))


def _score_tables(results: Sequence[Result], name: str, title: str) -> Iterator[ScoreTable]:
    """The scores of systems on one test set: those of Table 2, by recipe type, and others."""
    for part, keys, heading in (
        ("", _MAIN, title),
        ("_recipes", _RECIPES, "Success by type of recipe"),
        ("_more", _MORE, "Giving up, invalid turns, and actions (moves and smelts)"),
    ):
        lines = [Line([result.name, letters(result), *(value(result, key) for key in keys)]) for result in results]
        yield ScoreTable(f"scores{name}{part}", heading, ("System", "Tools", *headings_of(keys)), lines, 2)


def score_tables(report: Report) -> list[ScoreTable]:
    """The tables of `bap-v2 score` as Markdown and LaTeX."""
    shown: list[ScoreTable] = []
    for test in report.tests:
        results = [result for _, result in report.on(test)]
        shown += _score_tables(results, f"_{test.file_name}", f"Scores on {test.title}")
        if len(results) > 1 and report.resampling.n:
            shown.append(against_table(results[1:], results[0], report.resampling))
    return shown


def tables(report: Report) -> list[ScoreTable]:
    """The tables of `bap-v2 report`: those of the paper, further scores, and tests."""
    shown: list[ScoreTable] = []
    for test in report.tests:
        on = report.on(test)
        tool_sets = _tool_sets(on)
        shown += [_table_2(test, on, tools) for tools in tool_sets]
        shown.append(_tables_5_and_6(test, on, tool_sets))
        if any(letters(result) == TABLE_7[0].tools and not system.baseline for system, result in on):
            shown.append(_table_7(test, on))
        if TABLE_2[0].tools in tool_sets and test.key == _PAPER_SET:
            shown.append(_table_3(test, on))
        shown.append(_more_scores(test, on))
    if tests := paired_tests(report):
        shown.append(tests)
    return shown


def _tool_sets(on: Sequence[tuple[System, Result]]) -> list[str]:
    """The sets of tools that models have; where there are baselines alone, all of the paper that have theirs."""
    used = dict.fromkeys(letters(result) for system, result in on if not system.baseline)
    if used:
        return sorted(used, key=lambda tools: (TOOL_SETS.index(tools) if tools in TOOL_SETS else len(TOOL_SETS), tools))
    sets = [tools for tools in TOOL_SETS if any(_plays_with(system, result, tools) for system, result in on)]
    return sets or list(dict.fromkeys(letters(result) for _, result in on))


def _plays_with(system: System, result: Result, tools: str) -> bool:
    """Whether a system belongs beside others with these tools: a baseline plays alike with more than it needs."""
    own = set(tools_of(letters(result)))
    return own <= set(tools_of(tools)) if system.baseline else letters(result) == tools


def _table_2(test: ScoredSplit, on: Sequence[tuple[System, Result]], tools: str) -> ScoreTable:
    lines = [
        Line([system.title, "ours", *_values(result, _MAIN)])
        for system, result in on
        if _plays_with(system, result, tools)
    ]
    if test.key == _PAPER_SET:
        lines += _theirs([row for row in TABLE_2 if row.tools == tools], _MAIN)
    name = f"plancraft_table_2_{test.file_name}_{tools.replace(' ', '_')}"
    heads = ("System", "Source", *headings_of(_MAIN))
    return ScoreTable(name, f"Table 2, tools {tools}: {test.title}", heads, lines, 2, paper=KEY)


def _tables_5_and_6(test: ScoredSplit, on: Sequence[tuple[System, Result]], tool_sets: Sequence[str]) -> ScoreTable:
    keys = (*_RECIPES, "invalid")
    lines = [Line([system.title, "ours", letters(result), *_values(result, keys)]) for system, result in on]
    if test.key == _PAPER_SET:
        invalid = {(row.tools, row.model): row.scores for row in TABLE_6}
        rows = [
            row._replace(scores={**row.scores, **invalid[row.tools, row.model]})
            for row in TABLE_5
            if row.tools in tool_sets
        ]
        lines += [
            Line([row.model, "paper", row.tools, *_published(row, keys)], paper=True, opens=not position)
            for position, row in enumerate(rows)
        ]
    heads = ("System", "Source", "Tools", *headings_of(keys))
    title = f"Tables 5 and 6, success by type of recipe, and invalid turns: {test.title}"
    return ScoreTable(f"plancraft_tables_5_6_{test.file_name}", title, heads, lines, 3, paper=KEY)


def _table_7(test: ScoredSplit, on: Sequence[tuple[System, Result]]) -> ScoreTable:
    lines = []
    for system, result in on:
        if letters(result) == TABLE_7[0].tools and not system.baseline:
            shots = {True: ", few-shot", False: ", zero-shot"}.get(result.facts.get("few_shot"), "")
            lines.append(Line([f"{system.title}{shots}", "ours", *_values(result, _MAIN)]))
    if test.key == _PAPER_SET:
        lines += _theirs(TABLE_7, _MAIN)
    heads = ("System", "Source", *headings_of(_MAIN))
    title = f"Table 7, with and without two solved tasks in the prompt, all tools: {test.title}"
    return ScoreTable(f"plancraft_table_7_{test.file_name}", title, heads, lines, 2, paper=KEY)


def _table_3(test: ScoredSplit, on: Sequence[tuple[System, Result]]) -> ScoreTable:
    tools = TABLE_2[0].tools
    lines = [
        Line([system.title, "ours", "text", *_values(result, _OF_PICTURES)])
        for system, result in on
        if _plays_with(system, result, tools)
    ]
    lines += [
        Line([row.model, "paper", "picture", *_published(row, _OF_PICTURES)], paper=True, opens=not position)
        for position, row in enumerate(TABLE_3)
    ]
    heads = ("System", "Source", "Observed", *headings_of(_OF_PICTURES))
    title = f"Table 3, models that see pictures, tools {tools}: {test.title}"
    return ScoreTable(f"plancraft_table_3_{test.file_name}", title, heads, lines, 3, paper=KEY)


def _more_scores(test: ScoredSplit, on: Sequence[tuple[System, Result]]) -> ScoreTable:
    lines = [Line([system.title, letters(result), *_values(result, _MORE)]) for system, result in on]
    heads = ("System", "Tools", *headings_of(_MORE))
    title = f"Giving up, invalid turns, and actions (moves and smelts): {test.title}"
    return ScoreTable(f"plancraft_more_{test.file_name}", title, heads, lines, 2)


def _values(result: Result, keys: Sequence[str]) -> list[Cell]:
    return [value(result, key) for key in keys]


def _published(row: Published, keys: Sequence[str]) -> list[Cell]:
    return [published(row.scores.get(key), key) for key in keys]


def _theirs(rows: Sequence[Published], keys: Sequence[str]) -> list[Line]:
    return [
        Line([row.model, "paper", *_published(row, keys)], paper=True, opens=not position)
        for position, row in enumerate(rows)
    ]
