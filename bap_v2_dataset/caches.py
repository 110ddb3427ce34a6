"""Where the Hugging Face libraries keep their caches, by their own rules, without importing them."""

import os
import sys
from pathlib import Path


def home() -> Path:
    """Return the folder of all their caches: $HF_HOME."""
    if "datasets" in sys.modules:
        return Path(sys.modules["datasets"].config.HF_CACHE_HOME).expanduser()
    default = os.path.join(os.environ.get("XDG_CACHE_HOME", "~/.cache"), "huggingface")
    return Path(os.path.expandvars(os.environ.get("HF_HOME", default))).expanduser()


def datasets_cache() -> Path:
    """Return the folder of the rows."""
    if "datasets" in sys.modules:
        return Path(sys.modules["datasets"].config.HF_DATASETS_CACHE).expanduser()
    return Path(os.environ.get("HF_DATASETS_CACHE", home() / "datasets")).expanduser()


def modules_cache() -> Path:
    """Return the folder of the metric."""
    if "datasets" in sys.modules:
        return Path(sys.modules["datasets"].config.HF_MODULES_CACHE).expanduser()
    return Path(os.environ.get("HF_MODULES_CACHE", home() / "modules")).expanduser()


def is_cached(path: str | os.PathLike[str]) -> bool:
    """Return whether a file lies, or would lie, in one of these folders, or is one above that has to be made."""
    absolute = Path(path).absolute()
    folders = [folder.absolute() for folder in (home(), datasets_cache(), modules_cache())]
    above = not absolute.exists() and any(folder.is_relative_to(absolute) for folder in folders)
    return above or any(absolute.is_relative_to(folder) for folder in folders)
