"""Other wordings of what Architects say in human train games, which a large language model wrote.

`data/README.md` says how. The file holds no text of the corpus: a line is found by its digest.
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


@lru_cache(maxsize=1)
def wordings() -> dict[str, list[str]]:
    """Return the other wordings of lines, by `line_digest`."""
    file = files("bap_v2_dataset") / "data" / "mdc_rewordings.jsonl.gz"
    lines = map(orjson.loads, gzip.decompress(file.read_bytes()).splitlines())
    return {line["line"]: line["wordings"] for line in lines}
