"""Which system made the predictions of a file, and for which test set: from the files of a command line.

One rule for all commands. The system of a file is, in this order:

    NAME        of an argument `NAME=FILE`
    the model   in `<file>.settings.json`, by the last part of its name
    the folder  of a file whose name says nothing but the test set: `runs/n/dss.jsonl`, `runs/n/test.jsonl` are `n`
    the file    by what its name says besides the test set: `gru-dr.jsonl` is `gru`, `answers.jsonl` is `answers`

A model whose file name says more is `model/more`. So the files of a run's folder are one system, tested on several test
sets. Equal names of different systems are told apart by the folder or the model's whole name, then by the input.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from bap_v2_dataset.evaluation import test_sets
from bap_v2_dataset.evaluation.runs import SystemPredictions, id_with_known_config, with_runs
from bap_v2_dataset.interface.table import TASKS, all_configs, task_of
from bap_v2_dataset.loading import install
from bap_v2_dataset.predictions import eval_logs
from bap_v2_dataset.predictions.answered_rows import ids_by_key
from bap_v2_dataset.predictions.entries import AUTOMATIC, Fields, PredictionError
from bap_v2_dataset.predictions.files import STDIN, no_ids, read_prediction_file
from bap_v2_dataset.predictions.formats import without_compression
from bap_v2_dataset.predictions.model_records import input_name, read_record
from bap_v2_dataset.sentences import counted
from bap_v2_metric.prediction_files import reasons

if TYPE_CHECKING:
    import datasets

    from bap_v2_dataset.loading.own_splits import OwnData


_SETTINGS = {"model": str, "representation": str, "model_type": str, "dataset_path": str}


def read_files(
    arguments: Sequence[str], data: "OwnData | None" = None, fields: Fields = AUTOMATIC
) -> list[SystemPredictions]:
    """The prediction files of a command line, `FILE` or `NAME=FILE`, each for the test set that it was made for.

    Args:
        data: own data, whose items some of the files answer. Files of `predict.py` name theirs.
    Raises:
        PredictionError: a file that cannot be read or is passed twice, and files of one system for the same test set
            that are not its runs (see `runs`).
        bap_v2_dataset.loading.own_files.DataError: own data that cannot be read.
    """
    files = []
    known: dict[str, OwnData] = {}
    for file in _of_ours(read_plain(arguments, fields), data):
        if own := own_data_of(file, data, known):
            split = split_answered(own, {} if file.in_order else file.predictions)
            file = _with_ids(file, own.name, split, own)
            files.append(replace(file, config=own.name, split=split, data=own))
            continue
        config, split = _made_for(file)
        if file.in_order and not config:
            raise no_ids(file.source)
        if not config:
            config, split = _human_test_set(file.predictions, split)
        if split.startswith("test_") and (joint := all_configs().get(config)):  # the rows of one of its parts
            name = split.removeprefix("test_")
            config, split = (name, "test") if name in joint.made_of else (config, split)
        file = replace(_with_ids(file, config, split), config=config, split=split)
        task = task_of(config)
        files.append(replace(file, split=task.splits_answered(file, config)) if task else file)
    return with_runs(files)


def read_files_for(
    arguments: Sequence[str],
    config: str | None = None,
    split: str | None = None,
    data: "OwnData | None" = None,
    fields: Fields = AUTOMATIC,
) -> tuple[str, str, list[SystemPredictions]]:
    """The config and split to score on, and the prediction files of a command line, all of them for that one split.

    Args:
        config, split: by default what the files were made for.
        data: own data to score on; by default those that the files were made for.
    Raises:
        PredictionError: as for `read_files`; files that were made for another split.
    """
    (first, *others) = read_test_sets(arguments, config, split, data, fields)
    if others:
        names = " and ".join(", ".join(answered[:2]) for answered in (first, *others))
        raise PredictionError(f"these are the answers to {names}: choose one of them by its config")
    return first


def read_test_sets(
    arguments: Sequence[str],
    config: str | None = None,
    split: str | None = None,
    data: "OwnData | None" = None,
    fields: Fields = AUTOMATIC,
) -> list[tuple[str, str, list[SystemPredictions]]]:
    """The same for files that may answer several test sets: those of each, or of the config alone.

    Args, Raises: as for `read_files_for`.
    """
    files = _of_ours(read_plain(arguments, fields), data)
    if data is not None or not any(file.of_folder for file in files):
        asked = data is not None or config is not None or split is not None
        if asked or len({made for file in files if (made := _made_for(file))[0]}) < 2:
            return [_for_one_test_set(files, config, split, data)]
        by_test_set = [replace(file, config=made, split=of) for file in files for made, of in [_made_for(file)]]
        for task in TASKS.values():
            if (claimed := task.test_set_of(by_test_set, config, split)) is not None:
                return [claimed]
    groups: dict[tuple[str, str], list[SystemPredictions]] = {}
    parts = []
    made_of = all_configs()[config].made_of if config in all_configs() else ()
    for file in files:
        name, part = _made_for(file)
        groups.setdefault((name, part), []).append(file)
        if config is None or name in ("", config, *made_of):
            parts.append(replace(file, config=name, split=part))
    if len(groups) > 1 and parts and (together := _claimed(parts, config, split)):
        return [together]
    if config is not None:
        kept = [file for made, same in groups.items() if made[0] in ("", config) for file in same]
        return [_for_one_test_set(kept or files, config, split, data)]
    return [_for_one_test_set(same, None, split, None) for same in groups.values()]


def _claimed(
    files: list[SystemPredictions], config: str | None, split: str | None
) -> tuple[str, str, list[SystemPredictions]] | None:
    """What a task makes of files that belong together though they answer several splits; None if no task does."""
    try:
        return next(filter(None, (task.test_set_of(files, config, split) for task in TASKS.values())), None)
    except PredictionError:  # others are among them
        return None


def _for_one_test_set(
    files: list[SystemPredictions], config: str | None, split: str | None, data: "OwnData | None"
) -> tuple[str, str, list[SystemPredictions]]:
    if data is not None and config is not None:
        raise PredictionError(f"--data {data.source} and --config {config} are mutually exclusive: pass one")
    if data is None and config is None and files and all(file.settings.get("dataset_path") for file in files):
        known: dict[str, OwnData] = {}
        answered = [own_data_of(file, None, known) for file in files]
        if len(known) > 1:
            raise PredictionError(
                f"the files were made for {' and '.join(known)}: score them separately, or pass --data"
            )
        data = answered[0]
    if data is not None:
        answered = next((file.predictions for file in files if not file.in_order), {})
        split = split_answered(data, answered, split)
        files = [_with_ids(file, data.name, split, data) for file in files]
        return data.name, split, with_runs([replace(file, config=data.name, split=split, data=data) for file in files])
    for number, file in enumerate(files):
        if file.in_order:
            made = made_for([file.path], config, split, default=lambda file=file: _no_config(file))
            files[number] = _with_ids(file, *made)
    by_test_set = [replace(file, config=made, split=of) for file in files for made, of in [_made_for(file)]]
    for task in TASKS.values():
        if (claimed := task.test_set_of(by_test_set, config, split)) is not None:
            return claimed
    row_id = next((row_id for file in files for row_id in file.predictions), "")
    config, split = made_for([file.path for file in files], config, split, _with_slash(row_id), _human_config)
    files = [_with_ids(file, config, split) for file in files]
    return config, split, with_runs([replace(file, config=config, split=split) for file in files])


def _made_for(file: SystemPredictions) -> tuple[str, str]:
    """The config and split that a file says it was made for; empty where it does not."""
    if file.settings.get("dataset_path"):
        return "", ""
    row_id = "" if file.in_order else _with_slash(id_with_known_config(file.predictions))
    return made_for([file.path], None, None, row_id, lambda: "")


def _with_slash(row_id: str) -> str:
    """An id as ours are, GAME/NUMBER, also if a provider of batches allows no slash in it; to know its config by.

    >>> _with_slash("dss-test-0_12"), _with_slash("dss-test-0/12"), _with_slash("gsu_structure-test-3")
    ('dss-test-0/12', 'dss-test-0/12', 'gsu_structure-test-3')
    """
    if "/" in row_id or any(task.split_of_id(row_id) for task in TASKS.values()):
        return row_id
    return re.sub(r"[-_]+(\d+)$", r"/\1", row_id)


def _no_config(file: SystemPredictions) -> str:
    raise no_ids(file.source)


def _with_ids(file: SystemPredictions, config: str, split: str, data: "OwnData | None" = None) -> SystemPredictions:
    """The file with the ids of the rows, where it knows them by their order or by a spelling of their ids.

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
    missing = {ids[key]: why for key, why in file.missing.items()}
    return replace(file, predictions=predictions, missing=missing, in_order=False)


