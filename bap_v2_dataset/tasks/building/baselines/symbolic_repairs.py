"""Reads turns that say nothing new: "no, other side", "yes, keep going", or no Architect at all.

What they ask for is what the instruction before asked for, without what stands there. So that instruction is read once
more, on the board as it was then. Proposals of the Builder ("to the left?" - "yep") become questions and answers.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from bap_v2_dataset.tasks.building.baselines.symbolic_changes import changed
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLOR, COLORS, one_line
from bap_v2_dataset.tasks.building.baselines.symbolic_turn_rules import TO, way_of
from bap_v2_dataset.tasks.building.baselines.symbolic_world import World
from bap_v2_metric.actions import Action, execute
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import format_structure, parse_action, parse_structure

_YES_ALONE = re.compile(
    one_line(r"""
    (?:(?:yes|yep|yup|yeah|mhm|perfect|great|good|nice|awesome|exactly|correct|looks|looking|like|just|that|that's|it
    |keep|going|go|on|so|far|and|now|the|rest|you|got)(?:[\s,.!]+|$))+
""")
)
_BEGUN = r"(?:(?:no|nope|not quite|almost|close|hmm|sorry|oops|whoops|wait|oh|ah|my bad|hold on)(?:[,.!]+ | |[,.!]*$))*"
_SHOULD = r"(?:(?:i meant|(?:it |that |they |those )?(?:should|needs to) (?:be|go)|make it|it goes|put it)(?: going)? )"
_TURNED = one_line(r"""
    (?:upright|standing(?: up)?|vertical(?:ly)?|flat(?: on the ground)?|(?:lying|laying)(?: (?:down|flat))?|horizontal)
""")
_PLACE = one_line(r"""
    (?:(?:on|to) (?:the |your )?(?:left|right)(?: side)?|left|right|behind(?: it)?|in front(?: of it)?
    |on top(?: of it)?)
