"""Tables in no format yet: cells, lines, and what stands above and below them."""

from collections.abc import Sequence
from dataclasses import dataclass

NO_VALUE = "–"


@dataclass(frozen=True)
class Value:
    """A number, in percent if the heading names no other unit; with an interval, or the spread of several runs."""

    value: float
    low: float | None = None
    high: float | None = None
    deviation: float | None = None  # the standard deviation over several runs, of which the value is the mean
    digits: int = 1  # behind the point


Cell = str | Value


@dataclass(frozen=True)
class Line:
    cells: Sequence[Cell]
    paper: bool = False  # a number of the paper, not ours
    opens: bool = False  # a group of lines


@dataclass(frozen=True)
class ScoreTable:
    name: str  # of files and labels
    title: str
    headings: Sequence[str]
    lines: Sequence[Line]
    n_texts: int  # columns at the left that hold text; the others hold numbers
    note: str = ""
    paper: str = ""  # the key of the paper whose table it is, where the title names one; "": BAP v2
    drawn: str = ""  # over what its intervals are, of a table about one test set; "": over what those of the report are
    bold: str = ""  # the heading of the column that is most looked at


def shown(lines: Sequence[Line]) -> "list[tuple[Line, list[Cell]]]":
    """Return the lines with their cells; the first says nothing where it repeats the line above."""
    above: Cell | None = None
    result = []
    for line in lines:
        first, *others = line.cells
        result.append((line, ["" if first == above and not line.opens else first, *others]))
        above = first
    return result


def p_value(p: float) -> str:
    """Format a p-value.

    >>> p_value(0.0004), p_value(0.2)
    ('<0.001', '0.200')
    """
    return f"{p:.3f}" if p >= 0.001 else "<0.001"


def two_lines(heading: str) -> str:
    """Return the heading of a narrow column.

    >>> two_lines("Overall (fairer F1)")
    'Overall\\n(fairer F1)'
    """
    return heading.replace(" (", "\n(", 1)
