"""The scorer "gsu": walks, directions and descriptions of structures on grids, against the right ones (GSU, 3 and 4).

What is counted is in `gsu_items`, what comes of it in `gsu_scores`, and how sure that is in `gsu_resampling`.
"""

from .gsu_items import MEASURES, REFERENCE, check_items, score_items
from .gsu_resampling import bootstrap, paired_bootstrap
from .gsu_scores import GSU_VERSION, aggregate, signature

__all__ = [
    "GSU_VERSION", "MEASURES", "REFERENCE", "aggregate", "bootstrap", "check_items", "paired_bootstrap", "score_items",
    "signature",
]  # fmt: skip
