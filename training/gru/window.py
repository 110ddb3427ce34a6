"""The words of an item that the model reads: how far back the dialogue goes (BAP v2, 4.3; H1 to H3 of 2020)."""

from collections.abc import Mapping
from typing import Any

from bap_v2_metric.actions import Remove
from bap_v2_metric.blocks import Cell, Color
from bap_v2_metric.notation import parse_action
from bap_v2_simulators.game import MISSION
from bap_v2_training.learning.vocabulary import tokens_of

START = "<dialogue>"  # the window begins where the game does
SPECIAL = (
    START,
    *(f"<{mark}{speaker}>" for speaker in ("architect", "builder") for mark in ("", "/")),
    *(f"<builder_{verb}_{color.value}>" for verb in ("putdown", "pickup") for color in Color),
)
WINDOWS = ("h1", "h2", "h3")
_SPEAKERS = ("<Architect> ", "<Builder> ")


def window_tokens(row: Mapping[str, Any], window: str = "h3") -> list[str]:
    """Return the tokens of the dialogue that the model reads before an item's actions.

    Args:
        row: with `history` and `dialogue`.
        window: `h3`: everything after the last-but-one run of actions, that is, the last utterances, the run of
            actions before them, and the utterances before that. `h2`: without the actions. `h1`: only from the last
            line of the Architect.

    Returns:
        Words between the marks of their speaker, and one token for each action, with its color but without its cell;
        `<dialogue>` first if the window begins where the game does. A removal of no block, as a few logs have, has no
        token.
    """
    lines = [*row["history"], *row["dialogue"]]
    start = _last_architect(lines) if window == "h1" else _last_two_turns(lines, len(row["history"]))
    tokens = [START] if start == 0 else []
    actions = _action_tokens(lines) if window == "h3" else {}
    for number in range(start, len(lines)):
        line = lines[number]
        if not line.startswith(_SPEAKERS):
            if number in actions:
                tokens.append(actions[number])
            continue
        speaker, _, text = line.partition("> ")
        if text != MISSION.text:
            name = speaker[1:].lower()
            tokens += [f"<{name}>", *tokens_of(text), f"</{name}>"]
    return tokens


def _last_architect(lines: list[str]) -> int:
    return next((number for number in reversed(range(len(lines))) if lines[number].startswith(_SPEAKERS[0])), 0)


def _last_two_turns(lines: list[str], end: int) -> int:
    """Return where the utterances begin that come before the last run of actions in `lines[:end]`."""
    while end and lines[end - 1].startswith(_SPEAKERS):
        end -= 1
    while end and not lines[end - 1].startswith(_SPEAKERS):
        end -= 1
    while end and lines[end - 1].startswith(_SPEAKERS):
        end -= 1
    return end


def _action_tokens(lines: list[str]) -> dict[int, str]:
    """The token of each line that is an action; the color of a removed block is known from what was done before."""
    colors: dict[Cell, Color] = {}
    tokens = {}
    for number, line in enumerate(lines):
        if line.startswith(_SPEAKERS):
            continue
        action = parse_action(line, anywhere=True)
        if not isinstance(action, Remove):
            colors[action.cell] = action.color
            tokens[number] = f"<builder_putdown_{action.color.value}>"
        elif color := colors.pop(action.cell, None):
            tokens[number] = f"<builder_pickup_{color.value}>"
    return tokens
