"""What an item of GSU asks, in full: positions, directions and the form of the answer are explained in every question.

The wording is ours; the paper's prompts are lost. What is asked follows its section 3.1.
"""

from collections.abc import Sequence
from functools import cache

from bap_v2_dataset.tasks.gsu.blocks import PositionedBlock, format_blocks
from bap_v2_simulators.gsu.combined import Outlook
from bap_v2_simulators.gsu.configs import GsuConfig
from bap_v2_simulators.gsu.grid import compass_steps
from bap_v2_simulators.gsu.localization import MIRROR, RELATIONS, ROTATED, VIEWER, GridScene
from bap_v2_simulators.gsu.structure import Composition
from bap_v2_simulators.gsu.walks import DIRECTIONS, WalkStep, chain_text, directions_of, path_of, position_text

WAY_TEXTS = {
    f"{sign}{axis}": f"{word} {axis}" for sign, word in (("+", "positive"), ("-", "negative")) for axis in "xyz"
}
SIDE_TEXTS = {
    MIRROR: "The front of a {} is the side towards you; its left and right are your left and right.",
    ROTATED: "The front of a {} is the side towards you; its left is on your right, and its right is on your left.",
    VIEWER: "The front of a {} is the side away from you; its left and right are your left and right.",
}
_OWN_DIRECTIONS = (
    "To go left, right or backward you turn that way, walk, and go on facing that way; to go forward you do not turn."
)


def question_of(
    config: GsuConfig, item: tuple[WalkStep, ...] | GridScene | Composition | Outlook, representation="text"
) -> str:
    """Return what is asked about an item.

    Args:
        representation: of `blocks.REPRESENTATIONS`, for the blocks that the question names.
    """
    # Questions about blocks.
    if isinstance(item, GridScene):
        return _localization(config, item, representation)
    if isinstance(item, Composition):
        return _structure(config, item, representation)
    if isinstance(item, Outlook):
        return _combined(item, representation)
    # Questions about walks: the place is asked for, or the instructions.
    if config.task == "follower":
        end = "(x, y)" if config.dims == 2 else "(x, y, z)"
        return (
            f"{_walking(config.dims, config.frame)}\n{_instructions(item)}\nWhere do you end?\n"
            f"End with one line: Answer: {end}"
        )
    words = ", ".join(directions_of(config.dims))
    # The instructor sees positions, Card2Ego directions of the compass.
    form = (
        "End with one line that has a direction and a number for every step: Answer: DIRECTION NUMBER, DIRECTION NUMBER"
    )
    if config.task == "instructor":
        path = ", ".join(map(position_text, path_of(item, config.frame, config.dims)))
        head = _walking(config.dims, config.frame)
        asked = f"Which instructions lead along this path, one for each part of it? Directions: {words}."
        return f"{head}\nPath: {path}.\n{asked}\n{form}"
    return (
        f"You walk on a grid, and you face north. {_OWN_DIRECTIONS}{_UPRIGHT[config.dims]}\n"
        f"Path: {chain_text(compass_steps(item))}.\n"
        f"Which instructions in your own directions ({words}) lead along this path, one for each part of it?\n{form}"
    )


_UPRIGHT = {2: "", 3: " Up and down do not turn you."}


@cache
def positions(dims: int) -> str:
    """Return what the numbers of a position are."""
    return "A position is (x, y)." if dims == 2 else "A position is (x, y, z); z is height."


@cache
def _walking(dims: int, frame: str) -> str:
    """Return how one walks, in directions that are fixed or one's own."""
    origin = position_text((0,) * dims)
    start = f"You walk on a grid. {positions(dims)} You start at {origin}"
    if frame == "cardinal":
        ways = dict(zip(DIRECTIONS, ("-x", "+x", "+y", "-y", "+z", "-z")))
        order = ("right", "left", "forward", "backward", "up", "down")[: 2 * dims]
        fixed = ", ".join(f"{word} is {WAY_TEXTS[ways[word]]}" for word in order)
        return f"{start}. Directions are fixed: {fixed}."
    upright = " Up (positive z) and down (negative z) do not turn you." if dims == 3 else ""
    facing = "facing positive y, with positive x to your right"
    return f"{start}, {facing}. Directions are your own. {_OWN_DIRECTIONS}{upright}"


def _instructions(steps: Sequence[WalkStep]) -> str:
    moves = [f"move {direction} {length}" for direction, length in steps]
    return f"Instructions: {', then '.join(moves)}."


def _localization(config: GsuConfig, scene: GridScene, representation: str) -> str:
    dims = config.dims
    you = (
        f"{positions(dims)} To somebody who faces positive y, positive x is on the right. You are at "
        f"{position_text(scene.viewer)}, facing {WAY_TEXTS[scene.heading]}."
    )
    target = f"Where is the {scene.color_of(scene.target)} block relative to"
    if scene.reference is None:
        asked = f"{target} you? Front is the way you face."
    else:
        sides = SIDE_TEXTS[config.simulator.frame_of_sides].format("block")
        asked = f"{target} the {scene.color_of(scene.reference)} block, as you see it? {sides}"
    blocks = _standing(scene.blocks, representation)
    return f"{you} {blocks}\n{asked}\n{_directions_form(dims)}"


def _standing(blocks: Sequence[PositionedBlock], representation: str) -> str:
    text = format_blocks(blocks, representation)
    return f"There is {text}." if representation == "text" else f"Blocks: {text}."


@cache
def _directions_form(dims: int) -> str:
    return (
        f"End with one line that has every direction that applies, out of {', '.join(RELATIONS[: 2 * dims])}: "
        "Answer: DIRECTION, DIRECTION"
    )


def _structure(config: GsuConfig, composition: Composition, representation: str) -> str:
    front, behind = ("positive", "negative") if config.simulator.front == "far" else ("negative", "positive")
    return (
        f"{positions(3)} You look along positive y: left is negative x, right is positive x, front is {front} y, "
        f"behind is {behind} y, above is positive z, below is negative z.\n"
        f"Blocks: {format_blocks(composition.blocks, representation)}.\n"
        f"{_NAMES} A structure is one shape, of one or two colors, or three shapes of one color each.\n"
        "Describe the structure in one sentence: every shape once (row, column, plane, tower or cube), with its size "
        "in blocks and its colors. If there are three shapes, begin with the one that touches both others, and say "
        "where each other is relative to it.\n"
        "End with one line: Answer: DESCRIPTION"
    )


_NAMES = (
    "A row is a horizontal line and a column a vertical one; a plane is one block thin; a cube has equal sides, and a "
    "tower is higher than wide."
)


def _combined(outlook: Outlook, representation: str) -> str:
    sides = SIDE_TEXTS[MIRROR].format("structure")
    return (
        f"{_walking(3, 'egocentric').partition(' Up (')[0]}\n{_instructions(outlook.steps)}\n"
        f"Blocks: {format_blocks(outlook.blocks, representation)}.\n"
        f"Blocks of one color that touch are one structure. {_NAMES}\n"
        f"Where is the {outlook.target.name} relative to the {outlook.reference.name}, as you see it after the walk? "
        f"{sides} A direction applies if the whole of one lies beyond the whole of the other.\n{_directions_form(3)}"
    )
