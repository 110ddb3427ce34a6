"""docs/gallery.md: a game of each simulator as text, and augmented games beside their originals.

The tests compare it with what is made: whoever changes a simulator or the augmentation sees in the difference what
became of the games. `make gallery` writes it.
"""

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from side_by_side import layers, side_by_side

from bap_v2_dataset.augmentation.lexicon import LEXICON, REFUSED
from bap_v2_dataset.items.item import Item, items
from bap_v2_metric.actions import net_actions
from bap_v2_metric.notation import format_action, parse_action, parse_structure
from bap_v2_simulators.atomic_files import atomic_write
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.corpus_table import PUBLISHED, SIZES, TITLES
from bap_v2_simulators.game import Event, Game, Utterance, write_games
from bap_v2_simulators.game import Step as Change
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.simulation import play

ROOT = Path(__file__).parent.parent
_GAMES_COUNTED = 200
_GAMES_WITH_REPAIRS = 30
_REPAIRS_SHOWN = 2  # of each kind and simulator


def gallery() -> str:
    """The whole text."""
    parts = [
        "# Gallery",
        "The first train game of each simulator (seed 0), as `make gallery` writes it. The "
        "dialogue is what the players say, the indented lines are what the Builder does; after the pose comes what the "
        "Architect planned. Targets are drawn layer by layer from the ground up, as seen from above: "
        "x grows to the right and z downwards, `.` is an empty cell. `bap-v2 show --game dr-train-0 --out game.html` "
        "makes a 3D replay of a game.",
    ]
    for name in SIMULATORS:
        picture = f"![An item of {name} as a picture](pictures/item-{name}.png)"  # docs/draw_pictures.py
        parts += [f"## {TITLES[name]}", picture, _statistics(name), _shown(play(simulator_of(name), "train", 0))]
    parts += _repairs()
    parts += _augmentation()
    return "\n\n".join(parts) + "\n"


def golden_games() -> list[Game]:
    """One short game of each simulator, kept in the tests to the byte."""
    return [play(simulator_of(name), "train", 0, turns=4) for name in SIMULATORS]


def _shown(game: Game) -> str:
    game_items = list(items(game))
    lines = [layers(game.target), ""]
    for item in game_items:
        pose = item.pose
        place = f"at {pose.x:.1f} {pose.y:.1f} {pose.z:.1f}, yaw {pose.yaw:.0f}, pitch {pose.pitch:.0f}"
        lines.append(f"{place}  ({_plan(item)})")
        lines += item.dialogue
        lines += _wrapped("; ".join(map(format_action, item.actions)))
    shapes = [item.metadata["plan"].get("shape") for item in game_items]
    named = f", {', '.join(shape for shape in dict.fromkeys(shapes) if shape)}" if any(shapes) else ""
    summary = f"{game.game_id}: {len(game_items)} items, {len(game.target)} blocks{named}"
    text = "\n".join(lines)
    return f"<details><summary>{summary}</summary>\n\n```text\n{text}\n```\n\n</details>"


def _repairs() -> list[str]:
    """Turns that are put right in the end, a few of each simulator."""
    shown = []
    for name in PUBLISHED:
        simulator = simulator_of(name, {"talk.repairs": "0.5"})
        turns = [item for index in range(_GAMES_WITH_REPAIRS) for item in items(play(simulator, "train", index))]
        for kind in ("correction", "two readings", "then"):
            shown += [(name, item) for item in turns if kind in _repair(item)][:_REPAIRS_SHOWN]
    text = "\n\n".join(
        "\n".join([f"{name}: {_repair(item)}", *item.dialogue, *_wrapped("; ".join(map(format_action, item.actions)))])
        for name, item in shown
    )
    return [
        "## Repairs: a setting beyond the paper",
        "`bap-v2 generate dr --set talk.repairs=0.2` lets the Architect correct itself, the Builder ask between two "
        "readings, and one turn hold two steps. The setting is off in the published corpora.",
        f"```text\n{text}\n```",
    ]


def _repair(item: Item) -> str:
    """What is put right in the turn, and whether it has two steps."""
    plan: Mapping = item.metadata["plan"]
    return ", ".join(
        [*([plan["repair"]] if "repair" in plan else []), *(["then a second step"] if "then" in plan else [])]
    )


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


def _game(name: str, target: Sequence[str], *events: "str | tuple[Pose, str]") -> Game:
    """A game from text: a chat line, or a pose with actions that are joined by semicolons."""
    parsed: list[Event] = []
    for event in events:
        if isinstance(event, str):
            parsed.append(Utterance.parse(event))
        else:
            pose, actions = event
            parsed += [Change(pose, (parse_action(action),)) for action in actions.split("; ")]
    return Game(name, "train", parse_structure(target), tuple(parsed), {"source": "human"})


