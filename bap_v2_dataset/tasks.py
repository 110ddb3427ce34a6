"""The tasks: which config belongs to which, where its rows come from, how predictions are scored and scores shown.

This table is all that the builder, `bap-v2 setup`, `score` and `report` know of a task: a new one is an entry here, a
room beside this file for its rows and tables, and a scorer in `bap_v2_metric.tasks.SCORERS`. Parts are named
`module:name` and imported when they are used, so that reading the table costs nothing.
"""

import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bap_v2_dataset.sentences import unknown_name


@dataclass(frozen=True)
class Config:
    """What users can load and say about a config."""

    splits: tuple[str, ...] = ("train", "validation", "test")
    arguments: tuple[str, ...] = ()  # keyword arguments of load_dataset: "mdc" (human corpus), "labels" (of it), "seed"
    by_default: bool = True  # whether `bap-v2 setup` without --config makes it
    made_of: tuple[str, ...] = ()  # configs whose rows it takes


@dataclass(frozen=True)
class Task:
    """The configs of a task and the functions that make, score and show its rows."""

    configs: Mapping[str, Config]

    # Rows.
    description: str  # (config) -> str: one line for `datasets`
    info: str  # (config) -> datasets.DatasetInfo: its columns, and whose data they are
    shards: str  # (builder config, rows_of) -> {split: shards}; a shard has `rows()`; rows_of gives other configs' rows
    depends_on: str  # (config, mdc, labels) -> list of str: what its rows depend on; a change is another cache folder

    # Scores.
    scorer: str  # in bap_v2_metric.tasks.SCORERS
    split_of_id: str  # (row id) -> (config, split), or None where the id does not tell
    labels: str  # (rows, config) -> str: whose labels were used; shown with the scores
    score_table: str  # (results, title, labels, resampling) -> what `bap-v2 score` prints
    tables: str  # (report) -> tables of `bap-v2 report`; the report holds test sets of this task alone
    baselines: Mapping[str, str] = field(default_factory=dict)  # name: (row) -> prediction
    error_bins: str = ""  # (report) -> {(config, split): bins} of the error analysis; "": it has none
    score_tables: str = ""  # (report) -> tables of `bap-v2 score` as Markdown and LaTeX; "": those of `tables`
    item_record: str = "bap_v2_dataset.evaluation.item_scores:counts_alone"  # (row, counts, prediction) -> dict
    headline: str = "fairer_f1"  # the score that is said where only one is
    paired_test: str = "bap_v2_dataset.evaluation.scoring:paired_test"  # (result, base, resampling) -> {score: test}
    comparison: str = "bap_v2_dataset.evaluation.score_tables:comparison_table"  # ([base, result], resampling) -> shown
    units: Mapping[str, str] = field(default_factory=dict)  # of resampling, besides items: (row) -> name, or None
    scored_predictions: str = ""  # (rows, texts, system, **further) -> (what the scorer takes for them, its options)
    scored_split: str = ""  # in place of `evaluation.scoring.scored_split`, which it has the arguments of
    remarks: str = ""  # (report, paper) -> sentences below its tables; paper: whether they hold a paper's numbers
    reported: tuple[str, ...] = ()  # configs that a report of baselines alone is about, in the order of its tables

    # More rows, and where they are from.
    setup_option: str = ""  # of `bap-v2 setup`, that sets up the configs which are left out by default
    generated: str = ""  # (config, settings) -> `generation.single_items.Source`, for `bap-v2 generate`; "": none

    # Data of the user's own.
    own_columns: tuple[str, ...] = ()  # that tell its items from those of other tasks; (): there are no own data
    own_row: str = ""  # (record) -> row: all columns, what is missing derived; raises a UserError naming the column


BASELINES = {
    "do-nothing": "bap_v2_dataset.baselines.rules:do_nothing",
    "stack": "bap_v2_dataset.baselines.rules:stack",
    "first-ten": "bap_v2_dataset.baselines.rules:first_ten",
    "replay": "bap_v2_dataset.baselines.rules:replay",
    "symbolic": "bap_v2_dataset.baselines.symbolic_reader:symbolic",
}
# Of Builder Action Prediction under perturbations: the config of the items that the variants are made of.
BASE_OF_ROBUST = {f"robust_{name}": name for name in ("mdc_v2", "dr", "dsb", "dss")}
# Of Architect generation: the config of the items that the rows are made of.
BASE_OF_ARCHITECT = {f"architect_{name}": name for name in ("dr", "dsb", "dss", "mdc")}
# The families of `robustness.families.FAMILIES`, and those of which a base has no variants, or too few.
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

