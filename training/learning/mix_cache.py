"""Mixes of several configs, written once to the Hugging Face cache."""

import hashlib
import json
from pathlib import Path

import datasets

from bap_v2_dataset.loading.builder import rows_hash
from bap_v2_dataset.tasks.building.task import CONFIGS
from bap_v2_training.errors import UsageError


def mix_in_cache(mix: str) -> tuple[Path, dict[str, int | None]]:
    """The folder in the Hugging Face cache of a mix such as "mdc_v2=all,dr=8000", and its amounts (None: all).

    Raises:
        UsageError: it is not written like that.
    """
    amounts: dict[str, int | None] = {}
    for part in sorted(mix.split(",")):
        name, _, amount = part.strip().partition("=")
        if amount != "all" and not amount.isdecimal():
            raise UsageError(
                f"mix: {part.strip()!r} is not an amount of a config (expected for example dr=8000 or dr=all)"
            )
        amounts[name] = None if amount == "all" else int(amount)
    rows = [rows_hash(name) for name in amounts if name in CONFIGS]  # of other rows, another folder
    digest = hashlib.sha256(" ".join([json.dumps(amounts), *rows]).encode()).hexdigest()[:8]
    readable = "_".join(f"{name}-{'all' if amount is None else amount}" for name, amount in amounts.items())
    return Path(datasets.config.HF_CACHE_HOME) / "bap_v2_mixes" / f"{readable}_{digest}", amounts
