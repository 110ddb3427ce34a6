"""How the Architect of a full game corrects what was built. Nothing was counted: all ways are equally frequent."""

from bap_v2_simulators.wording.phrases import Phrases


def _evenly(name: str, options: tuple[str, ...]) -> Phrases[str]:
    return Phrases(name, options, (1,) * len(options))


# {x} is what is to be done.
NOT_RIGHT = _evenly("NOT_RIGHT", ("no, {x}", "not quite, {x}", "hmm, {x}", "sorry, {x}", "{x}"))
# {r} is the block, {at} how much further which way.
MOVED = _evenly("MOVED", ("{r} should be {at}", "{r} should go {at}", "move {r} {at}"))
TAKEN_AWAY = _evenly("TAKEN_AWAY", ("take {r} away", "take away {r}", "remove {r}"))
IT_TAKEN_AWAY = _evenly("IT_TAKEN_AWAY", ("take {r} away", "remove {r}"))
PLACE_TAKEN_AWAY = _evenly("PLACE_TAKEN_AWAY", ("take away {r}", "remove {r}"))
ALL_TAKEN_AWAY = _evenly("ALL_TAKEN_AWAY", ("take away all that you just placed", "undo all of that"))
ALL_OF_IT = _evenly("ALL_OF_IT", ("all of that", "all that you just placed"))
# {c} is a color, {at} where the block is or should be, from another one: "two to the left of the red block".
BLOCK_AT = _evenly("BLOCK_AT", ("the {c} block {at}", "the {c} block that is {at}"))
BLOCKS = _evenly("BLOCKS", ("a {c} block", "one {c} block"))
ADDED = _evenly("ADDED", ("put {b} {at}", "place {b} {at}", "add {b} {at}"))  # {b} is one of BLOCKS
# {n} is a number.
FURTHER = {
    "left": _evenly("FURTHER_LEFT", ("{n} further to your left", "{n} more to the left")),
    "right": _evenly("FURTHER_RIGHT", ("{n} further to your right", "{n} more to the right")),
    "top": _evenly("FURTHER_UP", ("{n} higher", "{n} further up")),
    "bottom": _evenly("FURTHER_DOWN", ("{n} lower", "{n} further down")),
    "front": _evenly("FURTHER_FRONT", ("{n} closer to you", "{n} more towards you")),
    "behind": _evenly("FURTHER_BEHIND", ("{n} further away from you", "{n} further back")),
}
