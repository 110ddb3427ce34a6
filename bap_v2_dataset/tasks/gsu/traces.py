"""Reasoning traces: how an answer follows from a question, a numbered line for each step (GSU, 4.2).

In the first person and in the words of the paper's quotes: "facing positive y", "so x grows by 8", "Now I face". Every
state that a line names is the one that carrying out the steps gives, and the answer follows from the trace alone.
"""

from collections.abc import Iterator, Sequence

from bap_v2_dataset.tasks.gsu.questions import WAY_TEXTS
from bap_v2_simulators.gsu.combined import Outlook
from bap_v2_simulators.gsu.configs import GsuConfig
from bap_v2_simulators.gsu.grid import AHEAD, COMPASS, RIGHT
from bap_v2_simulators.gsu.localization import MIRROR, WORDS_OF_AXES, GridScene
from bap_v2_simulators.gsu.walks import CARDINAL, Number, Position, WalkStep, path_of, position_text, turned, way_of


def reasoning_of(config: GsuConfig, item: object) -> str:
    """Return the trace of an item, its lines joined; empty for structures, which have none."""
    if isinstance(item, GridScene):
        return "\n".join(_located(config.simulator.frame_of_sides, item))
    if isinstance(item, Outlook):
        return "\n".join(_combined(item))
    if config.task in _OF_NAVIGATION:
        return "\n".join(_OF_NAVIGATION[config.task](item, config.frame, config.dims))
    return ""


def _followed(steps: Sequence[WalkStep], frame: str, dims: int) -> Iterator[str]:
    """Follower: where each step leads."""
    # The start; in the cardinal frame nobody turns.
    heading, here = "+y", (0,) * dims
    facing, stays = ("", "") if frame == CARDINAL else (", facing positive y", ", and I do not turn")
    yield f"I start at {position_text(here)}{facing}."
    path = path_of(steps, frame, dims)
    # Each step is a sum; on the ground one faces the way one went.
    for number, ((direction, length), there) in enumerate(zip(steps, path[1:]), 1):
        way = way_of(direction, heading, frame)
        axis = "xyz".index(way[1])
        sum_text = _with_change(here, axis, way[0], length)
        result = f"so {_change(way, length)}: {sum_text} = {position_text(there)}."
        if way[1] == "z" or frame == CARDINAL:
            yield f"{number}. {direction} {length}: {direction.title()} is {WAY_TEXTS[way]}{stays}, {result}"
        else:
            yield (
                f"{number}. {direction} {length}: Facing {WAY_TEXTS[heading]}, {direction} is {WAY_TEXTS[way]}, "
                f"{result}{_now_facing(heading, way)}"
            )
            heading = way
        here = there


def _instructed(steps: Sequence[WalkStep], frame: str, dims: int) -> Iterator[str]:
    """Instructor: which direction each part of the path is."""
    # The start; in the cardinal frame nobody turns.
    heading, path = "+y", path_of(steps, frame, dims)
    stays = "" if frame == CARDINAL else ", and I do not turn"
    if frame != CARDINAL:
        yield "I face positive y."
    # Each part of the path is a change, then the direction that it is.
    for number, ((direction, length), here, there) in enumerate(zip(steps, path, path[1:]), 1):
        way = way_of(direction, heading, frame)
        start = f"{number}. {position_text(here)} to {position_text(there)}: {_change(way, length)}."
        step = f"{direction} {length}."
        if way[1] == "z" or frame == CARDINAL:
            yield f"{start} {WAY_TEXTS[way].capitalize()} is {direction}{stays}: {step}"
        else:
            yield (
                f"{start} Facing {WAY_TEXTS[heading]}, {WAY_TEXTS[way]} is {direction}: {step}"
                f"{_now_facing(heading, way)}"
            )
            heading = way


