"""Makes the name "bap_v2" known to `datasets` and `evaluate`, without importing them: that takes seconds.

Neither then asks the Hub whether it has something of that name, which without a network takes half a minute.
"""

import functools
import sys
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec

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


class _Registering:
    """Loads a library as its own loader does, and registers then."""

    def __init__(self, loader: "Loader", registration: Callable[[], None]):
        self.loader = loader
        self.registration = registration

    def create_module(self, spec: "ModuleSpec") -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = module.__spec__.loader = self.loader  # for whoever looks for its files
        self.loader.exec_module(module)
        self.registration()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)


class _AfterImport:
    """Finds the libraries as the other finders do, and has their loaders register."""

    registrations = {"datasets": register, "evaluate": register_metric}  # noqa: RUF012 (no instance changes it)

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> "ModuleSpec | None":
        if name not in self.registrations:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        spec = next(filter(None, (finder.find_spec(name, path, target) for finder in others)), None)
        if spec is not None and spec.loader is not None:
            spec.loader = _Registering(spec.loader, self.registrations[name])
        return spec


def register_when_imported() -> None:
    """Registers with each of the libraries now if it is imported, else as soon as it is."""
    for name, registration in _AfterImport.registrations.items():
        if sys.modules.get(name) is not None:  # None: a library that may not be imported
            registration()
    if not any(isinstance(finder, _AfterImport) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterImport())