""")
_BESIDE = r"(?:next to|beside) it"
_ONCE_MORE = re.compile(  # what the instruction before said, without saying it
    one_line(rf"""
    {_BEGUN}(?:(?:not|that's not) (?:quite|that|like that|what i meant|it|right|correct)
    |no that's not (?:right|correct)|off by one|wrong color
    |{_SHOULD}?(?:(?:on|at) )?(?:the )?(?:other|opposite|wrong) (?:side|end|way|direction)(?: of it)?
    |(?:{_SHOULD}|going )(?:the )?(?:other|opposite) way|(?:{_SHOULD}|going |it should )(?:go )?{TO}
    |(?:{_SHOULD}|not {_PLACE}, |not {_BESIDE}, )(?:{_PLACE}|{_BESIDE})
    |(?:{_PLACE}|{_BESIDE}), not (?:{_PLACE}|{_BESIDE})|not (?:{_PLACE}|{_BESIDE}|{_TURNED}|{COLOR})
    |make it stand|it should lie flat|it should go up|up, not flat
    |(?:not {_TURNED}, |{_SHOULD})?{_TURNED}(?:, not {_TURNED})?)?(?: please)?[.!]*
""")
)
_ONE_IS_MISSING = re.compile(
    rf"{_BEGUN}(?:(?:and |add |it needs )?(?:one|1) more(?: block| to go)?|(?:it's |you're )?one short"
    r"|(?:there's )?one (?:is )?missing)(?: please)?[.!]*"
)
_AT_ONCE = re.compile(  # what should be there, said of what was just built
    one_line(rf"""
    {_BEGUN}(?:(?:{_SHOULD}|i said |with |use |it should have been |not (?:{COLOR}), |wrong color, )?(?P<color>{COLOR})
    (?: instead(?: of (?:{COLOR}))?)?(?:, not (?:{COLOR}))?
    |(?P<less>(?:that's )?(?:one|1)(?: block)? too many|one less|one fewer|take one off
    |(?:take|remove) the last one(?: off)?)
    |(?:off by one, |(?P<last>(?:move )?the last (?:one|block) (?:is off by one, )?))?
    (?:(?:it )?should (?:be|go) |goes |(?:shift|move|bring) it |(?<=one )|(?<=by one, ))
    (?:one|1|a)(?: space| spot| block)? (?P<to>{TO})
    )(?: please)?[.!]*
""")
)
_YES = re.compile(
    r"(?:that's (?:right|correct)|yes|yep|yup|yeah|mhm|perfect|exactly|right|correct|great|good|sure)\b.*"
)
_NO = re.compile(r"(?:no|nope|nah|not quite|almost|hmm)[,.!]* +(?P<answer>.+)")
_PROPOSAL = re.compile(
    r"(?:(?:so|ok|okay|like|just|sure|hmm|and|you mean|do you mean|should it be|is it)[, ]+)*"
    r"(?P<answer>.+?)(?:, (?:right|yeah|yes|correct)| then)?\?+"
)
_NEXT_TO = re.compile(r" (?:right )?(?:next to|beside) (?P<block>.+)$")
_WHICH_SIDE = re.compile(r"(?:ok, )?(?:on )?(?:which|what) side(?: of it)?\?*")
_SIDES = {"behind": "behind", "back": "behind", "front": "in front of"}
_OPEN = re.compile(r"(?:(?:and|ok|okay|sure|sorry|in|by|at|going)[, ]+)*(?:what|which|where|how|who)\b|.* or ")


def settled(lines: Sequence[str]) -> list[str]:
    """Return the dialogue with proposals of the Builder as questions, and what they come to as the answers."""
    settled = list(lines)
    for position, line in enumerate(settled[1:-1], 1):
        speaker, _, text = line.lower().partition("> ")
        proposal = _PROPOSAL.fullmatch(text) if speaker == "<builder" and not _OPEN.match(text) else None
        answer = settled[position + 1].lower()
        beside = _NEXT_TO.search(settled[position - 1])
        side = re.search(r"\b(?:left|right|back|behind|front)\b", answer)
        if beside and side and _WHICH_SIDE.fullmatch(text):  # "next to it" - "which side?" - "left"
            settled[position - 1] = settled[position - 1][: beside.start()]
            settled[position + 1] = f"<Architect> {_SIDES.get(side[0], f'to the {side[0]} of')} {beside['block']}"
            continue
        if proposal is None or not answer.startswith("<architect> "):
            continue
        if not any(other.startswith("<Architect>") for other in settled[:position]):
            continue
        answer = answer.removeprefix("<architect> ")
        other = _NO.fullmatch(answer)
        if other is not None or _YES.fullmatch(answer):
            settled[position] = "<Builder> which?"
            settled[position + 1] = f"<Architect> {(other or proposal)['answer']}"
    return settled


def remainder(row: Mapping, read: Callable[[Mapping], list[Action]]) -> list[Action] | None:
    """Return what is left of the instruction before; None if the row says something new, or all is as it should be.

    Args:
        row: with `dialogue`, `history` and `before`.
        read: what the words of a row ask for.
    """
    # Nothing new is said, or in what was just built something is put right.
    lines = [line.partition("> ")[2].lower() for line in row["dialogue"] if line.startswith("<Architect>")]
    if len(lines) == 1 and (match := _AT_ONCE.fullmatch(lines[0])):
        return _put_right(match, World.of(row))
    one = len(lines) == 1 and _ONE_IS_MISSING.fullmatch(lines[0]) is not None
    if not one and not all(_YES_ALONE.fullmatch(line) or _ONCE_MORE.fullmatch(line) for line in lines):
        return None
    earlier = _turn_before(row)
    if earlier is None or not earlier["before"]:  # on an empty board any place would have been right
        return None
    # What should stand there, and what does.
    goal = execute(parse_structure(earlier["before"]), read(earlier)).after.colors()
    board = parse_structure(row["before"]).colors()
    gone = [cell for cell, color in board.items() if goal.get(cell) is not color]
    missing = {cell: color for cell, color in goal.items() if board.get(cell) is not color}
    if one and (gone or len(missing) != 1):
        return None
    return changed(World.of(row), gone, list(missing.items())) or None


def _put_right(said: re.Match, world: World) -> list[Action] | None:
    """Return what gives the last blocks another color or place, or takes the last one away."""
    run = world.run[-1:] if said["less"] or said["last"] else world.run
    if len({world.board[cell] for cell in run}) != 1:  # which of them?
        return None
    placed = {cell: world.board[cell] for cell in run}
    if said["color"]:
        placed = dict.fromkeys(run, COLORS[said["color"]])
    elif said["to"]:
        placed = {world.cell(cell, way_of(said["to"])): color for cell, color in placed.items()}
    else:
        placed = {}
    gone = [cell for cell in run if placed.get(cell) is not world.board[cell]]
    placed = {cell: color for cell, color in placed.items() if world.board.get(cell) is not color}
    return changed(world, gone, list(placed.items()))


def _turn_before(row: Mapping) -> dict | None:
    """Return the last turn of the history as a row: its dialogue, and all that was before it."""
    history = list(row["history"])
    done = len(history)
    while done and not history[done - 1].startswith("<"):
        done -= 1
    said = done
    while said and history[said - 1].startswith("<"):
        said -= 1
    if said == done or done == len(history):
        return None
    before = [parse_action(line, anywhere=True) for line in history[:said] if not line.startswith("<")]
    board = format_structure(execute(Structure(), before).after)
    return {**row, "dialogue": history[said:done], "history": history[:said], "before": board}
