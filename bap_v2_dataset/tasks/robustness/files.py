"""Prediction files for the robustness configs: which splits each answers, and where the answers to the originals are.

A system's answers may stand in several files: each for other splits of the config, or those to the originals in a file
for the test set of the base config, whose items they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bap_v2_dataset.evaluation import test_sets
from bap_v2_dataset.evaluation.runs import SystemPredictions, with_runs
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.registration import DATASET_NAME
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks.robustness.families import FAMILIES
from bap_v2_dataset.tasks.robustness.ids import ORIGINAL, PROBE, split_name, split_of_variant
from bap_v2_dataset.tasks.robustness.task import BASE_OF
from bap_v2_dataset.tasks.robustness.variant_rows import variant_name

_OF_MODEL = ("model", "model_type", "representation", "history_lines")


def test_set_of(
    files: Sequence[SystemPredictions], config: str | None, split: str | None
) -> tuple[str, str, list[SystemPredictions]] | None:
    """The robustness config that files answer, its splits, and the files, of each system one; None if they answer none.

    Without files all families are meant.
    """
    config = robust_config(files, config)
    if config is None:
        return None
    files = joined(with_runs(for_config(files, config)))
    return config, split or split_name(config, [file.split for file in files] or all_families(config)), files


def robust_config(files: Sequence[SystemPredictions], config: str | None) -> str | None:
    """Return the robustness config that files answer; None if they answer none.

    Args:
        config: that was asked for, if any.
    Raises:
        PredictionError: files for several of them.
    """
    if config is not None:
        return config if config in BASE_OF else None
    answered = dict.fromkeys(file.config for file in files)
    robust = [name for name in answered if name in BASE_OF]
    if len(robust) > 1:
        raise PredictionError(
            f"the files were made for {' and '.join(robust)}: score them separately, or make a report (`bap-v2 report`)"
        )
    return robust[0] if robust else None


def for_config(files: Sequence[SystemPredictions], config: str) -> list[SystemPredictions]:
    """Return the files, each with the splits of the config that it answers.

    Raises:
        PredictionError: for a file that was made for something else than the config, or the test set of its base.
    """
    assigned = []
    for file in files:
        made = file.config
        if made not in ("", config, BASE_OF[config]) or (made == BASE_OF[config] and file.split != "test"):
            raise PredictionError(
                f"{file.path} was made for {made}, {file.split}, not for {config}: score it separately, with "
                f"--config {made}"
            )
        assigned.append(replace(file, config=config, split=splits_answered(file, config)))
    return assigned


def splits_answered(file: SystemPredictions, config: str) -> str:
    """Return the splits of the config that a file answers, joined with `+`: by its settings, else by its ids."""
    recorded = str(file.settings.get("split") or "").split("+")
    if file.settings.get("dataset_config") == config and {*recorded} <= {ORIGINAL, PROBE, *FAMILIES}:
        return split_name(config, recorded)
    names = (variant_name(row_id) for row_id in file.predictions)
    splits = {name.family if name else ORIGINAL for name in names}
    if len(splits) > 2:
        answered = {row_id for row_id in file.predictions if variant_name(row_id)}
        if answered == {row_id for row_id in test_sets.split_rows(config, PROBE)["id"] if variant_name(row_id)}:
            return PROBE
    return split_name(config, splits)


def all_families(config: str) -> list[str]:
    """Return the splits of the config but `probe`: what a baseline answers where nothing says more."""
    import datasets

    return [name for name in datasets.load_dataset_builder(DATASET_NAME, config).info.splits or () if name != PROBE]


def joined(files: Sequence[SystemPredictions]) -> list[SystemPredictions]:
    """Return one file for each run of a system on each config: those for different splits are parts of it.

    Raises:
        PredictionError: if two of them answer the same item, or parts are not of the same runs.
    """
    # Files of the same system, config and run are parts of one.
    parts: dict[tuple[str, str, str], list[SystemPredictions]] = {}
    for file in files:
        parts.setdefault((file.system, file.config, file.run), []).append(file)
    whole = []
    # Runs and a file without a run are not to be told apart.
    for (system, config, run), same in parts.items():
        if run and (system, config, "") in parts:
            raise PredictionError(
                f"{same[0].path} and {parts[system, config, ''][0].path} both answer {config} as the system "
                f"{system!r}, one of them in several runs: pass as many files for the other, or name it, NAME=FILE"
            )
        if any(file.split == PROBE for file in same):  # which has fewer originals than the test set of the base
            ids = _originals(config, PROBE)
            same = [_of_items(file, ids) if file.split == ORIGINAL else file for file in same]
        # No item may be answered twice.
        answers: dict[str, str] = {}
        for file in same:
            if shared := answers.keys() & file.predictions.keys():
                raise PredictionError(
                    f"{same[0].path} and {file.path} both answer {min(shared)} as the system {system!r}: name one of "
                    f"them, e.g. other={file.path}"
                )
            answers |= file.predictions
        # The whole has the settings of its largest part.
        with_most = max(same, key=lambda file: len(file.predictions))
        whole.append(
            replace(
                with_most,
                predictions=answers,
                split=_with_parts([file.split for file in same], config),
                missing={key: why for file in same for key, why in file.missing.items()},
                notes=[note for file in same for note in file.notes],
            )
        )
    return whole


def _with_parts(splits: Sequence[str], config: str) -> str:
    """Return the splits as one, with the originals; `probe` has originals of its own."""
    return PROBE if {*splits} <= {PROBE, ORIGINAL} and PROBE in splits else split_name(config, splits)


def _originals(config: str, split: str) -> set[str]:
    """Return the ids of the originals of `original`, or of `probe`."""
    name = PROBE if split == PROBE else ORIGINAL
    return {row_id for row_id in test_sets.split_rows(config, name)["id"] if not variant_name(row_id)}


def _of_items(file: SystemPredictions, ids: set[str]) -> SystemPredictions:
    """Return the file with the predictions for these items alone."""
    return replace(file, predictions={key: text for key, text in file.predictions.items() if key in ids})


def with_originals(
    files: Sequence[SystemPredictions], originals: Sequence[SystemPredictions]
) -> list[SystemPredictions]:
    """Return the files, with the answers to the originals that stand in other files, one for each, in the same order.

    Raises:
        PredictionError: if they are not as many, answer none of the originals, or are of another model.
    """
    if len(originals) != len(files):
        raise PredictionError(
            f"--original: {counted(len(originals), 'file')} for {counted(len(files), 'prediction file')}: pass one "
            "for each, in the same order"
        )
    return [_with_original(file, original) for file, original in zip(files, originals)]


def _with_original(file: SystemPredictions, original: SystemPredictions) -> SystemPredictions:
    # The answers to the originals must be missing, and be of the same model.
    if has_originals(file.predictions):
        raise PredictionError(f"--original {original.path}: {file.path} has answers to originals itself: leave it out")
    for name in _OF_MODEL:
        one, other = file.settings.get(name), original.settings.get(name)
        if file.settings and original.settings and one != other:
            raise PredictionError(
                f"--original {original.path}: {name} is {other!r}, and {one!r} for {file.path} (according to their "
                "settings): pass the answers of the same model, made in the same way"
            )
    # Those that the variants were made of.
    ids = _originals(file.config, file.split)
    found = _of_items(original, ids).predictions
    if not found:
        raise PredictionError(
            f"--original {original.path} answers none of the {len(ids):,} originals, e.g. {min(ids)!r}: pass the "
            f"predictions for the test set of {BASE_OF[file.config]}"
        )
    return replace(
        file, predictions={**file.predictions, **found}, split=_with_parts([file.split, ORIGINAL], file.config)
    )


def prepared(files: Sequence[SystemPredictions]) -> list[SystemPredictions]:
    """The files of a report; those for robustness configs joined, with the answers to the originals found in others.

    Those are the files of the same system, and run, for the test set of the base config. A file is scored on all splits
    that some file of the config answers.
    """
    others = [file for file in files if file.config not in BASE_OF]
    of_base = {(file.system, file.config, file.run): file for file in others if file.split == "test"}
    found = []
    for file in joined([file for file in files if file.config in BASE_OF]):
        base = of_base.get((file.system, BASE_OF[file.config], file.run))
        if base is not None and not has_originals(file.predictions):
            file = _with_original(file, base)
        found.append(file)
    return [*others, *(replace(file, split=_tested(file, found)) for file in found)]


def _tested(file: SystemPredictions, files: Sequence[SystemPredictions]) -> str:
    if file.split == PROBE:
        return PROBE
    splits = [other.split for other in files if other.config == file.config and other.split != PROBE]
    return split_name(file.config, [ORIGINAL, *splits])


def has_originals(predictions: Mapping[str, str]) -> bool:
    """Return whether some of these are answers to originals."""
    return any(split_of_variant(row_id) is None for row_id in predictions)
