"""Reads the reasoning traces of GSU alone, without their questions, and checks what every line claims."""

import re
from decimal import Decimal
from typing import NamedTuple

RING = ("positive y", "positive x", "negative y", "negative x")  # each a quarter turn clockwise from the one before
COMPASS = ("north", "east", "south", "west")
QUARTERS = {"forward": 0, "right": 1, "backward": 2, "left": 3}
UPRIGHT = {"up": "positive z", "down": "negative z"}
ORDER = ("left", "right", "front", "behind", "above", "below")
NUMBER = r"-?\d+(?:\.\d+)?"
WAY = r"(?:positive|negative) [xyz]"
POSITION = rf"\({NUMBER}(?:, {NUMBER})+\)"
STEP = rf"(?P<direction>[a-z]+) (?P<length>{NUMBER})"
CHANGE = rf"(?P<axis>[xyz]) (?P<verb>grows|shrinks) by (?P<by>{NUMBER})"
NOW = rf"(?: Now I face (?P<now>{WAY})\.)?"
FACING = rf"(?:[Ff]acing (?P<facing>{WAY}), )?"
STAYS = r"(?P<stays>, and I do not turn)?"
FOLLOWED = re.compile(
    rf"(?P<n>\d+)\. {STEP}: {FACING}(?P<said>\w+) is (?P<way>{WAY}){STAYS}, so {CHANGE}: "
    rf"\((?P<sums>[^()]+)\) = (?P<there>{POSITION})\.{NOW}"
)
INSTRUCTED = re.compile(
    rf"(?P<n>\d+)\. (?P<here>{POSITION}) to (?P<there>{POSITION}): {CHANGE}\. {FACING}(?P<way>{WAY}) is (?P<said>\w+)"
    rf"{STAYS}: {STEP}\.{NOW}",
    re.IGNORECASE,
)
TURNED = re.compile(
    rf"(?P<n>\d+)\. (?P<way>\w+) (?P<by>{NUMBER}): "
    rf"(?:Facing (?P<facing>\w+), (?P<again>\w+) is (?P<said>\w+)|I do not turn): {STEP}\."
    rf"(?: Now I face (?P<now>\w+)\.)?"
)
MEANING = re.compile(r"larger (?P<axis>[xyz]) is (?P<larger>\w+), smaller (?P=axis) is (?P<smaller>\w+)")
COMPARED = re.compile(
    rf"(?P<axis>[xyz]): (?P<one>{NUMBER}) (?P<sign>[<>=]) (?P<other>{NUMBER}), (?:the same|so (?P<word>\w+))\."
)
PLACES = re.compile(
    rf"The (?P<color>\w+) block is at (?P<target>{POSITION}), and (?:I am|the (?P<base>\w+) block is) at "
    rf"(?P<other>{POSITION})\."
)
SPAN = r"-?\d+(?: to -?\d+)?"
SPANS = re.compile(
    rf"(?P<axis>[xyz]): (?P<one>{SPAN}) (?P<sign>[<>]|and) (?P<other>{SPAN})(?: overlap|, so (?P<word>\w+))\."
)


class Trace(NamedTuple):
    """What a trace says."""

    answer: str
    positions: list[tuple[Decimal, ...]]  # of the start and after each step, as far as they are said
    headings: list[str]  # at the start and after each step; "" where nobody turns
    steps: list[tuple[str, Decimal]]


def read_trace(trace: str) -> Trace:
    """What follows from a trace alone. Raises: AssertionError, if a line does not follow from those before it."""
    first, *_ = lines = trace.split("\n")
    if first.startswith("The "):
        return _placed(lines)
    if first.startswith("I start at"):
        walk = [line for line in lines if line.startswith("I start") or line[0].isdigit()]
        read = _followed(walk)
        seen = lines[len(walk) :]
        if not seen:
            return read
        assert seen[0].startswith(f"I face {read.headings[-1]}: ")
        return read._replace(answer=_located(seen))
    return _turned(lines) if first == "I face north." else _instructed(lines)


def _followed(lines):
    start = re.fullmatch(rf"I start at (?P<here>{POSITION})(?:, facing (?P<facing>{WAY}))?\.", lines[0])
    positions, headings, steps = [_numbers(start["here"])], [start["facing"] or ""], []
    for n, line in enumerate(lines[1:], 1):
        match = FOLLOWED.fullmatch(line)
        assert match and int(match["n"]) == n and match["said"].lower() == match["direction"], line
        sums = [part.split() for part in match["sums"].split(", ")]
        assert tuple(Decimal(part[0]) for part in sums) == positions[-1], line
        assert _changed_axes(sums) == [("xyz".index(match["axis"]), match["verb"] == "grows", match["by"])], line
        there = tuple(Decimal(part[0]) + (Decimal(part[1] + part[2]) if part[1:] else 0) for part in sums)
        assert there == _numbers(match["there"]) and match["by"] == match["length"], line
        positions.append(there)
        headings.append(_checked_heading(match, headings[-1]))
        steps.append((match["direction"], Decimal(match["length"])))
    return Trace(_position_text(positions[-1]), positions, headings, steps)


