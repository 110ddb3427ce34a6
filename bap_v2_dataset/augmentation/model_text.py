"""What a large language model wrote for human train games: paraphrases of their lines, and instructions for what people
built (hindsight relabeling).

`data/README.md` says how. A line is found by its digest, a turn by its id and a digest of what it changes.
"""

import gzip
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from random import Random
from typing import Any

import orjson


def line_digest(text: str) -> str:
    """Return the first 16 digits of the SHA-256 of what is said, without its speaker."""
    return sha256(text.encode()).hexdigest()[:16]


def change_digest(before: Iterable[str], after: Iterable[str]) -> str:
    """Return the same of what an item changes: its board before and after, in notation."""
    return line_digest("\n".join([*sorted(before), "", *sorted(after)]))


def paraphrase(text: str, rng: Random, rate: float) -> str:
    """Return a paraphrase of a chat line at this rate; else, and if it has none, the line itself."""
    others = paraphrases().get(line_digest(text))
    return rng.choice(others) if others and rng.random() < rate else text


def synthetic_dialogues(row: Mapping[str, Any]) -> list[list[str]]:
    """Return dialogues that say what a human train row builds, with speakers; [] if none were written for it."""
    entry = _instructions().get(row["id"])
    known = entry is not None and entry["change"] == change_digest(row["before"], row["after"])
    return entry["dialogues"] if known else []


@lru_cache(maxsize=1)
def paraphrases() -> dict[str, list[str]]:
    """Return the paraphrases of lines, by `line_digest`."""
    return {entry["line"]: entry["paraphrases"] for entry in model_lines("mdc_paraphrases.jsonl.gz")}


@lru_cache(maxsize=1)
def _instructions() -> dict[str, dict[str, Any]]:
    return {entry["id"]: entry for entry in model_lines("mdc_instructions.jsonl.gz")}


def model_lines(name: str) -> list[dict[str, Any]]:
    """Return what a file of `data` holds that a larger model wrote: the objects of its lines."""
    file = files("bap_v2_dataset") / "data" / name
    return list(map(orjson.loads, gzip.decompress(file.read_bytes()).splitlines()))