def _of_ours(files: list[SystemPredictions], data: "OwnData | None") -> list[SystemPredictions]:
    """The files without the logs of a folder that answer no rows of ours; a note says which. All if none does."""
    others = [file.path for file in files if file.of_folder and not _answers_ours(file, data)]
    ours = [file for file in files if file.path not in others]
    return _with_note(ours, _skipped(others)) if others and ours else files


def _skipped(paths: Iterable[Path]) -> str:
    names = dict.fromkeys(eval_logs.lm_eval_task(path) or path.name for path in paths)
    return f"skipped {', '.join(names)}: the answers are not to rows of ours, by the ids in their data"


def _with_note(files: list[SystemPredictions], note: str) -> list[SystemPredictions]:
    return [replace(files[0], notes=[*files[0].notes, note]), *files[1:]]


def _answers_ours(file: SystemPredictions, data: "OwnData | None") -> bool:
    if data is not None:
        return any(answered_rows(rows, file.predictions) for rows in data.splits.values())
    if file.settings.get("dataset_path") or _made_for(file)[0]:
        return True
    sets = (test_sets.split_rows(name, "test") for name in ("mdc_v2", "mdc") if install.is_set_up(name))
    return any(answered_rows(rows, file.predictions) for rows in sets)


def _human_config() -> str:
    """The human config that is scored where nothing says which."""
    return "mdc_v2" if install.is_set_up("mdc_v2") else "mdc"


