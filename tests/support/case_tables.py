"""Cases of tests that are data: tables in the TOML file beside a test, with a reason where one is needed."""

import tomllib
from pathlib import Path


def cases_of(test_file: str, name: str) -> list:
    """Return a table of the TOML file beside a test, for `parametrize`: lists, also where the test needs tuples."""
    return tomllib.loads(Path(test_file).with_suffix(".toml").read_text(encoding="utf-8"))[name]
