"""A Builder that errs or stops half way: near misses and parts of a turn, and what is said until all is right.

The answer is known from the instruction before: what should stand there, without what stands there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

from bap_v2_metric.actions import Action, ActionType, NetAction
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.building import board_after, changed
from bap_v2_simulators.human_turns.drawn import drawn_cells
from bap_v2_simulators.human_turns.requests import DialogueContext
from bap_v2_simulators.human_turns.things import thing_at
from bap_v2_simulators.human_turns.turns import HumanTurn
from bap_v2_simulators.language.lines import direction_of
from bap_v2_simulators.language.references import LanguageError, Scene
from bap_v2_simulators.language.turns import Line, typed
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import LEVEL, UP, Vector, along, difference, moved, opposite
from bap_v2_simulators.targets import COLORS
from bap_v2_simulators.view import View

Board = Mapping[Cell, Color]
# The kind of an error (REPAIR in phrases.json), to where the blocks should have gone, and what is done.
Slip = tuple[str, Vector | None, Sequence[Action]]
_WEIGHTS = {"": 0.12, "color": 0.08, "off": 0.25, "last": 0.5}  # of no error and of what nearly every turn allows
_ELSEWHERE = {"longer": "end", "completion": "end", "more": "way"}  # the kind of error by that of the request
_BY_THE_BUILDER = 0.09  # of the repairs
_BARE, _CHECKED = 0.1, 0.3  # of the others: "no" and nothing else; the Builder asks first
_ANSWERED, _APPROVED = 0.42, 0.84  # of the parts, up to there: "like this?" "yes"; yes or praise alone


def misbuilt(rng: Random, before: Scene, turn: HumanTurn, meant: Board, part: bool) -> list[HumanTurn] | None:
    """Return the turn, built wrongly or in part, and the one that makes good for it; None if there is no way.

    Args:
        before: the scene in which the turn is asked for.
        meant: the board that it leads to.
        part: the Builder stops half way; else it errs.
    """
    # What the Builder does.
    placed = {cell: meant[cell] for step in turn.steps for cell in step.cells if cell in meant}
    kind, way, actions = "rest", None, _part(rng, turn)
    if not part:
        kind, way, actions = _near_miss(rng, before, turn, placed)
    if not actions:
        return None
    touched = tuple(dict.fromkeys(action.cell for action in actions))
    instead = HumanTurn(turn.color, touched, False, tuple(actions), ())
    now = board_after(before.board, actions)
    standing = tuple(cell for cell in touched if cell in now)
    # What is left to do then.
    gone = [cell for cell, color in now.items() if meant.get(cell) is not color]
    missing = {cell: color for cell, color in placed.items() if now.get(cell) is not color}
    rest = changed(now, gone, missing)
    if not rest:
        return None
    cells = tuple(missing) or tuple(gone)
    return [
        replace(turn, instead=replace(instead, cells=standing or touched, removes=not standing)),
        HumanTurn(
            (meant if missing else now)[cells[0]], cells, not missing, tuple(rest), (),
            replaced=len(gone) if missing else 0, remainder=(kind, way),
        ),
    ]  # fmt: skip


def _part(rng: Random, turn: HumanTurn) -> Sequence[Action]:
    """Return the first step of a turn, or its first actions, up to a block after which the supports are gone again."""
    if turn.then is not None:
        return turn.actions
    ends, supports = [], set()
    for number, action in enumerate(turn.actions[:-1], 1):
        if action.cell not in turn.cells:
            supports ^= {action.cell}
        if not supports:
            ends.append(number)
    return turn.actions[: rng.choice(ends)] if ends and not turn.replaced else ()


def _near_miss(rng: Random, before: Scene, turn: HumanTurn, placed: Board) -> Slip:
    """Return an error that the turn allows."""
    if turn.removes or turn.replaced or turn.then is not None or len(set(placed.values())) > 1:
        return "", None, ()
    color = turn.color
    found: list[Slip] = [("", None, ())]

    def add(kind: str, way: Vector | None, wrong: Sequence[Cell], color: Color = color) -> None:
        if any(cell in before.board or not cell.in_region for cell in wrong) or dict.fromkeys(wrong, color) == placed:
            return
        actions = changed(before.board, (), dict.fromkeys(wrong, color))
        if actions is not None and len(actions) <= len(wrong) + 2 * turn.supports:  # few blocks float by mistake
            found.append((kind, way, actions))

    cells, aside = list(placed), rng.choice(LEVEL)
    add("color", None, cells, rng.choice([other for other in COLORS if other is not color]))
    add("off", aside, [moved(cell, aside, -1) for cell in cells])
    # Beside its reference: on the other side, or on top of it; on top of it: beside it.
    if len(turn.references) == 1 and turn.request is None:
        (reference,) = turn.references
        way = difference(reference, cells[0])
        if way == UP:
            add("top", UP, [moved(moved(cell, aside), UP, -1) for cell in cells])
        for unit in LEVEL:
            far = [along(cell, unit) - along(reference, unit) for cell in cells]
            if min(far) > 0:
                add("side", unit, [moved(cell, unit, -2 * each) for cell, each in zip(cells, far, strict=True)])
            if way == unit and len(cells) == 1:
                add("beside", unit, [moved(reference, UP)])
        if way in (*LEVEL, UP) and len(cells) == 1:
            add("many", None, [*cells, moved(cells[0], way)])
    # The same at the other end, on the other side, or the other way.
    if turn.request is not None and getattr(turn.request, "way", None) in LEVEL and turn.request.ways:
        way, heard = turn.request.way, DialogueContext(before.board, before.last_cells)
        things = (own and thing_at(own[0], before.board) for own in (turn.thing, turn.pivot))
        change = replace(turn.request, way=opposite(way)).change(*things, heard)
        if change is not None and not change.removed:
            add(_ELSEWHERE.get(turn.request.kind, "side"), way, [cell for cell, _ in change.placed])
    # Lines: the other way, flat or upright; and a block too few or too many, or the last one in the wrong place.
    if (way := direction_of(cells)) is not None:
        if turn.build_order == "line" and sum(map(abs, way)) == 1:
            other = opposite(way) if not way[1] else aside
            add("upright" if way == UP else "way", way, [moved(cells[0], other, n) for n in range(len(cells))])
            if not way[1]:
                add("flat", way, [moved(cells[0], UP, n) for n in range(len(cells))])
        add("few", None, cells[:-1])
        add("many", None, [*cells, moved(cells[-1], way)])
        if len(cells) > 2 and aside not in (way, opposite(way)):
            add("last", aside, [*cells[:-1], moved(cells[-1], aside, -1)])
    # Drawings: flat or upright.
    if turn.drawing is not None and turn.faces is not None:
        view = next(view for view in map(View.of, (0.0, 90.0, 180.0, 270.0)) if view.away == turn.faces[::2])
        drawn = drawn_cells(turn.drawing, turn.size, not turn.upright, cells[0], view)
        add("upright" if turn.upright else "flat", None, drawn)
    return rng.choices(found, [_WEIGHTS.get(kind, 1.0) for kind, *_ in found])[0]


@dataclass(frozen=True, slots=True)
class Remainder:
    """What is said when the last instruction was carried out wrongly, or in part."""

    kind: str
    way: Vector | None
    thing: ClassVar[None] = None
    omitted: ClassVar[None] = None

    def denotes(self, scene: Scene) -> frozenset[NetAction]:
        """Return what is left of the last instruction. Raises: LanguageError if the words say something else."""
        board, goal = scene.board, scene.goal
        gone = frozenset(cell for cell, color in board.items() if goal.get(cell) is not color)
        missing = {cell: color for cell, color in goal.items() if board.get(cell) is not color}
        # The words that say how many, or which way, must be true.
        blocks, last = scene.last_cells, scene.last_cells[-1]
        true = {
            "off": lambda: {moved(cell, self.way) for cell in blocks} - set(blocks) == missing.keys(),
            "last": lambda: {moved(last, self.way)} == missing.keys() and gone == {last},
            "color": lambda: gone == missing.keys() and len(set(missing.values())) == 1,
            "few": lambda: len(missing) == 1 and not gone,
            "many": lambda: gone == {last} and not missing,
            "rest": lambda: not gone.intersection(scene.last_cells),
        }
        if not (gone or missing) or not true.get(self.kind, lambda: gone and missing)():
            raise LanguageError(f"it is not so: {self.kind}")
        return frozenset(
            [NetAction(ActionType.PLACE, color, cell) for cell, color in missing.items()]
            + [NetAction(ActionType.REMOVE, board[cell], cell) for cell in gone]
        )

    def dialogue(self, words: Words, scene: Scene) -> list[Line]:
        """(speaker, dialogue act, text) of each utterance."""
        left = self.denotes(scene)
        kind = words.random()
        check: Line = ("Builder", "verification question", words.pick("REST.check"))
        # The Builder stopped half way, and is told to go on, or goes on by itself.
        if self.kind == "rest":
            if kind < _APPROVED:
                yes: Line = ("Architect", "approval", typed(words, words.pick("REST.yes")))
                return [check, yes] if kind < _ANSWERED else [yes]
            own = "REST.one" if len(left) == 1 and next(iter(left)).type is ActionType.PLACE else "REST.own"
            return [check] if words.chance(0.5) else [("Builder", "acknowledgment", words.pick(own))]
        # It erred, and sees that by itself, or is told.
        text = self._text(words, scene, left)
        if kind < _BY_THE_BUILDER:
            oops = words.pick("REPAIR.own")
            return [("Builder", "acknowledgment", f"{oops}, {text}" if words.chance(0.6) else oops)]
        text = words.pick("REPAIR.no") if words.chance(_BARE) else words.pick("REPAIR.begun").format(x=text)
        said: Line = ("Architect", "instruction", typed(words, text))
        return [check, said] if words.chance(_CHECKED) else [said]

    def _text(self, words: Words, scene: Scene, left: frozenset[NetAction]) -> str:
        """Return what was wrong, or what is right."""
        to = at = ""
        if self.way is not None and sum(map(abs, self.way)) == 1:
            (direction,) = scene.view.offset(Cell(0, 0, 0), Cell(*self.way)).directions
            to, at = words.pick(f"PLAIN_WAYS.{direction.value}"), words.pick(f"REPAIR.at.{direction.value}")
        colors = {action.type: action.color.value for action in left}
        right, wrong = (colors.get(each, "") for each in (ActionType.PLACE, ActionType.REMOVE))
        return words.pick(f"REPAIR.{self.kind}").format(to=to, at=at, c=right, w=wrong)
