"""Makes `load_dataset("bap_v2", ...)` known to `datasets`, without importing it: that takes most of a second."""

import functools
from typing import TYPE_CHECKING, Any

import wrapt

if TYPE_CHECKING:
    import datasets.load

DATASET_NAME = "bap_v2"
BUILDER = "bap_v2_dataset.loading.builder"  # the module that datasets imports for the name


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


def register_with_datasets() -> None:
    """Registers now if `datasets` is imported, else as soon as it is."""
    wrapt.register_post_import_hook(lambda module: register(), "datasets")
