"""Old names of commands and options: they work, with a line on the standard error, and no help shows them."""

from collections.abc import Callable, Sequence
from pathlib import Path

_COMMANDS = {"compare": "compare-corpora"}
_OPTIONS = {
    "play": {"--output": "--out"},
    "play-games": {"--output": "--out"},
}


def with_new_names(words: Sequence[str], note: Callable[[str], None]) -> list[str]:
    """A command and its arguments, with new names in place of old ones.

    Args:
        words: of the command line, after `bap-v2`.
        note: called with each sentence that says a new name.

    >>> with_new_names(["compare", "--games", "9"], print)
    note: bap-v2 compare is now bap-v2 compare-corpora
    ['compare-corpora', '--games', '9']
    """
    if not words:
        return []
    command, *arguments = words
    if command == "compare" and any(Path(word).is_file() for word in arguments):
        note("note: predictions are compared by bap-v2 score; simulated games by bap-v2 compare-corpora")
        command = "score"
    if command in _COMMANDS:
        note(f"note: bap-v2 {command} is now bap-v2 {_COMMANDS[command]}")
        command = _COMMANDS[command]
    if command == "play":
        command, arguments = _play(arguments, note)
    if command == "score":
        arguments = _score(arguments, note)
    renamed = []
    for word in arguments:
        name, equals, value = word.partition("=")
        if name in (new := _OPTIONS.get(command, {})):
            note(f"note: {name} is now {new[name]}")
            word = f"{new[name]}{equals}{value}"
        renamed.append(word)
    return [command, *renamed]


def _play(arguments: list[str], note: Callable[[str], None]) -> tuple[str, list[str]]:
    """`play` was also the command for games without a person."""
    names = [word.partition("=")[0] for word in arguments]
    if "--builder" in names:
        at = names.index("--builder")
        words = arguments[at].split("=", 1) if "=" in arguments[at] else arguments[at : at + 2]
        if words[1:] == ["person"]:
            note("note: bap-v2 play is for a person: --builder person is not needed")
            end = at + (1 if "=" in arguments[at] else 2)
            return "play", [*arguments[:at], *arguments[end:]]
    if {"--builder", "--games", "--json"}.intersection(names) and "--browser" not in names:
        note("note: bap-v2 play is for a person; games of a rule or a model are bap-v2 play-games")
        return "play-games", arguments
    return "play", arguments


def _score(arguments: list[str], note: Callable[[str], None]) -> list[str]:
    """`--json FILE` wrote scores; now `--json` prints them, and what follows is a prediction file."""
    renamed = list(arguments)
    for place, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name != "--json":
            continue
        if equals or _is_for_scores(*arguments[place + 1 : place + 2]):
            note("note: --json FILE is now --out FILE; --json prints")
            renamed[place] = f"--out{equals}{value}"
    return renamed


def _is_for_scores(word: str = "-") -> bool:
    """Whether a word names a file of scores: an earlier one, or a new one that ends in .json."""
    path = Path(word)
    if word.startswith("-") or "=" in word or path.is_dir():
        return False
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as file:
            return file.read(200).lstrip().startswith((b'{\n  "settings"', b'{"settings"'))
    return path.suffix == ".json" or (path.exists() and not path.is_file())  # also a device
