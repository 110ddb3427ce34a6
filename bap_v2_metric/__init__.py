"""The BAP v2 metric: what a block is, what an action does, and what counts as right. Standard library only.

This folder is also the `evaluate` Space: `bap_v2.py` is the module that `evaluate.load("bap_v2")` runs.
"""

from .resampling import bootstrap, paired_bootstrap
from .scoring import (
    METRIC_VERSION,
    SIGNATURE,
    InputError,
    aggregate,
    score,
    score_item,
    score_items,
)

__all__ = [
    "METRIC_VERSION",
    "SIGNATURE",
    "InputError",
    "aggregate",
    "bootstrap",
    "paired_bootstrap",
    "score",
    "score_item",
    "score_items",
]
