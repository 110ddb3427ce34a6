"""The prompt for models that reason before they answer: everything that there is to know, and then freedom.

The rules are those of the data, the metric and the simulators, written for a reader who has only this text; the tests
compare what it says of directions, supports and its worked example with the code.
"""

from bap_v2_dataset.chat.final_answer import MARKER
from bap_v2_dataset.items.prompts import representation_of

_TASK = """\
You are the Builder in a building game in Minecraft, played by two. The Architect sees a target structure, which you \
do not see, and tells you in a chat what to build. You read the game so far and work out what the Builder does next.

# The board

- A cell is as large as one block, and is named by three whole numbers X Y Z. X and Z run along the ground, from -5 to \
5. Y is the height, from 1 (on the ground) to 9. The middle of the ground is the cell 0 1 0. Nothing can be \
placed outside.
- There are six colors: red, orange, yellow, green, blue and purple.
- Blocks never fall: what has lost its support stays where it is.
"""

_WORLD_VIEW = """\
- The cell X Y Z reaches from X to X+1, from Y to Y+1 and from Z to Z+1. Your position is the point where your feet \
are, in the same units: with a height of 1.0 you stand on the ground. You can fly, and be outside the board.

# Directions

Left, right, in front and behind are meant as you, the Builder, see them, from where you are now. Take the yaw to the \
nearest quarter turn (also when it is far from it):

yaw | away from you | toward you | to your left | to your right
0 | +z | -z | +x | -x
90 | -x | +x | +z | -z
180 or -180 | -z | +z | -x | +x
-90 | +x | -x | -z | +z

"""

_NO_VIEW = """\

# Directions

Left, right, in front and behind are meant as you, the Builder, see them. Looking along +z, you have +x to your left, \
-x to your right; along -x, +z to your left, -z to your right; along -z, -x to your left, +x to your right; along +x, \
-z to your left, +z to your right. You are not told where you stand and look: guess it from what was said and built \
before.

"""

_EGO_VIEW = """\

# How cells are named here

Everything is shown as you, the Builder, see it from where you are now. The axes are turned with you: +x is to your \
left, -x to your right, +y up, -y down, +z away from you, -z toward you. Cells are counted from an origin, the cell of \
the last action: the cell 1 0 0 is next to it on the left. "Origin is X Y Z" names that cell on the board: add it to a \
cell to get its place on the board, where the limits above hold. After a pick it \
is where a block was taken away, often a support; the block placed last is then still the last line of the structure. \
With the origin 2 1 -3, a y of 0 is on the \
ground, and x can go from -7 to 3. Your own position is given as the cell of your feet, counted from the origin as \
well. The yaw is what remains of it after the axes were turned, from -45 to 45 degrees; when it is positive, you look \
a little to the right of +z. Answer with cells that are counted from the origin.

# Directions

"""

_DIRECTIONS = """\
- Left of a block is the cell next to it on your left, whatever stands around. Behind it is the next cell away from \
you, in front of it the next one toward you. But "in front of you" is where you look.
- "Up and to the left of it", "diagonally above and left of it": one step up and one to the left.
- What was said in earlier turns was meant from where you were then, which is not shown. Compare it with what was built.

# What was said and done

- Lines with <Architect> and <Builder> are the chat. {history}
- {structure}
- "The last block", "it", "that one" is the block that was placed last and still stands; supports that were removed \
again do not count. If several blocks were placed in the turn before, "the last block" is the last one of them, and \
"it", "that" or "them" can be all of them. "The block you just removed" names the cell where it was. Where no block is \
named ("two more to the left"), the last one is meant.

# Actions

{form}

- place puts a block into an empty cell of the board that is on the ground or shares a face with a block (below, \
above or at a side; edges and corners are not enough). Otherwise it changes nothing.
- pick takes away the block in a cell, whatever its color. Nothing else falls or changes.
- To place a block that floats, first place temporary supports, a chain of blocks from the ground or from another \
block up to a cell that shares a face with it; then the block; then pick the supports. Each action must be possible \
when its turn comes.
- To give a block another color, pick it and place the new one.

# What counts

- The board after your actions is compared with the board after those of the Builder. Only the net changes count: each \
cell that differs from the board now. Supports that were removed again leave no trace; those left standing are wrong \
blocks. The order does not count otherwise.
- Do everything that is asked for and not yet done, up to the moment when the Builder would stop and wait for the \
Architect's next message. Mostly that is what was said since your last action, with the answers to questions in \
between. It can also be an earlier instruction that was interrupted, or the correction of a mistake: look at what is \
on the board. Do not build ahead of what was said.
- There is always something to do, and you cannot ask. If the words leave something open, choose what the Architect \
most probably means.
- On an empty board the place and the direction are often left open. Then any are right: begin near the middle, on the \
ground, so that everything fits. What the Architect does say of them still holds.

# How Architects speak

Some games are played by people, some by a simulator that imitates them. The simulator always means what follows; \
people mostly do, but they also misspeak, correct themselves, use words of their own ("bell", "the same as before") \
and speak about the whole board. For people, think of what a sensible player would do.

- Several blocks beside one: "three red blocks to the left of it" are a row that begins next to it and continues to \
the left; "on top of it" a stack, "under it" one that continues downward.
- "Two spaces (or blocks, or two) to the left": two cells away, one cell stays empty between. "Two to the left, one \
behind and one down": all of these steps together. "Skip a space", "leave a gap of one": one empty cell between.
- "On top of it but one to the left": from the cell on top, one step to the left. That cell may float.
- Row, line: along the ground or level with it. Column, tower, stack: upright. A diagonal is a line of blocks that \
touch at their edges only; a staircase is a diagonal that goes up one with each step. Layer, platform: flat. Wall: \
upright. A diagonal or staircase of 4, or of 4x4, has four blocks.
- Tall, high: upward. Wide: from left to right. Deep: toward or away from you, of what is flat. Long: along a line, or \
along the ground.
- A shape "starting" somewhere has its first block there, a corner or an end of it, and extends from it in the \
directions that are named; a wall or an upright square also upward.
- The closest, the farthest: by distance from you. The leftmost, the top: the block that is farthest in that \
direction among those of the color; "the top left red block" is the one in that corner.
- The middle: the one in the exact middle. The end of a row: its outermost block; "the other end": the one away from \
the last block. The corner of an L: where its arms meet.
- Between two blocks: the cell, or the block, halfway. "The corner between two blocks": the one free cell that shares \
a face with both.
- The other side, opposite: seen from where the last blocks were placed.
- Perpendicular, parallel: to the row that was placed last.
- "Another", "one more", "the same": the color, number or size of the last turn where no other is named. A color that \
is not named at all is that of the last blocks.
- Of the whole board people say "the middle", "the edge" and "the corner", and mean it as you see it; on the ground, \
"up" and "forward" can then be "away from you", and "down" and "back" "toward you".
"""

