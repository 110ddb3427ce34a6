"""Settings of simulators as text: `talk.clarification=0.5`. Settings are frozen dataclasses, one inside another."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, get_args, get_origin, get_type_hints

from bap_v2_metric.errors import UserError


class SettingsError(UserError):
    """A setting of a simulator that is not valid; the message names it and what is expected."""


def check_rates(**rates: float) -> None:
    """Raises: SettingsError for the first that is not a number from 0 to 1."""
    for name, value in rates.items():
        if not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
            raise SettingsError(f"{name}={value}: expected a rate between 0 and 1")


def check_seed(seed: int) -> None:
    """Raises: SettingsError if it is not a whole number of at most 64 bits."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not -(2**63) <= seed < 2**63:
        raise SettingsError(f"seed={seed}: expected a whole number of at most 64 bits")


def settings_of(settings: Any, prefix: str = "") -> dict[str, Any]:
    """Return the settings by name, those of a part after a dot; several values are joined by commas."""
    values: dict[str, Any] = {}
    for field in fields(settings):
        value = getattr(settings, field.name)
        if is_dataclass(value):
            values |= settings_of(value, f"{prefix}{field.name}.")
        elif isinstance(value, tuple):
            values[prefix + field.name] = ",".join(_plain(one) for one in value)
        else:
            values[prefix + field.name] = value
    return values


def changed(settings: Any, changes: Mapping[str, str]) -> Any:
    """Return the settings with some of them changed, all at once: only the result has to be valid.

    Args:
        changes: by name, as text: {"most_turns": "10", "target.kinds": "row,plane"}.
    Raises:
        SettingsError: with the names or values that are valid.
    """
    return _changed(settings, changes, "", settings)


def _changed(settings: Any, changes: Mapping[str, str], prefix: str, whole: Any) -> Any:
    # Sort the changes by field; those of parts are passed on.
    kinds = get_type_hints(type(settings))
    values: dict[str, Any] = {}
    inner: dict[str, dict[str, str]] = {}
    for name, text in changes.items():
        first, dot, rest = name.partition(".")
        known = first in {field.name for field in fields(settings)}
        if not known or is_dataclass(getattr(settings, first)) != bool(dot):
            raise SettingsError(f"unknown setting {prefix + name!r} (expected one of {', '.join(settings_of(whole))})")
        if dot:
            inner.setdefault(first, {})[rest] = text
        else:
            values[first] = _read(kinds[first], text, prefix + name)
    for first, parts in inner.items():
        values[first] = _changed(getattr(settings, first), parts, f"{prefix}{first}.", whole)
    # All are set at once, since limits may depend on each other.
    try:
        return replace(settings, **values)
    except SettingsError as error:  # a part does not know by which name it is set
        named = str(error).partition("=")[0] in kinds
        raise SettingsError(f"{prefix if named else ''}{error}") from None


def _read(kind: Any, text: str, name: str) -> Any:
    if get_origin(kind) is tuple:
        return tuple(_read(get_args(kind)[0], part.strip(), name) for part in text.split(","))
    try:
        return _SWITCHES[text.lower()] if kind is bool else kind(text)
    except (ValueError, KeyError):
        expected = ", ".join(one.value for one in kind) if issubclass(kind, Enum) else _EXPECTED[kind]
        raise SettingsError(f"{name}={text}: expected {expected}") from None


_EXPECTED = {int: "a whole number", float: "a number", bool: "true or false"}
_SWITCHES = {"true": True, "false": False}


def _plain(value: Any) -> str:
    return value.value if isinstance(value, Enum) else str(value)
