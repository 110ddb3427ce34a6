"""Fills the Hugging Face caches, so that the bare names work from any directory, offline, with no import of ours.

    load_dataset("bap_v2", "mdc")     $HF_DATASETS_CACHE/bap_v2/mdc/<version>/<hash>/
    evaluate.load("bap_v2")           $HF_MODULES_CACHE/evaluate_modules/metrics/evaluate-metric--bap_v2/<hash>/

Everything is built elsewhere and moved into place: a setup that is killed breaks neither these calls nor the next one.
"""

import filecmp
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import datasets
from filelock import FileLock

import bap_v2_metric
from bap_v2_dataset.human.corpus_files import CorpusError
from bap_v2_dataset.interface.table import all_configs
from bap_v2_dataset.labels.label import AnnotationError
from bap_v2_dataset.loading.builder import DamagedRowsError, builder_of, damage_of
from bap_v2_dataset.registration import DATASET_NAME
from bap_v2_simulators.atomic_files import acquired

PAGE_MODULES = ("app", "prediction_files", "prediction_records")  # of the metric: what its page alone needs
_UNFINISHED = ".bap_v2-unfinished-"  # outside the folders that datasets and evaluate look into


def install_dataset(
    config: str, num_proc: int | None = None, mdc: str | None = None, labels: str | None = None
) -> Path:
    """Builds the rows of a config into the datasets cache and returns their folder.

    The newest folder of a config is the one that the bare name loads, so those of other versions are deleted.

    Args:
        config: e.g. "mdc".
        num_proc: processes that build rows; the rows are the same for any number. None: one.
        mdc: the human corpus, if the config has human games; by default what BAP_V2_MDC names, else what the last
            setup chose.
        labels: of the test items, if the config has them; by default those of the last setup, else ours.
    Raises:
        bap_v2_dataset.human.corpus_files.CorpusError: if the config needs a corpus that is not set up.
        bap_v2_dataset.labels.label.AnnotationError: if the labels do not fit the corpus.
    """
    # First the configs that this one is made of.
    for name in all_configs()[config].made_of:  # in folders of their own: a killed build would break the look-up
        if installed(name, mdc, labels) is None:
            install_dataset(name, num_proc, mdc, labels)
    # The rows are built beside the cache, and come in when they are whole.
    cache = Path(datasets.config.HF_DATASETS_CACHE).expanduser()
    try:
        builder = builder_of(config, mdc, labels)
    except DamagedRowsError as damaged:
        with _workplace(cache) as workplace:
            _discard(damaged.folder, workplace)
        builder = builder_of(config, mdc, labels)
    final = Path(builder.cache_dir)
    with _workplace(cache) as workplace:
        builder.download_and_prepare(
            output_dir=str(workplace / "rows"),
            file_format="arrow",
            num_proc=None if num_proc == 1 else num_proc,
            verification_mode="no_checks",
        )
        _put(workplace / "rows", final, workplace)
        # Older rows of the config go.
        for version in final.parent.parent.iterdir():
            for other in version.iterdir() if version.is_dir() else ():
                if other != final:
                    _discard(other, workplace)
            if version.is_dir() and not any(version.iterdir()):
                version.rmdir()
    return final


def installed(config: str, mdc: str | None = None, labels: str | None = None, thorough: bool = False) -> Path | None:
    """Return the folder of a config's rows if they are as this version makes them; None if not.

    Args:
        thorough: every byte is compared with what was written. The others are those of `install_dataset`.
    Raises:
        bap_v2_dataset.loading.builder.DamagedRowsError: if a file is missing, not whole or changed.
    """
    builder = builder_of(config, mdc, labels)
    folder = Path(builder.cache_dir)
    if builder.info.splits is None:
        return None
    if damage := damage_of(folder, thorough):
        raise DamagedRowsError(folder, damage)
    return folder


def is_set_up(config: str) -> bool:
    """Whether a config can be loaded at once; also false if the corpus or the labels that it needs are missing."""
    try:
        return installed(config) is not None
    except (CorpusError, AnnotationError):
        return False


def rows_of(config: str, num_proc: int | None = None) -> datasets.DatasetDict:
    """Return the rows of a config, which is set up first if necessary. Raises what `install_dataset` does."""
    if installed(config) is None:
        install_dataset(config, num_proc)
    return datasets.load_dataset(DATASET_NAME, config)


def discard_stale() -> list[str]:
    """Removes the human configs whose rows are not those of the chosen corpus and labels; returns their names.

    The bare name would go on loading them.
    """
    stale = []
    with _workplace(Path(datasets.config.HF_DATASETS_CACHE).expanduser()) as workplace:
        for config in (name for name, config in all_configs().items() if "mdc" in config.arguments):
            with suppress(DamagedRowsError):  # they are of these games
                final = Path(builder_of(config).cache_dir)
                if final.parent.parent.is_dir() and not final.is_dir():
                    _discard(final.parent.parent, workplace)
                    stale.append(config)
    return stale


def install_metric() -> Path:
    """Copies the metric into the modules cache of `evaluate` and returns its folder.

    The cache is laid out as `evaluate.loading.init_dynamic_modules` does it, without importing `evaluate`, which may
    take longer than everything else here (it imports torch where that is installed).
    """
    # The folder is named by what is in the files.
    source = Path(bap_v2_metric.__file__).parent
    files = sorted(file for file in source.glob("*.py") if file.stem not in ("__init__", *PAGE_MODULES))
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    modules = Path(datasets.config.HF_MODULES_CACHE).expanduser() / "evaluate_modules"
    final = modules / "metrics" / f"evaluate-metric--{DATASET_NAME}" / digest.hexdigest()  # 64 characters, as expected
    final.parent.mkdir(parents=True, exist_ok=True)
    for package in (modules.parent, modules, final.parent.parent, final.parent):
        (package / "__init__.py").touch()
    # The copy comes in when it is whole; older ones go.
    with _workplace(modules.parent) as workplace:
        (workplace / "metric").mkdir()
        (workplace / "metric" / "__init__.py").touch()
        for file in files:
            shutil.copyfile(file, workplace / "metric" / file.name)
        names = [file.name for file in (workplace / "metric").iterdir()]
        if filecmp.cmpfiles(final, workplace / "metric", names, shallow=False)[0] != names:  # else it is installed
            _put(workplace / "metric", final, workplace)
        for other in final.parent.iterdir():
            if other.is_dir() and other != final and len(other.name) == 64:
                _discard(other, workplace)
    return final


@contextmanager
def _workplace(root: Path) -> Iterator[Path]:
    """A folder to build in, on the same disk as the cache; what killed setups left behind is removed first."""
    root.mkdir(parents=True, exist_ok=True)
    with acquired(FileLock(root / ".bap_v2-setup.lock")):
        for leftover in root.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(leftover, ignore_errors=True)
        folder = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=root))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _put(built: Path, final: Path, workplace: Path) -> None:
    """Moves a finished folder into place; an older one is moved away in one step too."""
    final.parent.mkdir(parents=True, exist_ok=True)
    for incomplete in final.parent.glob(f"{final.name}*.incomplete*"):  # would break the offline look-up
        shutil.rmtree(incomplete, ignore_errors=True)
    if final.exists():
        _discard(final, workplace)
    os.replace(built, final)


def _discard(folder: Path, workplace: Path) -> None:
    """Removes a folder in one step: half a folder breaks the look-up of all others. The workplace is deleted."""
    os.replace(folder, Path(tempfile.mkdtemp(dir=workplace)) / "old")
