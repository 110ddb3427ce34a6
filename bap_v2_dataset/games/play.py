"""Plays many games with one Builder; a file of games, one per line, is resumed where it stopped.

A line is a game in the format of all logs (`bap_v2_simulators.game`): `bap-v2 show --played` shows it.
Its metadata say who played, and what became of it:

    {"simulator": "dss", "builder": "symbolic", "seed": 0, "game_version": "1.3.0", "answers": ["place ...", ...],
     "result": {"completed": true, ...}}
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from bap_v2_dataset.games.builders import builder_of
from bap_v2_dataset.items.verdict import verdict
from bap_v2_dataset.sentences import counted
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import storable
from bap_v2_simulators.atomic_files import only_writer
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.full_games.build_game import GAME_VERSION, BuildGame, GameResult, chat_and_actions
from bap_v2_simulators.game import Game, GameError, read_games


@dataclass(frozen=True)
class Session:
    """A game up to now. Equal sessions are equal games: they are played again when they are looked at."""

    simulator: str
    seed: int
    answers: tuple[str, ...] = ()  # the texts of the Builder's turns

    def game(self) -> BuildGame:
        """Play the game up to now.

        Raises:
            SettingsError: for an unknown simulator, or a seed that is none.
        """
        game = BuildGame(simulator_of(self.simulator), self.seed)
        for text in self.answers:
            game.play(text)
        return game

    def played(self, text: str) -> "Session":
        """Return the session after one more turn."""
        return replace(self, answers=(*self.answers, text))


Answers = Callable[[Sequence[Mapping[str, Any]]], Sequence[str]]  # rows, one of each game -> the text of each turn
AT_ONCE = 64  # games that a model plays together
_BEGINNING = b'{"game_id":'  # of a line


def problems_of(text: str, board: Sequence[str]) -> list[str]:
    """Return a sentence for each line or action of a typed turn that cannot be carried out as it is.

    Args:
        board: before it, as lines.
    """
    _, actions = chat_and_actions(text)
    return list(verdict(actions, {"before": board, "after": board}).problems) if actions.strip() else []


class PlayError(UserError):
    """A file that holds other games; the message says which."""


@dataclass(frozen=True)
class Games:
    """Games of one Builder: those of the seeds `seed`, `seed + 1`, ..."""

    simulator: str
    builder: str  # a name of `builders.BUILDERS`, or of who gives the `answers`
    games: int
    seed: int = 0

    def records(
        self, output: Path | None = None, answers: Answers | None = None, at_once: int = AT_ONCE
    ) -> Iterator[Game]:
        """Yield all games, in the order of their seeds.

        Args:
            output: gets a line for each game at once; games that it has are not played again.
            answers: a Builder that answers several games together. By default the one named `builder`.
            at_once: games that are played together with `answers`.
        Raises:
            PlayError: if the file holds other games.
            OutputError: if another process writes it.
            BuilderError, SettingsError: for unknown names.
        """
        simulator_of(self.simulator)  # unknown names are said before anything is written
        if answers is None:
            builder_of(self.builder)
        if output is None:
            yield from self._played(range(self.games), answers, at_once)
            return
        with only_writer(output):
            earlier = self._read(output)
            yield from earlier[: self.games]
            with open(output, "ab") as file:
                for game in self._played(range(len(earlier), self.games), answers, at_once):
                    file.write(game.to_json() + b"\n")
                    file.flush()
                    yield game

    def _played(self, numbers: range, answers: Answers | None, at_once: int) -> Iterator[Game]:
        if answers is None:
            yield from map(self._played_alone, numbers)
            return
        begun = numbers.start - numbers.start % at_once  # the same games together as in a run that was not cut off
        for first in range(begun, numbers.stop, at_once):
            together = self._played_together(range(first, min(first + at_once, numbers.stop)), answers)
            yield from together[max(numbers.start - first, 0) :]

    def _played_alone(self, number: int) -> Game:
        builder = builder_of(self.builder, self.seed + number)
        return self._played_together([number], lambda rows: [builder(row) for row in rows])[0]

    def _played_together(self, numbers: Iterable[int], answers: Answers) -> list[Game]:
        """Play games turn by turn: those that are not over yet are answered together."""
        games = {number: BuildGame(simulator_of(self.simulator), self.seed + number) for number in numbers}
        texts: dict[int, list[str]] = {number: [] for number in games}
        while live := [number for number, game in games.items() if not game.is_over]:
            rows = [{**games[number].row, "id": f"{games[number].game_id}/{len(texts[number])}"} for number in live]
            for number, text in zip(live, map(storable, answers(rows)), strict=True):
                games[number].play(text)
                texts[number].append(text)
        return [self.record(game, texts[number], number) for number, game in games.items()]

    def record(self, game: BuildGame, answers: Sequence[str], number: int = 0) -> Game:
        """Return a game with who played it, what was answered and what became of it.

        Args:
            answers: the texts of the turns.
            number: of the game, from 0.
        """
        return game.as_game({**self._head(number), "answers": list(answers), "result": game.result().to_dict()})

    def _head(self, number: int) -> dict[str, Any]:
        return {
            "simulator": self.simulator, "builder": self.builder, "seed": self.seed + number,
            "game_version": GAME_VERSION,
        }  # fmt: skip

    def _read(self, output: Path) -> list[Game]:
        """Read the games of a file; a last line that was cut off is taken away."""
        if not output.exists():
            return []
        whole, _, cut = output.read_bytes().rpartition(b"\n")
        games = [self._checked(output, number, line) for number, line in enumerate(whole.splitlines())]
        if cut and not games and not cut.startswith(_BEGINNING):
            raise PlayError(f"{output} is not a file of `bap-v2 play`: choose another file")
        if cut:
            with open(output, "ab") as file:
                file.truncate(output.stat().st_size - len(cut))
        return games

    def _checked(self, output: Path, number: int, line: bytes) -> Game:
        """Read the game of a line. Raises: PlayError for another than the one that belongs there."""
        head = self._head(number)
        try:
            game = Game.from_json(line)
            result_of(game)
        except (GameError, PlayError):
            raise PlayError(
                f"{output}, line {number + 1} is not a game of `bap-v2 play`: choose another file"
            ) from None
        if differing := [name for name in head if game.metadata[name] != head[name]]:
            changes = ", ".join(f"{name} {game.metadata[name]!r}, not {head[name]!r}" for name in differing)
            raise PlayError(f"{output} holds other games: line {number + 1} has {changes}. Choose another file")
        return game


def result_of(game: Game) -> GameResult:
    """Return the outcome of a game that was played.

    Raises:
        PlayError: it has no result, or not all that belongs to one.
    """
    facts = game.metadata
    try:
        result = GameResult(**facts["result"])
        named = all(isinstance(facts[name], str) for name in ("simulator", "builder", "game_version"))
        counts = all(isinstance(value, int) and value >= 0 for value in facts["result"].values())
    except (KeyError, TypeError, AttributeError):
        named = counts = False
    if not (named and counts and isinstance(facts.get("seed"), int) and isinstance(facts.get("answers"), list)):
        raise PlayError(
            f"{game.game_id} is not a game of `bap-v2 play`: it lacks who played, the answers or the result"
        )
    return result


def check_result(game: Game) -> None:
    """Play the answers of a game again.

    Raises:
        PlayError: they give another result, or the game was played by other rules.
    """
    result, facts = result_of(game), game.metadata
    if facts["game_version"] != GAME_VERSION:
        raise PlayError(
            f"{game.game_id} was played with version {facts['game_version']} of the rules, and this is {GAME_VERSION}: "
            "play it again"
        )
    again = Session(facts["simulator"], facts["seed"], tuple(facts["answers"])).game()
    if again.game_id != game.game_id or again.result() != result:
        raise PlayError(f"{game.game_id}: its answers give another result than it says; play it again")


def read_game(path: Path, name: str | None = None) -> tuple[Game, int]:
    """Read a game of a file; return also how many there are.

    Args:
        name: its id; None: the first.
    Raises:
        PlayError: the file has no such game; the message names some that it has.
        bap_v2_simulators.game.GameError: a line that is not a game.
    """
    games = list(read_games(path))
    if not games:
        raise PlayError(f"{path} has no games")
    for game in games:
        if name in (None, game.game_id):
            return game, len(games)
    ids = [game.game_id for game in games]
    near = get_close_matches(name or "", ids, 3, 0.4) or ids[:3]
    raise PlayError(f"{path} has no game {name}: it has e.g. {', '.join(near)}")


def in_words(game: Game) -> str:
    """Return who played a game and what became of it, on one line; empty for a game that no Builder of ours played.

    >>> from bap_v2_metric.blocks import Structure
    >>> result = GameResult(False, 2, 0, 3, turns=8, repairs=1, questions=0, infeasible=0, unparsed=0).to_dict()
    >>> facts = {"simulator": "dss", "builder": "stack", "seed": 0, "game_version": "1.3.0", "answers": []}
    >>> in_words(Game("dss-full-test-0", "test", Structure(), (), {**facts, "result": result}))
    'played by stack: not completed, 2 of 5 blocks, 8 turns, 1 repair, 0 questions'
    """
    if "result" not in game.metadata:
        return ""
    result = result_of(game)
    blocks = f"{result.tp} of {result.tp + result.fn} blocks"
    wrong = f", {result.fp} wrong" if result.fp else ""
    numbers = ", ".join(
        counted(getattr(result, name), name.removesuffix("s")) for name in ("turns", "repairs", "questions")
    )
    end = "completed" if result.completed else f"not completed, {blocks}{wrong}"
    return f"played by {game.metadata['builder']}: {end}, {numbers}"
