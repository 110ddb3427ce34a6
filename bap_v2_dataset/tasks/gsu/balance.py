"""How balanced GSU items are: directions, words, colors, shapes and sizes, beside the paper's Tables 2, 3 and 5."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import dist, sqrt

from rich.console import Group
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.tasks.gsu.paper import TABLE_2, TABLE_3, TABLE_5
from bap_v2_metric.blocks import Color
from bap_v2_simulators.gsu.boxes import KINDS
from bap_v2_simulators.gsu.configs import CONFIGS, SIZES, GsuConfig
from bap_v2_simulators.gsu.localization import RELATIONS, GridScene
from bap_v2_simulators.gsu.structure import CLASSES, Composition
from bap_v2_simulators.gsu.walks import DIRECTIONS, WalkStep, turned, way_of
from bap_v2_simulators.settings import SettingsError

WALKS = ("gsu_follower_ego_2d", "gsu_follower_ego_3d", "gsu_follower_cardinal_2d", "gsu_follower_cardinal_3d")
SCENES = ("gsu_ego_adjacent_distractors", "gsu_allo_y_adjacent")


@dataclass(frozen=True)
class Balance:
    """Counts of the items of a config."""

    title: str
    counts: Mapping[str, int]  # by direction, word, color or shape
    paper: Mapping[str, float]  # the shares that the paper prints, in percent; empty if it has none
    facts: Mapping[str, float] = field(default_factory=dict)  # further numbers, by what they are

    @property
    def total(self) -> int:
        """Of the counts."""
        return sum(self.counts.values())


def balances(split: str = "test", seed: int = 0) -> list[Balance]:
    """Return the balance of walks, scenes and structures, a function of split and seed; nothing has to be set up.

    Raises:
        SettingsError: for an unknown split, and a seed that is not a whole number of 64 bits.
    """
    return [
        *(_of_walks(CONFIGS[name], split, seed) for name in WALKS),
        *(_of_scenes(CONFIGS[name], split, seed) for name in SCENES),
        *_of_structures(split, seed),
    ]


def _items(config: GsuConfig, split: str, seed: int) -> list:
    if split not in SIZES:
        raise SettingsError(f"unknown split {split!r} (expected one of {', '.join(SIZES)})")
    return [config.simulator.item(split, seed, index) for index in range(SIZES[split])]


def _of_walks(config: GsuConfig, split: str, seed: int) -> Balance:
    walks: list[tuple[WalkStep, ...]] = _items(config, split, seed)
    steps = [step for walk in walks for step in walk]
    counts = Counter(step.direction for step in steps)
    turns = sum(_turns(walk, config.frame) for walk in walks)
    return Balance(
        f"Directions of {config.name}",
        {word: counts[word] for word in DIRECTIONS[: 2 * config.dims]},
        TABLE_2[config.name],
        {
            "steps per walk": len(steps) / len(walks),
            "cells per step": sum(step.length for step in steps) / len(steps),
            "steps that change the heading, %": 100 * turns / len(steps),
            "different walks": len(set(walks)),
        },
    )


def _turns(walk: Sequence[WalkStep], frame: str) -> int:
    """Return the steps that lead another way than the one before; in fixed directions too, where the first faces +y."""
    heading, turns = "+y", 0
    for step in walk:
        way = way_of(step.direction, heading, frame)
        before, heading = heading, turned(heading, way) if frame == "egocentric" else way
        turns += heading != before
    return turns


def _of_scenes(config: GsuConfig, split: str, seed: int) -> Balance:
    scenes: list[GridScene] = _items(config, split, seed)
    counts = Counter(word for scene in scenes for word in scene.answer)
    bases = [scene.reference or scene.viewer for scene in scenes]
    return Balance(
        f"Words of {config.name}",
        {word: counts[word] for word in RELATIONS},
        TABLE_3[config.name],
        {
            "words per answer": counts.total() / len(scenes),
            "cells from base to target": sum(dist(a, scene.target) for a, scene in zip(bases, scenes)) / len(scenes),
            "distractors": sum(len(scene.distractors) for scene in scenes) / len(scenes),
            "different answers": len({scene.answer for scene in scenes}),
        },
    )


def _of_structures(split: str, seed: int) -> list[Balance]:
    # Count words, colors, kinds and blocks over all structures.
    items: list[Composition] = _items(CONFIGS["gsu_structure"], split, seed)
    relations = Counter(word for item in items for word in item.relations)
    colors = Counter(color for item in items for shape in item.shapes for color in shape.colors)
    kinds = Counter(shape.box.kind for item in items for shape in item.shapes)
    sizes = sorted(len(item.blocks) for item in items)
    mean = sum(sizes) / len(sizes)
    # Each count stands beside the shares of Table 5; sizes are facts of the shapes.
    return [
        Balance("Relations of gsu_structure", {word: relations[word] for word in RELATIONS}, TABLE_5["relations"]),
        Balance("Colors of gsu_structure", {one.value: colors[one.value] for one in Color}, TABLE_5["colors"]),
        Balance(
            "Shapes of gsu_structure",
            {kind: kinds[kind] for kind in KINDS},
            TABLE_5["shapes"],
            {
                "blocks per structure": mean,
                "standard deviation": sqrt(sum((size - mean) ** 2 for size in sizes) / len(sizes)),
                "fewest blocks": sizes[0],
                "most blocks": sizes[-1],
                "structures below 15 blocks, %": 100 * sum(size < 15 for size in sizes) / len(sizes),
                "structures of 85 blocks or more, %": 100 * sum(size >= 85 for size in sizes) / len(sizes),
                **{name: sum(item.structure_class == name for item in items) for name in CLASSES},
            },
        ),
    ]


def balance_report(balances: Iterable[Balance], split: str) -> Group:
    """Return the counts beside the paper's, a table for each config."""
    parts: list = []
    for balance in balances:
        table = Table(header_style="bold")
        table.add_column("")
        for heading in (split, "%", "paper, %"):
            table.add_column(heading, justify="right")
        for name, count in balance.counts.items():
            paper = balance.paper.get(name)
            share = f"{100 * count / balance.total:.1f}" if balance.total else "–"
            table.add_row(name, f"{count:,}", share, "–" if paper is None else f"{paper:g}")
        facts = [Text("; ".join(f"{name} {value:,.4g}" for name, value in balance.facts.items()), "dim")]
        parts += [Text(balance.title, "italic"), table, *(facts if balance.facts else []), Text()]
    return Group(*parts)
