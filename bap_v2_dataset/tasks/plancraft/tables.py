"""The tables of the paper on Plancraft: 2, 3 and 5 to 7, our numbers beside those it reports."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bap_v2_dataset.evaluation.results import Report, Result, ScoredSplit, System
from bap_v2_dataset.evaluation.scores import PLAIN, ItemGroup, Score, Unit, cells
from bap_v2_dataset.tables.cells import NO_VALUE, Cell, Line, ScoreTable
from bap_v2_dataset.tasks.plancraft import paper
from bap_v2_simulators.plancraft.turns import TOOLS, letters_of, tools_of


def thousands(tokens: float) -> str:
    """Tokens as the paper writes them.

    >>> thousands(88_900), thousands(11_600_000)
    ('88.9k', '11.6M')
    """
    return f"{tokens / 1e6:.1f}M" if tokens >= 1e6 else f"{tokens / 1e3:.1f}k"


_TESTED = ("success", "impossible_f1", "ae_turns")
# As in Tables 2 and 7, in the units of the paper: success and F1 in 0..1, tokens as 88.9k.
MAIN = tuple(
    Score(key, heading, Unit(text=thousands) if key == "tokens" else PLAIN, tested=key in _TESTED,
          reported=key in _TESTED, lower_is_better=key == "ae_turns")
    for key, heading in paper.HEADINGS.items()
)  # fmt: skip
RECIPES = tuple(Score(key, heading, PLAIN) for key, heading in paper.RECIPE_HEADINGS.items())
INVALID = Score("invalid", "invalid", PLAIN)
# What the paper has no columns of: it counts all turns, its text (4.1) moves and smelts alone.
MORE = (
    Score("impossible_precision", "Impossible precision", PLAIN),
    Score("impossible_recall", "Impossible recall", PLAIN),
    INVALID,
    Score("plan_length", "Actions", PLAIN),
    Score("ae", "AE (actions)", PLAIN, tested=True, reported=True, lower_is_better=True),
)
TOOL_SETS = tuple(dict.fromkeys(row.tools for row in paper.TABLE_2))  # of the paper, in letters
_PAPER_SET = ("plancraft", "test")
_OF_PICTURES = tuple(score for score in MAIN if score.key in ("success", "turns", "ae_turns", "tokens"))


def letters(result: Result) -> str:
    """Return the tools of a system in the letters of the paper."""
    return letters_of(result.facts.get("tools", TOOLS))


def tables(report: Report) -> list[ScoreTable]:
    """Return the tables of the paper, for the tools that systems have, and further scores."""
    shown: list[ScoreTable] = []
    for test in report.tests:
        on = report.on(test)
        tool_sets = _tool_sets(on)
        shown += [_table_2(test, on, tools) for tools in tool_sets]
        shown.append(_tables_5_and_6(test, on, tool_sets))
        if any(letters(result) == paper.TABLE_7[0].tools and not system.baseline for system, result in on):
            shown.append(_table_7(test, on))
        if paper.TABLE_2[0].tools in tool_sets and test.key == _PAPER_SET:
            shown.append(_table_3(test, on))
        lines = [Line([system.title, letters(result), *_cells(result, MORE)]) for system, result in on]
        title = f"Giving up, invalid turns, and actions (moves and smelts): {test.title}"
        name = f"plancraft_more_{test.file_name}"
        shown.append(ScoreTable(name, title, ("System", "Tools", *_headings(MORE)), lines, 2))
    return shown


def told(result: Result) -> dict:
    """Return the scores of a system, without those of turns that its tools do not have."""
    tools = result.facts.get("tools", TOOLS)
    unable = [name for name in ("think", "search", "impossible") if name not in tools]
    return {name: None if name in unable else score for name, score in result.scores.items()}


def _cells(result: Result, scores: Sequence[Score]) -> list[Cell]:
    return cells(replace(result, scores=told(result)), ItemGroup(""), scores)


def _headings(scores: Sequence[Score]) -> list[str]:
    return [score.heading for score in scores]


def _tool_sets(on: Sequence[tuple[System, Result]]) -> list[str]:
    """Return the sets of tools that models have; where there are baselines alone, all of the paper that have theirs."""
    used = dict.fromkeys(letters(result) for system, result in on if not system.baseline)
    if used:
        return sorted(used, key=lambda tools: (TOOL_SETS.index(tools) if tools in TOOL_SETS else len(TOOL_SETS), tools))
    sets = [tools for tools in TOOL_SETS if any(_plays_with(system, result, tools) for system, result in on)]
    return sets or list(dict.fromkeys(letters(result) for _, result in on))


def _plays_with(system: System, result: Result, tools: str) -> bool:
    """Return whether a system belongs beside others with these tools: a baseline plays alike with more than it
    needs."""
    own = set(tools_of(letters(result)))
    return own <= set(tools_of(tools)) if system.baseline else letters(result) == tools


def _table_2(test: ScoredSplit, on: Sequence[tuple[System, Result]], tools: str) -> ScoreTable:
    lines = [
        Line([system.title, "ours", *_cells(result, MAIN)])
        for system, result in on
        if _plays_with(system, result, tools)
    ]
    if test.key == _PAPER_SET:
        lines += _theirs([row for row in paper.TABLE_2 if row.tools == tools], MAIN)
    name = f"plancraft_table_2_{test.file_name}_{tools.replace(' ', '_')}"
    heads = ("System", "Source", *_headings(MAIN))
    return ScoreTable(name, f"Table 2, tools {tools}: {test.title}", heads, lines, 2, paper=paper.KEY)


def _tables_5_and_6(test: ScoredSplit, on: Sequence[tuple[System, Result]], tool_sets: Sequence[str]) -> ScoreTable:
    scores = (*RECIPES, INVALID)
    lines = [Line([system.title, "ours", letters(result), *_cells(result, scores)]) for system, result in on]
    if test.key == _PAPER_SET:
        invalid = {(row.tools, row.model): row.scores for row in paper.TABLE_6}
        rows = [
            row._replace(scores={**row.scores, **invalid[row.tools, row.model]})
            for row in paper.TABLE_5
            if row.tools in tool_sets
        ]
        lines += _theirs(rows, scores, lambda row: [row.tools])
    heads = ("System", "Source", "Tools", *_headings(scores))
    title = f"Tables 5 and 6, success by type of recipe, and invalid turns: {test.title}"
    return ScoreTable(f"plancraft_tables_5_6_{test.file_name}", title, heads, lines, 3, paper=paper.KEY)


def _table_7(test: ScoredSplit, on: Sequence[tuple[System, Result]]) -> ScoreTable:
    lines = []
    for system, result in on:
        if letters(result) == paper.TABLE_7[0].tools and not system.baseline:
            shots = {True: ", few-shot", False: ", zero-shot"}.get(result.facts.get("few_shot"), "")
            lines.append(Line([f"{system.title}{shots}", "ours", *_cells(result, MAIN)]))
    if test.key == _PAPER_SET:
        lines += _theirs(paper.TABLE_7, MAIN)
    heads = ("System", "Source", *_headings(MAIN))
    title = f"Table 7, with and without two solved tasks in the prompt, all tools: {test.title}"
    return ScoreTable(f"plancraft_table_7_{test.file_name}", title, heads, lines, 2, paper=paper.KEY)


def _table_3(test: ScoredSplit, on: Sequence[tuple[System, Result]]) -> ScoreTable:
    tools = paper.TABLE_2[0].tools
    lines = [
        Line([system.title, "ours", "text", *_cells(result, _OF_PICTURES)])
        for system, result in on
        if _plays_with(system, result, tools)
    ]
    lines += _theirs(paper.TABLE_3, _OF_PICTURES, lambda row: ["picture"])
    heads = ("System", "Source", "Observed", *_headings(_OF_PICTURES))
    title = f"Table 3, models that see pictures, tools {tools}: {test.title}"
    return ScoreTable(f"plancraft_table_3_{test.file_name}", title, heads, lines, 3, paper=paper.KEY)


def _theirs(
    rows: Sequence[paper.PublishedAgent],
    scores: Sequence[Score],
    about: Callable[[paper.PublishedAgent], list[str]] = lambda row: [],
) -> list[Line]:
    """Lines of the paper; between source and scores stands what is said `about` a row."""
    lines = []
    for position, row in enumerate(rows):
        values = ((row.scores.get(score.key), score.unit) for score in scores)
        published = [NO_VALUE if value is None else unit.cell(value) for value, unit in values]
        lines.append(Line([row.model, "paper", *about(row), *published], paper=True, opens=not position))
    return lines
