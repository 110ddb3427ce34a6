"""What names the rows in the cache, and their prompts: importing this imports nothing that makes them."""

import hashlib
from collections.abc import Sequence

DATA_VERSION = "0.2.0"  # raised whenever rows change
PROMPT_VERSION = "1"  # of the paper's three inputs: raised whenever a prompt changes by a character
ROW_REPRESENTATIONS = ("n", "n_posb", "n_posb_s")  # the paper's three: columns of a dataset row, `prompt_NAME`


def hashed(parts: Sequence[str]) -> str:
    """Return a short name for all that rows depend on.

    >>> hashed(["0.1.0", "dss"])
    'eac5bb45cf1d1164'
    """
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]
