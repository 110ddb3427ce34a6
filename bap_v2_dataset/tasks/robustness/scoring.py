"""How systems did on a robustness config: their answers to originals and variants, without what they cannot see.

A variant whose prompt is that of its original is not seen: the system cannot answer it in another way. It is left out
for that system. What a language model reads is the representation in the settings of its predictions; baselines, GRUs
and pointer transformers read the row itself, and see every variant. Of a system without settings all are taken as seen.
"""

from collections.abc import Mapping, Sequence

import datasets

from bap_v2_dataset.evaluation import test_sets
from bap_v2_dataset.evaluation.results import Answers, ScoredSplit
from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.evaluation.test_sets import scored_rows
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.items.prompts import REPRESENTATIONS, render
from bap_v2_dataset.predictions.answered_rows import matched, rows_with_predictions
from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks.robustness.families import FAMILIES
from bap_v2_dataset.tasks.robustness.files import has_originals, joined
from bap_v2_dataset.tasks.robustness.ids import ORIGINAL, PROBE, family_of, number_of, parent_of, split_name
from bap_v2_dataset.tasks.robustness.task import BASE_OF, ROBUSTNESS
from bap_v2_dataset.tasks.robustness.variant_rows import variant_name


def join_predictions(
    task: Task, config: str, split: str, files: Sequence[SystemPredictions], *, subset: bool, partial: bool, hint: str,
    data: None = None, variants: int | None = None,
) -> tuple[ScoredSplit, list[Answers], list[str]]:  # fmt: skip
    """Return the rows of splits of a robustness config, and the answers of files; as `scoring.join_predictions`.

    Args:
        split: names joined with `+`; originals are always among them.
        files: one for each run of a system; each answers the splits that it names.
        variants: only those of these numbers, from 1, count.
    Raises:
        PredictionError: as there, and for files without answers to originals, or to variants.
    """
    if variants is not None and variants < 1:
        raise PredictionError(f"--variants {variants}: expected at least 1")
    # The rows of the splits, and of those the variants that are asked for.
    files = joined(files)
    split, table = _rows_of(config, split, hint)
    rows = scored_rows(table)
    n_rows, notes = len(rows), []
    if variants is not None:
        table = table.select([place for place, row in enumerate(rows) if number_of(row) <= variants])
        rows = scored_rows(table)
    # Each file has to answer variants and their originals.
    answers = {file.source: _asked_for(file, split, variants) for file in files}
    for file in files:
        _check_answers(file, answers[file.source], config, split)
    # Only items that all files answer.
    if subset and files:
        answered = _with_originals(rows_with_predictions(rows, answers))
        if not any(map(family_of, answered)):
            raise PredictionError(
                f"{files[0].source} has no variant of the originals that it answers: answer the variants of the same "
                "originals, or the originals of its variants"
            )
        known = {row["id"] for row in answered}
        if left_out := len(answers[files[0].source].keys() - known):
            notes.append(f"{config}: left out {counted(left_out, 'prediction')} of items that it lacks, or of variants "
                         "without an answer to their original")  # fmt: skip
        answers = {name: {key: texts[key] for key in texts.keys() & known} for name, texts in answers.items()}
        table = table.select([place for place, row in enumerate(rows) if row["id"] in known])
        rows = answered
    # The answers of each file in the order of the rows, and which variants it cannot see.
    unseen: dict[tuple, frozenset[int]] = {}  # by what a system reads
    predictions: dict[str, dict[int, str]] = {}  # by file and place
    left_out: dict[str, set[int]] = {}  # by system: what one of its runs lacks or does not see
    for file in files:
        asked = _answered_rows(rows, file)
        texts = matched(
            answers[file.source], [rows[place]["id"] for place in asked], file.source, partial, f"{config}, {split}",
            file.missing,
        )  # fmt: skip
        predictions[file.source] = dict(zip(asked, texts))
        read = _reads(file)
        if read not in unseen:
            unseen[read] = unseen_variants(table, rows, *read)
        left_out.setdefault(file.system, set()).update(unseen[read], set(range(len(rows))) - set(asked))
    # Every system is scored on the variants that all its runs answer and see.
    shown = []
    for file in files:
        own = predictions[file.source]
        not_seen = unseen[_reads(file)]
        if more := left_out[file.system] - not_seen - (set(range(len(rows))) - own.keys()):
            notes.append(f"{file.label}: left out {counted(len(more), 'variant')} that another run of {file.system} "
                         "lacks or does not see")  # fmt: skip
        texts = [own.get(place, "") for place in range(len(rows))]
        seen = [{"seen": place not in not_seen if place in own else None} for place in range(len(rows))]
        missing = len(own) - len(answers[file.source])
        shown.append(
            Answers(file.system, texts, texts, {}, file.label, missing, frozenset(left_out[file.system]), marks=seen)
        )
    return ScoredSplit(task, config, split, rows, n_rows), shown, notes


