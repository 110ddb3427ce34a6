"""What a system says for the Architect, line by line, and who said what last."""

from collections.abc import Sequence

_ARCHITECT, _BUILDER = "<Architect>", "<Builder>"


def spoken(text: str) -> list[str]:
    """The utterances of a prediction, each with `<Architect> ` in front; blank lines are none.

    A model may go on with the game: what follows a line of the Builder is not read, nor is that line.

    >>> spoken("a red one on top\\n<Architect> and a blue one\\n<Builder> ok\\nplace red 0 2 0")
    ['<Architect> a red one on top', '<Architect> and a blue one']
    """
    lines = []
    for line in text.splitlines():
        if _is_of_builder(line):
            break
        if words := line.strip().removeprefix(_ARCHITECT).strip():
            lines.append(f"{_ARCHITECT} {words}")
    return lines


def is_cut(text: str) -> bool:
    """Whether a prediction has a line of the Builder, from which on it is not read.

    >>> is_cut("a red one\\n<Builder> ok"), is_cut("a red one")
    (True, False)
    """
    return any(map(_is_of_builder, text.splitlines()))


def turn_of_the_architect(dialogue: Sequence[str]) -> tuple[int, int]:
    """Where the last lines of the Architect in a row begin and end; an empty range if it says nothing.

    >>> turn_of_the_architect(["<Architect> a block", "<Builder> which?", "<Architect> a red one", "<Builder> ok"])
    (2, 3)
    """
    end = len(dialogue)
    while end and not dialogue[end - 1].startswith(_ARCHITECT):
        end -= 1
    start = end
    while start and dialogue[start - 1].startswith(_ARCHITECT):
        start -= 1
    return start, end


def since_the_last_action(history: Sequence[str]) -> int:
    """Where the lines of chat begin that nothing was done after.

    >>> since_the_last_action(["<Architect> hi", "place red 0 1 0", "<Architect> good"])
    2
    """
    start = len(history)
    while start and history[start - 1].startswith("<"):
        start -= 1
    return start


def _is_of_builder(line: str) -> bool:
    return line.strip().startswith(_BUILDER)
