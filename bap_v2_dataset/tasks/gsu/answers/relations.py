"""Where something is, as models write it: left, right, front, behind, above and below (GSU)."""

import re
from functools import lru_cache

from bap_v2_dataset.tasks.gsu.answers.markers import after_markers, last_line, normalized

# "right in front", "right above": here it is no direction, unless it is "to the right above".
NO_SIDE = (
    r"(?<!the )(?<!your )(?<!my )(?<!its )(?<!to )right(?=\s{1,3}(?:in|on|over|under|underneath|above|below|beneath|"
    r"behind|ahead|at|next|beside|here|there|now|away|back|up|down|angles?|angled)(?![a-z]))"
)
COMMON = {
    "left": r"left(?:wards?)?",
    "right": r"right(?:wards?)?",
    "front": r"in[\s-]front|front|forwards?|ahead",
    "behind": r"behind|back(?:wards?)?|rear",
    "above": r"above|on[\s-]top|over(?:head)?|upper|atop",
    "below": r"below|under(?:neath)?|beneath",
}
_ALSO = {"above": r"|up(?:wards?)?|higher|top", "below": r"|down(?:wards?)?|lower|bottom"}  # in structures of parts
_WORD = re.compile(
    rf"(?<![a-z])(?:{NO_SIDE}|"
    + "|".join(f"(?P<{name}>{words}{_ALSO.get(name, '')})" for name, words in COMMON.items())
    + r")(?![a-z])"
)
_NOT = r"(?<![a-z])(?:not(?!\s{1,3}only)|no|neither|nor)(?![a-z])|n't(?![a-z])"
_DENIED = re.compile(rf"(?:{_NOT})(?:(?!(?<![a-z])but(?![a-z]))[^,;.\n]){{0,400}}")
_ONE = "(?:left|right|front|behind|above|below)"
_CANONICAL = re.compile(rf"{_ONE}(?:, {_ONE}){{0,5}}\.?")
_MARK = re.compile(r"\s{0,12}(?:[-*\u2022+>]|\d{1,3}[.)])\s")


def read_relations(text: str) -> frozenset[str]:
    """Return which of the six directions a text ends on; none if nothing can be read.

    After a marker its line counts, else the last line with a direction. What is denied does not count: "not", "no",
    "neither" and "nor" reach to "but" or to the end of the clause.

    >>> sorted(read_relations("It is neither above nor below, directly behind"))
    ['behind']
    """
    line = last_line(text)
    if line and _CANONICAL.fullmatch(line):
        return _canonical(line.rstrip("."))
    text = normalized(text).lower()
    if not _WORD.search(text):
        return frozenset()
    for part in after_markers(text):
        if relations := _read_block(part.strip().split("\n")):
            return relations
    lines = text.split("\n")
    for number in range(len(lines) - 1, -1, -1):
        if relations := relations_in(lines[number]):
            return relations | _read_block(lines[number::-1])
    return frozenset()


@lru_cache(maxsize=1024)
def _canonical(line: str) -> frozenset[str]:
    return frozenset(line.split(", "))


def _read_block(lines: list[str]) -> frozenset[str]:
    """Return what the first line says; with the lines beside it where each, the first too, has nothing but
    directions."""
    relations = relations_in(lines[0])
    if relations and _is_pure(lines[0]):
        for line in lines[1:7]:
            if not _is_pure(line) or not (further := relations_in(line)):
                break
            relations |= further
    return relations


def _is_pure(line: str) -> bool:
    """Return whether a line has directions, list marks and "and" alone."""
    if len(line) > 60:
        return False
    left = _WORD.sub(" ", _MARK.sub(" ", line))
    return not re.search(r"[a-z0-9]", re.sub(r"(?<![a-z])(?:and|of)(?![a-z])", " ", left))


def relations_in(line: str) -> frozenset[str]:
    """Return the directions that a line of lower case letters says and does not deny."""
    found = {match.lastgroup for match in _WORD.finditer(line)}
    if len(found) == 0 or found == {None}:
        return frozenset()
    if _DENIED.search(line):
        found = {match.lastgroup for match in _WORD.finditer(_DENIED.sub(" ", line))}
    return frozenset(name for name in found if name)
