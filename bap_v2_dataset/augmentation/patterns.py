"""Regular expressions that stand in files: a TOML table of them by name, in which `<NAME>` is the one of that name."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace

_NAME = re.compile("<([A-Z_]+)>")


def filled(expressions: Mapping[str, str | Sequence[str]], **known: str) -> dict[str, str]:
    """Return expressions with others in place of their names: those above them, or known ones. A list is joined.

    >>> filled({"NUMBER": ["one", "|two"], "AMOUNT": "(?:<NUMBER>) <THING>"}, THING="blocks?")
    {'NUMBER': 'one|two', 'AMOUNT': '(?:one|two) blocks?'}
    """
    done = dict(known)
    for name, parts in expressions.items():
        done[name] = _NAME.sub(lambda found: done[found[1]], "".join(parts))
    return {name: done[name] for name in expressions}


def patterns_beside(module: str, **known: str) -> SimpleNamespace:
    """Compile the expressions of the TOML file beside a module (its `__file__`); they are attributes, by name."""
    file = tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))
    return SimpleNamespace(**{name: re.compile(text) for name, text in filled(file, **known).items()})
