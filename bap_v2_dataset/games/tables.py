"""The measures of full games, and their table: one line for each simulator and Builder, with intervals over games."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from bap_v2_dataset.games.play import PlayError, check_result
from bap_v2_dataset.tables.cells import Line, ScoreTable, Value
from bap_v2_metric.counts import Counts
from bap_v2_metric.resampling import FEWEST_ITEMS, Statistics, check_resampling, intervals
from bap_v2_metric.scoring import SEED
from bap_v2_simulators.game import Game, read_games

_SUMS = ("completed", "tp", "fp", "fn", "turns", "repairs", "questions", "infeasible", "unparsed")
_PER_GAME = ("turns", "repairs", "questions", "infeasible", "unparsed")


def measures(
    results: Sequence[Mapping[str, Any]], n_resamples: int = 1000, confidence: float = 0.95, seed: int = SEED
) -> dict[str, dict[str, float]]:
    """Return each measure with its bootstrap interval over games: `value`, and of 20 games or more `low` and `high`.

    `completed` is the share of games whose structure is the target, `f1` the micro F1 of the blocks at the end, up to
    the allowed transforms; the others are means over games.

    Args:
        results: of `GameResult.to_dict`.
        n_resamples, confidence, seed: as for `bap_v2_metric.scorer.Scorer.bootstrap`.
    Raises:
        InputError: fewer than 1 resample, or a confidence outside 0..1.

    >>> won = {"completed": True, "tp": 2, "fp": 0, "fn": 0, "turns": 2, "repairs": 0}
    >>> measures([{**won, "questions": 0, "infeasible": 0, "unparsed": 0}], n_resamples=10)["f1"]
    {'value': 1.0}
    """
    check_resampling(n_resamples, confidence)
    rows = [tuple(int(result[name]) for name in _SUMS) for result in results]
    if not rows:
        return {}
    statistics = Statistics(rows, partial(_values, games=len(rows)), len(_SUMS))
    bounds = intervals(statistics, n_resamples, confidence, seed, None)
    return {
        name: {"value": value, **dict(zip(("low", "high"), bounds[name] or ()))}
        for name, value in statistics.scores.items()
    }


def _values(sums: Sequence[int], games: int) -> dict[str, float]:
    total = dict(zip(_SUMS, sums, strict=True))
    f1 = Counts(total["tp"], total["fp"], total["fn"]).f1
    return {"completed": total["completed"] / games, "f1": f1, **{name: total[name] / games for name in _PER_GAME}}


HEADINGS = {
    "completed": "Completed", "f1": "F1", "turns": "Turns", "repairs": "Repairs", "questions": "Questions",
    "infeasible": "Infeasible",
}  # fmt: skip # the measures that are shown
_PERCENT = ("completed", "f1")
NOTE = (
    "Completed: games whose structure is the target, in percent. F1: of the blocks at the end, up to the allowed "
    "transforms. The others are means over games; infeasible are actions that changed nothing. {share:.0%} bootstrap "
    "intervals over games, from {fewest} games on."
)

Systems = Mapping[tuple[str, str], Sequence[Game]]  # by simulator and name of the Builder


def systems_of(named: Iterable[tuple[str | None, Path]]) -> dict[tuple[str, str], list[Game]]:
    """Read the games of files, by simulator and Builder. Each is played again, to see that its result is right.

    Args:
        named: files with the name of their system; None: that of the Builder.
    Raises:
        PlayError: a system has a game twice, or a game was not played to its end, or its result is another.
    """
    systems: dict[tuple[str, str], list[Game]] = {}
    seen: dict[tuple[str, str, str], Path] = {}
    for name, path in named:
        for game in read_games(path):
            try:
                check_result(game)
            except PlayError as error:
                raise PlayError(f"{path}: {error}") from None
            key = game.metadata["simulator"], name or game.metadata["builder"]
            if other := seen.get((*key, game.game_id)):
                fix = "name the systems, A=FILE B=FILE" if other != path else "leave one out"
                raise PlayError(f"{path}: {key[1]} has played {game.game_id} already, in {other}: {fix}")
            seen[(*key, game.game_id)] = path
            systems.setdefault(key, []).append(game)
    return systems


def games_table(
    systems: Systems, title: str, n_resamples: int = 1000, seed: int = SEED, confidence: float = 0.95
) -> ScoreTable:
    """Return the table of the measures of each system. Arguments: see `measures`."""
    lines, before = [], ""
    for (simulator, builder), games in systems.items():
        table = measures([game.metadata["result"] for game in games], n_resamples, confidence, seed)
        cells = [_score(name, table[name]) for name in HEADINGS]
        lines.append(Line([simulator, builder, f"{len(games):,}", *cells], opens=bool(before) and simulator != before))
        before = simulator
    headings = ["Simulator", "Builder", "Games", *HEADINGS.values()]
    note = NOTE.format(share=confidence, fewest=FEWEST_ITEMS)
    return ScoreTable("games", title, headings, lines, n_texts=3, note=note)


def games_signature(systems: Systems) -> str:
    """Return the rules that the numbers depend on, as one line."""
    versions = sorted({game.metadata["game_version"] for games in systems.values() for game in games})
    return f"bap_v2 full games|version:{'+'.join(versions)}"


def games_json(systems: Systems, n_resamples: int = 1000, seed: int = SEED, confidence: float = 0.95) -> bytes:
    """Return the measures of each system as JSON."""
    records = [
        {
            "simulator": simulator, "builder": builder, "games": len(games),
            "measures": measures([game.metadata["result"] for game in games], n_resamples, confidence, seed),
        }
        for (simulator, builder), games in systems.items()
    ]  # fmt: skip
    facts = {"signature": games_signature(systems), "resamples": n_resamples, "confidence": confidence, "seed": seed}
    return orjson.dumps({**facts, "systems": records}, option=orjson.OPT_INDENT_2) + b"\n"


def _score(name: str, measure: Mapping[str, float]) -> Value:
    if name in _PERCENT:
        return Value(*(100 * number for number in measure.values()))
    return Value(*measure.values(), digits=2)