def _human_test_set(predictions: Mapping[str, str], split: str) -> tuple[str, str]:
    """The config and split whose items these are: of the human ones that are set up, the first that holds them all."""
    configs = [name for name in ("mdc_v2", "mdc") if install.is_set_up(name)]
    for name in configs:
        if predictions.keys() <= set(test_sets.split_rows(name, split)["id"]):
            return name, split
    return (configs or ["mdc_v2"])[0], split


def own_data_of(file: SystemPredictions, data: "OwnData | None", known: "dict[str, OwnData]") -> "OwnData | None":
    """The own data whose items a file answers: those that were passed, else those that its settings name.

    Args:
        data: that were passed. Files of other items may be among the files.
        known: by source; gets what is read.
    """
    from bap_v2_dataset.loading.own_data import read_data

    recorded = file.settings.get("dataset_path")
    if data is not None and (recorded or any(answered_rows(rows, file.predictions) for rows in data.splits.values())):
        return data
    if not recorded or data is not None:
        return None
    if recorded not in known:
        if not Path(recorded).expanduser().exists() and not re.fullmatch(r"[\w.-]+/[\w.-]+(:[\w.-]+)?", recorded):
            raise PredictionError(
                f"{file.path} was made for own data, {recorded}, and they are not there: say with --data where they are"
            )
        known[recorded] = read_data(recorded)
        if names := [source for source, other in known.items() if other.name == known[recorded].name][:-1]:
            raise PredictionError(f"{names[0]} and {recorded} have the same name: rename one of them")
    return known[recorded]


