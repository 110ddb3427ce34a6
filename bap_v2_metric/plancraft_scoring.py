"""The scorer "plancraft": episodes of crafting, by success, efficiency and what is said of impossible tasks.

Turns are read in `plancraft_turns` and `plancraft_lenient`, episodes counted in `plancraft_items`, scores made of them
in `plancraft_scores`, and how sure those are is in `plancraft_resampling` (Dagan et al. 2025, 4.1).
"""

from .plancraft_items import PREDICTION, REFERENCE, check_items, kinds_of, score_items
from .plancraft_resampling import bootstrap, paired_bootstrap
from .plancraft_scores import PLANCRAFT_VERSION, aggregate, signature

__all__ = [
    "PLANCRAFT_VERSION", "PREDICTION", "REFERENCE", "aggregate", "bootstrap", "check_items", "kinds_of",
    "paired_bootstrap", "score_items", "signature",
]  # fmt: skip
