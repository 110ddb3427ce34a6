"""What stands below a board in a figure: scores, the dialogue and other lines, and a note."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from bap_v2_dataset.pictures.camera import hidden
from bap_v2_dataset.pictures.cubes import counts_in_words
from bap_v2_dataset.pictures.figures import place_of, width_of, wrapped
from bap_v2_dataset.pictures.projection import Camera
from bap_v2_dataset.tasks.building.paper import SHORT_COLUMNS
from bap_v2_dataset.tasks.building.pictures.columns import Column, Excerpt

SIZE = 7.5  # points
_INDENT = 0.16  # inches after the speaker
_MOST_LINES = 14  # of a dialogue
_MARKED = {"facecolor": "#ffe066", "edgecolor": "none", "pad": 0.6}


def text_below(
    column: Column, inches: float, camera: Camera, dpi: float | None
) -> Iterator[tuple[int, float, str, dict[str, Any]]]:
    """What stands below a board: line, indent in inches, text, style.

    Args:
        inches: of width that there is.
        camera: by which the board is seen.
        dpi: of the picture; None: it is no grid of dots.
    """
    first = 0
    if column.scores is not None:
        for line in wrapped(counts_in_words(column.cubes, len(hidden(column.cubes, camera.eye))), inches, SIZE):
            yield first, 0.0, line, {}
            first += 1
        widths = [width_of(title, SIZE, title == "Overall") for title in SHORT_COLUMNS.values()]
        gap = min((inches - sum(widths)) / (len(widths) - 1), 0.25)
        for place, (measure, title) in enumerate(SHORT_COLUMNS.items()):
            left = sum(widths[:place]) + gap * place
            weight = {"fontweight": "bold"} if title == "Overall" else {}
            yield first, left, title, {"color": "#444444", **weight}
            yield first + 1, left, f"{column.scores[measure]:.2f}", weight
        first += 2
    name, _, words = column.dialogue_name.partition(" ")
    said = [Excerpt(name, words, column.dialogue)] if column.dialogue_name or column.dialogue else []
    for excerpt in (*said, *column.excerpts):
        last = first
        for line, indent, text, style in _lines(excerpt, inches, dpi):
            yield first + line, indent, text, style
            last = max(last, first + line)
        first = last + 1
    if column.note:
        for number, line in enumerate(wrapped(column.note, inches, SIZE)):
            yield first + number, 0.0, line, {"color": "#444444", "fontstyle": "italic"}


def _lines(excerpt: Excerpt, inches: float, dpi: float | None) -> Iterator[tuple[int, float, str, dict[str, Any]]]:
    """As `text_below`, from line 0. Under words that stand out lies a text of the same size without ink, on yellow."""
    lines: list[list[tuple[float, str, dict[str, Any]]]] = []
    for utterance, changed in zip_longest(excerpt.lines, excerpt.changed, fillvalue=frozenset()):
        speaker, said, text = utterance.partition("> ")
        style = {"fontstyle": "italic"} if speaker == "<Builder" else {}
        indent = _INDENT if said else 0.0
        word = len(utterance.split()) - len(text.split()) if said else 0
        for number, line in enumerate(wrapped(text if said else utterance, inches - indent, SIZE)):
            row: list[tuple[float, str, dict[str, Any]]] = []
            if said and not number:
                row.append((0.0, f"{speaker.strip('<>')[:1]}:", {"fontweight": "bold"}))
            words = line.split(" ")
            places = [place for place in range(len(words)) if word + place in changed]
            for first, last in _runs(places):
                marked = " ".join(words[first : last + 1])
                left = place_of(marked, " ".join([*words[:first], ""]) if first else "", SIZE, dpi)
                row.append((indent + left, marked, {**style, "color": "none", "bbox": _MARKED}))
            word += len(words)
            lines.append([*row, (indent, line, style)])
    if len(lines) > _MOST_LINES:  # the end is what the Builder acts on
        lines = [[(_INDENT, "…", {})], *lines[len(lines) - _MOST_LINES + 1 :]]
    heading = 0
    if excerpt.name:
        yield 0, 0.0, excerpt.name, {"color": "#444444", "fontweight": "bold"}
        yield 0, width_of(excerpt.name, SIZE, bold=True) + 0.06, excerpt.words, {"color": "#444444"}
        heading = 1
    for number, row in enumerate(lines):
        for indent, text, style in row:
            yield heading + number, indent, text, style


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The first and last of each run of numbers that follow one another.

    >>> _runs([0, 1, 2, 5])
    [(0, 2), (5, 5)]
    """
    starts = [number for number in numbers if number - 1 not in numbers]
    return list(zip(starts, [number for number in numbers if number + 1 not in numbers]))
