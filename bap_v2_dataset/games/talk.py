"""A person as the Architect: they say something, a Builder answers, and both go into the next row, as in the corpus."""

import importlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from bap_v2_dataset.games.builders import BUILDERS, builder_of
from bap_v2_dataset.games.play import problems_of
from bap_v2_dataset.interface.table import task_of_item
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.pictures.cubes import best_fit
from bap_v2_dataset.sentences import counted, listed
from bap_v2_metric.actions import Action, ActionType, Place, net_actions
from bap_v2_metric.alignment import largest_overlap
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import format_structure, parse_structure, read_prediction, storable
from bap_v2_simulators.full_games.build_game import carried_out, chat_and_actions
from bap_v2_simulators.game import MISSION, Event, Game, Step, Utterance
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.view import side_of
from bap_v2_simulators.viewpoint import Looks, sample_pose, sees

START = Pose(0.5, 1.0, -6.5, yaw=0.0, pitch=15.0)  # outside the board, in front of its middle
EXAMPLES = ("put three red blocks in a row on the floor", "now a blue block on top of the last one", "undo that")
LEAST = 0.02  # the likelihood of what a Builder considers
_LONGEST = 1_000  # characters of what is said in a turn
_COLUMNS = ("history", "dialogue", "pose", "before")  # what a Builder knows
_best_fit = lru_cache(maxsize=1024)(best_fit)  # of a board after each turn, which stays
_ANYTHING = Place(Color.RED, Cell(0, 1, 0))  # an item ends with actions, and those of a row are not known yet


class TalkError(UserError):
    """A turn that cannot be taken back or answered otherwise, or a target that is none; the message says why."""


@dataclass(frozen=True)
class Reply:
    """What a Builder answers to a row."""

    text: str  # as for `BuildGame.play`
    others: tuple[str, ...] = ()  # what it might have answered, the likeliest first; each builds something else
    likelihoods: Mapping[str, float] = field(default_factory=dict)  # of net actions as lines, from LEAST on


class Talker(NamedTuple):
    """A Builder that one talks to."""

    name: str
    reply: Callable[[Mapping[str, Any]], Reply]  # to a row with an id and `_COLUMNS`
    unseen: Callable[[str], Collection[int]] = lambda text: ()  # which words it has never seen, counted from 1


def talker_of(model: str, options: Sequence[str] = ()) -> Talker:
    """Return a rule of `builders`, or a model. Args: options: more, of `bap-v2 predict`. Raises: UserError."""
    if model in BUILDERS:
        if options:
            raise TalkError(f"{options[0]}: there is no such option without a model in --model")
        answer = builder_of(model)
        return Talker(model, lambda row: Reply(answer(row)))
    # By name: it is in the layer below, which only commands of models need.
    return importlib.import_module("bap_v2_training.commands").talker(["--model", model, *options])


def target_of(name: str) -> Structure:
    """Return the target of a game, by its id or that of an item of it. Raises: NotFoundError, TalkError: no target."""
    target = task_of_item(name).viewer.game(name).target
    if not target:
        raise TalkError(f"the game {name} has no target: name another, such as dss-test-3")
    return target


@dataclass(frozen=True)
class Turn:
    """What was said, and what the Builder answered."""

    words: str  # one line
    reply: Reply
    unseen: tuple[int, ...] = ()  # the words that it has never seen, counted from 1


class Outcome(NamedTuple):
    """What a turn has done."""

    before: Structure
    after: Structure
    sentence: str


