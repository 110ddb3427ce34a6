"""How the Architect of a full game corrects what was built. Nothing was counted: all ways are equally frequent."""

from bap_v2_simulators.wording.phrases import evenly

# {x} is what is to be done.
NOT_RIGHT = evenly("NOT_RIGHT", ("no, {x}", "not quite, {x}", "hmm, {x}", "sorry, {x}", "{x}"))
ASKED = NOT_RIGHT.only(lambda way: way == "{x}")
NO_ROOM = evenly("NO_ROOM", ("we need more room, {x}", "the rest would not fit, {x}", "we would run out of room, {x}"))
# {r} is the block, {at} how much further which way.
MOVED = evenly("MOVED", ("{r} should be {at}", "{r} should go {at}", "move {r} {at}"))
TAKEN_AWAY = evenly("TAKEN_AWAY", ("take {r} away", "take away {r}", "remove {r}"))
IT_TAKEN_AWAY = evenly("IT_TAKEN_AWAY", ("take {r} away", "remove {r}"))
PLACE_TAKEN_AWAY = evenly("PLACE_TAKEN_AWAY", ("take away {r}", "remove {r}"))
ALL_TAKEN_AWAY = evenly("ALL_TAKEN_AWAY", ("take away all that you just placed", "undo all of that"))
ALL_PLACED = ALL_TAKEN_AWAY.only(lambda way: "placed" in way)  # of a turn in which something was taken away, too
ALL_OF_IT = evenly("ALL_OF_IT", ("all of that", "all that you just placed"))
# {c} is a color, {at} where the block is or should be, from another one: "two to the left of the red block".
BLOCK_AT = evenly("BLOCK_AT", ("the {c} block {at}", "the {c} block that is {at}"))
BLOCKS = evenly("BLOCKS", ("a {c} block", "one {c} block"))
ADDED = evenly("ADDED", ("put {b} {at}", "place {b} {at}", "add {b} {at}"))  # {b} is one of BLOCKS
# {n} is a number.
FURTHER = {
    "left": evenly("FURTHER_LEFT", ("{n} further to your left", "{n} more to the left")),
    "right": evenly("FURTHER_RIGHT", ("{n} further to your right", "{n} more to the right")),
    "top": evenly("FURTHER_UP", ("{n} higher", "{n} further up")),
    "bottom": evenly("FURTHER_DOWN", ("{n} lower", "{n} further down")),
    "front": evenly("FURTHER_FRONT", ("{n} closer to you", "{n} more towards you")),
    "behind": evenly("FURTHER_BEHIND", ("{n} further away from you", "{n} further back")),
}