def _instructed(lines):
    headings, positions, steps = [""], [], []
    if lines[0].startswith("I face"):
        headings = [re.fullmatch(rf"I face ({WAY})\.", lines.pop(0))[1]]
    for n, line in enumerate(lines, 1):
        match = INSTRUCTED.fullmatch(line)
        assert match and int(match["n"]) == n and match["said"] == match["direction"], line
        here, there = _numbers(match["here"]), _numbers(match["there"])
        assert here == positions[-1] if positions else not any(here), line
        changes = {"xyz"[axis]: b - a for axis, (a, b) in enumerate(zip(here, there)) if a != b}
        by = Decimal(match["by"]) * (1 if match["verb"] == "grows" else -1)
        assert changes == {match["axis"]: by} and match["by"] == match["length"], line
        positions += [there] if positions else [here, there]
        headings.append(_checked_heading(match, headings[-1]))
        steps.append((match["direction"], Decimal(match["length"])))
    return Trace(_chain_text(steps), positions, headings, steps)


def _turned(lines):
    headings, steps = ["north"], []
    for n, line in enumerate(lines[1:], 1):
        match = TURNED.fullmatch(line)
        assert match and int(match["n"]) == n and match["by"] == match["length"], line
        direction, heading, way = match["direction"], headings[-1], match["way"]
        if direction in UPRIGHT:
            assert not match["facing"] and way == direction and not match["now"], line
        else:
            assert (match["facing"], match["again"], match["said"]) == (heading, way, direction), line
            assert way == COMPASS[(COMPASS.index(heading) + QUARTERS[direction]) % 4], line
            assert match["now"] == (None if way == heading else way), line
            heading = way
        headings.append(heading)
        steps.append((direction, Decimal(match["length"])))
    return Trace(_chain_text(steps), [], headings, steps)


def _checked_heading(match, heading):
    """The heading after a step; `heading` is "" where directions are fixed."""
    direction, way, line = match["direction"], match["way"].lower(), match[0]
    assert way == f"{'positive' if match['verb'] == 'grows' else 'negative'} {match['axis']}", line
    if direction in UPRIGHT:
        assert way == UPRIGHT[direction] and bool(match["stays"]) == bool(heading), line
        assert not match["facing"] and not match["now"], line
        return heading
    assert way == RING[(RING.index(heading or "positive y") + QUARTERS[direction]) % 4], line
    assert (match["facing"] or "") == heading and not match["stays"], line
    assert (match["now"] or heading) == (way if heading else ""), line
    assert bool(match["now"]) == (bool(heading) and way != heading), line
    return way if heading else ""


def _placed(lines):
    """The positions are those that are compared: the target's and the other's."""
    places = PLACES.fullmatch(lines[0])
    assert places and places["color"] != places["base"], lines[0]
    compared = [match for line in lines[2:] for match in [COMPARED.fullmatch(line)] if match]
    for name, number in (("target", "one"), ("other", "other")):
        assert _numbers(places[name]) == tuple(Decimal(match[number]) for match in compared), lines[0]
    return Trace(_located(lines[1:]), [_numbers(places["target"]), _numbers(places["other"])], [], [])


def _located(lines):
    meanings = {match["axis"]: (match["larger"], match["smaller"]) for match in MEANING.finditer(lines[0])}
    assert list(meanings) == list("xyz")[: len(lines) - 1], lines[0]
    words = []
    for axis, line in zip(meanings, lines[1:], strict=True):
        match = COMPARED.fullmatch(line) or SPANS.fullmatch(line)
        assert match and match["axis"] == axis, line
        one, other = _numbers(match["one"]), _numbers(match["other"])
        sign = ">" if one[0] > other[-1] else "<" if one[-1] < other[0] else "and" if match.re is SPANS else "="
        word = dict(zip("><", meanings[axis])).get(sign)
        assert (match["sign"], match["word"]) == (sign, word), line
        words += [word] if word else []
    return ", ".join(sorted(words, key=ORDER.index))


def _changed_axes(sums):
    return [(axis, part[1] == "+", part[2]) for axis, part in enumerate(sums) if part[1:]]


def _numbers(text):
    return tuple(map(Decimal, re.findall(NUMBER, text)))


def _position_text(position):
    return f"({', '.join(f'{value.normalize() + 0:f}' for value in position)})"


def _chain_text(steps):
    return ", ".join(f"{direction} {length:f}" for direction, length in steps)
