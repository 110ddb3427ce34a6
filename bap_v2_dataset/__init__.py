"""The BAP v2 configs of `datasets`: from games to rows, to the caches and to the Hub.

Importing this package registers the builder and the metric, so that `datasets.load_dataset("bap_v2", ...)` and
`evaluate.load("bap_v2")` know the name, and offers the functions of `api`. It imports neither those libraries nor these
functions: the command line starts in a fraction of a second.
"""

from typing import TYPE_CHECKING, Any

from bap_v2_dataset.registration import register_when_imported

if TYPE_CHECKING:
    from bap_v2_dataset.api import builder, evaluate_model, load, messages, score_file, show

__all__ = ["builder", "evaluate_model", "load", "messages", "score_file", "show"]

register_when_imported()


if not TYPE_CHECKING:  # so that type checkers know of no other names

    def __getattr__(name: str) -> Any:
        """The functions of the API, imported when they are used."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from bap_v2_dataset import api

        return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
