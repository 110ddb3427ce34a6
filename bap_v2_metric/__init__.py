"""The BAP v2 metric: what a block is, what an action does, and what counts as right. Standard library only.

This folder is also the `evaluate` Space: `bap_v2.py` is the module that `evaluate.load("bap_v2")` runs. The functions
of the package are imported when they are used: who loads rows needs none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    "METRIC_VERSION", "SIGNATURE", "Counts", "InputError", "aggregate", "bootstrap", "bootstrap_f1", "paired_bootstrap",
    "score", "score_item", "score_items", "signature",
]  # fmt: skip
_PLACES = {"Counts": "counts", "InputError": "errors"}  # of names that `scoring` does not define


if not TYPE_CHECKING:  # so that type checkers know of no other names

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_PLACES.get(name, 'scoring')}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