_HISTORY = {
    "world": "The other lines are the actions that you took, in their order, each in the form of the notation.",
    "ego": "In place of the actions that you took there is how many they were, for example (placed 2, picked 1).",
}
_STRUCTURE = {
    "told": "The structure lists the blocks that stand now, as COLOR X Y Z, in order of placement: the last line is "
    "the block placed last of those that still stand.",
    "untold": "The blocks that stand now are not listed: they are what the actions so far have left.",
}  # fmt: skip

_WORLD_EXAMPLE = """
# An example of the geometry

The board has red 0 1 0, placed last; your yaw is 96.3 degrees. "<Architect> now a blue one above and to the left of \
it". The yaw is nearest to 90, so left is +z. One up and one to the left of 0 1 0 is 0 2 1. Its neighbors 0 1 1, \
0 3 1, 1 2 1, -1 2 1, 0 2 2 and 0 2 0 are all empty and it is not on the ground: it needs a support, for example in \
0 1 1, which is on the ground.

{example}
"""

_EGO_EXAMPLE = """
# An example of the geometry

Origin is 0 1 -2 (last action: place), and the structure is red 0 0 0. "<Architect> now a blue one above and to the \
left of it". One to the left is +1 in x, one up +1 in y: the cell 1 1 0. Its neighbors 1 0 0, 1 2 0, 2 1 0, 0 1 0, \
1 1 1 and 1 1 -1 are all empty and it is not on the ground (its height is 1 + 1 = 2): it needs a support, for example \
in 1 0 0, which is on the ground.

{example}
"""
_EXAMPLES = {
    "world": ("place blue 0 1 1", "place blue 0 2 1", "pick 0 1 1"),
    "ego": ("place blue 1 0 0", "place blue 1 1 0", "pick 1 0 0"),
}

_TOOLS = """
# Tools

You may call the tools as often as you need: they know the board and where you look, not what is right. cells_from \
tells which cells lie in a direction, as you see it, and what is in them; try_actions carries out actions on the board \
as it is now and tells which of them are possible. Nothing that you try is kept: the answer is what you write at the \
end.
"""

_ANSWER = """
# Your answer

Think as long as you need: which words are still to be done, which block is meant, which cells, whether each is empty \
and supported. Then end with a line that holds only {marker} and below it all actions in their order, one per line, \
and nothing else. Only what follows the last {marker} is read."""

_USER = """\
The game so far, up to where you act:

{body}
Work out what to do next. End with {marker} and the actions, one per line."""


def system_message(representation: str, form: str, example_lines: list[str], tools: bool) -> str:
    """Return the rules as a system message.

    Args:
        representation: of `bap_v2_dataset.items.prompts`: how cells are named, and what is told.
        form: how actions are written, a line for each kind.
        example_lines: the actions of the worked example (`example`) in that form.
        tools: whether the model can call them.
    """
    seen = representation_of(representation)
    view = _EGO_VIEW if seen.egocentric else _WORLD_VIEW if seen.pose else _NO_VIEW
    rules = _DIRECTIONS.format(
        history=_HISTORY["ego" if seen.egocentric else "world"],
        structure=_STRUCTURE["told" if seen.structure else "untold"],
        form=form,
    )
    shown = "" if not seen.pose else _EGO_EXAMPLE if seen.egocentric else _WORLD_EXAMPLE  # it needs the yaw
    shown = shown.format(example="\n".join([MARKER, *example_lines]))
    return _TASK + view + rules + shown + (_TOOLS if tools else "") + _ANSWER.format(marker=MARKER)


def example(representation: str) -> tuple[str, ...]:
    """Return the actions of the worked example, in the notation."""
    return _EXAMPLES["ego" if representation_of(representation).egocentric else "world"]


def user_message(prompt: str) -> str:
    """Return what is asked about an item, from its prompt as `bap_v2_dataset.items.prompts.render` gives it.

    The heading and the ending of Table 5 are left out: they ask for actions at once.
    """
    _, _, body = prompt.partition("\n")
    return _USER.format(body=body.removesuffix("### AS:\n"), marker=MARKER)


def answer_message(actions: str) -> str:
    """Return the answer of a shot."""
    return f"{MARKER}\n{actions}"
