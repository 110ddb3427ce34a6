"""docs/gallery.md: a game of each simulator as text, and augmented games beside their originals.

The tests compare it with what is made: whoever changes a simulator or the augmentation sees in the difference what
became of the games. `make gallery` writes it.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from side_by_side import side_by_side

from bap_v2_dataset.augmentation.lexicon import LEXICON, REFUSED
from bap_v2_dataset.items.item import Item, items
from bap_v2_metric.notation import format_action, parse_action, parse_structure
from bap_v2_simulators.atomic_files import atomic_write
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.corpus_table import PUBLISHED, TITLES
from bap_v2_simulators.game import Event, Game, Utterance, write_games
from bap_v2_simulators.game import Step as Change
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.simulation import play

ROOT = Path(__file__).parent.parent
_ITEMS_SHOWN = 3
_GAMES_WITH_REPAIRS = 30


def gallery() -> str:
    """The whole text."""
    parts = [
        "# Gallery",
        f"The first {_ITEMS_SHOWN} items of the first train game of each simulator (seed 0). A line without a speaker "
        "is where the Builder stands and looks, with what the Architect planned in parentheses; indented lines are "
        "what the Builder does. `bap-v2 show --game dr-train-0` prints a whole game, `--out game.html` makes a 3D "
        "replay of it. Figures of the corpora: [people and simulators compared](data/comparison.md). `make gallery` "
        "writes this page.",
    ]
    for name in SIMULATORS:
        picture = f"![An item of {name} as a picture](pictures/item-{name}.png)"  # docs/draw_pictures.py
        parts += [f"## {TITLES[name]}", picture, _shown(play(simulator_of(name), "train", 0))]
    parts += _repairs()
    parts += _augmentation()
    return "\n\n".join(parts) + "\n"


def golden_games() -> list[Game]:
    """One short game of each simulator, kept in the tests to the byte."""
    return [play(simulator_of(name), "train", 0, turns=4) for name in SIMULATORS]


def _shown(game: Game) -> str:
    game_items = list(items(game))
    lines = []
    for item in game_items[:_ITEMS_SHOWN]:
        pose = item.pose
        place = f"at {pose.x:.1f} {pose.y:.1f} {pose.z:.1f}, yaw {pose.yaw:.0f}, pitch {pose.pitch:.0f}"
        lines.append(f"{place}  ({_plan(item)})")
        lines += item.dialogue
        lines += _wrapped("; ".join(map(format_action, item.actions)))
    shapes = [item.metadata["plan"].get("shape") for item in game_items]
    named = f", {', '.join(shape for shape in dict.fromkeys(shapes) if shape)}" if any(shapes) else ""
    summary = f"`{game.game_id}`, {len(game_items)} items, {len(game.target)} blocks{named}:"
    text = "\n".join(lines)
    return f"{summary}\n\n```text\n{text}\n```"


def _repairs() -> list[str]:
    """A turn of each kind that is put right in the end, each of another simulator."""
    shown = []
    for name, kind in zip(PUBLISHED, ("correction", "two readings", "then"), strict=True):
        simulator = simulator_of(name, {"talk.repairs": "0.5"})
        turns = (item for index in range(_GAMES_WITH_REPAIRS) for item in items(play(simulator, "train", index)))
        shown.append((name, next(item for item in turns if kind in _repair(item))))
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
)  # fmt: skip
"""Dialogues like the human ones, but nobody's."""


def _augmentation() -> list[str]:
    entries = [entry for group in LEXICON for entry in group.entries]
    sought = {form for entry in entries for form in entry.sought}
    written = {form for entry in entries for form in entry.forms}
    (game,) = EXAMPLES
    return [
        "## Augmentation",
        "A dialogue in the manner of the human ones, beside one of its three variants: the world and the Builder are "
        "turned, the colors of the blocks and of the chat are permuted, words are exchanged for others of the same "
        "meaning (BAP v2, 2.3). Targets are drawn layer by layer from the ground up, as seen from above: x grows to "
        "the right and z downwards, `.` is an empty cell.",
        f"```text\n{side_by_side(game, 54, [1])}\n```",
        f"The lexicon, `augmentation/lexicon.toml`, has {len(entries)} entries in {len(LEXICON)} groups. They look for "
        f"{len(sought)} words and phrases and write {len(written)}, most in a certain context. It says for each group "
        f"why the meaning is kept, and has {len(REFUSED)} groups of words that were refused though they look alike, "
        "with the reason.",
    ]


if __name__ == "__main__":
    atomic_write(ROOT / "docs" / "gallery.md", gallery().encode())
    write_games(golden_games(), ROOT / "tests" / "golden" / "simulated_games.jsonl")
