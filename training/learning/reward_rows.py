"""Items as a training with rewards takes them: prompts that fit, and the columns that rewards read."""

import hashlib
import json
from typing import NamedTuple

from datasets import Dataset
from transformers import PreTrainedTokenizerBase

from bap_v2_metric.tasks import scorer_of
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.dataset_rows import check_columns, sources_in, sources_of
from bap_v2_training.learning.grpo_settings import GrpoArguments
from bap_v2_training.learning.tokenization import PromptTooLong, fitting_prompt, token_count
from bap_v2_training.tasks.table import texts_of

_OPTIONAL = ("interpretations", "group")  # columns of references that have a default


class RewardRows(NamedTuple):
    """The items that fit."""

    rows: Dataset  # `id`, `prompt`, and what the rewards read
    counts: dict  # items, sources, what was shortened or left out, and sha256 of prompts and references


def reward_rows(rows: Dataset, settings: GrpoArguments, tokenizer: PreTrainedTokenizerBase) -> RewardRows:
    """The rows of a split with their prompts, shortened as in train_sft.py and predict.py.

    Raises:
        UsageError: the rows lack what rewards read, or no prompt fits.
    """
    columns = list(scorer_of(settings.task).reference)
    check_columns(rows, [name for name in columns if name not in _OPTIONAL])
    columns = ["id", *(name for name in columns if name in rows.column_names and name != "id")]
    texts = texts_of(settings)
    columns += texts.read_with
    prompts, kept, shortened = [], [], 0
    for index, row in enumerate(texts.prompted(rows)):
        try:
            prompt, dropped = fitting_prompt(
                row["prompt"], row["history"], lambda text: token_count(tokenizer, text) <= settings.max_prompt_tokens
            )
        except PromptTooLong:
            continue
        prompts.append(prompt)
        kept.append(index)
        shortened += dropped > 0
    if not kept:
        raise UsageError("no item fits: raise max_prompt_tokens")
    fitting = rows.select(kept)
    counts = {"items": len(kept), "sources": sources_in(sources_of(fitting)), "shortened": shortened,
              "too_long_left_out": len(rows) - len(kept)}  # fmt: skip
    fitting = fitting.select_columns(columns).add_column("prompt", prompts)
    digest = hashlib.sha256()
    for row in fitting:
        digest.update(json.dumps(row, sort_keys=True).encode())
    return RewardRows(fitting, {**counts, "sha256": digest.hexdigest()})
