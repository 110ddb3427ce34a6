"""Robustness: Builder Action Prediction on variants of items whose right answer is known."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bap_v2_dataset.tasks.building.task import Building
from bap_v2_dataset.tasks.task import Config, Dataset

if TYPE_CHECKING:
    from bap_v2_dataset.evaluation.runs import SystemPredictions
    from bap_v2_dataset.evaluation.scores import Scores

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
    own_columns = ()
    reported = ()
    headline = "all_robust_f1"
    score_options = ("original", "variants", "measure")
    of_items = f"robustness configs ({', '.join(BASE_OF)})"

    @property
    def dataset(self) -> Dataset:
        from bap_v2_dataset.tasks.robustness import dataset

        return dataset

    def title_of(self, config: str, split: str) -> str:
        return f"{config} probe" if split == "probe" else config  # families stand in the tables

    def split_of_id(self, row_id: str) -> tuple[str, str] | None:
        from bap_v2_dataset.tasks.robustness.ids import split_of_variant

        return split_of_variant(row_id)

    def splits_answered(self, file: "SystemPredictions", config: str) -> str:
        from bap_v2_dataset.tasks.robustness.files import splits_answered

        return splits_answered(file, config)

    def test_set_of(
        self, files: Sequence["SystemPredictions"], config: str | None, split: str | None
    ) -> "tuple[str, str, list[SystemPredictions]] | None":
        if config not in self.configs and (config or not any(map(names_a_variant, files))):
            return None
        from bap_v2_dataset.tasks.robustness.files import test_set_of

        return test_set_of(files, config, split)

    def joined(self, files: Sequence["SystemPredictions"]) -> list["SystemPredictions"]:
        if not any(file.config in self.configs for file in files):
            return list(files)
        from bap_v2_dataset.tasks.robustness.files import prepared

        return prepared(files)

    @property
    def scores(self) -> "Scores":
        from bap_v2_dataset.tasks.robustness.scores import SCORES

        return SCORES


def names_a_variant(file: "SystemPredictions") -> bool:
    """Whether predictions, or their settings, are for variants."""
    return file.settings.get("dataset_config") in BASE_OF or any("~" in row_id for row_id in file.predictions)


ROBUSTNESS = Robustness()
