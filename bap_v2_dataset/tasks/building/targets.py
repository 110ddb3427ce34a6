"""Which target an item is about, for resamples that draw targets.

- of human games, `metadata["target_id"]`, the corpus's name of the structure: several pairs of people built the same
  one. Copies of a game in other colors keep the name;
- of other items the blocks of `target`, in any order: each simulated game has a structure of its own.
"""

from collections.abc import Hashable, Mapping


def target_of(row: Mapping) -> Hashable | None:
    """The name of an item's target or, without a name, its blocks; None without either.

    >>> target_of({"target": ["red 0 1 0"], "metadata": {"target_id": "C5"}}), target_of({"target": []})
    ('C5', None)
    >>> target_of({"target": ["red 0 1 0", "red 1 1 0"]}) == target_of({"target": ["red 1 1 0", "red 0 1 0"]})
    True
    """
    name = (row.get("metadata") or {}).get("target_id")
    return name if isinstance(name, str) and name else tuple(sorted(row.get("target") or ())) or None