def _rows_of(config: str, split: str, hint: str) -> tuple[str, datasets.Dataset]:
    """Return the canonical name of the splits, and their rows, those of the originals first."""
    names = split.split("+")
    known = {ORIGINAL, PROBE, *FAMILIES}
    if PROBE in names and len(names) > 1:
        raise PredictionError(f"{split}: probe has originals and variants of its own: score it separately")
    if unknown := [name for name in names if name not in known]:
        splits = ", ".join(ROBUSTNESS.configs[config].splits)
        raise PredictionError(f"the config {config} has no split {unknown[0]!r}: {hint} {splits} (join names with +)")
    split = split_name(config, names if PROBE in names else [ORIGINAL, *names])
    return split, test_sets.split_rows(config, split, hint)


def _asked_for(file: SystemPredictions, split: str, variants: int | None) -> Mapping[str, str]:
    """Return the predictions of a file for these splits and numbers of variants."""
    names = split.split("+")

    def asked(row_id: str) -> bool:
        name = variant_name(row_id)
        if name is None or name.family not in FAMILIES:
            return True
        return (PROBE in names or name.family in names) and (variants is None or name.number <= variants)

    return {row_id: text for row_id, text in file.predictions.items() if asked(row_id)}


def _check_answers(file: SystemPredictions, answers: Mapping[str, str], config: str, split: str) -> None:
    """Raises: PredictionError for a file without variants of these splits, or without originals."""
    # No variants are answered.
    base = BASE_OF[config]
    if not any(variant_name(row_id) for row_id in answers):
        names = {name.family for row_id in file.predictions if (name := variant_name(row_id))}
        if families := [family for family in FAMILIES if family in names]:
            raise PredictionError(
                f"{file.source} has no answers to {split.removeprefix(f'{ORIGINAL}+')}: it answers "
                f"{', '.join(families)}; name some of those with --split"
            )
        raise PredictionError(
            f"{file.source} answers no variants of {config}: answer the splits of some families too (predict.py "
            f"--dataset_config {config} --split original+spl+sa_turn), or score it on {base}"
        )
    # No originals are answered.
    if not has_originals(answers):
        raise PredictionError(
            f"{file.source} has no answers to the originals, to which those to the variants are compared: pass the "
            f"predictions of the same system for {base}, test, with --original FILE (in a report as another file), or "
            f"answer the split {ORIGINAL} of {config}"
        )


def _with_originals(rows: Sequence[Mapping]) -> list[Mapping]:
    """Return the rows without variants whose original is not among them."""
    ids = {row["id"] for row in rows}
    return [row for row in rows if parent_of(row) in ids]


def _answered_rows(rows: Sequence[Mapping], file: SystemPredictions) -> list[int]:
    """Return the positions of the rows of the splits that a file answers, and of the originals."""
    names = file.split.split("+")
    return [place for place, row in enumerate(rows) if PROBE in names or not family_of(row) or family_of(row) in names]


def _reads(file: SystemPredictions) -> tuple[str | None, int | None]:
    """The representation that a system reads, None for the row itself or if it is not known, and how much history."""
    settings = file.settings
    name = settings.get("representation")
    if settings.get("model_type") in BUILDER_KINDS or name not in REPRESENTATIONS:
        return None, None
    newest = settings.get("history_lines")
    return name, newest if isinstance(newest, int) else None


def unseen_variants(
    table: datasets.Dataset, rows: Sequence[Mapping], representation: str | None, newest: int | None = None
) -> frozenset[int]:
    """Return the positions of variants whose prompt is that of their original.

    Args:
        table: the rows with their prompts.
        representation: None: what the system reads is the row, or unknown; nothing is unseen.
        newest: so many lines of the history are read at most; None: all.
    """
    if representation is None:
        return frozenset()
    if newest is not None or not REPRESENTATIONS[representation].in_rows:
        prompts = [render(row, representation, newest) for row in rows]
    else:
        prompts = table[f"prompt_{representation}"][:]
    by_id = {row["id"]: prompt for row, prompt in zip(rows, prompts) if not family_of(row)}
    return frozenset(
        place for place, (row, prompt) in enumerate(zip(rows, prompts)) if family_of(row)
        and prompt == by_id[parent_of(row)]
    )  # fmt: skip
