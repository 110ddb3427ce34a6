"""The human corpus: the logs of the Minecraft Dialogue Corpus as games, and a report of what was dropped.

A log is a list of world states; a step of the game is what differs between two of them (facts of the 2020 extraction:
`tests/golden/mdc_counts.json` has the numbers, which are reproduced).
"""

import os
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from bap_v2_dataset.human.corpus_files import LOG_NAME, TARGET_NAME, CorpusError, CorpusFiles, Problem, open_corpus
from bap_v2_metric.actions import Place, Remove
from bap_v2_metric.blocks import Block, Cell, Color, Structure
from bap_v2_simulators.game import Event, Game, GameError, Step, Utterance
from bap_v2_simulators.pose import Pose, wrapped_yaw

PARSER_VERSION = "1"  # raised whenever the same corpus would give other games
SPLITS = {"train": "train", "val": "validation", "test": "test"}

_GAME_ID = re.compile(r"B[0-9]+-A[0-9]+-(C[0-9]+)-[0-9]+")
_DRAW_BLOCK = re.compile(r'<DrawBlock\s+type="([^"]*)"\s+x="([^"]*)"\s+y="([^"]*)"\s+z="([^"]*)"\s*/>')
_TARGET_OFFSET = 100  # the target files displace x and z
_COLORS = {color.value: color for color in Color}
_BLOCK_TYPES = {f"cwc_minecraft_{color.value}_rn": color for color in Color}
_FARTHEST = 10**6  # cells; beyond, coordinates are noise, and too long for the notation


