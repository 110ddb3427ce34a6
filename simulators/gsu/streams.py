"""Where the randomness of a GSU item comes from, and which split an item belongs to."""

import hashlib
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from bap_v2_simulators.settings import SettingsError, check_seed
from bap_v2_simulators.simulation import SPLITS

T = TypeVar("T")
_SPLITS = ("train", "train", "validation", "test")


def stream(family: str, version: str, variant: str, split: str, seed: int, index: int, name: str) -> Random:
    """Return one of the random streams of an item, named, not numbered: neighboring seeds have nothing in common.

    Args:
        family: the simulator.
        variant: what tells its configs apart; configs of equal variants are paired, item by item.
        name: of the stream.
    Raises:
        SettingsError: for an unknown split, a seed that is not a whole number of 64 bits, and a negative index.
    """
    check_seed(seed)
    if split not in SPLITS:
        raise SettingsError(f"unknown split {split!r} (expected one of {', '.join(SPLITS)})")
    if index < 0:
        raise SettingsError(f"index={index}: expected 0 or more")
    return Random(f"{family} {version} {variant} {split} {seed} {index} {name}")


def drawn(rng: Random, values: Sequence[T], n: int) -> list[T]:
    """n of the values in random order, none twice: as `random.sample`, in half the time."""
    pool, size, draw = list(values), len(values), rng.random
    for at in range(n):
        other = at + int(draw() * (size - at))
        pool[at], pool[other] = pool[other], pool[at]
    return pool[:n]


def split_of(key: str) -> str:
    """Return the split that may hold the items of a key, whatever the seed; items of another split are drawn again.

    The hash has to mix well: with a checksum such as CRC-32, short keys that differ in a digit or a color are spread so
    unevenly that one split has all cubes of a size.
    """
    return _SPLITS[hashlib.blake2b(key.encode(), digest_size=1).digest()[0] % len(_SPLITS)]
