"""The rows of Builder Action Prediction: columns, citation, and what the rows of each config depend on.

Imports nothing that makes rows: `shards` does.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import datasets

from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.versions import DATA_VERSION, PROMPT_VERSION, hashed
from bap_v2_dataset.tasks.building.task import CONFIGS
from bap_v2_simulators.corpus_table import SIZES, TITLES, VERSIONS

_DESCRIPTIONS = {
    "mdc_v2": "The Minecraft Dialogue Corpus with the clean test set of BAP v2; train is augmented to four times that.",
    "mdc": "The Minecraft Dialogue Corpus as in the original BAP (2020): 3,709 / 1,331 / 1,616 items.",
    "all": "The joint corpus: mdc_v2, dr, dsb and dss, shuffled, and a test split for each.",
}
_CITATION = (Path(__file__).parent / "citation.bib").read_text(encoding="utf-8").rstrip("\n")


def description(config: str) -> str:
    """Return one line about a config."""
    if config in SIZES:
        sizes = " / ".join(f"{size:,}" for size in SIZES[config].values())
        return f"Synthetic, {TITLES[config]}; {sizes} items."
    return _DESCRIPTIONS[config]


def info(config: str) -> datasets.DatasetInfo:
    """Return the columns of a config, which all have the same, and whose data they are."""
    return datasets.DatasetInfo(
        description="Builder Action Prediction (BAP) v2: which blocks does the Builder place and remove next?",
        features=FEATURES,
        license="Human data: University of Illinois/NCSA Open Source License.",
        citation=_CITATION,
    )


def depends_on(config: str, mdc: str | None = None, labels: str | None = None) -> list[str]:
    """The versions of all that makes the rows of a config; of human ones also digests of the corpus and the labels."""
    parts = [DATA_VERSION, PROMPT_VERSION]
    if config == "all":
        return [*parts, *(hashed(depends_on(name, mdc, labels)) for name in CONFIGS["all"].made_of)]
    if config in VERSIONS:
        return [*parts, config, VERSIONS[config]]
    from bap_v2_dataset.human.game_store import mdc_games
    from bap_v2_dataset.human.mdc import PARSER_VERSION
    from bap_v2_dataset.labels.readings import READINGS_VERSION

    parts += [PARSER_VERSION, READINGS_VERSION, mdc_games(mdc).digest]
    if config == "mdc_v2":
        from bap_v2_dataset.augmentation.variants import AUGMENTATION_VERSION
        from bap_v2_dataset.labels.label_file import labels_name, labels_path

        parts += [AUGMENTATION_VERSION, labels_name(labels_path(labels))]
    return parts


def labels_of(rows: Sequence[Mapping], config: str) -> str:
    """Name the labels that say which items count and which have several interpretations; shown with every score."""
    is_own = config not in CONFIGS
    annotations = [row["metadata"].get("annotation") for row in rows]
    sources = {value.get("labels") for value in annotations if isinstance(value, Mapping)} - {None}
    if sources and not (is_own and not all(isinstance(name, str) for name in sources)):
        return "; ".join(sorted(sources))
    if rows and all(isinstance(value, Mapping) and value.get("clear") for value in annotations):
        return "a language model's readings, which call all items clear: data/README.md says how good they are"
    if config == "mdc":
        return "none (legacy MDC): every item counts, with a unique interpretation"
    if all(row["metadata"].get("source") == "simulated" for row in rows):
        return "none needed (synthetic): items on an empty board have multiple interpretations"
    if is_own:
        return "none (own data): every item counts, with the interpretations that it names"
    return "none: of human items, every one counts, with a unique interpretation"
