"""Where an answer stands in what a model wrote: its plain text, and the markers before the answer (GSU)."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_SIGNS = str.maketrans({sign: plain for plain, signs in _FILE["signs"].items() for sign in signs})
_COMMANDS = {command: plain for plain, commands in _FILE["commands"].items() for command in commands}
_STYLED = re.compile(r"\\(?:text|textbf|textit|texttt|textrm|mathrm|mathbf|mathit|operatorname)\s?\{([^{}]{0,300})\}")
_BOXED_NUMBER = re.compile(r"\\(?:boxed|fbox)\s?\{\s?([-+]?\d{1,12}(?:\.\d{1,12})?)\s?\}")  # no answer is one number
_COMMAND = re.compile(r"\\(?:[A-Za-z]{1,20}|[^A-Za-z])", re.DOTALL)
# Four signs # are also a heading: "#### Step 2" is not an answer.
_HEADING = r"\s{0,3}(?:step|part|move|instruction|path|start|\d{1,3}[.)])"
_MARKER = re.compile(
    rf"(?<![a-z])answer(?:\s{{1,3}}is)?\s{{0,3}}[:=]|(?<![a-z])answer\s{{1,3}}is(?![a-z])|#{{4}}(?!{_HEADING})|\\boxed\s?\{{",
    re.IGNORECASE,
)
_BRACE = re.compile(r"[{}]")
_BEFORE_MARKERS = " \n\t"
_CANONICAL_MARKER = "Answer: "


def normalized(text: str) -> str:
    """Return the text in plain signs: minus signs and spaces of one kind, without the signs of Markdown and LaTeX.

    Arrows become semicolons; upper and lower case stay.

    >>> normalized("**Answer:** $\\\\left(\u22123,\\\\,0\\\\right)$")
    'Answer:  (-3, 0 )'
    """
    if not text.isascii() or "\r" in text:
        text = text.translate(_SIGNS)
    if "\\" in text:
        text = _BOXED_NUMBER.sub(r"\1", _STYLED.sub(r"\1", text))
        text = _COMMAND.sub(lambda match: _COMMANDS.get(match[0], match[0]), text)
    for sign, plain in (("**", ""), ("__", ""), ("`", ""), ("$", ""), ("->", ";"), ("=>", ";")):
        if sign in text:
            text = text.replace(sign, plain)
    return text


def after_markers(text: str) -> Iterator[str]:
    """Yield what stands after each marker of a normalized text, up to the next one: of the last marker first.

    Markers are "answer" with "is", ":" or "=", four signs # and "\\boxed{", whose text ends with its brace.

    >>> list(after_markers("The answer is left. Final answer: right"))
    [' right', ' left. Final ']
    """
    end = len(text)
    for marker in reversed(list(_MARKER.finditer(text))):
        part = text[marker.end() : end]
        yield _inside(part) if marker[0][0] == "\\" else part
        end = marker.start()


def _inside(part: str) -> str:
    """Return the part up to the brace that closes one opened before it."""
    depth = 0
    for brace in _BRACE.finditer(part):
        depth += 1 if brace[0] == "{" else -1
        if depth < 0:
            return part[: brace.start()]
    return part


def last_line(text: str) -> str:
    """What stands after the last "Answer: " as gold answers write it, or the whole text; without spaces around it.

    Where this is a canonical answer, it is what the readers read, and they need not look for other markers.
    """
    at = text.rfind(_CANONICAL_MARKER)
    if at < 0:
        return text.strip() if len(text) < 200 else ""
    if len(text) - at > 400 or (at and text[at - 1] not in _BEFORE_MARKERS):
        return ""
    return text[at + len(_CANONICAL_MARKER) :].strip()
