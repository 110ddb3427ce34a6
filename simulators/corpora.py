"""The three synthetic corpora: which simulator makes them, and how many items they have (BAP v2, Table 3)."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from bap_v2_simulators.random_blocks import RandomBlocks
from bap_v2_simulators.shape_blocks import ShapeBlocks
from bap_v2_simulators.simulation import SettingsError, Simulator, structure_stream
from bap_v2_simulators.whole_shapes import WholeShapes

SIMULATORS: Mapping[str, type] = {"dr": RandomBlocks, "dsb": ShapeBlocks, "dss": WholeShapes}
SIZES: Mapping[str, Mapping[str, int]] = {  # items
    "dr": {"train": 15_825, "validation": 1_161, "test": 1_089},
    "dsb": {"train": 9_890, "validation": 1_186, "test": 1_181},
    "dss": {"train": 11_868, "validation": 1_000, "test": 1_000},
}


class Planned(NamedTuple):
    """A game of a corpus, before it is played."""

    index: int
    turns: int  # that is, items; fewer than it has if the corpus ends within it


def games_of(simulator: Simulator, split: str, items: int, seed: int = 0) -> Iterator[Planned]:
    """The games 0, 1, 2, ... that have so many items together; the last one may be cut short."""
    index = 0
    while items > 0:
        turns = min(items, simulator.number_of_turns(structure_stream(simulator, split, seed, index), split))
        yield Planned(index, turns)
        items -= turns
        index += 1


def simulator_of(name: str, settings: Mapping[str, str] | None = None) -> Simulator:
    """The simulator of a corpus, with settings other than those of the published corpora.

    Args:
        name: dr, dsb or dss.
        settings: by name, as text; parts of a setting after a dot, several values with commas:
            {"most_turns": "10", "talk.clarification": "0.5", "target.kinds": "row,plane"}.
    Raises:
        SettingsError: with the names or values that there are.

    >>> simulator_of("dr", {"removal": "0.3"}).removal
    0.3
    """
    if name not in SIMULATORS:
        raise SettingsError(f"unknown simulator {name!r} (expected one of {', '.join(SIMULATORS)})")
    simulator = SIMULATORS[name]()
    for path, text in (settings or {}).items():
        simulator = _changed(simulator, path.split("."), text, path)
    return simulator


def settings_of(simulator: Any, prefix: str = "") -> dict[str, Any]:
    """The settings by name, as `simulator_of` takes them, with their values."""
    found: dict[str, Any] = {}
    for field in fields(simulator):
        value = getattr(simulator, field.name)
        if is_dataclass(value):
            found |= settings_of(value, f"{prefix}{field.name}.")
        elif isinstance(value, tuple):
            found[prefix + field.name] = ",".join(_plain(one) for one in value)
        else:
            found[prefix + field.name] = value
    return found


def _changed(settings: Any, path: list[str], text: str, whole: str) -> Any:
    names = {field.name for field in fields(settings)}
    if path[0] not in names or is_dataclass(getattr(settings, path[0])) != (len(path) > 1):
        known = ", ".join(settings_of(settings))
        raise SettingsError(f"unknown setting {whole!r} (expected one of {known})")
    if len(path) > 1:
        value = _changed(getattr(settings, path[0]), path[1:], text, whole)
    else:
        value = _read(get_type_hints(type(settings))[path[0]], text, whole)
    try:
        return replace(settings, **{path[0]: value})
    except SettingsError:
        raise
    except ValueError as error:
        raise SettingsError(str(error)) from None


def _read(kind: Any, text: str, name: str) -> Any:
    if get_origin(kind) is tuple:
        return tuple(_read(get_args(kind)[0], part.strip(), name) for part in text.split(","))
    try:
        return kind(text)
    except ValueError:
        expected = ", ".join(one.value for one in kind) if issubclass(kind, Enum) else f"a {kind.__name__}"
        raise SettingsError(f"{name}={text}: expected {expected}") from None


def _plain(value: Any) -> str:
    return value.value if isinstance(value, Enum) else str(value)
