"""Grid Spatial Understanding (GSU): walks, blocks around a viewer, structures of boxes."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.interface.task import Config, Task

if TYPE_CHECKING:
    from rich.console import RenderableType


# Of `bap_v2_simulators.gsu.configs`, whose import takes time: those of the paper's Table 1, and the others.
MAIN_CONFIGS = (
    "gsu_follower_ego_2d",
    "gsu_follower_ego_3d",
    "gsu_instructor_cardinal_2d",
    "gsu_instructor_ego_2d",
    "gsu_card2ego_2d",
    "gsu_ego_adjacent_distractors",
    "gsu_allo_y_adjacent",
    "gsu_structure",
)
_OTHER_CONFIGS = (
    "gsu_follower_cardinal_2d",
    "gsu_follower_cardinal_3d",
    "gsu_instructor_cardinal_3d",
    "gsu_instructor_ego_3d",
    "gsu_card2ego_3d",
    "gsu_ego_adjacent",
    "gsu_ego_random",
    "gsu_ego_random_distractors",
    "gsu_allo_y_random",
    "gsu_allo_reference_adjacent",
    "gsu_allo_reference_random",
    "gsu_combined",
)
JOINT = "gsu"  # the config that joins those of MAIN_CONFIGS
_MEGABYTES = {"gsu_structure": 64, "gsu_combined": 32}
_MEGABYTES_OF_OTHERS = 7


class Gsu(Task):
    """Grid Spatial Understanding (Sidhu and Hockenmaier, 2026)."""

    name = "gsu"
    title = "Grid Spatial Understanding"
    parts = ("harness", "card", "model_card", "viewer")
    configs: Mapping[str, Config] = {
        **{
            name: Config(arguments=("seed",), by_default=False, megabytes=_MEGABYTES.get(name, _MEGABYTES_OF_OTHERS))
            for name in (*MAIN_CONFIGS, *_OTHER_CONFIGS)
        },
        JOINT: Config(
            splits=("train", "validation", *(f"test_{name}" for name in MAIN_CONFIGS)),
            by_default=False,
            made_of=MAIN_CONFIGS,
            megabytes=114,
        ),
    }
    setup_option = "--gsu"
    setup_help = "The configs of Grid Spatial Understanding: gsu, gsu_*."
    examples = {
        "setup": (("walks, directions and structures on grids", "bap-v2 setup --gsu"),),
        "generate": (
            (
                "walks of up to eight steps",
                "bap-v2 generate gsu_follower_ego_2d w.jsonl --items 1000 --set most_steps=8",
            ),
        ),
    }
    push_help = "Push the configs of GSU; nothing else, unless another option names it."
    own_columns = ("id", "question", "answer")
    generates = True
    baselines = (
        "symbolic",
        "empty",
        "constant",
        "random",
        "all-words",
        "cardinal-reader",
        "facing-y",
        "front-behind-exchanged",
        "both-exchanged",
        "colors",
        "groups",
    )
    reported = MAIN_CONFIGS
    headline = "score"
    example_id = "gsu_structure-test-0"
    stats_help = "How balanced GSU items are instead, beside the paper's Tables 2, 3 and 5."

    def split_of_id(self, row_id: str) -> tuple[str, str] | None:
        return self.part("ids").split_of_id(row_id)

    def is_id(self, item_id: str) -> bool:
        return item_id.partition("-")[0].partition("_")[0] == JOINT

    def stats(self, split: str) -> "tuple[RenderableType, list[dict[str, Any]]]":
        balance = self.part("balance")
        counted = balance.balances(split)
        return balance.balance_report(counted, split), [asdict(one) for one in counted]


GSU = Gsu()
