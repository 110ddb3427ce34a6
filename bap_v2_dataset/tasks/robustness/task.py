"""Robustness: Builder Action Prediction on variants of items whose right answer is known."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bap_v2_dataset.tasks.building.task import Building
from bap_v2_dataset.tasks.task import Config, Dataset, Harness

if TYPE_CHECKING:
    from bap_v2_dataset.evaluation.scores import Scores
    from bap_v2_dataset.publishing.dataset_card import Published

BASE_OF = {f"robust_{name}": name for name in ("mdc_v2", "dr", "dsb", "dss")}  # what the variants are made of
# The families of `families.FAMILIES`, and those of which a base has no variants, or too few.
_FAMILIES = (
    "spl",
    "spg",
    "spp",
    "spp_history",
    "spc_add",
    "spc_remove",
    "sa_mirror",
    "sa_turn",
    "sa_color",
    "sa_shift",
)
_WITHOUT = {"mdc_v2": "spc_remove", "dr": "spp_history", "dss": "spc_remove"}
_MEGABYTES = {"mdc_v2": 180, "dr": 160, "dsb": 160, "dss": 70}


class Robustness(Building):
    """The rows of building, and variants of them (Dan et al., 2021, for this task)."""

    name = "robust"
    title = "Variants of test items"
    configs: Mapping[str, Config] = {
        name: Config(
            splits=("original", *(family for family in _FAMILIES if family != _WITHOUT.get(base)), "probe"),
            arguments=("mdc", "labels") if base == "mdc_v2" else (),
            by_default=False,
            made_of=(base,),
            megabytes=_MEGABYTES[base],
        )
        for name, base in BASE_OF.items()
    }
    setup_option = "--robust"
    setup_help = "The configs of variants, robust_*, and those whose test items they are made of."
    push_help = "With each config, also push the one of variants of its test items."
    own_columns = ()
    reported = ()
    headline = "all_robust_f1"
    ranked = False

    @property
    def dataset(self) -> Dataset:
        from bap_v2_dataset.tasks.robustness import dataset

        return dataset

    def title_of(self, config: str, split: str) -> str:
        return f"{config} probe" if split == "probe" else config  # families stand in the tables

    def split_of_id(self, row_id: str) -> tuple[str, str] | None:
        from bap_v2_dataset.tasks.robustness.ids import split_of_variant

        return split_of_variant(row_id)

    # --- Harnesses.
    @property
    def harness(self) -> Harness:
        from bap_v2_dataset.tasks.robustness import harness

        return harness

    def card_pieces(self, published: "Published") -> Mapping[str, str]:
        from bap_v2_dataset.tasks.robustness import card

        return card.pieces(published)

    @property
    def scores(self) -> "Scores":
        from bap_v2_dataset.tasks.robustness.scores import SCORES

        return SCORES


ROBUSTNESS = Robustness()
