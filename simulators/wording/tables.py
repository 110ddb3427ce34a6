"""All tables of words, by name."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from bap_v2_simulators import wording
from bap_v2_simulators.wording.phrases import Phrases


@cache
def tables() -> Mapping[str, tuple[str, Phrases]]:
    """(module, table) of every table with counts of its own, by its name; not of parts and mirror images of tables.

    Raises:
        ValueError: if two tables have the same name.
    """
    by_name: dict[str, tuple[str, Phrases]] = {}
    for found in iter_modules(wording.__path__):
        if found.name == __name__.rpartition(".")[2]:
            continue
        for table in _tables_in(vars(import_module(f"{wording.__name__}.{found.name}"))):
            if by_name.setdefault(table.name, (found.name, table))[1] is not table:
                raise ValueError(f"two tables are called {table.name}: give one of them another name")
    return by_name


def _tables_in(value: object) -> Iterator[Phrases]:
    if isinstance(value, Phrases):
        if not value.derived:
            yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _tables_in(part)
    elif isinstance(value, tuple):
        for part in value:
            yield from _tables_in(part)
