"""Plays many games with one Builder; a file of JSON lines, one for each game, is resumed where it stopped."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from bap_v2_dataset.games.builders import builder_of
from bap_v2_metric.errors import UserError
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.full_games.build_game import GAME_VERSION, BuildGame


class PlayError(UserError):
    """A file that holds other games; the message says which."""


@dataclass(frozen=True)
class Games:
    """Which games are played, and by whom: the games of the seeds `seed`, `seed + 1`, ..."""

    simulator: str
    builder: str
    games: int
    seed: int = 0

    def play(self, number: int) -> dict[str, Any]:
        """One game, as a record: who played, the counts of the result, and the whole dialogue with its actions."""
        seed = self.seed + number
        game, builder = BuildGame(simulator_of(self.simulator), seed), builder_of(self.builder, seed)
        while not game.is_over:
            game.play(builder(game.row))
        return {**self._head(number), "result": game.result().to_dict(), "log": [*game.history, *game.dialogue]}

    def _head(self, number: int) -> dict[str, Any]:
        return {
            "simulator": self.simulator, "builder": self.builder, "seed": self.seed + number,
            "game_version": GAME_VERSION,
        }  # fmt: skip

    def records(self, output: Path | None = None) -> Iterator[dict[str, Any]]:
        """The records of all games, one after the other.

        Args:
            output: gets a line for each game at once; games that it has are not played again.
        Raises:
            PlayError: if it holds other games.
            BuilderError, SettingsError: for unknown names.
        """
        builder_of(self.builder), simulator_of(self.simulator)
        known = self._known(output) if output is not None else []
        yield from known[: self.games]
        if output is None:
            yield from map(self.play, range(self.games))
            return
        with open(output, "ab") as file:
            for number in range(len(known), self.games):
                record = self.play(number)
                file.write(orjson.dumps(record) + b"\n")
                file.flush()
                yield record

    def _known(self, output: Path) -> list[dict[str, Any]]:
        """The games of a file; a last line that was cut off is taken away."""
        if not output.exists():
            return []
        whole, _, cut = output.read_bytes().rpartition(b"\n")
        if cut:
            with open(output, "ab") as file:
                file.truncate(output.stat().st_size - len(cut))
        records = []
        for number, line in enumerate(whole.splitlines()):
            head = self._head(number)
            try:
                record = orjson.loads(line)
                same = {name: record[name] for name in head} == head
                record["result"]["completed"]
            except (ValueError, KeyError, TypeError):
                same = False
            if not same:
                raise PlayError(f"{output}, line {number + 1}: another game than {head}: choose another --output")
            records.append(record)
        return records
