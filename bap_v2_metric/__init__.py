"""The BAP v2 metric: what a block is, what an action does, and what counts as right. Standard library only.

This folder is also the `evaluate` Space: `bap_v2.py` is the module that `evaluate.load("bap_v2")` runs.
"""

from .counts import Counts
from .errors import InputError
from .scoring import (
    METRIC_VERSION,
    SIGNATURE,
    aggregate,
    bootstrap,
    bootstrap_f1,
    paired_bootstrap,
    score,
    score_item,
    score_items,
    signature,
)

__all__ = [
    "METRIC_VERSION",
    "SIGNATURE",
    "Counts",
    "InputError",
    "aggregate",
    "bootstrap",
    "bootstrap_f1",
    "paired_bootstrap",
    "score",
    "score_item",
    "score_items",
    "signature",
]
