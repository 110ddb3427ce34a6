"""GALLERY.md: a dozen games of each simulator as text, with their statistics. `make gallery` writes it.

It is part of the repository and compared with what the simulators make in the tests: whoever changes them sees in the
difference what became of their games.
"""

import statistics
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from bap_v2_dataset.items import Item, items
from bap_v2_metric.actions import net_actions
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import format_action
from bap_v2_simulators.corpora import SIMULATORS, SIZES, TITLES, simulator_of
from bap_v2_simulators.game import Game, write_games
from bap_v2_simulators.simulation import SPLITS, play

GAMES_SHOWN = 12
_GAMES_COUNTED = 200


def gallery() -> str:
    """The whole text."""
    parts = [
        "# Gallery",
        f"{GAMES_SHOWN} games of each simulator (seed 0, four from each split), as `make gallery` writes them. The "
        "dialogue is what the players say, the indented lines are what the Builder does; behind the pose stands what "
        "the Architect had in mind. Targets are drawn layer by layer from the ground up, as seen from above: "
        "x grows to the right and z downwards, `.` is an empty cell.",
    ]
    for name in SIMULATORS:
        parts += [f"## {TITLES[name]}", _statistics(name)]
        for split in SPLITS:
            parts += [_shown(play(simulator_of(name), split, index)) for index in range(GAMES_SHOWN // len(SPLITS))]
    return "\n\n".join(parts) + "\n"


def golden_games() -> list[Game]:
    """One short game of each simulator, kept in the tests to the byte."""
    return [play(simulator_of(name), "train", 0, turns=4) for name in SIMULATORS]


def layers(structure: Structure) -> str:
    """The structure as letters, layer beside layer: `R` is a red block.

    >>> from bap_v2_metric.notation import parse_structure
    >>> print(layers(parse_structure(["red 0 1 0", "blue 0 2 0", "red 1 1 0"])))
    y=1   y=2
    R R   B .
    """
    colors = structure.colors()
    if not colors:
        return ""
    xs, ys, zs = ([cell[axis] for cell in colors] for axis in range(3))
    rows = [[f"y={y}" for y in range(min(ys), max(ys) + 1)]]
    letters = {tuple(cell): color.value[0].upper() for cell, color in colors.items()}
    for z in range(min(zs), max(zs) + 1):
        rows.append(
            [
                " ".join(letters.get((x, y, z), ".") for x in range(min(xs), max(xs) + 1))
                for y in range(min(ys), max(ys) + 1)
            ]
        )
    width = max(len(text) for text in rows[0] + rows[-1])
    return "\n".join("   ".join(text.ljust(width) for text in row).rstrip() for row in rows)


def _shown(game: Game) -> str:
    found = list(items(game))
    lines = [layers(game.target), ""]
    for item in found:
        pose = item.pose
        place = f"at {pose.x:.1f} {pose.y:.1f} {pose.z:.1f}, yaw {pose.yaw:.0f}, pitch {pose.pitch:.0f}"
        lines.append(f"{place}  ({_plan(item)})")
        lines += item.dialogue
        lines += _wrapped("; ".join(map(format_action, item.actions)))
    shapes = [item.metadata["plan"].get("shape") for item in found]
    named = f", {', '.join(shape for shape in dict.fromkeys(shapes) if shape)}" if any(shapes) else ""
    summary = f"{game.game_id}: {len(found)} items, {len(game.target)} blocks{named}"
    text = "\n".join(lines)
    return f"<details><summary>{summary}</summary>\n\n```\n{text}\n```\n\n</details>"


def _plan(item: Item) -> str:
    plan: Mapping = item.metadata["plan"]
    parts = [plan["action"]]
    if not len(item.before):
        parts.append("on the ground")
    elif plan["reference"]:
        parts.append(f"{plan['relation']} of {' '.join(map(str, plan['reference']))}, {plan['reference_rule']}")
    if plan["omitted"]:
        parts.append(f"{plan['omitted']} left out")
    return "; ".join(parts)


def _wrapped(actions: str, width: int = 108) -> Iterator[str]:
    while len(actions) > width:
        cut = actions.rfind("; ", 0, width) + 1
        yield f"    {actions[:cut]}"
        actions = actions[cut + 1 :]
    yield f"    {actions}"


def _statistics(name: str) -> str:
    """The figures of the first games of train, as a table."""
    simulator = simulator_of(name)
    games = [list(items(play(simulator, "train", index))) for index in range(_GAMES_COUNTED)]
    found = [item for game in games for item in game]
    instructions = [line for item in found for line in item.dialogue if line.startswith("<Architect>")]
    rows = [
        ("items in the corpus (train / validation / test)", " / ".join(f"{n:,}" for n in SIZES[name].values())),
        ("items a game", _mean(map(len, games))),
        ("actions an item", _mean(len(item.actions) for item in found)),
        ("net actions an item", _mean(len(net_actions(item.before, item.after)) for item in found)),
        ("blocks in a target", _mean(len(game[-1].target) for game in games)),
        ("with supports", _share(item.metadata["difficulty"]["supports"] > 0 for item in found)),
        ("with a net removal", _share(item.metadata["plan"]["action"] == "remove" for item in found)),
        ("with a clarification exchange", _share("answer" in item.metadata["dialogue_acts"] for item in found)),
        ("Architect utterances, distinct", f"{len(set(instructions)):,} of {len(instructions):,}"),
        ("words an Architect utterance", _mean(len(line.split()) - 1 for line in instructions)),
    ]
    table = "\n".join(f"| {label} | {value} |" for label, value in rows)
    return f"| first {_GAMES_COUNTED} games of train | |\n|---|---|\n{table}"


def _mean(values: Iterable[float]) -> str:
    return f"{statistics.fmean(values):.1f}"


def _share(values: Iterable[bool]) -> str:
    return f"{statistics.fmean(values):.1%}"


if __name__ == "__main__":
    Path("GALLERY.md").write_text(gallery(), encoding="utf-8")
    write_games(golden_games(), Path("tests/golden/simulated_games.jsonl"))
