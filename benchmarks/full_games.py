"""Full games: how many are played in a minute, and whether the Architect finishes them whatever goes wrong.

python benchmarks/full_games.py [GAMES]            # speed of the symbolic Builder on one core
python benchmarks/full_games.py --errors [GAMES]   # games in all, of each kind of error as many; --processes
python benchmarks/full_games.py --talk MODEL       # how fast a Builder answers a person, after many turns

A Builder errs in one turn, or errs or asks in several, as many as the Architect has patience for; from then on it does
what it is told. At the end, Builders that never do. "It" is right if the last turn placed one block that stands.
"""

import argparse
import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import Pool
from pathlib import Path
from random import Random

from bap_v2_dataset.games.play import Games
from bap_v2_dataset.games.talk import Talk, talker_of
from bap_v2_dataset.items.item import items
from bap_v2_dataset.tasks.building.baselines.symbolic_moves import read_with_corrections
from bap_v2_metric.actions import Action, Place, Remove
from bap_v2_metric.answers import read_prediction
from bap_v2_metric.blocks import Cell, Color
from bap_v2_metric.notation import format_action, parse_structure
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.corpus_table import PUBLISHED
from bap_v2_simulators.full_games.build_game import PATIENCE, BuildGame

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from planted_errors import KINDS as PLANTED
from planted_errors import played as played_with
from planted_errors import right_turns

Board = dict[Cell, Color]
Outcome = tuple[bool, int, int, int, int]  # lost, turns, pronouns, wrong ones, sentences said again to who asks
QUESTIONS = ("what do you mean?", "which one?", "where exactly?", "what", "can you say that again", "I don't get it")
SAID = (
    "put three red blocks in a row on the floor", "now a blue block on top of the last one", "no, to the left of it",
    "can you build a 2 by 2 yellow square behind that, please", "undo that", "put a green one in the far right corner",
)  # fmt: skip
# "remove it", "that one should go two further back", "to the left of that"; not "put it on the ground", "all of that".
_REFERS = re.compile(
    r"(?:\b(?:remove|take|take away|move|from|above|below|behind|under|underneath|beside|to|on|by|(?<!all )of)|[>,])"
    r" (?:it|that|this)(?: one| block)?(?=$|[,.!]| away| and | should \w+ \w+ (?:further|more|higher|lower|closer))",
    re.IGNORECASE,
)


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, nargs="?", default=500)
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--talk", metavar="MODEL")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if arguments.talk:
        _talk(arguments.talk)
    elif arguments.errors:
        _errors(arguments.games, arguments.processes)
    else:
        _speed(arguments.games)


def _speed(games: int) -> None:
    """By CPU time."""
    print("| simulator | games a minute and core | turns a second and core |\n|---|---|---|")
    for name in PUBLISHED:
        started = time.process_time()
        turns = sum(game.metadata["result"]["turns"] for game in Games(name, "symbolic", games).records())
        seconds = time.process_time() - started
        print(f"| {name} | {60 * games / seconds:,.0f} | {turns / seconds:,.0f} |")


def _talk(model: str) -> None:
    """By CPU time, on one core: from the words of a turn to the board after it."""
    os.environ["OMP_NUM_THREADS"] = "1"
    talker = talker_of(model)
    talk = Talk.begun(talker)
    print("| turn | blocks | lines before it | seconds |\n|--:|--:|--:|--:|")
    for number in range(1, 101):
        started = time.process_time()
        talk = talk.said(SAID[number % len(SAID)], talker)
        board = talk.board
        seconds = time.process_time() - started
        if number in (1, 2, 10, 25, 51, 100):
            lines = sum(len(item.dialogue) + len(item.actions) for item in items(talk.game))
            print(f"| {number} | {len(board)} | {lines} | {seconds:.2f} |", flush=True)


# --- what a Builder answers while it errs: of the row, the right actions, and the turns since it began to err


def _placed(actions: Sequence[Action], moved: Callable[[Cell], Cell]) -> list[Action]:
    """Place all blocks elsewhere."""
    return [Place(action.color, moved(action.cell)) if isinstance(action, Place) else action for action in actions]


def _other(color: Color) -> Color:
    return tuple(Color)[(tuple(Color).index(color) + 1) % len(Color)]


