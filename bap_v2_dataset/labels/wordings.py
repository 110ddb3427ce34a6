"""What a large language model wrote for human train games: their lines in other words, and what was built, told anew.

`data/README.md` says how. The files hold no text of the corpus: a line is found by its digest, a turn by its id.
"""

import gzip
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from random import Random

import orjson


def line_digest(text: str) -> str:
    """Return the first 16 digits of the SHA-256 of what is said, without its speaker."""
    return sha256(text.encode()).hexdigest()[:16]


def reworded(text: str, rng: Random, rate: float) -> str:
    """Return one of the other wordings of a chat line at this rate; else, and if it has none, the line itself."""
    others = wordings().get(line_digest(text))
    return rng.choice(others) if others and rng.random() < rate else text


def retold(name: str) -> list[list[str]]:
    """Return dialogues that say what was built in the train item of this id, with speakers; [] if there are none."""
    return dialogues().get(name, [])


@lru_cache(maxsize=1)
def wordings() -> dict[str, list[str]]:
    """Return the other wordings of lines, by `line_digest`."""
    return {line["line"]: line["wordings"] for line in _lines("mdc_rewordings.jsonl.gz")}


@lru_cache(maxsize=1)
def dialogues() -> dict[str, list[list[str]]]:
    """Return the dialogues of `retold`, by the ids of the items."""
    return {line["id"]: line["dialogues"] for line in _lines("mdc_retold.jsonl.gz")}


def _lines(name: str) -> list[dict]:
    file = files("bap_v2_dataset") / "data" / name
    return list(map(orjson.loads, gzip.decompress(file.read_bytes()).splitlines()))
