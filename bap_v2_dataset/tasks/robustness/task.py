"""Robustness: Builder Action Prediction on variants of items whose right answer is known."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.interface.task import Config, ScoreOption
from bap_v2_dataset.tasks.building.task import BUILDING, CONFIGS, Building
from bap_v2_metric.robust_scores import FAMILIES
from bap_v2_metric.scoring import MEASURES

if TYPE_CHECKING:
    from bap_v2_dataset.evaluation.runs import SystemPredictions
    from bap_v2_dataset.publishing.published import PublishedConfigs

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

    def part(self, name: str) -> Any:
        of_building = ("own_rows", "baselines.by_name", "card", "model_card")
        return BUILDING.part(name) if name in of_building else super().part(name)

    def title_of(self, config: str, split: str) -> str:
        return f"{config} probe" if split == "probe" else config  # families stand in the tables

    def split_of_id(self, row_id: str) -> tuple[str, str] | None:
        return self.part("ids").split_of_variant(row_id)

    def splits_answered(self, file: "SystemPredictions", config: str) -> str:
        return self.part("files").splits_answered(file, config)

    def test_set_of(
        self, files: Sequence["SystemPredictions"], config: str | None, split: str | None
    ) -> "tuple[str, str, list[SystemPredictions]] | None":
        if config not in self.configs and (config or not any(map(names_a_variant, files))):
            return None
        return self.part("files").test_set_of(files, config, split)

    def joined(self, files: Sequence["SystemPredictions"]) -> list["SystemPredictions"]:
        if not any(file.config in self.configs for file in files):
            return list(files)
        return self.part("files").prepared(files)

    def card_pieces(self, published: "PublishedConfigs") -> Mapping[str, str]:
        return self.part("card_pieces").pieces(published)

    def is_id(self, item_id: str) -> bool:
        if "~" not in item_id:
            return False  # imports nothing
        return self.part("variant_rows").variant_name(item_id) is not None


def names_a_variant(file: "SystemPredictions") -> bool:
    """Return whether predictions, or their settings, are for variants."""
    return file.settings.get("dataset_config") in BASE_OF or any("~" in row_id for row_id in file.predictions)


ROBUSTNESS = Robustness()
