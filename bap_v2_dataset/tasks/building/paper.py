"""What papers report, as data: scores (F1 in percent) and counts, each with the table or section that says it.

BAP v2 is Jayannavar et al. (2025). Its test set of human dialogues has its authors' labels (1,155 items). Nobody has
compared ours with them item by item; what is known are totals (1,161 and 1,155 items, 92 and 84 of them multiple). Its
synthetic test sets were not released: ours follow the same recipe, and are other games.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bap_v2_simulators.corpus_table import PUBLISHED, SIZES

# Tables 1 and 7: a measure's heading; by the prefix of its keys in the metric's scores, a board's.
HEADLINE = "Overall (fairer F1)"
COLUMNS = {"type": "Type", "color": "Color", "location": "Location", "shape": "Shape", "fairer": HEADLINE}
SHORT_COLUMNS = {**COLUMNS, "fairer": "Overall"}  # below pictures, where there is no width for more
ROWS = {"eb_": "EB", "neb_": "NEB", "": "all items"}
# D_sb, D_ss, D_r, D_mc, in the order of Tables 4 and 6. `CONFIGS["all"].made_of` has the same names in the order of
# our documents: that order is part of the name of the folder with the joint rows.
JOINT = ("dsb", "dss", "dr", "mdc_v2")

PUBLISHED_ITEMS = {"train": 3709, "validation": 1331, "test": 1616}  # of MDC, by the extraction code of 2020
PUBLISHED_TEST = {"unclear": 418, "unfixable": 43, "fixed": 149, "items": 1155, "multiple": 84}  # 3.2, its own labels

# Items of each config and split: Table 3, and 3.2 for the clean test set. The joint corpus is the sum of its parts.
PAPER_ITEMS: dict[str, Mapping[str, int]] = {
    "mdc_v2": {"train": 14_836, "validation": 1_331, "test": PUBLISHED_TEST["items"]},
    "mdc": PUBLISHED_ITEMS,
    **{name: SIZES[name] for name in PUBLISHED},
}
PAPER_ITEMS["all"] = {
    **{split: sum(PAPER_ITEMS[name][split] for name in JOINT) for split in ("train", "validation")},
    **{f"test_{name}": PAPER_ITEMS[name]["test"] for name in JOINT},
}


@dataclass(frozen=True)
class PublishedModel:
    """A published model. Configs have our names: D_mc is `mdc_v2`."""

    name: str
    source: str  # where the scores stand
    train: tuple[str, ...]  # configs that it was trained on; none: it was not
    representation: str | None = None  # one of prompts.REPRESENTATIONS; None: no text input of Table 5
    test: Mapping[str, float] = field(default_factory=dict)  # Overall (fairer F1) by config of the test set
    boards: Mapping[str, tuple[float, ...]] = field(default_factory=dict)  # of D_mc, by keys of ROWS; as COLUMNS
    legacy: float | None = None  # strict F1 on the original test set, `mdc`


def _model(record: Mapping[str, Any]) -> PublishedModel:
    boards = {board: tuple(scores) for board, scores in record.get("boards", {}).items()}
    test = dict(zip(JOINT, record.get("test", ())))
    return PublishedModel(**{**record, "train": tuple(record["train"]), "test": test, "boards": boards})


_MODELS = {
    name: _model(record)
    for name, record in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
}
GRU, NEBULA, LLAMA_CRAFTS, GPT_4 = map(_MODELS.get, ("gru", "nebula", "llama_crafts", "gpt_4"))
TABLE_4, TABLE_6 = (
    tuple(model for model in _MODELS.values() if model.source == table) for table in ("Table 4", "Table 6")
)
LEGACY = (GRU, NEBULA, GPT_4)  # with a strict F1 on the original test set
TABLE_7 = (NEBULA, LLAMA_CRAFTS)