def _board(row: Mapping) -> Board:
    return parse_structure(row["before"]).colors()


def _strays(row: Mapping, number: int, rng: Random) -> list[Action]:
    """Place blocks on empty ground."""
    board = _board(row)
    free = [cell for x in range(-5, 6) for z in range(-5, 6) if (cell := Cell(x, 1, z)) not in board]
    return [Place(rng.choice(tuple(Color)), cell) for cell in rng.sample(free, number)]


def _newest(row: Mapping, number: int) -> list[Action]:
    """Remove the blocks placed last."""
    board = _board(row)
    cells = [action.cell for line in row["history"] if (action := _place_in(line)) and action.cell in board]
    return [Remove(cell) for cell in list(dict.fromkeys(reversed(cells)))[:number]]


def _place_in(line: str) -> Place | None:
    actions = [] if line.startswith("<") else read_prediction(line).actions
    return actions[0] if actions and isinstance(actions[0], Place) else None


def _moved_stray(row: Mapping, turn: int, rng: Random) -> list[Action]:
    """Place a block, and move it on from turn to turn."""
    return [*(_newest(row, 1) if turn else ()), *_strays(row, 1, rng)]


def _cycle(length: int) -> Callable:
    """Place, move and take away the same block, again and again."""

    def turn(row: Mapping, right: list, turn: int, rng: Random) -> list[Action]:
        step = turn % length
        return _newest(row, 1) if step == length - 1 else _moved_stray(row, step, rng)

    return turn


FURTHER: Mapping[str, Callable] = {
    "says nothing": lambda row, right, turn, rng: "",
    "only says ok": lambda row, right, turn, rng: "<Builder> ok, done",
    "other text": lambda row, right, turn, rng: "certainly! I will do that now",
    "what is not feasible": lambda row, right, turn, rng: "place red 5 9 5\npick 9 1 9\nplace blue 0 0 0",
    "the first action only": lambda row, right, turn, rng: right[:1],
    "all but the last action": lambda row, right, turn, rng: right[:-1],
    "every other action": lambda row, right, turn, rng: right[::2],
    "another color": lambda row, right, turn, rng: [
        Place(_other(action.color), action.cell) if isinstance(action, Place) else action for action in right
    ],
    "mirrored": lambda row, right, turn, rng: _placed(right, lambda cell: Cell(-cell.x, cell.y, cell.z)),
    "turned": lambda row, right, turn, rng: _placed(right, lambda cell: Cell(cell.z, cell.y, -cell.x)),
    "one off": lambda row, right, turn, rng: _placed(right, lambda cell: Cell(cell.x + 1, cell.y, cell.z)),
    "one higher": lambda row, right, turn, rng: _placed(right, lambda cell: Cell(cell.x, cell.y + 1, cell.z)),
    "right, and a block more": lambda row, right, turn, rng: [*right, *_strays(row, 1, rng)],
    "right, and one taken away": lambda row, right, turn, rng: [*right, *_newest(row, 1)],
    "three blocks elsewhere": lambda row, right, turn, rng: _strays(row, 3, rng),
    "takes the last ones away": lambda row, right, turn, rng: _newest(row, 2),
    "takes all away": lambda row, right, turn, rng: [Remove(cell) for cell in _board(row)],
    "any block in another color": lambda row, right, turn, rng: [
        action
        for cell, color in rng.sample(sorted(_board(row).items()), min(1, len(row["before"])))
        for action in (Remove(cell), Place(_other(color), cell))
    ],
    "a block placed and taken away": lambda row, right, turn, rng: [
        *(strays := _strays(row, 1, rng)), *(Remove(action.cell) for action in strays),
    ],
    "one placed, another taken away": lambda row, right, turn, rng: [*_strays(row, 1, rng), *_newest(row, 1)],
    "to and fro": _cycle(2),
    "in three steps": _cycle(3),
    "grows": lambda row, right, turn, rng: _strays(row, 1, rng),
    "drifts": lambda row, right, turn, rng: _moved_stray(row, turn, rng),
}  # fmt: skip
ASKING: Mapping[str, Callable] = {
    "asks": lambda row, right, turn, rng: f"<Builder> {QUESTIONS[turn % len(QUESTIONS)]}",
    "errs, then asks": lambda row, right, turn, rng: (
        f"<Builder> {rng.choice(QUESTIONS)}" if turn % 2 else _strays(row, 2, rng)
    ),
    "takes away, then asks": lambda row, right, turn, rng: (
        f"<Builder> {rng.choice(QUESTIONS)}" if turn % 2 else [*_strays(row, 1, rng)] if turn % 4 else _newest(row, 1)
    ),
}
SEVERAL = FURTHER | ASKING