def split_answered(data: "OwnData", predictions: Mapping[str, str], split: str | None = None) -> str:
    """The split of own data that predictions answer: as given, else the one with most of their ids.

    Raises:
        bap_v2_dataset.loading.own_files.DataError: if there is no such split, or nothing says which it is.
    """
    if split is None and len(data.splits) > 1:
        counts = {name: answered_rows(rows, predictions) for name, rows in data.splits.items()}
        best = max(counts, key=lambda name: counts[name])
        split = best if counts[best] else None
    return data.split_named(split)


def answered_rows(rows: "datasets.Dataset", predictions: Mapping[str, str]) -> int:
    """How many of the rows have a prediction."""
    return len(predictions.keys() & set(rows["id"][:]))


def read_plain(arguments: Sequence[str], fields: Fields) -> list[SystemPredictions]:
    """The files and their systems, a run each; for which test set is not known yet."""
    given = [(name, path, whole.is_dir()) for name, whole in map(named_file, arguments) for path in files_of(whole)]
    if len([path for _, path, _ in given if path == STDIN]) > 1:
        raise PredictionError("the standard input (-) was passed twice")
    named, settings, read = [], [], []
    skipped: dict[Path, eval_logs.OtherTaskError] = {}
    for name, path, of_folder in given:
        try:
            file = read_prediction_file(path, fields)
        except eval_logs.OtherTaskError as error:
            if not of_folder:
                raise
            skipped[path] = error
            continue
        record = read_record(path.with_name(f"{path.name}.settings.json"), _SETTINGS) if path != STDIN else {}
        named.append((name, path, bool(file.model)))
        settings.append({"model": file.model, **record} if file.model else record)
        read.append(file)
    if skipped and not read:
        raise next(iter(skipped.values()))
    folders = {path: of_folder for _, path, of_folder in given}
    files = [
        SystemPredictions(
            path, system, "", "", predictions, record, named=bool(name), repeat=number if len(file.runs) > 1 else 0,
            missing=missing, in_order=file.in_order, of_folder=folders[path],
            notes=_notes_on(path, missing, predictions),
        )
        for (name, path, _), system, record, file in zip(named, _system_names(named, settings), settings, read)
        for number, (predictions, missing) in enumerate(zip(file.runs, file.missing), start=1)
    ]  # fmt: skip
    return _with_note(files, _skipped(skipped)) if skipped else files


def _notes_on(path: Path, missing: Mapping[str, str], predictions: Mapping[str, str]) -> list[str]:
    if not missing:
        return []
    total = counted(len(missing) + len(predictions), "answer")
    return [
        f"{path}: {len(missing):,} of {total} are missing ({reasons(missing.values())}): they count as no prediction"
    ]


def _without_test_set(stem: str) -> str:
    """What the name of a file says besides the test set."""
    configs = all_configs()
    words = {*configs, *(split for config in configs.values() for split in config.splits), "val", "predictions?"}
    alternatives = "|".join(sorted(words, key=len, reverse=True))
    rest = re.sub(rf"(?<![A-Za-z0-9])(?:{alternatives})(?![A-Za-z0-9])", "", stem, flags=re.IGNORECASE)
    return re.sub(r"^[\W_]+|[\W_]+$", "", re.sub(r"[-_. ]{2,}", "_", rest))


def _stem(path: Path) -> str:
    """The name of a file without `.jsonl`, `.csv.gz`, ..."""
    return without_compression(path).stem


def named_file(argument: str) -> tuple[str, Path]:
    """The name, or "", and the file of an argument."""
    name, equals, path = argument.partition("=")
    if equals and name.strip() and not Path(argument).exists():
        return name.strip(), Path(path)
    return "", Path(argument)