EXAMPLES = (
    _game(
        "gateway",
        ["red 1 1 0", "red 1 2 0", "red 1 3 0", "orange 1 4 0", "orange 0 4 0", "yellow -1 4 0",
         "red -1 1 0", "red -1 2 0", "red -1 3 0"],
        "<Architect> hello! today we're building a small gate",
        "<Builder> ok, I'm ready!",
        "<Architect> put a stack of 3 red blocks near the middle",
        (Pose(0.4, 1.0, -3.2, -6.0, 20.0), "place red 1 1 0; place red 1 2 0; place red 1 3 0"),
        "<Builder> like this?",
        "<Architect> perfect! now place an orange one on top of the reds, and two more orange blocks to the right",
        (Pose(0.1, 2.6, -3.5, 4.0, 12.0), "place orange 1 4 0; place orange 0 4 0; place orange -1 4 0"),
        "<Architect> sorry, my mistake: remove the last orange block and put a yello one in that place",
        (Pose(-0.6, 2.6, -3.3, -9.5, 11.0), "pick -1 4 0; place yellow -1 4 0"),
        "<Builder> oops, ok. yellow-orange on the top, reds on the left",
        "<Architect> yep. then build another red column under the yellow, down to the ground",
        (Pose(-0.6, 1.4, -3.3, -9.5, 11.0), "place red -1 3 0; place red -1 2 0; place red -1 1 0"),
        "<Builder> done!",
        "<Architect> great job, thanks",
    ),
    _game(
        "rose",
        ["green 2 1 -1", "green 2 2 -1", "purple 2 3 -2", "purple 2 3 0", "purple 2 4 -1", "yellow 2 3 -1"],
        "<Architect> hi builder, this one kind of looks like a rose",
        "<Architect> let's start with two greens in the center, one on top of the other",
        (Pose(-1.8, 1.0, -0.4, -86.0, 24.0), "place green 2 1 -1; place green 2 2 -1"),
        "<Architect> nice. now place a yellow block on top, it's the middle of the rose",
        "<Builder> a Yellow one? got it",
        (Pose(-1.8, 1.6, -0.4, -86.0, 18.0), "place yellow 2 3 -1"),
        "<Architect> next add a purp block to the left of the yellow and another to the right",
        (Pose(-2.0, 2.1, -0.3, -92.0, 8.0), "place purple 2 3 -2; place purple 2 3 0"),
        "<Builder> should I put an additional purple on top?",
        "<Architect> yes please, that's the last one",
        (Pose(-2.0, 2.1, -0.3, -92.0, 8.0), "place purple 2 4 -1"),
        "<Architect> awesome, we're done",
    ),
)  # fmt: skip
"""Two dialogues like the human ones, but nobody's."""


def _augmentation() -> list[str]:
    entries = [entry for group in LEXICON for entry in group.entries]
    forms = {form for entry in entries for form in entry.sought}
    rows = []
    for group in LEXICON:
        shown = sorted(group.entries, key=lambda entry: -len(entry.forms))[:3]
        such_as = "; ".join(" / ".join(entry.forms) for entry in shown)
        rows.append(f"| {group.name} | {len(group.entries)} | {such_as} | {group.why} |")
    refused = "\n".join(f"| {entry} | {reason} |" for entry, reason in REFUSED.items())
    return [
        "## Augmentation",
        "Two dialogues in the manner of the human ones, each with its three variants: the world and the Builder are "
        "turned, the colors of the blocks and of the chat are permuted, words are exchanged for others of the same "
        "meaning (BAP v2, 2.3).",
        *(f"```text\n{side_by_side(game)}\n```" for game in EXAMPLES),
        f"The lexicon has {len(entries)} entries for {len(forms)} words and phrases, in groups; of each group, three "
        "entries are shown. Most fit only in a certain context, which `augmentation/lexicon.toml` gives.",
        "| group | entries | such as | why the meaning is kept |\n|---|---|---|---|\n" + "\n".join(rows),
        "Refused, though they look alike:",
        f"| | why |\n|---|---|\n{refused}",
    ]


def _statistics(name: str) -> str:
    """The figures of the first games of train, as a table."""
    simulator = simulator_of(name)
    games = [list(items(play(simulator, "train", index))) for index in range(_GAMES_COUNTED)]
    counted = [item for game in games for item in game]
    instructions = [line for item in counted for line in item.dialogue if line.startswith("<Architect>")]
    rows = [
        ("items in the corpus (train / validation / test)", " / ".join(f"{n:,}" for n in SIZES[name].values())),
        ("items per game", _mean(map(len, games))),
        ("actions per item", _mean(len(item.actions) for item in counted)),
        ("net actions per item", _mean(len(net_actions(item.before, item.after)) for item in counted)),
        ("blocks in a target", _mean(len(game[-1].target) for game in games)),
        ("with supports", _share(item.metadata["difficulty"]["supports"] > 0 for item in counted)),
        ("with a net removal", _share(item.metadata["plan"]["action"] != "place" for item in counted)),
        ("with a clarification exchange", _share("answer" in item.metadata["dialogue_acts"] for item in counted)),
        ("Architect utterances, distinct", f"{len(set(instructions)):,} of {len(instructions):,}"),
        ("words per Architect utterance", _mean(len(line.split()) - 1 for line in instructions)),
    ]
    table = "\n".join(f"| {label} | {value} |" for label, value in rows)
    return f"| first {_GAMES_COUNTED} games of train | |\n|---|---|\n{table}"


def _mean(values: Iterable[float]) -> str:
    return f"{statistics.fmean(values):.1f}"


def _share(values: Iterable[bool]) -> str:
    return f"{statistics.fmean(values):.1%}"


if __name__ == "__main__":
    atomic_write(ROOT / "docs" / "gallery.md", gallery().encode())
    write_games(golden_games(), ROOT / "tests" / "golden" / "simulated_games.jsonl")
