"""Which thing is meant: "it", "the red row", "the blue one we made earlier", "the first thing we built"."""

from collections.abc import Sequence
from typing import NamedTuple

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.human_turns.requests import Request
from bap_v2_simulators.human_turns.things import ALIKE, Thing, thing_at, things_on
from bap_v2_simulators.language.references import LanguageError, Scene
from bap_v2_simulators.language.words import Words

_SAID_EARLIER = 0.02  # of the things that were built two turns ago or more
_IN_ORDER = 0.7  # of those whose place in the order of things may be said
NEW = ("new", "again")  # the kinds of turns after which "the same" is the thing that was built
_LEAVES_IT = (*NEW, "move", "recolor")  # after which "it" is; after a layer it may be what lies below
_BY_PART = 0.7  # of the references to a part of an object that has a name
_IT = 0.8  # of the references to the last thing


class ThingReference(NamedTuple):
    """A way to refer to a thing, and what it needs."""

    rule: str  # "it", "kind" (a name, perhaps a color), "color" (the only thing of it), "first", "second" or "part"
    color: Color | None = None
    kind: str | None = None
    earlier: bool = False  # says that it was built some turns ago

    def denotes(self, scene: Scene) -> Thing:
        """Return the thing meant. Raises: LanguageError if there is none, or more than one."""
        # The last thing, and things by their order.
        if self.rule == "it":
            thing = _last_thing(scene)
            if thing is None:
                raise LanguageError("nothing that is one thing was built last")
            return thing
        if self.rule == "part":
            if self.kind not in scene.named:
                raise LanguageError(f"there is no {self.kind}")
            return part_thing(self.kind, scene)
        things = things_on(scene.board)
        if self.rule in ("first", "second"):
            return things[self.rule == "second"]
        # By color and look: exactly one must fit.
        fitting = [
            thing
            for thing in things
            if self.color in (None, thing.color)
            and (self.rule == "color" or thing.look == ALIKE.get(self.kind, self.kind))
        ]
        if len(fitting) != 1:
            raise LanguageError(f"{len(fitting)} things could be meant")
        return fitting[0]

    def phrase(self, words: Words) -> str:
        """Return one way to say it."""
        if self.rule == "it":
            return words.pick("IT")
        if self.rule == "first":
            return words.pick("FIRST_THING")
        if self.rule == "second":
            return words.pick("SECOND_THING")
        if self.rule == "part":
            return f"the {self.kind}"
        if self.rule == "color":
            name = words.pick("THING_NAMES.block alone" if self.kind else "ANYTHING")
        else:
            name = words.pick(f"THING_NAMES.{self.kind}")
        the = "the" if self.kind == "block" or words.chance(0.7) else words.pick("THE")
        color = f"{self.color.value} " if self.color else ""
        earlier = f" {words.pick('EARLIER')}" if self.earlier else ""
        return f"{the} {color}{name}{earlier}"


def references_to(cells: tuple[Cell, ...], scene: Scene, *, it: bool = True) -> list[ThingReference]:
    """Return the ways to refer to a thing in a scene that can mean no other.

    Args:
        cells: some blocks of the thing.
        it: whether "it" may be said.
    """
    # Parts of objects by their names; several blocks that are no thing have no other.
    thing = thing_at(cells[0], scene.board)
    parts = [ThingReference("part", None, name) for name, own in scene.named.items() if set(own) == set(cells)]
    if parts and set(thing.cells) != set(cells):
        return parts
    # The last thing is "it".
    things = things_on(scene.board)
    earlier = _age(thing, scene) > 1
    ways = [ThingReference("it")] if it and thing == _last_thing(scene) else []
    # By look and color, as far as they tell it from all others.
    of_color = [other for other in things if other.color is thing.color]
    kind = thing.kind
    if kind is not None:
        if sum(other.look == thing.look for other in of_color) == 1:
            ways.append(ThingReference("kind", thing.color, kind, earlier))
        if kind != "block" and sum(other.look == thing.look for other in things) == 1:
            ways.append(ThingReference("kind", None, kind, earlier))
    if len(of_color) == 1:  # "the red one" stands for any thing: there must be no other of its color
        ways.append(ThingReference("color", thing.color, kind if kind == "block" else None, earlier))
    # By the order of building, once there is one to speak of.
    if len(scene.built) > 3 and _in_order(things, scene):
        named = [rule for rule, other in zip(("first", "second"), things, strict=False) if other == thing]
        ways += [ThingReference(rule) for rule in named if all(one.kind != "block" for one in things[: len(named) + 1])]
    return ways + parts


def thing_reference(words: Words, cells: tuple[Cell, ...], scene: Scene, *, it: bool = True) -> ThingReference:
    """Return one of the ways: "it" more often than others, and now and then that it was built earlier."""
    ways = references_to(cells, scene, it=it)
    if len(ways) == 1 or (ways[0].rule == "it" and words.chance(_IT)):
        return ways[0]._replace(earlier=ways[0].earlier and words.chance(_SAID_EARLIER))
    parts = [way for way in ways if way.rule == "part"]
    if parts and words.chance(_BY_PART):
        return parts[0]
    named = [way for way in ways if way.rule in ("kind", "color")]
    way = words.pick(named if named and not words.chance(_IN_ORDER) else [way for way in ways if way.rule != "it"])
    return way._replace(earlier=way.earlier and words.chance(_SAID_EARLIER))


def part_thing(name: str, scene: Scene) -> Thing:
    """Return the blocks of a part of an object as one thing, though they may be several."""
    cells = scene.named[name]
    return Thing(scene.board[cells[0]], cells)


def may_be_it(request: Request, scene: Scene) -> bool:
    """Return whether the thing of a request may be called "it".

    "Remove it" would be what was just placed, and "do the same" after a move would be to move it again.
    """
    if request.kind == "removal":
        return bool(request.ways)
    return request.kind != "again" or scene.last_kind in NEW


def _last_thing(scene: Scene) -> Thing | None:
    """Return what "it" is: the thing whose blocks are those that the last turn placed; None if there is none."""
    if scene.last_removed or scene.last_steps > 1 or scene.last_kind not in _LEAVES_IT:
        return None
    if scene.last not in scene.board:
        return None
    thing = thing_at(scene.last, scene.board)
    return thing if set(thing.cells) == set(scene.last_cells) else None


def _age(thing: Thing, scene: Scene) -> int:
    """Return how many turns ago something of the thing was built; 0: in the last turn that built something."""
    own = set(thing.cells)
    return next((age for age, cells in enumerate(reversed(scene.built)) if own.intersection(cells)), 0)


def _in_order(things: Sequence[Thing], scene: Scene) -> bool:
    """Return whether the first two things are the first two that were ever built, so that nobody could count
    otherwise."""
    firsts = [set(thing.cells) for thing in things[:2]]
    return (
        len(firsts) == 2
        and firsts[0].issuperset(scene.built[0])
        and firsts[1].issuperset(scene.built[1])
        and not any(firsts[0].union(firsts[1]).intersection(cells) for cells in scene.built[2:])
    )
