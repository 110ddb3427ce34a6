"""The plan of a game of `dh`: what is built, and how it is changed, repeated, mirrored and extended on the way."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.building import changed
from bap_v2_simulators.human_turns import changes, parts, repetitions
from bap_v2_simulators.human_turns.continuations import continuation
from bap_v2_simulators.human_turns.objects import Part, PartAdded, drawn_object
from bap_v2_simulators.human_turns.placements import Placements, kept
from bap_v2_simulators.human_turns.references import may_be_it, part_thing, references_to
from bap_v2_simulators.human_turns.remainders import misbuilt
from bap_v2_simulators.human_turns.requests import DialogueContext, Request
from bap_v2_simulators.human_turns.things import Thing, line_of, thing_at, things_on, touching
from bap_v2_simulators.human_turns.turns import HumanTurn
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.shapes import DOWN, LEVEL, UP, difference
from bap_v2_simulators.targets import COLORS
from bap_v2_simulators.view import View

_TRIES = 12  # for a turn of one kind
_PLACES_TRIED = 200  # for something new
_NOWHERE = Pose(0.0, 1.0, 0.0, 0.0, 0.0)
_REPLACED = 4.0  # times as often is something new asked for in the same breath as a removal
_OBJECTS_TRIED, _PARTS_TRIED = 30, 40
_LATER_OBJECTS = 0.1  # as often as at the beginning does an object begin at a later turn
_OTHER_COLOR = 0.75  # of the parts
_SMALL, _TOO_LARGE = 4, 0.6  # changes of more blocks are seldom asked for: so many are left out
_FEW = 3  # turns before anything is changed


class Planner:
    """One game while it is planned.

    Args:
        rates: of each kind of turn: removal, correction, repetition, mirror, extension; the others place what is new.
        named: of the new shapes are letters and the like.
        two_steps: of the turns.
        more: of the turns after one whose last block is plain: they go on from there.
        errors, unfinished: of the turns are built wrongly, or in part, at first.
        objects: of the games begin with one.
    """

    def __init__(
        self, rng: Random, rates: Mapping[str, float], *,
        named: float, two_steps: float, more: float, errors: float, unfinished: float, objects: float,
    ):  # fmt: skip
        self.rng = rng
        self._rates = rates
        self._named = named
        self._two_steps = two_steps
        self._more = more
        self._errors, self._unfinished = errors, unfinished
        self.scene = Scene({}, _NOWHERE, View.of(0.0), None, None, False, 0)
        self._apart = False
        self._objects = objects
        self._object, self._parts = "", list[Part]()  # that is being built, and what is left of it
        self._part_names: set[str] = set()

    def turns(self, number: int) -> list[HumanTurn] | None:
        """So many turns, each carried out on the board that those before it leave; None if nothing finds a place."""
        turns: list[HumanTurn] = []
        for _ in range(number):
            # A turn that finds a place.
            before = self.scene
            turn = self._turn(first=not turns, few=len(turns) < _FEW)
            if turn is None:
                return None
            self._take(turn)
            if turn.object:
                turns.append(turn)
                continue
            # Some have a second step, planned on the board that the first leaves.
            rate = self._two_steps * (_REPLACED if turn.removes else 1.0)
            if turns and self.rng.random() < rate:
                second = self._second(turn)
                if second is not None:
                    self._take(second)
                    turn = replace(turn, then=second)
                    self.scene = replace(self.scene, last_steps=2)
            if turn.then is not None:
                self._apart = True
            turns += self._built(turn, before) if turns else [turn]
        return turns

    def _built(self, turn: HumanTurn, before: Scene) -> list[HumanTurn]:
        """Return the turn; if it is built wrongly or in part, with the one that makes good for it."""
        kind = self.rng.random()
        if kind >= self._errors + self._unfinished:
            return [turn]
        turns = misbuilt(self.rng, before, turn, self.scene.board, part=kind >= self._errors)
        if turns is None:
            return [turn]
        self.scene = before
        self._take(turns[0].instead)
        self._take(turns[1])
        self._apart = True
        return turns

    def _turn(self, *, first: bool, few: bool) -> HumanTurn | None:
        # An object goes on, or begins.
        if self._parts or self.rng.random() < self._objects * (1.0 if first else _LATER_OBJECTS):
            turn = self._next_part() if self._parts else self._first_part(first)
            if turn is not None:
                return turn
        if not first and not self._apart and self.rng.random() < self._more:
            turn = self._special(_more)
            if turn is not None:
                return turn
        if not few:
            share = self.rng.random()
            for kind, rate in self._rates.items():
                share -= rate
                if share < 0.0:
                    turn = self._special(_KINDS[kind])
                    if turn is not None:
                        return turn
                    break
        return self._placed(first)

    def _first_part(self, first: bool) -> HumanTurn | None:
        """Return a turn that begins an object, whose parts have names of their own; the other parts follow."""
        placements = Placements(self.rng, self.scene, self._apart)
        for _ in range(_OBJECTS_TRIED):
            planned = drawn_object(self.rng)
            names = {planned.first, *(part.name for part in planned.parts)}
            if not names.isdisjoint(self._part_names) or (first and planned.raised):
                continue
            turn = placements.first_part(first, planned)
            if turn is not None:
                self._part_names |= names
                self._object, self._parts = planned.name, list(planned.parts)
                return replace(turn, part=planned.first, object=planned.name)
        return None

    def _next_part(self) -> HumanTurn | None:
        """Return the next part of the object that was begun; None if it cannot be built: then nothing more is."""
        part = self._parts.pop(0)
        cells = self.scene.named.get(part.of)
        for _ in range(_PARTS_TRIED if cells else 0):
            thing = Thing(self.scene.board[cells[0]], cells)
            color = self.rng.choice(COLORS) if self.rng.random() < _OTHER_COLOR else thing.color
            alike = color is thing.color or part.place == "twin"
            turn = self._carried_out(PartAdded(part, self.rng.choice(LEVEL), None if alike else color), thing)
            if turn is not None:
                return replace(turn, part=part.name, object=self._object, completes=not self._parts)
        self._parts = []
        return None

    def _placed(self, first: bool) -> HumanTurn | None:
        placements = Placements(self.rng, self.scene, self._apart)
        for _ in range(_PLACES_TRIED):
            kind = self.rng.random()
            if kind < self._named:
                turn = placements.drawn(first)
            elif kind < self._named + (1.0 - self._named) * (0.6 if first else 0.3):
                turn = placements.shape(first)
            else:
                turn = placements.blocks(first)
            if turn is not None:
                return turn
        return None

    def _second(self, turn: HumanTurn) -> HumanTurn | None:
        """Return what can be asked for in the same breath, without touching what the first step changes."""
        changed = {action.cell for action in turn.actions}
        for _ in range(_TRIES):
            if turn.request is None and turn.drawing is None and self.rng.random() < 0.3:
                second = self._special(_more, tries=1)
            elif not turn.removes and self.rng.random() < 0.4:
                second = self._special(self.rng.choice(_SECOND), tries=1)
            else:
                second = Placements(self.rng, self.scene, self._apart).block_after(turn)
            if second is None or not changed.isdisjoint(action.cell for action in second.actions):
                continue
            if second.request is None or not second.request.corrects:
                return second
        return None

    def _special(self, choose: Callable, tries: int = _TRIES) -> HumanTurn | None:
        things = things_on(self.scene.board)
        for _ in range(tries):
            chosen = choose(self.rng, self.scene, things, self._apart)
            if chosen is not None:
                turn = self._carried_out(*chosen)
                if turn is None or (len(turn.cells) > _SMALL and self.rng.random() < _TOO_LARGE):
                    continue
                if turn.removes or kept(self.rng, turn.cells, self.scene.board):
                    return turn
        return None

    def _carried_out(self, request: Request, thing: Thing | None, pivot: Thing | None = None) -> HumanTurn | None:
        """Return the turn for a request; None if it cannot be done, or if a thing has no name."""
        # Both things must have names.
        board = self.scene.board
        it = may_be_it(request, self.scene)
        if thing is not None and not _has_a_name(thing, self.scene, it=it):
            return None
        if pivot is not None and not _has_a_name(pivot, self.scene, it=False):
            return None
        # The change must make sense on this board.
        change = request.change(thing, pivot, DialogueContext(board, self.scene.last_cells))
        if change is None or any(cell in board and cell not in change.removed for cell, _ in change.placed):
            return None
        # Blocks that stay are neither placed nor removed.
        placed = {cell: color for cell, color in change.placed if board.get(cell) is not color}
        kept = {cell for cell, _ in change.placed if cell not in placed}
        removed = [cell for cell in change.removed if cell not in kept]
        after = {cell: color for cell, color in board.items() if cell not in set(removed)}
        if any(cell in after or not cell.in_region for cell in placed) or not (placed or after):
            return None
        # The result must not merge with another thing of its color.
        grown = thing_at(self.scene.last, board) if request.kind == "more" else thing
        own = set(grown.cells) if grown is not None else set()
        if _touches_another(placed, after, own):
            return None
        actions = changed(board, removed, placed)
        if actions is None:
            return None
        cells = tuple(placed) or tuple(removed)
        color = placed[cells[0]] if placed else board[cells[0]]
        return HumanTurn(
            color, cells, not placed, tuple(actions), (), replaced=len(removed) if placed else 0, ways=request.ways,
            request=request, thing=thing and thing.cells, pivot=pivot and pivot.cells,
        )  # fmt: skip

    def _take(self, turn: HumanTurn) -> None:
        """Take what both know when the turn is built."""
        self.scene = turn.after(self.scene)
        self._apart = turn.drawing is not None or (turn.request is not None and turn.request.kind != "more")


def _has_a_name(thing: Thing, scene: Scene, *, it: bool) -> bool:
    """Return whether a thing can be named, by more than its place in the order of things."""
    return any(way.rule not in ("first", "second") for way in references_to(thing.cells, scene, it=it))


def _touches_another(placed: Mapping[Cell, Color], board: Mapping[Cell, Color], own: Collection[Cell]) -> bool:
    """Return whether a new block touches another thing of its color: the two would look like one."""
    return any(
        board.get(other) is color and other not in own and other not in placed
        for cell, color in placed.items()
        for other in touching(cell)
    )


# --- what may be asked for: a request and its things, at random; None if there is nothing

Chosen = tuple[Request, Thing | None] | tuple[Request, Thing | None, Thing | None] | None


def _removals(rng: Random, scene: Scene, things: Sequence[Thing], apart: bool) -> Chosen:
    if rng.random() < 0.43:
        if apart or scene.last_removed or not scene.last_cells:
            return None
        return changes.LastRemoved(None if rng.random() < 0.5 else rng.randint(1, 2)), None
    return changes.Removed(), rng.choice((*things, *_parts_of(scene)))


def _corrections(rng: Random, scene: Scene, things: Sequence[Thing], apart: bool) -> Chosen:
    last = next((thing for thing in things if scene.last in thing.cells), None)
    thing = last if last is not None and rng.random() < 0.75 else rng.choice(things)
    lined = not apart and not scene.last_removed and len(scene.last_cells) > 2 and line_of(scene.last_cells) is not None
    kind = rng.random()
    if lined and kind < 0.4:
        return changes.TooMany(rng.choice((1, 1, 2))), None
    if lined and kind < 0.7 and set(last.cells) == set(scene.last_cells):  # "it is one too short"
        return repetitions.Lengthened(
            difference(*scene.last_cells[:2]), rng.choice((1, 1, 2)), on=True, short=True
        ), last
    if rng.random() < 0.3:
        parts = _parts_of(scene)
        return changes.Recolored(rng.choice(COLORS)), rng.choice(parts) if parts and rng.random() < 0.5 else thing
    way = rng.choice((*LEVEL, *LEVEL, UP, DOWN))
    return changes.Shifted(way, rng.choice((1, 1, 1, 2, 2, 3))), thing


def _repetitions(rng: Random, scene: Scene, things: Sequence[Thing], apart: bool) -> Chosen:
    thing = _recent(rng, scene, things)
    color = rng.choice(COLORS) if rng.random() < 0.4 else None
    way = rng.choice((*LEVEL, UP))
    gap = 0 if way == UP else rng.choice((0, 1, 1, 1, 2, 2, 3))
    return repetitions.Copied(way, gap, None if color is thing.color else color), thing


def _mirrors(rng: Random, scene: Scene, things: Sequence[Thing], apart: bool) -> Chosen:
    thing, pivot = _recent(rng, scene, things), rng.choice(things)
    axis = repetitions.side_of(thing, pivot)
    if axis is None or pivot.kind in (None, "diagonal"):  # which has no plain other side
        return None
    return repetitions.Mirrored(repetitions.is_own_mirror_image(thing, axis)), thing, pivot


def _extensions(rng: Random, scene: Scene, things: Sequence[Thing], apart: bool) -> Chosen:
    lines = [thing for thing in things if _is_straight(thing)]
    if not lines:
        return None
    thing = _recent(rng, scene, lines)
    count = rng.choice((1, 2, 2, 3))
    # Towers go on upwards, other lines as they went or to either end.
    step = line_of(thing.cells)
    if step[1]:
        return repetitions.Lengthened(UP, count, on=True), thing
    if scene.last in thing.cells and not apart and len(scene.last_cells) > 1 and rng.random() < 0.6:
        return repetitions.Lengthened(difference(*scene.last_cells[:2]), count, on=True), thing
    way = step if rng.random() < 0.5 else tuple(-part for part in step)
    return repetitions.Lengthened(way, count, on=False), thing


def _more(rng: Random, scene: Scene, things: Sequence[Thing], apart: bool) -> Chosen:
    request = None if apart else continuation(rng, scene)
    return None if request is None else (request, None)


_KINDS = {
    "removal": _removals, "correction": _corrections, "repetition": _repetitions, "mirror": _mirrors,
    "extension": _extensions, "places": partial(parts.chosen, "several places"),
    "within": partial(parts.chosen, "removal from within"), "completion": partial(parts.chosen, "completion"),
    "frames": partial(parts.chosen, "other frame"),
}  # fmt: skip


# What may be asked for in the same breath as something else.
_SECOND = [_KINDS[kind] for kind in ("removal", "repetition", "mirror", "extension", "places", "within")]


def _recent(rng: Random, scene: Scene, things: Sequence[Thing]) -> Thing:
    """Return the last thing more often than others."""
    last = next((thing for thing in things if scene.last in thing.cells), None)
    return last if last is not None and rng.random() < 0.7 else rng.choice(things)


def _parts_of(scene: Scene) -> list[Thing]:
    """Return the parts of objects that have names, as far as they are of one color."""
    parts = [part_thing(name, scene) for name in scene.named]
    return [part for part in parts if all(scene.board[cell] is part.color for cell in part.cells)]


def _is_straight(thing: Thing) -> bool:
    step = line_of(thing.cells)
    return step is not None and sum(map(abs, step)) == 1
