"""What a GRU learns: the train items, and in robust training their variants, chosen before or while it learns."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from datasets import Dataset

from bap_v2_training.gru.adversary import Adversary, HardestVariant, MovedPose
from bap_v2_training.gru.features import COLUMNS, Steps
from bap_v2_training.gru.settings import GruArguments
from bap_v2_training.learning.dataset_rows import complete_rows
from bap_v2_training.tasks.robustness import CHOSEN_ONCE, FGSM, candidates_of, counts_of_variants, with_variants

LEARNED = ("id", *COLUMNS, "actions")  # the columns that are learned from


class LearnedRows(NamedTuple):
    """The rows that become items."""

    rows: Dataset  # with the variants, if those were chosen once
    plain: list[dict[str, Any]]  # the same as Python objects, and after them candidates of an adversary
    words: list[dict[str, Any]]  # rows whose words are counted
    record: dict[str, Any] | None  # of the variants, for training_run.json
    adversary: Callable[[Steps], Adversary] | None  # made of the items; None: every epoch has all of them


def learned_rows(rows: Dataset, gru: GruArguments) -> LearnedRows:
    """The train items of a GRU. Raises: UsageError if none has a variant of what the settings name."""
    record = None
    if gru.robust and gru.robust_mode in CHOSEN_ONCE:
        rows, record = with_variants(rows, gru)
    plain = complete_rows(rows, LEARNED)
    if not gru.robust or gru.robust_mode in CHOSEN_ONCE:
        return LearnedRows(rows, plain, plain, record, None)
    whole = rows.to_list()
    if gru.robust_mode == FGSM:
        record = {"parents": len(plain), "variants": len(plain), "families": {"spg": len(plain)}}
        return LearnedRows(rows, [*plain, *plain], plain, record, partial(MovedPose, rows=whole))
    found = candidates_of(whole, gru)
    record = counts_of_variants(len(plain), [several[0] for several in found if several])
    read = [*plain, *(variant for several in found for variant in several)]
    owners = [number for number, several in enumerate(found) for _ in several]
    return LearnedRows(rows, read, read, record, lambda steps: HardestVariant(len(plain), owners))
