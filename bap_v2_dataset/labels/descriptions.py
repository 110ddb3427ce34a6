"""What is shown of an item: chat, actions and changes as text."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, takewhile

from rich.table import Table
from rich.text import Text

from bap_v2_dataset.items.ego import is_utterance
from bap_v2_dataset.items.item import Item
from bap_v2_metric.actions import ActionType, NetAction
from bap_v2_metric.notation import format_action
from bap_v2_simulators.game import Game, Utterance


def table_of(entries: Sequence[tuple[str, str]], style: str = "") -> Table:
    """Return a table of (speaker, text)."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(style="dim", width=9, no_wrap=True)
    table.add_column()
    for speaker, text in entries:
        if speaker:
            name = Text(speaker, f"{style} {'cyan' if speaker == 'Architect' else 'magenta'}")
            table.add_row(name, Text(text, style))
        else:
            table.add_row("", Text(text, f"{style} italic"))
    return table


def chat_table(lines: Sequence[str]) -> Table:
    """Return a table of the lines of a dialogue."""
    return table_of(summarized(lines))


def summarized(lines: Sequence[str]) -> list[tuple[str, str]]:
    """Return (speaker, text) of utterances; runs of actions become one line without a speaker."""
    entries: list[tuple[str, str]] = []
    for said, group in groupby(lines, is_utterance):
        if said:
            entries += [(utterance.speaker, utterance.text) for utterance in map(Utterance.parse, group)]
        else:
            entries.append(("", f"[{_actions_in_words(list(group))}]"))
    return entries


def _actions_in_words(actions: Sequence[str]) -> str:
    placed = Counter(action.split()[1] for action in actions if action.startswith("place "))
    removed = len(actions) - sum(placed.values())
    parts = [f"placed {', '.join(f'{number} {color}' for color, number in placed.items())}"] if placed else []
    return "; ".join(parts + [f"removed {removed}"] * (removed > 0))


def net_actions_in_words(changes: Collection[NetAction]) -> str:
    """Count the net actions of each type and color."""
    if not changes:
        return "nothing has changed"
    parts = []
    for action_type, word in ((ActionType.PLACE, "placed"), (ActionType.REMOVE, "removed")):
        colors = Counter(action.color.value for action in changes if action.type is action_type)
        if colors:
            parts.append(f"{word} {', '.join(f'{number} {color}' for color, number in sorted(colors.items()))}")
    return "; ".join(parts)


def reaction(game: Game, item: Item) -> Iterator[str]:
    """Return the utterances right after the item's last action."""
    lines = [
        line
        for event in game.events
        for line in ([str(event)] if isinstance(event, Utterance) else map(format_action, event.actions))
    ]
    passed = len(item.history) + len(item.dialogue) + len(item.actions)
    return takewhile(is_utterance, lines[passed:])
