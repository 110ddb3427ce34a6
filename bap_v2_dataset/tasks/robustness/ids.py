"""Where rows and ids of the robustness configs are from: their split, their family, their original."""

from collections.abc import Iterable, Mapping
from typing import Any

from bap_v2_dataset.items.rows import perturbation_of, split_of_simulated
from bap_v2_dataset.tasks.robustness.families import FAMILIES
from bap_v2_dataset.tasks.robustness.task import BASE_OF
from bap_v2_dataset.tasks.robustness.variant_rows import variant_name
from bap_v2_simulators.corpora import SIMULATORS

ORIGINAL, PROBE = "original", "probe"  # splits besides those of the families
_ROBUST_OF_BASE = {base: name for name, base in BASE_OF.items()}


def split_of_variant(row_id: str) -> tuple[str, str] | None:
    """Return the config and split of a variant; None for an item that is not one, or is of no config.

    >>> split_of_variant("dss-test-12~sa_turn-2/0"), split_of_variant("B1-A3-C5-1522432776975~spl-1/0")
    (('robust_dss', 'sa_turn'), ('robust_mdc_v2', 'spl'))
    >>> split_of_variant("dss-test-12/0") is None
    True
    """
    name = variant_name(row_id)
    if name is None or name.family not in FAMILIES:
        return None
    if name.parent.startswith(tuple(f"{simulator}-" for simulator in SIMULATORS)):
        base = split_of_simulated(name.parent)
        if base is None or base[1] != "test":
            return None
        return _ROBUST_OF_BASE[base[0]], name.family
    return "robust_mdc_v2", name.family


def family_of(row: Mapping[str, Any]) -> str:
    """Return the family of a variant's row; "" for an original."""
    return perturbation_of(row).get("family", "")


def parent_of(row: Mapping[str, Any]) -> str:
    """Return the id of the original of a variant's row; of an original its own."""
    return perturbation_of(row).get("parent", row["id"])


def number_of(row: Mapping[str, Any]) -> int:
    """Return the number of a row in its family, from 1; 0 for an original."""
    return perturbation_of(row).get("variant", 0)


def split_name(config: str, splits: Iterable[str]) -> str:
    """Splits joined with `+`, in the order of the config, originals first.

    >>> split_name("robust_dss", ["sa_turn+spl", "original"])
    'original+spl+sa_turn'
    """
    names = {name for split in splits for name in split.split("+")}
    return "+".join(name for name in (ORIGINAL, *FAMILIES, PROBE) if name in names)