@dataclass(frozen=True)
class Talk:
    """A game up to now, of plain values: equal talks are equal games."""

    builder: str  # its name
    target_id: str = ""  # of the game whose target it is; empty: there is none
    target: tuple[str, ...] = ()  # its blocks, as lines
    turns: tuple[Turn, ...] = ()

    @classmethod
    def begun(cls, talker: Talker, target_id: str = "") -> "Talk":
        """Return a talk without turns. Raises: see `target_of`."""
        name = target_id.strip()
        return cls(talker.name, name, tuple(format_structure(target_of(name))) if name else ())

    def said(self, words: str, talker: Talker) -> "Talk":
        """Return the talk after one more turn; the same one if nothing was said. Raises: TalkError: too much was."""
        words = " ".join(storable(words).split())
        if not words:
            return self
        if len(words) > _LONGEST:
            raise TalkError(f"a turn of {len(words):,} characters: at most {_LONGEST:,} are read, say it in several")
        reply = talker.reply(self.row(words))
        reply = replace(reply, text=storable(reply.text), others=tuple(map(storable, reply.others)))
        return replace(self, turns=(*self.turns, Turn(words, reply, tuple(talker.unseen(words)))))

    def back(self) -> "Talk":
        """Return the talk before its last turn. Raises: TalkError if it has none."""
        if not self.turns:
            raise TalkError("nothing was said yet: there is no turn to take back")
        return replace(self, turns=self.turns[:-1])

    def other(self) -> "Talk":
        """Return the talk with the next answer to the same words, after the last the first. Raises: TalkError."""
        *earlier, last = self.turns or self.back().turns
        if not last.reply.others:
            raise TalkError(f"{self.builder} has no other answer to these words (a model may have, with --samples 16)")
        text, *others = last.reply.others
        reply = replace(last.reply, text=text, others=(*others, last.reply.text))
        return replace(self, turns=(*earlier, replace(last, reply=reply)))

    def row(self, words: str) -> dict[str, Any]:
        """Return the row that the Builder reads when this is said: that of the item, with the id of the turn."""
        events = (*self.game.events, Utterance("Architect", words), Step(self.pose, (_ANYTHING,)))
        *_, item = items(replace(self.game, events=events))
        columns = row(item)
        return {"id": f"talk/{len(self.turns)}", **{name: columns[name] for name in _COLUMNS}}

    @property
    def pose(self) -> Pose:
        """Where the Builder stands now."""
        return self._played[1]

    @property
    def outcomes(self) -> list[Outcome]:
        """What each turn has done."""
        return self._played[2]

    @property
    def board(self) -> Structure:
        """What stands."""
        return self.outcomes[-1].after if self.turns else Structure()

    @property
    def goal(self) -> Structure:
        """The target as blocks; empty if there is none."""
        return parse_structure(self.target, anywhere=True)

    @property
    def shown(self) -> Structure:
        """The target where it fits the board best: it moves only to where it fits better than where it was shown."""
        shown = self.goal
        for _, board, _ in self.outcomes:
            places = shown, _best_fit(self.goal, board)
            standing = [sum(block in board for block in place) for place in places]
            shown = places[standing[1] > standing[0]]
        return shown

    @property
    def game(self) -> Game:
        """The log."""
        lines = "\n".join(part for turn in self.turns for part in (turn.words, turn.reply.text))
        name = f"talk-{sha256(lines.encode()).hexdigest()[:8]}"
        facts = {"source": "talk", "builder": self.builder, "target_of": self.target_id}
        return Game(name, "test", self.goal, tuple(self._played[0]), facts)

    @property
    def standing(self) -> int:
        """How many blocks of the target stand, up to the allowed transforms."""
        return largest_overlap(*([tuple(block) for block in blocks] for blocks in (self.board, self.goal)))

    @property
    def distance(self) -> str:
        """How far the board is from the target, in words; empty without one."""
        if not self.target:
            return ""
        right, all_blocks = self.standing, counted(len(self.target), "block")
        wrong, missing = len(self.board) - right, len(self.target) - right
        if not wrong + missing:
            return f"the target stands: {all_blocks}"
        return f"distance {wrong + missing}: {right} of {all_blocks} stand" + f", {wrong} wrong" * bool(wrong)

    @cached_property
    def _played(self) -> tuple[list[Event], Pose, list[Outcome]]:
        """Play all turns. In each the Builder chats, acts, and walks to where it sees what it built."""
        events: list[Event] = [MISSION]
        board, pose, outcomes = Structure(), START, []
        for number, turn in enumerate(self.turns):
            chat, text = chat_and_actions(turn.reply.text)
            done, after = carried_out(board, read_prediction(text).actions)
            events += [Utterance("Architect", turn.words), *map(Utterance.parse, chat)]
            events += [Step(pose, (action,)) for action in done]
            nothing = ["nothing changed", *problems_of(text, format_structure(board))]
            outcomes.append(Outcome(board, after, done_in_words(board, after) or "; ".join(nothing)))
            pose = _facing(done, after, pose, number) if done else pose
            board = after
        return events, pose, outcomes


def done_in_words(before: Structure, after: Structure) -> str:
    """Say what was placed and taken away; empty if nothing has changed.

    >>> from bap_v2_metric.blocks import Block
    >>> red, blue = (Structure([Block(color, Cell(0, 1, 0))]) for color in (Color.RED, Color.BLUE))
    >>> done_in_words(Structure(), red), done_in_words(red, blue), done_in_words(red, red)
    ('placed 1 red', 'placed 1 blue, took away 1 red', '')
    """
    parts: dict[str, list[str]] = {"placed": [], "took away": []}
    counts = Counter((action.type, action.color) for action in net_actions(before, after))
    for kind, verb in zip(ActionType, parts, strict=True):
        parts[verb] = [f"{counts[kind, color]} {color.value}" for color in Color if counts[kind, color]]
    return ", ".join(f"{verb} {listed(colors)}" for verb, colors in parts.items() if colors)


def _facing(done: Sequence[Action], board: Structure, pose: Pose, number: int) -> Pose:
    """Return where the Builder walks: to where it sees the last block that it touched, as simulated Builders stand.

    It walks, and stays on its side of the board, so that left is what it was, if it sees the block from there.
    """
    cells, focus = board.colors(), done[-1].cell
    weights = tuple(float(side == side_of(pose.yaw)) for side in range(4))
    looks, rng = Looks(weights, ground=100.0), Random(f"talk {number}")  # type: ignore[arg-type]
    return sample_pose(rng, focus, cells, lambda place: sees(place, focus, cells), looks, through_blocks=True) or pose
