"""Where an answer stands in what a model wrote: its plain text, and the markers before the answer (GSU)."""

import re
from collections.abc import Iterator

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),
        **dict.fromkeys("\u2014\u2190\u2192\u21a6\u21d2\u27a1\u279c\u2794\u27f6\uff1b", ";"),
        **dict.fromkeys("\u2018\u2019", "'"),
        **dict.fromkeys("\u201c\u201d", '"'),
        "\u00d7": "x", "\u00b0": " degrees ", "\uff08": "(", "\uff09": ")", "\uff0c": ",", "\uff1a": ":",
        "\u27e8": "<", "\u27e9": ">", "\r": "\n",
    }
)  # fmt: skip
# What a command of LaTeX stands for; those that are not here stay as they are.
_COMMANDS = {
    **dict.fromkeys(
        (r"\left", r"\right", r"\big", r"\bigl", r"\bigr", r"\Big", r"\quad", r"\qquad", r"\displaystyle", r"\,", r"\;",
         r"\:", r"\!", r"\ ", r"\(", r"\)", r"\[", r"\]"), " ",
    ),
    **dict.fromkeys((r"\rightarrow", r"\to", r"\Rightarrow", r"\longrightarrow", r"\implies"), ";"),
    r"\times": "x", r"\{": "{", r"\}": "}", r"\langle": "<", r"\rangle": ">", r"\-": "-", r"\#": "#", r"\*": "*",
    r"\_": "_", r"\circ": " degrees ", r"\degree": " degrees ", "\\\\": "\n",
}  # fmt: skip
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