# Of Grid Spatial Understanding, as in `bap_v2_simulators.gsu.configs`: those of Table 1, and the others.
GSU_MAIN = (
    "gsu_follower_ego_2d",
    "gsu_follower_ego_3d",
    "gsu_instructor_cardinal_2d",
    "gsu_instructor_ego_2d",
    "gsu_card2ego_2d",
    "gsu_ego_adjacent_distractors",
    "gsu_allo_y_adjacent",
    "gsu_structure",
)
_GSU_OTHERS = (
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
# By name the function in `gsu.baselines`, as in `gsu.baselines.GSU_BASELINES`.
_GSU_BASELINES = {
    "symbolic": "symbolic",
    "empty": "empty",
    "constant": "constant",
    "random": "random_answer",
    "all-words": "all_words",
    "cardinal-reader": "cardinal_reader",
    "facing-y": "facing_y",
    "front-behind-exchanged": "front_behind_exchanged",
    "both-exchanged": "both_exchanged",
    "colors": "colors",
    "groups": "groups",
}

# By name the function in `plancraft.baselines`, as in `plancraft.policies.POLICIES`.
_PLANCRAFT_BASELINES = {
    "oracle": "oracle",
    "batched": "batched",
    "one-recipe": "one_recipe",
    "always-impossible": "always_impossible",
    "random": "random_moves",
}

# By name the function in `architect.baselines`.
_ARCHITECT_BASELINES = {"gold": "gold", "next-block": "next_block", "repeat": "repeat", "silent": "silent"}

TASKS: dict[str, Task] = {
    "bap": Task(  # Builder Action Prediction: which blocks does the Builder place and remove next?
        configs={
            "mdc_v2": Config(arguments=("mdc", "labels")),
            "mdc": Config(arguments=("mdc",)),
            "dr": Config(arguments=("seed",)),
            "dsb": Config(arguments=("seed",)),
            "dss": Config(arguments=("seed",)),
            "all": Config(
                splits=("train", "validation", "validation_matched", "test_mdc_v2", "test_dr", "test_dsb", "test_dss"),
                arguments=("mdc", "labels"),
                made_of=("mdc_v2", "dr", "dsb", "dss"),
            ),
        },
        description="bap_v2_dataset.loading.bap:description",
        info="bap_v2_dataset.loading.bap:info",
        shards="bap_v2_dataset.loading.bap:shards",
        depends_on="bap_v2_dataset.loading.bap:depends_on",
        scorer="bap",
        split_of_id="bap_v2_dataset.evaluation.test_sets:split_of_simulated",
        labels="bap_v2_dataset.evaluation.test_sets:labels_of",
        score_table="bap_v2_dataset.evaluation.score_tables:report",
        tables="bap_v2_dataset.evaluation.paper_tables:tables",
        baselines=BASELINES,
        error_bins="bap_v2_dataset.evaluation.error_analysis:error_bins",
        score_tables="bap_v2_dataset.evaluation.score_formats:tables",
        item_record="bap_v2_dataset.evaluation.item_scores:scored_item",
        units={"target": "bap_v2_dataset.evaluation.resampling_units:target_of"},
        reported=("dsb", "dss", "dr", "mdc_v2", "mdc"),
        own_columns=("id", "before"),
        own_row="bap_v2_dataset.loading.own_rows:own_row",
    ),
    "robust": Task(  # the same task on variants of items whose right answer is known
        configs={
            name: Config(
                splits=("original", *(name for name in _FAMILIES if name != _WITHOUT.get(base)), "probe"),
                arguments=("mdc", "labels") if base == "mdc_v2" else (),
                by_default=False,
                made_of=(base,),
            )
            for name, base in BASE_OF_ROBUST.items()
        },
        description="bap_v2_dataset.loading.robust:description",
        info="bap_v2_dataset.loading.robust:info",
        shards="bap_v2_dataset.loading.robust:shards",
        depends_on="bap_v2_dataset.loading.robust:depends_on",
        scorer="robust",
        split_of_id="bap_v2_dataset.evaluation.robust_rows:split_of_variant",
        labels="bap_v2_dataset.evaluation.test_sets:labels_of",
        score_table="bap_v2_dataset.evaluation.robust_tables:score_table",
        tables="bap_v2_dataset.evaluation.robust_tables:tables",
        baselines=BASELINES,
        error_bins="bap_v2_dataset.evaluation.robust_items:error_bins",
        score_tables="bap_v2_dataset.evaluation.robust_tables:score_tables",
        item_record="bap_v2_dataset.evaluation.robust_items:scored_variant",
        headline="all_robust_f1",
        paired_test="bap_v2_dataset.evaluation.robust_tests:paired_test",
        comparison="bap_v2_dataset.evaluation.robust_tables:comparison",
        scored_split="bap_v2_dataset.evaluation.robust_scoring:scored_split",
        units={"target": "bap_v2_dataset.evaluation.resampling_units:target_of"},
        setup_option="--robust",
    ),
    "gsu": Task(  # Grid Spatial Understanding: walks, blocks around a viewer, structures of boxes
        configs={
            **{name: Config(arguments=("seed",), by_default=False) for name in (*GSU_MAIN, *_GSU_OTHERS)},
            "gsu": Config(
                splits=("train", "validation", *(f"test_{name}" for name in GSU_MAIN)),
                by_default=False,
                made_of=GSU_MAIN,
            ),
        },
        description="bap_v2_dataset.loading.gsu:description",
        info="bap_v2_dataset.loading.gsu:info",
        shards="bap_v2_dataset.loading.gsu:shards",
        depends_on="bap_v2_dataset.loading.gsu:depends_on",
        scorer="gsu",
        split_of_id="bap_v2_dataset.gsu.ids:split_of_id",
        labels="bap_v2_dataset.loading.gsu:labels_of",
        score_table="bap_v2_dataset.evaluation.gsu_tables:score_table",
        tables="bap_v2_dataset.evaluation.gsu_tables:tables",
        baselines={name: f"bap_v2_dataset.gsu.baselines:{function}" for name, function in _GSU_BASELINES.items()},
        score_tables="bap_v2_dataset.evaluation.gsu_tables:score_tables",
        item_record="bap_v2_dataset.evaluation.gsu_items:scored_item",
        headline="score",
        paired_test="bap_v2_dataset.evaluation.gsu_tests:paired_test",
        comparison="bap_v2_dataset.evaluation.gsu_tables:comparison",
        remarks="bap_v2_dataset.evaluation.gsu_remarks:remarks",
        reported=GSU_MAIN,
        setup_option="--gsu",
        generated="bap_v2_dataset.generation.gsu_source:source",
        own_columns=("id", "question", "answer"),
        own_row="bap_v2_dataset.loading.gsu_own_rows:gsu_own_row",
    ),
    "plancraft": Task(  # Plancraft: crafting in Minecraft, played turn by turn
        configs={
            "plancraft": Config(
                splits=(
                    "train",
                    "validation",
                    "test",
                    "validation_small",
                    "test_small",
                    "validation_easy",
                    "test_easy",
                ),
                by_default=False,
            ),
            "plancraft_oracle": Config(splits=("train", "validation"), by_default=False),
        },
        description="bap_v2_dataset.loading.plancraft:description",
        info="bap_v2_dataset.loading.plancraft:info",
        shards="bap_v2_dataset.loading.plancraft:shards",
        depends_on="bap_v2_dataset.loading.plancraft:depends_on",
        scorer="plancraft",
        split_of_id="bap_v2_dataset.plancraft.ids:split_of_id",
        labels="bap_v2_dataset.loading.plancraft:labels_of",
        score_table="bap_v2_dataset.evaluation.plancraft_tables:score_table",
        tables="bap_v2_dataset.evaluation.plancraft_tables:tables",
        baselines={
            name: f"bap_v2_dataset.plancraft.baselines:{function}" for name, function in _PLANCRAFT_BASELINES.items()
        },
        score_tables="bap_v2_dataset.evaluation.plancraft_tables:score_tables",
        item_record="bap_v2_dataset.evaluation.plancraft_episodes:scored_episode",
        headline="success",
        paired_test="bap_v2_dataset.evaluation.plancraft_tests:paired_test",
        comparison="bap_v2_dataset.evaluation.plancraft_tables:comparison",
        scored_split="bap_v2_dataset.evaluation.plancraft_scoring:scored_split",
        remarks="bap_v2_dataset.evaluation.plancraft_remarks:remarks",
        reported=("plancraft",),
        setup_option="--plancraft",
        generated="bap_v2_dataset.generation.plancraft_source:source",
        own_columns=("id", "target", "inventory"),
        own_row="bap_v2_dataset.loading.plancraft_own_rows:plancraft_own_row",
    ),
    "architect": Task(  # the other role of building: what does the Architect say next?
        configs={
            name: Config(arguments=("mdc",) if base == "mdc" else (), by_default=False, made_of=(base,))
            for name, base in BASE_OF_ARCHITECT.items()
        },
        description="bap_v2_dataset.loading.architect:description",
        info="bap_v2_dataset.loading.architect:info",
        shards="bap_v2_dataset.loading.architect:shards",
        depends_on="bap_v2_dataset.loading.architect:depends_on",
        scorer="architect",
        split_of_id="bap_v2_dataset.architect.ids:split_of_id",
        labels="bap_v2_dataset.loading.architect:labels_of",
        score_table="bap_v2_dataset.evaluation.architect_tables:score_table",
        tables="bap_v2_dataset.evaluation.architect_tables:tables",
        baselines={
            name: f"bap_v2_dataset.architect.baselines:{function}" for name, function in _ARCHITECT_BASELINES.items()
        },
        score_tables="bap_v2_dataset.evaluation.architect_tables:score_tables",
        item_record="bap_v2_dataset.evaluation.architect_items:scored_utterances",
        headline="reads_f1",
        paired_test="bap_v2_dataset.evaluation.architect_tests:paired_test",
        comparison="bap_v2_dataset.evaluation.architect_tables:comparison",
        units={"target": "bap_v2_dataset.evaluation.resampling_units:target_of"},
        scored_predictions="bap_v2_dataset.evaluation.architect_items:scored_predictions",
        remarks="bap_v2_dataset.evaluation.architect_tables:remarks",
        reported=tuple(BASE_OF_ARCHITECT),
        setup_option="--architect",
        own_columns=("id", "utterances", "before"),
        own_row="bap_v2_dataset.loading.architect_own_rows:architect_own_row",
    ),
}

# Of Builder Action Prediction, in the order of the documents: what mixes are made of, and what is perturbed.
CONFIGS = tuple(TASKS["bap"].configs)
# With those of variants: all have the same columns. The explorer, and the cards of building, know these alone.
_ITEM_CONFIGS = {**TASKS["bap"].configs, **TASKS["robust"].configs}
ITEM_CONFIGS = tuple(_ITEM_CONFIGS)
HUMAN_CONFIGS = tuple(name for name, config in _ITEM_CONFIGS.items() if "mdc" in config.arguments)
LABELED_CONFIGS = tuple(name for name, config in _ITEM_CONFIGS.items() if "labels" in config.arguments)


def all_configs() -> dict[str, Config]:
    """The configs of all tasks, by name."""
    return {name: config for task in TASKS.values() for name, config in task.configs.items()}


def resampling_units() -> tuple[str, ...]:
    """What can be drawn to say how sure scores are: items, or what several items have in common.

    >>> resampling_units()
    ('item', 'target')
    """
    return tuple(dict.fromkeys(("item", *(unit for task in TASKS.values() for unit in task.units))))


def task_of(config: str) -> Task | None:
    """The task of a config; None for a name that is not a config."""
    return next((task for task in TASKS.values() if config in task.configs), None)


def unknown_config(name: str, known: Iterable[str] | None = None) -> str:
    """The sentence for a name that is not a config, the same everywhere.

    Args:
        known: the configs that would do; by default those of all tasks.

    >>> unknown_config("mcd_v2", CONFIGS)
    "unknown config 'mcd_v2' (expected one of mdc_v2, mdc, dr, dsb, dss, all); did you mean mdc_v2?"
    """
    return unknown_name("config", name, all_configs() if known is None else known)


def task_of_columns(columns: Iterable[str]) -> Task | None:
    """The task whose items have such columns, of several the one that asks for most; None if no task's do."""
    columns = set(columns)
    fitting = [task for task in TASKS.values() if task.own_columns and columns.issuperset(task.own_columns)]
    return max(fitting, key=lambda task: len(task.own_columns), default=None)


def known_task(config: str) -> Task:
    """The task of a config of whose name somebody has made sure."""
    task = task_of(config)
    assert task is not None, config
    return task


def part(name: str) -> Any:
    """What `module:name` names.

    >>> part("bap_v2_dataset.baselines.rules:do_nothing")({})
    ''
    """
    return pkgutil.resolve_name(name)