def _from_compass(steps: Sequence[WalkStep], frame: str, dims: int) -> Iterator[str]:
    """Card2Ego: which own direction each direction of the compass is."""
    heading = "+y"
    yield "I face north."
    for number, (direction, length) in enumerate(steps, 1):
        way = way_of(direction, heading, frame)
        start = f"{number}. {COMPASS[way]} {length}:"
        if way[1] == "z":
            yield f"{start} I do not turn: {direction} {length}."
        else:
            now = "" if way == heading else f" Now I face {COMPASS[way]}."
            yield f"{start} Facing {COMPASS[heading]}, {COMPASS[way]} is {direction}: {direction} {length}.{now}"
        heading = turned(heading, way)


def _located(sides: str, scene: GridScene) -> Iterator[str]:
    """Localization: where the two are, and which word each coordinate gives."""
    words = _words_by_axis(scene.heading, sides, len(scene.target))
    base = scene.viewer if scene.reference is None else scene.reference
    who = "I am" if scene.reference is None else f"the {scene.color_of(base)} block is"
    target = f"The {scene.color_of(scene.target)} block is at {position_text(scene.target)}"
    yield f"{target}, and {who} at {position_text(base)}."
    yield _meanings(scene.heading, words)
    for axis, (larger, smaller), value, other in zip("xyz", words, scene.target, base):
        if value == other:
            yield f"{axis}: {value} = {other}, the same."
        else:
            sign, word = (">", larger) if value > other else ("<", smaller)
            yield f"{axis}: {value} {sign} {other}, so {word}."


def _combined(outlook: Outlook) -> Iterator[str]:
    """Walk and look: the walk, where the two structures lie, and which words apply."""
    yield from _followed(outlook.steps, "egocentric", 3)
    words = _words_by_axis(outlook.heading, MIRROR, 3)
    yield _meanings(outlook.heading, words)
    for axis, (larger, smaller), (low, high), (other_low, other_high) in zip(
        "xyz", words, outlook.target.box.spans, outlook.reference.box.spans
    ):
        span, other_span = _span(low, high), _span(other_low, other_high)
        if low > other_high:
            yield f"{axis}: {span} > {other_span}, so {larger}."
        elif high < other_low:
            yield f"{axis}: {span} < {other_span}, so {smaller}."
        else:
            yield f"{axis}: {span} and {other_span} overlap."


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _meanings(heading: str, words: Sequence[tuple[str, str]]) -> str:
    """Return what larger and smaller coordinates are, for somebody with this heading."""
    meanings = [
        f"larger {axis} is {larger}, smaller {axis} is {smaller}" for axis, (larger, smaller) in zip("xyz", words)
    ]
    return f"I face {WAY_TEXTS[heading]}: {'; '.join(meanings)}."


def _words_by_axis(heading: str, sides: str, dims: int) -> list[tuple[str, str]]:
    """For x, y and z the words of a larger and of a smaller coordinate."""
    of_right, of_ahead, of_up = WORDS_OF_AXES[sides]
    result: list[tuple[str, str]] = [("", "")] * 2
    for (axis, sign), (less, _, more) in ((RIGHT[heading], of_right), (AHEAD[heading], of_ahead)):
        result[axis] = (more, less) if sign > 0 else (less, more)
    return result if dims == 2 else [*result, (of_up[2], of_up[0])]


def _change(way: str, length: Number) -> str:
    """`x grows by 2`."""
    return f"{way[1]} {'grows' if way[0] == '+' else 'shrinks'} by {length}"


def _now_facing(heading: str, way: str) -> str:
    return "" if way == heading else f" Now I face {WAY_TEXTS[way]}."


def _with_change(here: Position, axis: int, sign: str, length: Number) -> str:
    """Return a position with the change of one coordinate written out: `(0 + 2, 0)`."""
    values = [f"{value} {sign} {length}" if i == axis else str(value) for i, value in enumerate(here)]
    return f"({', '.join(values)})"


_OF_NAVIGATION = {"follower": _followed, "instructor": _instructed, "card2ego": _from_compass}
