"""Makes the name "bap_v2" known to `datasets` and `evaluate`, without importing them: that takes seconds.

Neither then asks the Hub whether it has something of that name, which without a network takes half a minute.
"""

import functools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import wrapt

DATASET_NAME = "bap_v2"
BUILDER = "bap_v2_dataset.loading.builder"  # the module that datasets imports for the name
METRIC = "bap_v2_metric.bap_v2"  # the module that evaluate imports for the name


def register() -> None:
    """Makes `load_dataset("bap_v2", ...)` use this builder: config names, keyword arguments, streaming, num_proc.

    `datasets` has no entry point for this, so its module factory is wrapped for exactly this name. Any other name, and
    calls with data files of the user's, go through untouched.
    """
    import datasets.inspect
    import datasets.load

    def ours(*args: Any, data_files: Any = None, data_dir: Any = None, **kwargs: Any) -> Any:
        # No hash: the builder makes its own, which knows the corpus.
        named = {"dataset_name": DATASET_NAME}
        return None if data_files or data_dir else datasets.load.DatasetModule(BUILDER, "", named)

    _wrap("dataset_module_factory", (datasets.load, datasets.inspect), ours)


def register_metric() -> None:
    """Makes `evaluate.load("bap_v2")` use the installed metric, also if nothing is set up.

    Any other name, and calls that ask for a revision or another type of module, go through untouched.
    """
    import evaluate.loading

    from bap_v2_metric import METRIC_VERSION

    def ours(module_type: str | None = None, revision: str | None = None, **kwargs: Any) -> Any:
        is_metric = module_type in (None, "metric") and revision is None
        return evaluate.loading.ImportableModule(METRIC, METRIC_VERSION) if is_metric else None

    _wrap("evaluation_module_factory", (evaluate.loading,), ours)


def _wrap(name: str, modules: Sequence[ModuleType], ours: Callable[..., Any]) -> None:
    """Puts a factory into the modules, once, that asks `ours` for this name; None: the original one is asked."""
    original = getattr(modules[0], name)
    if getattr(original, "_serves_bap_v2", False):
        return

    @functools.wraps(original)
    def factory(path: str, *args: Any, **kwargs: Any) -> Any:
        module = ours(*args, **kwargs) if path == DATASET_NAME else None
        return original(path, *args, **kwargs) if module is None else module

    factory._serves_bap_v2 = True
    for module in modules:
        setattr(module, name, factory)


def register_when_imported() -> None:
    """Registers with each of the libraries now if it is imported, else as soon as it is."""
    wrapt.register_post_import_hook(lambda module: register(), "datasets")
    wrapt.register_post_import_hook(lambda module: register_metric(), "evaluate")