@dataclass
class ReadingReport:
    """The counts of what was read from the corpus, and of what was left out and why."""

    logs: int = 0
    games: Counter = field(default_factory=Counter)  # by split
    warm_ups: list[str] = field(default_factory=list)  # logs whose target belongs to no split
    problems: list[tuple[str, str]] = field(default_factory=list)  # (file, cause): games that could not be read
    states_without_pose: int = 0
    steps: int = 0
    steps_of_several_blocks: int = 0
    games_with_early_blocks: list[str] = field(default_factory=list)  # blocks before the first chat line

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {**vars(self), "games": dict(self.games)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "ReadingReport":
        """Return the report of such values."""
        report = cls(**values)
        report.games = Counter(report.games)
        report.problems = [tuple(problem) for problem in report.problems]
        return report


def read_corpus(
    path: "str | os.PathLike[str]",
    report: ReadingReport | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Game]:
    """Yield the games of the three splits, one at a time, in the order of their files.

    Memory is bounded by one log. A log that cannot be read is left out and named in the report; the others are intact.

    Args:
        path: the corpus, a directory or an archive (.tar, .tar.gz, .tar.xz, ..., .zip).
        report: filled in while games are read.
        progress: called with the number of bytes of each log.
    Raises:
        CorpusError: no corpus at `path`, no or malformed splits, an unsafe or broken archive.
    """
    report = ReadingReport() if report is None else report
    corpus = open_corpus(Path(path))
    split_of = _read_splits(corpus)
    targets, unreadable = _read_targets(corpus)
    logs = _logs_to_read(corpus, split_of, report)
    if not report.logs:
        raise CorpusError(
            f"{path} has a splits.json but no logs: expected logs/data-*/logs/<game id>/postprocessed-observations.json"
        )
    for name, data in corpus.stream(list(logs)):
        game_id, target_id = logs.pop(name)
        # A log that cannot be opened, and one whose target cannot be read.
        if isinstance(data, Problem):
            report.problems.append((name, data.cause))
            continue
        if progress:
            progress(len(data))
        if target_id not in targets:
            cause = unreadable.get(target_id, f"there is no gold-configurations/{target_id}.xml")
            report.problems.append((name, f"its target {target_id} cannot be read: {cause}"))
            continue
        # The others are games, unless they are damaged inside.
        try:
            game = read_log(data, game_id, split_of[target_id], targets[target_id], target_id, report)
        except GameError as error:
            report.problems.append((name, str(error)))
            continue
        report.games[game.split] += 1
        yield game
    report.problems += [(name, "it could not be found again") for name in logs]


def _read_targets(corpus: CorpusFiles) -> tuple[dict[str, Structure], dict[str, str]]:
    """Read the target structures; of those that cannot be read, return why."""
    targets, unreadable = {}, {}
    for name in corpus.names:
        if match := TARGET_NAME.fullmatch(name):
            try:
                targets[match["target"]] = _read_target(corpus.read(name))
            except (GameError, ValueError) as error:
                unreadable[match["target"]] = str(error)
    return targets, unreadable


def _logs_to_read(
    corpus: CorpusFiles, split_of: Mapping[str, str], report: ReadingReport
) -> dict[str, tuple[str, str]]:
    """Return game id and target of each log of the three splits, by its file; others are noted in the report."""
    logs: dict[str, tuple[str, str]] = {}
    files: dict[str, str] = {}  # by game id
    report.problems += [
        (folder, "there is no postprocessed-observations.json") for folder in corpus.folders_without_log
    ]
    for name, game_id in [(name, match["game_id"]) for name in corpus.names if (match := LOG_NAME.fullmatch(name))]:
        report.logs += 1
        # A game has one log, in a folder that says its target.
        named = _GAME_ID.fullmatch(game_id)
        if named is None:
            cause = "the folder is not named like a game (expected e.g. B1-A3-C5-1522432776975)"
            report.problems.append((name, cause))
        elif game_id in files:
            report.problems.append((name, f"a second log of the game in {files[game_id]}"))
        # The target says which split it belongs to, if to any.
        elif named[1] in split_of:
            logs[name] = game_id, named[1]
            files[game_id] = name
        else:
            report.warm_ups.append(game_id)
    return logs


# --- One log. Only the fields that are needed are decoded, and chat and blocks only where their bytes have changed:
# most of a log is perspective coordinates and inventories.
class _Position(msgspec.Struct, frozen=True, gc=False, rename=str.capitalize):
    x: float
    y: float
    z: float
    yaw: float
    pitch: float


class _Coordinates(msgspec.Struct, frozen=True, gc=False, rename="upper"):
    x: int
    y: int
    z: int


class _Block(msgspec.Struct, frozen=True, gc=False):
    absolute: _Coordinates = msgspec.field(name="AbsoluteCoordinates")
    type: str = msgspec.field(name="Type")


class _State(msgspec.Struct, gc=False):
    position: _Position | None = msgspec.field(name="BuilderPosition")
    chat: msgspec.Raw = msgspec.field(name="ChatHistory")
    blocks: msgspec.Raw = msgspec.field(name="BlocksInGrid")


class _Log(msgspec.Struct, gc=False):
    states: list[_State] = msgspec.field(name="WorldStates")


_decode_log = msgspec.json.Decoder(_Log).decode
_decode_blocks = msgspec.json.Decoder(frozenset[_Block]).decode
_decode_chat = msgspec.json.Decoder(list[str]).decode


def read_log(
    data: bytes, game_id: str, split: str, target: Structure, target_id: str = "", report: ReadingReport | None = None
) -> Game:
    """Return the game in the bytes of one `postprocessed-observations.json`.

    States without BuilderPosition are dropped. Of state 0 only the pose is used; each later state is compared with the
    one before, state 1 with an empty board and no chat (in 7 games it has a block already: an item without dialogue).
    A step's placements come first, then its removals, each sorted by x, y, z and color, then the new chat lines.
    Yaws are wrapped to [-180, 180).

    Raises:
        GameError: with the cause, for anything that is not such a log.
    """
    # The states that have a pose.
    report = ReadingReport() if report is None else report
    try:
        states = _decode_log(data.removeprefix(BOM_UTF8)).states
    except msgspec.MsgspecError as error:
        reason = "NaN or Infinity is not a number of JSON; " if re.search(rb"[:\[,]\s*-?(NaN|Inf)", data) else ""
        raise GameError(f"not a log of the corpus: {reason}{error}") from None
    posed = [(number, state) for number, state in enumerate(states) if state.position is not None]
    without_pose = len(states) - len(posed)
    if len(posed) < 2:
        raise GameError(f"the log has {len(posed)} states with a BuilderPosition (expected 2 or more)")

    # What differs between two states, one after the other.
    events: list[Event] = []
    n_steps = n_several = 0
    early = False
    chat, chat_bytes = [], b"[]"
    blocks: frozenset[_Block] = frozenset()
    blocks_bytes = b"[]"
    board: set[_Coordinates] = set()  # occupied cells
    for index, (number, state) in enumerate(posed[1:], start=1):
        try:
            # Blocks, decoded only where their bytes differ.
            now_bytes = bytes(state.blocks)
            if now_bytes != blocks_bytes:
                now = _decode_blocks(now_bytes)
                if now != blocks:
                    actions = _changes(board, blocks - now, now - blocks)
                    n_steps += 1
                    n_several += len(actions) > 1
                    early = early or index == 1
                    pose = _pose(posed[index - 1][1].position)
                    events.append(Step(pose, actions, {"state_index": index}))
                blocks, blocks_bytes = now, now_bytes
            # Chat: most states repeat that of the one before, and add to it.
            now_bytes = bytes(state.chat)
            if now_bytes != chat_bytes:
                if now_bytes.startswith(chat_bytes[:-1] + b","):
                    new = _decode_chat(b"[" + now_bytes[len(chat_bytes) :])
                else:
                    lines = _decode_chat(now_bytes)
                    if lines[: len(chat)] != chat:
                        raise GameError(f"ChatHistory does not continue that of the state before: {lines[:1]} ...")
                    new = lines[len(chat) :]
                chat += new
                # Runs of white space, which no line of the corpus has, become one space: a line stays a line.
                events.extend(Utterance.parse(" ".join(line.split())) for line in new)
                chat_bytes = now_bytes
        except (msgspec.MsgspecError, GameError, ValueError) as error:
            raise GameError(f"world state {number}: {error}") from None
    # A log that could be read counts in the report.
    report.states_without_pose += without_pose
    report.steps += n_steps
    report.steps_of_several_blocks += n_several
    if early:
        report.games_with_early_blocks.append(game_id)
    return Game(game_id, split, target, tuple(events), {"source": "human", "target_id": target_id})


def _changes(board: set[_Coordinates], gone: frozenset[_Block], new: frozenset[_Block]) -> tuple[Place | Remove, ...]:
    """Return the step's actions; the set of occupied cells is brought up to date."""
    board.difference_update([block.absolute for block in gone])
    for block in new:
        if block.absolute in board:
            raise GameError(f"two blocks in one cell: {block.absolute}")
        cell = block.absolute
        if not (abs(cell.x) <= _FARTHEST and abs(cell.y) <= _FARTHEST and abs(cell.z) <= _FARTHEST):
            raise GameError(f"a block more than {_FARTHEST:,} cells away: {block.absolute}")
        if block.type not in _BLOCK_TYPES:
            raise GameError(f"unknown block type {block.type!r} (expected one of {', '.join(_BLOCK_TYPES)})")
        board.add(block.absolute)
    if len(new) > 1 or len(gone) > 1:
        new, gone = sorted(new, key=_sort_key), sorted(gone, key=_sort_key)
    placements = [Place(_BLOCK_TYPES[block.type], _cell(block.absolute)) for block in new]
    return (*placements, *[Remove(_cell(block.absolute)) for block in gone])


def _sort_key(block: _Block) -> tuple:
    return (block.absolute.x, block.absolute.y, block.absolute.z, block.type)


def _cell(coordinates: _Coordinates) -> Cell:
    return Cell(coordinates.x, coordinates.y, coordinates.z)


def _pose(position: _Position) -> Pose:
    return Pose(position.x, position.y, position.z, wrapped_yaw(position.yaw), position.pitch)


def _read_splits(corpus: CorpusFiles) -> dict[str, str]:
    split_of: dict[str, str] = {}
    try:
        splits = msgspec.json.decode(corpus.read("logs/splits.json").removeprefix(BOM_UTF8), type=dict[str, list[str]])
        if splits.keys() != SPLITS.keys():
            raise GameError(f"it has {', '.join(splits) or 'none'}")
        for split, targets in splits.items():
            for target in targets:
                if split_of.setdefault(target, SPLITS[split]) != SPLITS[split]:
                    raise GameError(f"{target} is in two splits")
    except (msgspec.MsgspecError, GameError, ValueError) as error:
        raise CorpusError(
            f"{corpus.path}: logs/splits.json is not the corpus's ({error}); "
            "expected a mapping of train, val and test to lists of targets"
        ) from None
    return split_of


def _read_target(data: bytes) -> Structure:
    """Read the target structure of a gold configuration (one <DrawBlock> per line, x and z displaced by 100)."""
    text = data.decode("utf-8", "replace")
    blocks = []
    for block_type, x, y, z in _DRAW_BLOCK.findall(text):
        named = re.fullmatch(r"(?:cwcmod:)?cwc_(?:minecraft_)?([a-z]+)_rn", block_type)  # older files lack "minecraft_"
        color = _COLORS.get(named[1]) if named else None
        if color is None:
            raise GameError(f"unknown block type {block_type!r}")
        if max(len(x), len(y), len(z)) > len(str(_FARTHEST)):
            raise GameError(f"a block at x={x[:20]} y={y[:20]} z={z[:20]}")
        blocks.append(Block(color, Cell(int(x) - _TARGET_OFFSET, int(y), int(z) - _TARGET_OFFSET)))
    if not blocks or len(blocks) != text.count("<DrawBlock"):
        raise GameError(f"{text.count('<DrawBlock')} blocks, of which {len(blocks)} can be read")
    return Structure(blocks)
