"""What a new shape has in common with the one before it: "of the same length", "going in the opposite direction".

All of it is computed from where the blocks of the last shape are, in the order in which they were placed.
"""

from dataclasses import dataclass
from typing import NamedTuple

from bap_v2_simulators.language.lines import direction_of
from bap_v2_simulators.language.references import LanguageError, Scene
from bap_v2_simulators.language.shape_phrases import ShapeForm
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import ShapeKind, Vector, opposite


class Likeness(NamedTuple):
    """How an instruction refers to the last shape instead of saying a thing, or in addition to it."""

    size: bool = False  # as large as that one
    direction: str | None = None  # "same" or "opposite": the way that it went
    again: bool = False  # the same once more: size and direction
    course: str | None = None  # "parallel" or "perpendicular" to it: true of the direction that is said


UNLIKE = Likeness()


@dataclass(frozen=True, slots=True)
class LastShape:
    """A straight line, a diagonal or a plane that was built last."""

    kind: ShapeKind
    extents: tuple[int, int, int]  # blocks along x, y and z
    step: Vector | None  # from one block of a line to the next, in the order in which it was built

    @property
    def length(self) -> int:
        """Blocks of a line."""
        return max(self.extents)


def last_shape(scene: Scene) -> LastShape | None:
    """Return what was built in the last turn, if it is a line or a plane of three blocks or more."""
    cells = scene.last_cells
    if len(cells) < 3 or scene.last_removed:
        return None
    extents = tuple(max(along) - min(along) + 1 for along in zip(*cells, strict=True))
    if (step := direction_of(cells)) is not None:
        return LastShape(ShapeKind.ROW if sum(map(abs, step)) == 1 else ShapeKind.DIAGONAL, extents, step)
    if min(extents) == 1 and extents[0] * extents[1] * extents[2] == len(cells):
        return LastShape(ShapeKind.PLANE, extents, None)
    return None


def likenesses(form: ShapeForm, scene: Scene) -> tuple[Likeness, ...]:
    """Return all that is true of a shape of this form beside the last one, the most alike first."""
    # How far the two forms agree.
    last = last_shape(scene)
    if last is None:
        return ()
    found = []
    sized = same_size(form, scene)
    step = scene.view.vector(form.steps[0])
    # Lines by their way, then both kinds by their size.
    if not form.plane and last.step is not None:
        if sized and step == last.step:
            found.append(Likeness(again=True))
        if step == last.step and not form.column:
            found.append(Likeness(direction="same"))
        elif step == opposite(last.step):
            found.append(Likeness(direction="opposite"))
        if form.kind is last.kind is ShapeKind.ROW and not step[1] and not last.step[1]:
            parallel = step in (last.step, opposite(last.step))
            found.append(Likeness(course="parallel" if parallel else "perpendicular"))
    if sized:
        found.append(Likeness(size=True))
    return tuple(found)


def same_size(form: ShapeForm, scene: Scene) -> bool:
    """Return whether the last shape is one of this kind and as large."""
    last = last_shape(scene)
    alike = last is not None and last.kind is form.kind and _upright(last) == form.upright
    return alike and _size(last, form, scene) == form.size


def spoken_likeness(words: Words, form: ShapeForm, scene: Scene, omitted: str | None) -> Likeness:
    """Return what the Architect says of the last shape: mostly nothing.

    Args:
        omitted: the detail that is left out.
    """
    for likeness in likenesses(form, scene):
        if likeness.again:
            sayable, rate = omitted is None, 0.5
        elif likeness.size:
            sayable, rate = omitted != "size", 0.3
        else:
            sayable, rate = omitted != "orientation", 0.3
        if likeness.course and any(
            color is scene.last_color and cell not in scene.last_cells for cell, color in scene.board.items()
        ):
            sayable = False  # "the red row" may be another one
        if sayable and words.chance(rate * words.talk.likeness):
            return likeness
    return UNLIKE


def like_the_last(form: ShapeForm, likeness: Likeness, scene: Scene) -> tuple[tuple[int, ...], tuple[Vector, ...]]:
    """Size and directions (in the world) of a shape of which the likeness says some.

    Raises:
        LanguageError: if nothing that was built last is like that.
    """
    size, vectors = form.size, tuple(scene.view.vector(step) for step in form.steps)
    if likeness == UNLIKE:
        return size, vectors
    last = last_shape(scene)
    if last is None or (last.step is None and likeness != Likeness(size=True)):
        raise LanguageError("there is no last shape of that kind")
    if likeness.direction or likeness.again:
        vectors = (opposite(last.step) if likeness.direction == "opposite" else last.step,)
    if likeness.size or likeness.again:
        size = _size(last, form, scene)
    if likeness.course:
        across = all(a * b == 0 for a, b in zip(vectors[0], last.step, strict=True))
        if across != (likeness.course == "perpendicular"):
            raise LanguageError(f"it is not {likeness.course} to the last shape")
    return size, vectors


def _upright(last: LastShape) -> bool:
    return last.extents[1] > 1


def _size(last: LastShape, form: ShapeForm, scene: Scene) -> tuple[int, ...]:
    """Return the size of the last shape along the steps of another one of its kind."""
    if last.kind is not ShapeKind.PLANE:
        return (last.length,)
    along = max(last.extents[0], last.extents[2])
    sizes = []
    for step in form.steps:
        (axis,) = (axis for axis, part in enumerate(scene.view.vector(step)) if part)
        sizes.append(last.extents[axis] if axis == 1 or not form.upright else along)
    return tuple(sizes)