class Watched(BuildGame):
    """A game, and what its Architect says: pronouns, and sentences said again to who asks."""

    pronouns = wrong = same = 0

    def play(self, text: str) -> None:
        """Play a turn."""
        before, said, questions, known = self.board, self._said(), self._questions, len(self.history)
        super().play(text)
        lines = self._said()
        if self._questions > questions and not self.is_over:
            self.same += any(line in said for line in lines)
        placed = {action.cell for line in self.history[known:] if (action := _place_in(line))}  # what was feasible
        standing = [cell for cell in placed if cell in self.board] if self.board != before else []
        if lines != said and not any("see" in line.lower() or "?" in line for line in lines):  # "see the red block?"
            referring = sum(_REFERS.search(line) is not None for line in lines)
            self.pronouns += referring
            self.wrong += referring * (len(standing) != 1)

    def _said(self) -> list[str]:
        return [line for line in self.dialogue if line.startswith("<Architect>")]

    def outcome(self) -> Outcome:
        """Return what is counted of the game."""
        result = self.result()
        return not result.completed, result.turns, self.pronouns, self.wrong, self.same


def _played(simulator: str, seed: int, kind: str, *, forever: bool) -> Outcome:
    """Play a game."""
    rng = Random(f"{simulator} {seed} {kind}")
    if kind in PLANTED:
        return played_with(simulator, seed, kind, rng, Watched).outcome()
    game, turn = Watched(simulator_of(simulator), seed), 0
    start = rng.randrange(right_turns(simulator, seed))
    end = 10_000 if forever else start + rng.randint(1, PATIENCE)
    while not game.is_over:
        row = game.row
        actions = read_with_corrections(row)
        if start <= turn < end:
            actions = SEVERAL[kind](row, actions, turn - start, rng)
        game.play(actions if isinstance(actions, str) else "\n".join(map(format_action, actions)))
        turn += 1
    return game.outcome()


IN_TIME = tuple(kind for kind in (*PLANTED, *SEVERAL) if kind != "noise")


def _of_seed(seed: int) -> list[tuple[str, Outcome]]:
    """Play a game of each kind, and one in ten times also games of Builders that err for ever."""
    simulator = PUBLISHED[seed % len(PUBLISHED)]
    outcomes = [(kind, _played(simulator, seed, kind, forever=False)) for kind in (*PLANTED, *SEVERAL)]
    if seed // len(PUBLISHED) % 10 == 0:
        outcomes += [(f"{kind}, for ever", _played(simulator, seed, kind, forever=True)) for kind in SEVERAL]
    return outcomes


def _errors(games: int, processes: int) -> None:
    results: dict[str, list[Outcome]] = {}
    with Pool(processes) as pool:
        seeds = range(-(-games // len(IN_TIME)))
        for done, outcomes in enumerate(pool.imap_unordered(_of_seed, seeds), 1):
            for kind, outcome in outcomes:
                results.setdefault(kind, []).append(outcome)
            print(f"\r{done} of {len(seeds)} seeds", end="", file=sys.stderr, flush=True)
    print('| error | games | lost | turns: mean, most | "it" or "that" | wrong | said again to who asks |')
    print("|---|---|---|---|---|---|---|")
    for kind in IN_TIME:
        _line(kind, results[kind])
    _line("all of these", [outcome for kind in IN_TIME for outcome in results[kind]])
    for kind in results:
        if kind not in IN_TIME:
            _line(kind, results[kind])


def _line(kind: str, outcomes: list[Outcome]) -> None:
    lost, turns, pronouns, wrong, same = zip(*outcomes, strict=True)
    mean = f"{sum(turns) / len(turns):.1f}, {max(turns)}"
    print(f"| {kind} | {len(turns):,} | {sum(lost):,} | {mean} | {sum(pronouns):,} | {sum(wrong)} | {sum(same)} |")


if __name__ == "__main__":
    main()
