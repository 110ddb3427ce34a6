"""Makes the name "bap_v2" known to `datasets` and `evaluate`, without importing them: that takes seconds.

Neither then asks the Hub whether it has something of that name, which without a network takes half a minute.
"""

import functools
from typing import TYPE_CHECKING, Any

import wrapt

if TYPE_CHECKING:
    import datasets.load
    import evaluate.loading

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

    original = datasets.load.dataset_module_factory
    if getattr(original, "_serves_bap_v2", False):
        return

    @functools.wraps(original)
    def factory(path: str, *args: Any, **kwargs: Any) -> "datasets.load.DatasetModule":
        if path == DATASET_NAME and not kwargs.get("data_files") and not kwargs.get("data_dir"):
            # No hash: the builder makes its own, which knows the corpus.
            return datasets.load.DatasetModule(BUILDER, "", {"dataset_name": DATASET_NAME})
        return original(path, *args, **kwargs)

    factory._serves_bap_v2 = True
    datasets.load.dataset_module_factory = factory
    datasets.inspect.dataset_module_factory = factory


def register_metric() -> None:
    """Makes `evaluate.load("bap_v2")` use the installed metric, also if nothing is set up.

    Any other name, and calls that ask for a revision or another type of module, go through untouched.
    """
    import evaluate.loading

    from bap_v2_metric import METRIC_VERSION

    original = evaluate.loading.evaluation_module_factory
    if getattr(original, "_serves_bap_v2", False):
        return

    @functools.wraps(original)
    def factory(
        path: str, module_type: str | None = None, revision: str | None = None, **kwargs: Any
    ) -> "evaluate.loading.ImportableModule":
        if path == DATASET_NAME and module_type in (None, "metric") and revision is None:
            return evaluate.loading.ImportableModule(METRIC, METRIC_VERSION)
        return original(path, module_type=module_type, revision=revision, **kwargs)

    factory._serves_bap_v2 = True
    evaluate.loading.evaluation_module_factory = factory


def register_when_imported() -> None:
    """Registers with each of the libraries now if it is imported, else as soon as it is."""
    wrapt.register_post_import_hook(lambda module: register(), "datasets")
    wrapt.register_post_import_hook(lambda module: register_metric(), "evaluate")
