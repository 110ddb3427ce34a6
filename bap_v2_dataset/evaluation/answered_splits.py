"""Which test set a prediction file answers: by what was asked for, the settings beside the file, or its ids.

A file answers a split of a config, or of own data, whose name then stands in the place of the config's.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bap_v2_dataset.evaluation import systems, test_sets
from bap_v2_dataset.evaluation.runs import SystemPredictions, with_runs
from bap_v2_dataset.evaluation.system_files import read_systems, with_skipped
from bap_v2_dataset.interface.table import TASKS, all_configs, task_of
from bap_v2_dataset.loading import install
from bap_v2_dataset.predictions.answered_rows import ids_by_key
from bap_v2_dataset.predictions.entries import AUTOMATIC, Fields, PredictionError
from bap_v2_dataset.predictions.files import no_ids

if TYPE_CHECKING:
    import datasets

    from bap_v2_dataset.loading.own_splits import OwnData

AnsweredSplit = tuple[str, str, list[SystemPredictions]]  # a config, a split, and the files for it


def read_files(
    arguments: Sequence[str], data: "OwnData | None" = None, fields: Fields = AUTOMATIC, beside: Sequence[str] = (),
    subset: bool = False, baselines: Sequence[str] = (),
) -> list[SystemPredictions]:  # fmt: skip
    """Read the prediction files of a command line, each for the test set that it was made for.

    Args:
        data: own data, whose items some of the files answer. Files of `predict.py` name theirs.
        beside: systems of the package, whose answers to the test sets of the files follow them; so may arguments be.
        subset, baselines: as for `systems.answers_of`.
    Raises:
        PredictionError: a file that cannot be read or is passed twice, and files of one system for the same test set
            that are not its runs (see `runs`).
        bap_v2_dataset.loading.own_files.DataError: own data that cannot be read.
    """
    known: dict[str, OwnData] = {}
    paths, names = systems.apart(arguments, beside)
    files = with_runs([_for_its_split(file, data, known) for file in _of_ours(read_systems(paths, fields), data)])
    tests = [(file.config, file.split) for file in files]
    legacy = [("mdc_v2", "test")] if ("mdc", "test") in tests and install.is_set_up("mdc_v2") else []
    return [*files, *systems.answers_of(names, [*tests, *legacy], files, subset, baselines)]


def read_files_for(
    arguments: "Sequence[str | SystemPredictions]",
    config: str | None = None,
    split: str | None = None,
    data: "OwnData | None" = None,
) -> AnsweredSplit:
    """Read the prediction files of a command line, all of them for one split.

    Args:
        arguments: or files that have been read.
        config, split: by default what the files were made for.
        data: own data to score on; by default those that the files were made for.
    Raises:
        PredictionError: as for `read_files`; files that were made for another split.
    """
    read = [one for one in arguments if isinstance(one, SystemPredictions)]
    first, *others = by_split(read or read_systems(arguments), config, split, data)
    if others:
        names = " and ".join(", ".join(answered[:2]) for answered in (first, *others))
        raise PredictionError(f"these are the answers to {names}: choose one of them by its config")
    return first


def by_split(
    files: Sequence[SystemPredictions],
    config: str | None = None,
    split: str | None = None,
    data: "OwnData | None" = None,
) -> list[AnsweredSplit]:
    """Assign files that may answer several splits: those of each, or of the config alone.

    Args, Raises: as for `read_files_for`.
    """
    files = _of_ours(files, data)
    if data is not None:
        return [_for_one_split(files, config, split, data)]
    files = [_as_made(file) for file in files]
    groups: dict[tuple[str, str], list[SystemPredictions]] = {}
    for file in files:
        groups.setdefault((file.config, file.split), []).append(file)

    # Files that are named one by one answer one split, if they do not say that they were made for several.
    in_folders = any(file.of_folder for file in files)
    asked = config is not None or split is not None
    if not in_folders and (asked or len({made for made in groups if made[0]}) < 2):
        return [_for_one_split(files, config, split, None)]

    # Those for several may belong together.
    parts_of = {"", config, *(all_configs()[config].made_of if config in all_configs() else ())}
    parts = [file for file in files if config is None or file.config in parts_of]
    if len(groups) > 1 and parts:
        try:
            together = _together(parts, config, split)
        except PredictionError:  # others are among them
            if not in_folders:
                raise
            together = None
        if together is not None:
            return [together]
    if config is not None:
        kept = [file for (made, _), same in groups.items() if made in ("", config) for file in same]
        return [_for_one_split(kept or files, config, split, None)]
    return [_for_one_split(same, None, split, None) for same in groups.values()]


def _together(files: Sequence[SystemPredictions], config: str | None, split: str | None) -> AnsweredSplit | None:
    """Return what a task makes of files that belong together; None if no task claims them."""
    return next(filter(None, (task.test_set_of(files, config, split) for task in TASKS.values())), None)


def _for_one_split(
    files: Sequence[SystemPredictions], config: str | None, split: str | None, data: "OwnData | None"
) -> AnsweredSplit:
    """Assign all files to one split. Raises: PredictionError for files that were made for another one."""
    # Own data: those that were passed, or that all files name.
    if data is not None and config is not None:
        raise PredictionError(f"--data {data.source} and --config {config} are mutually exclusive: pass one")
    if data is None and config is None and files and all(file.settings.get("dataset_path") for file in files):
        known: dict[str, OwnData] = {}
        data, *_ = [_own_data_of(file, None, known) for file in files]
        if len(known) > 1:
            raise PredictionError(
                f"the files were made for {' and '.join(known)}: score them separately, or pass --data"
            )
    if data is not None:
        predictions = next((file.predictions for file in files if not file.in_order), {})
        split = _split_of_own(data, predictions, split)
        return data.name, split, with_runs([_assigned(file, data.name, split, data) for file in files])

    # Of texts in order nothing else can say which rows they answer. Other files may be parts of what a task knows.
    files = [_as_made(_with_ids(file, *_known_split(file, config, split))) if file.in_order else file for file in files]
    if (together := _together(files, config, split)) is not None:
        return together

    # A config: that was asked for or recorded, or as the first id says.
    row_id = next((row_id for file in files for row_id in file.predictions), "")
    config, split = _made_for(files, config, split, row_id)
    config = config or ("mdc_v2" if install.is_set_up("mdc_v2") else "mdc")
    return config, split, with_runs([_assigned(file, config, split) for file in files])


def _for_its_split(file: SystemPredictions, data: "OwnData | None", known: "dict[str, OwnData]") -> SystemPredictions:
    """Assign a file to the split that it was made for. Arguments: as for `_own_data_of`."""
    if (own := _own_data_of(file, data, known)) is not None:
        split = _split_of_own(own, {} if file.in_order else file.predictions)
        return _assigned(file, own.name, split, own)

    # Ids of human items do not say which of the human configs they are of.
    config, split = _known_split(file) if file.in_order else _made_for_alone(file)
    if not config:
        configs = [name for name in ("mdc_v2", "mdc") if install.is_set_up(name)]
        holding = (name for name in configs if file.predictions.keys() <= set(test_sets.split_rows(name, split)["id"]))
        config = next(holding, (configs or ["mdc_v2"])[0])

    # A split of a joint config has the rows of one of its parts.
    if split.startswith("test_") and (joint := all_configs().get(config)):
        name = split.removeprefix("test_")
        config, split = (name, "test") if name in joint.made_of else (config, split)
    file = _assigned(file, config, split)
    task = task_of(config)
    return replace(file, split=task.splits_answered(file, config)) if task else file


# --- What a file was made for.
def _as_made(file: SystemPredictions) -> SystemPredictions:
    """Return the file with the config and split that it says it was made for; "" where it does not."""
    config, split = _made_for_alone(file)
    return replace(file, config=config, split=split)


def _made_for_alone(file: SystemPredictions) -> tuple[str, str]:
    if file.settings.get("dataset_path"):
        return "", ""
    ids = [] if file.in_order else list(file.predictions)
    variant = next((row_id for row_id in ids if "~" in row_id), None)  # says more than the id of an original
    return _made_for([file], None, None, variant or next(iter(ids), ""))


def _known_split(file: SystemPredictions, config: str | None = None, split: str | None = None) -> tuple[str, str]:
    """Return the config and split of texts in order. Raises: PredictionError if nothing says which."""
    config, split = _made_for([file], config, split)
    if not config:
        raise no_ids(file.source)
    return config, split


def _made_for(
    files: Sequence[SystemPredictions], config: str | None, split: str | None, row_id: str = ""
) -> tuple[str, str]:
    """Return the config and split to score on: as given, as recorded, or as the ids say; else "" and "test".

    Args:
        row_id: of one of the predictions.
    Raises:
        PredictionError: if the files were made for different ones, or not for those given.
    """
    # What was asked for, and what is recorded, which must not differ.
    settled = {"dataset_config": ("--config", config), "split": ("--split", split)}
    for file in files:
        if path := file.settings.get("dataset_path"):
            raise PredictionError(
                f"{file.path} was made for own data ({path}), not for a config: pass them with --data"
            )
        for key, (option, value) in settled.items():
            recorded = file.settings.get(key)
            if value not in (None, recorded) and recorded is not None:
                raise PredictionError(
                    f"{file.path} was made for {key} {recorded!r}, not {value!r} (according to "
                    f"{file.path.name}.settings.json): pass the matching {option}, or score the files apart"
                )
            settled[key] = option, value if recorded is None else recorded

    # Where neither says the config, the id may.
    config, split = (value for _, value in settled.values())
    if config is None:
        config, split_of_id = _split_of_id(_with_slash(row_id)) or (None, None)
        split = split or split_of_id
    return config or "", split or "test"


def _split_of_id(row_id: str) -> tuple[str, str] | None:
    return next(filter(None, (task.split_of_id(row_id) for task in TASKS.values())), None)


def _with_slash(row_id: str) -> str:
    """Return an id as ours are, GAME/NUMBER, also if a provider of batches allows no slash in it.

    >>> _with_slash("dss-test-0_12"), _with_slash("dss-test-0/12"), _with_slash("gsu_structure-test-3")
    ('dss-test-0/12', 'dss-test-0/12', 'gsu_structure-test-3')
    """
    return row_id if "/" in row_id or _split_of_id(row_id) else re.sub(r"[-_]+(\d+)$", r"/\1", row_id)


# --- Its rows.
def _assigned(file: SystemPredictions, config: str, split: str, data: "OwnData | None" = None) -> SystemPredictions:
    """Return the file for a split, its predictions by the ids of the rows."""
    return replace(_with_ids(file, config, split, data), config=config, split=split, data=data)


def _with_ids(file: SystemPredictions, config: str, split: str, data: "OwnData | None" = None) -> SystemPredictions:
    """Return the file with the ids of the rows, where it knows them by their order or by a spelling of their ids.

    Raises:
        PredictionError: for texts in order that are not as many as the rows; two ids for one row.
    """
    keys = {*file.predictions, *file.missing}
    task = task_of(config)
    if not file.in_order and data is None and any("/" in key or (task and task.split_of_id(key)) for key in keys):
        return file  # no provider's spelling
    rows = data.splits[split] if data is not None else test_sets.split_rows(config, split)
    ids = ids_by_key(keys, rows["id"][:], file.source, file.in_order, f"{config}, {split}")
    predictions = {ids[key]: text for key, text in file.predictions.items()}
    missing, unfinished = ({ids[key]: why for key, why in each.items()} for each in (file.missing, file.unfinished))
    return replace(file, predictions=predictions, missing=missing, unfinished=unfinished, in_order=False)


def _of_ours(files: Sequence[SystemPredictions], data: "OwnData | None") -> Sequence[SystemPredictions]:
    """Return the files without the logs of a folder that answer no rows of ours, with a note; all if none does."""
    others = [file.path for file in files if file.of_folder and not _answers_ours(file, data)]
    ours = [file for file in files if file.path not in others]
    return with_skipped(ours, others) if others and ours else files


def _answers_ours(file: SystemPredictions, data: "OwnData | None") -> bool:
    if data is not None:
        return any(_n_answered(rows, file.predictions) for rows in data.splits.values())
    if file.settings.get("dataset_path") or _made_for_alone(file)[0]:
        return True
    human = (test_sets.split_rows(name, "test") for name in ("mdc_v2", "mdc") if install.is_set_up(name))
    return any(_n_answered(rows, file.predictions) for rows in human)


def _own_data_of(file: SystemPredictions, data: "OwnData | None", known: "dict[str, OwnData]") -> "OwnData | None":
    """Return the own data whose items a file answers: those that were passed, else those that its settings name.

    Args:
        data: that were passed. Files of other items may be among the files.
        known: by source; gets what is read.
    """
    from bap_v2_dataset.loading.own_data import read_data

    # Those that were passed.
    recorded = file.settings.get("dataset_path")
    if data is not None:
        return data if recorded or any(_n_answered(rows, file.predictions) for rows in data.splits.values()) else None
    if not recorded:
        return None

    # Those that are recorded, read once.
    if recorded not in known:
        if not Path(recorded).expanduser().exists() and not re.fullmatch(r"[\w.-]+/[\w.-]+(:[\w.-]+)?", recorded):
            raise PredictionError(
                f"{file.path} was made for own data, {recorded}, and they are not there: say with --data where they are"
            )
        known[recorded] = read_data(recorded)
        if names := [source for source, other in known.items() if other.name == known[recorded].name][:-1]:
            raise PredictionError(f"{names[0]} and {recorded} have the same name: rename one of them")
    return known[recorded]


def _split_of_own(data: "OwnData", predictions: Mapping[str, str], split: str | None = None) -> str:
    """Return the split of own data that predictions answer: as given, else the one with most of their ids.

    Raises:
        bap_v2_dataset.loading.own_files.DataError: if there is no such split, or nothing says which it is.
    """
    if split is None and len(data.splits) > 1:
        counts = {name: _n_answered(rows, predictions) for name, rows in data.splits.items()}
        best = max(counts, key=lambda name: counts[name])
        split = best if counts[best] else None
    return data.split_named(split)


def _n_answered(rows: "datasets.Dataset", predictions: Mapping[str, str]) -> int:
    """Return the number of rows that have a prediction."""
    return len(predictions.keys() & set(rows["id"][:]))
