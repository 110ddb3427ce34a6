"""What every form of predictions comes down to: entries of an id and a text, and errors that say where."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from bap_v2_metric.errors import UserError

_SHOWN = 80  # characters of what an error quotes


class PredictionError(UserError):
    """A prediction file that cannot be scored; the message names the file, the line and the fix."""


class Entry(NamedTuple):
    """A prediction, and where it stands."""

    place: str  # `line 3`
    row_id: str
    prediction: str
    run: int = 0  # of several answers of one model to an item


@dataclass(frozen=True)
class Fields:
    """The names under which ids and predictions stand; None: those of `formats`.

    A name with dots that is not a field itself leads into objects: `doc.id`.
    """

    id: str | None = None
    prediction: str | None = None


AUTOMATIC = Fields()


@dataclass(frozen=True)
class Content:
    """What a file holds."""

    entries: Iterable[Entry]
    model: str = ""  # that a log names


def shown(text: str) -> str:
    """What an error quotes of a text: its beginning, as any terminal can print it.

    >>> shown("place red \\ud83d")
    'place red ?'
    """
    text = text.encode(errors="replace").decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
