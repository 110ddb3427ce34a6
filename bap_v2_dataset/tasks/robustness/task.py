"""Robustness: Builder Action Prediction on variants of items whose right answer is known."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bap_v2_dataset.tasks.building.task import CONFIGS, Building
from bap_v2_dataset.tasks.task import Config, Dataset, Harness, RowsOf, ScoreOption, Shards
from bap_v2_metric.robust_scores import FAMILIES
from bap_v2_metric.scoring import MEASURES

if TYPE_CHECKING:
    from bap_v2_dataset.evaluation.runs import SystemPredictions
    from bap_v2_dataset.evaluation.scores import Scores
    from bap_v2_dataset.loading.config import BapV2Config
    from bap_v2_dataset.publishing.published import Published
    from bap_v2_dataset.tasks.viewer import Viewer

BASE_OF = {f"robust_{name}": name for name in ("mdc_v2", "dr", "dsb", "dss")}  # what the variants are made of
# Families of which a base has no variants, or too few.
_WITHOUT = {"mdc_v2": "spc_remove", "dr": "spp_history", "dss": "spc_remove"}
_MEGABYTES = {"mdc_v2": 180, "dr": 160, "dsb": 160, "dss": 70}


class Robustness(Building):
    """The rows of building, and variants of them (Dan et al., 2021, for this task)."""

    name = "robust"
    title = "Variants of test items"
    configs: Mapping[str, Config] = {
        name: Config(
            splits=("original", *(family for family in FAMILIES if family != _WITHOUT.get(base)), "probe"),
            arguments=("mdc", "labels") if base == "mdc_v2" else (),
            by_default=False,
            made_of=(base,),
            unit=CONFIGS[base].unit,
            megabytes=_MEGABYTES[base],
        )
        for name, base in BASE_OF.items()
    }
    setup_option = "--robust"
    setup_help = "The configs of variants, robust_*, and those whose test items they are made of: some minutes."
    examples = {
        "setup": (("variants of the test items, for robustness", "bap-v2 setup --robust"),),
        "perturb": (
            (
                "train items with other words, one variant of each",
                "bap-v2 perturb mdc_v2 --family spl --variants 1 --out spl.parquet",
            ),
            ("items of your own, in all families", "bap-v2 perturb --data items.jsonl --out variants.jsonl"),
        ),
        "show": (("a variant beside the item it was made of", "bap-v2 show dss-test-0~sa_turn-1/1"),),
        "push": (
            ("the synthetic configs, and variants of their test items", "bap-v2 push --repo-id USER/bap_v2 --robust"),
        ),
    }
    own_columns = ()
    reported = ()
    headline = "all_robust_f1"
    example_id = "dss-test-0~sa_turn-1/1"
    score_options = (
        ScoreOption(
            "original",
            "The predictions for the items themselves (test of the base config), where the files have those for "
            "variants alone. Repeatable: one for each file, in the same order.",
            list[str],
            "FILE",
        ),
        ScoreOption("variants", "Score so many variants of a family. Default: all.", int, "N", least=1),
        ScoreOption("measure", "The F1 that is shown, e.g. strict. Default: fairer.", choices=MEASURES),
    )
    of_items = f"robustness configs ({', '.join(BASE_OF)})"
    push_help = "With each config, also push the one of variants of its test items."

    @property
    def dataset(self) -> Dataset:
        from bap_v2_dataset.tasks.robustness import dataset

        return dataset

    def shards(self, config: "BapV2Config", rows_of: RowsOf) -> Shards:
        from bap_v2_dataset.tasks.robustness.shards import shards

        return shards(config, rows_of)

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

    def is_id(self, item_id: str) -> bool:
        if "~" not in item_id:
            return False  # imports nothing
        from bap_v2_dataset.tasks.robustness.variant_rows import variant_name

        return variant_name(item_id) is not None

    @property
    def viewer(self) -> "Viewer":
        from bap_v2_dataset.tasks.robustness.viewer import RobustnessViewer

        return RobustnessViewer(self)


def names_a_variant(file: "SystemPredictions") -> bool:
    """Whether predictions, or their settings, are for variants."""
    return file.settings.get("dataset_config") in BASE_OF or any("~" in row_id for row_id in file.predictions)


ROBUSTNESS = Robustness()
