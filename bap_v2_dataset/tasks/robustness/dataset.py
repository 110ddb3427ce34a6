"""The rows of the robustness configs: columns, citation, and what they depend on."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import datasets

from bap_v2_dataset.items.versions import hashed
from bap_v2_dataset.tasks.building import dataset as bap
from bap_v2_dataset.tasks.robustness.task import BASE_OF
from bap_v2_dataset.tasks.robustness.versions import PERTURBATION_VERSION

_CITATION = (Path(__file__).parent / "citation.bib").read_text(encoding="utf-8")


def description(config: str) -> str:
    """Return one line about a config."""
    return f"Robustness: the test items of {BASE_OF[config]}, and variants of them whose right answer is known."


def info(config: str) -> datasets.DatasetInfo:
    """Return the columns of a config, which are those of the items, and whose data they are."""
    base = bap.info(BASE_OF[config])
    base.description = "Builder Action Prediction (BAP) v2 under perturbations: is a Builder right on every variant?"
    base.citation = f"{base.citation}\n{_CITATION}"
    return base


def depends_on(config: str, mdc: str | None = None, labels: str | None = None) -> list[str]:
    """Name what the rows of a config depend on: those of its base, and the version of the variants."""
    return [config, hashed(bap.depends_on(BASE_OF[config], mdc, labels)), PERTURBATION_VERSION]


def labels_of(rows: Sequence[Mapping], config: str) -> str:
    """Say whose labels were used, which are those of the base; shown with every score."""
    return bap.labels_of(rows, BASE_OF[config])
