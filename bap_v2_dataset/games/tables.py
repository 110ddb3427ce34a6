"""The table of full games: one line for each file, simulator and Builder, with intervals over games."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console
from rich.text import Text

from bap_v2_dataset.games.measures import measures
from bap_v2_dataset.games.playing import PlayError, check_result
from bap_v2_dataset.tables.cells import Line, ScoreTable, Value
from bap_v2_dataset.tables.fitted import fitted
from bap_v2_metric.scoring import SEED
from bap_v2_simulators.game import Game, read_games

HEADINGS = {
    "completed": "Completed", "f1": "F1", "turns": "Turns", "repairs": "Repairs", "questions": "Questions",
    "infeasible": "Infeasible",
}  # fmt: skip # the measures that are shown
_PERCENT = ("completed", "f1")
NOTE = (
    "Completed: games whose structure is the target, in percent. F1: of the blocks at the end, up to the allowed "
    "transforms. The others are means over games; infeasible are actions that changed nothing. {share:.0%} bootstrap "
    "intervals over games."
)

Systems = Mapping[tuple[str, str], Sequence[Game]]  # by simulator and name of the Builder


def are_games(path: Path) -> bool:
    """Whether a file begins with a game of `bap-v2 play`; other files are left to whoever asks."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        line = file.readline(1_000_000)
    try:
        record = orjson.loads(line)
        return "events" in record and "result" in record["metadata"]
    except (ValueError, TypeError, LookupError):
        return False


def systems_of(named: Iterable[tuple[str | None, Path]]) -> dict[tuple[str, str], list[Game]]:
    """The games of files, by simulator and Builder. Each is played again, to see that its result is right.

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
    """The measures of each system. Arguments: see `measures`."""
    lines, before = [], ""
    for (simulator, builder), games in systems.items():
        table = measures([game.metadata["result"] for game in games], n_resamples, confidence, seed)
        cells = [_score(name, table[name], len(games) > 1) for name in HEADINGS]
        lines.append(Line([simulator, builder, f"{len(games):,}", *cells], opens=bool(before) and simulator != before))
        before = simulator
    headings = ["Simulator", "Builder", "Games", *HEADINGS.values()]
    return ScoreTable("games", title, headings, lines, n_texts=3, note=NOTE.format(share=confidence))


def games_signature(systems: Systems) -> str:
    """What the numbers depend on, as one line."""
    versions = sorted({game.metadata["game_version"] for games in systems.values() for game in games})
    return f"bap_v2 full games|version:{'+'.join(versions)}"


def games_json(systems: Systems, n_resamples: int = 1000, seed: int = SEED, confidence: float = 0.95) -> bytes:
    """The measures of each system as JSON."""
    records = [
        {
            "simulator": simulator, "builder": builder, "games": len(games),
            "measures": measures([game.metadata["result"] for game in games], n_resamples, confidence, seed),
        }
        for (simulator, builder), games in systems.items()
    ]  # fmt: skip
    facts = {"signature": games_signature(systems), "resamples": n_resamples, "confidence": confidence, "seed": seed}
    return orjson.dumps({**facts, "systems": records}, option=orjson.OPT_INDENT_2) + b"\n"


def print_games(table: ScoreTable, console: Console) -> None:
    """Prints the table in as many columns as the terminal holds, and what its columns are."""
    console.print(fitted(table))
    console.print(Text(table.note, "dim"))


def _score(name: str, measure: Mapping[str, Any], interval: bool) -> Value:
    parts = ("value", "low", "high") if interval else ("value",)
    if name in _PERCENT:
        return Value(*(100 * measure[part] for part in parts))
    return Value(*(measure[part] for part in parts), digits=2)