def files_of(path: Path) -> list[Path]:
    """The file itself; of a folder the answers that predict.py wrote, else the logs of lm-eval or inspect."""
    if not path.is_dir():
        return [path]
    games = games_of(path)
    return [file for file in _written_in(path) if file not in games] or eval_logs.log_files(path)


def games_of(folder: Path) -> list[Path]:
    """The files of full games in a folder."""
    from bap_v2_dataset.games.tables import are_games

    return [file for file in _written_in(folder) if are_games(file)]


def _written_in(folder: Path) -> list[Path]:
    """The files of a folder beside which their settings stand."""
    return [file for file in sorted(folder.glob("*.jsonl")) if file.with_name(f"{file.name}.settings.json").is_file()]


def _system_names(named: Sequence[tuple[str, Path, bool]], settings: Sequence[Mapping]) -> list[str]:
    """The system of each file: as given, else its model, else its folder or what its name says besides the test set.

    Args:
        named: the name given, or "", the file, and whether it is a log, whose name says nothing more.
    """
    keys, short = [], []
    for (name, path, is_log), record in zip(named, settings):
        more = "stdin" if path == STDIN else "" if is_log else _without_test_set(_stem(path))
        folder = path.absolute().parent.name
        model = str(record["model"]) if record.get("model") else ""
        base = re.split(r"[/\\]", model.rstrip("/\\"))[-1] or model or ("" if more else folder)
        whole = "" if name else model or str(path.absolute().parent)
        keys.append((name, whole, str(record.get("representation")), more))
        short.append(name or "/".join(filter(None, (base, more if more != base else ""))) or _stem(path))
    clashing = {name for name in short if len({key for key, other in zip(keys, short) if other == name}) > 1}
    longer = []
    for name, (given, whole, representation, more) in zip(short, keys):
        if name in clashing and not given:
            others = {key for key, other in zip(keys, short) if other == name}
            if len({key[1] for key in others}) > 1:
                name = "/".join(filter(None, (whole, more)))
            if len({key[2] for key in others if key[1] == whole}) > 1:
                name += f" ({input_name(representation)})"
        longer.append(name)
    return longer


def made_for(
    files: Sequence[Path],
    config: str | None,
    split: str | None,
    row_id: str = "",
    default: Callable[[], str] = lambda: "mdc_v2",
) -> tuple[str, str]:
    """The config and split to score on: as given, as in `<file>.settings.json`, as the ids say, or else by default.

    Args:
        row_id: of one of the predictions.
        default: gives the config; asked only if nothing else says it. The split is "test".

    Raises:
        PredictionError: if the files were made for different ones, or not for those given.
    """
    settled = {"dataset_config": ("--config", config), "split": ("--split", split)}
    for file in files:
        settings_file = file.with_name(f"{file.name}.settings.json")
        if not settings_file.is_file():
            continue
        try:
            settings = dict(orjson.loads(settings_file.read_bytes()))
        except (ValueError, TypeError) as error:
            raise PredictionError(f"{settings_file} does not hold the settings of {file.name}: {error}") from None
        if settings.get("dataset_path"):
            raise PredictionError(
                f"{file} was made for own data ({settings['dataset_path']}), not for a config: pass them with --data"
            )
        for key, (option, value) in settled.items():
            if settings.get(key) is None:
                continue
            if not isinstance(settings[key], str):
                raise PredictionError(f"{settings_file}: {key} is {settings[key]!r} (expected a name)")
            if value not in (None, settings[key]):
                raise PredictionError(
                    f"{file} was made for {key} {settings[key]!r}, not {value!r} (according to {settings_file.name}): "
                    f"pass the matching {option}, or score the files apart"
                )
            settled[key] = (option, settings[key])
    config, split = settled["dataset_config"][1], settled["split"][1]
    if config is None:
        by_id = (task.split_of_id(row_id) for task in TASKS.values())
        config, id_split = next(filter(None, by_id), (None, None))
        split = split or id_split
    return config or default(), split or "test"
