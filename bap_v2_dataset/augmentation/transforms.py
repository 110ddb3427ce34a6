"""A game in a world that is turned and has other colors: target, poses, actions and chat (BAP v2, 2.3)."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bap_v2_dataset.augmentation.lexicon import cased, with_article
from bap_v2_metric.actions import Action, Place, Remove
from bap_v2_metric.alignment import Transform
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_simulators.game import Event, Game, Step, Utterance
from bap_v2_simulators.pose import turned


def transformed(game: Game, quarter_turns: int, colors: Mapping[Color, Color]) -> Game:
    """Return the game after quarter turns of the world and a permutation of its colors.

    Args:
        game: any.
        quarter_turns: about the vertical axis through the middle of the BuildRegion; see `turned`.
        colors: the new color of each, a permutation.
    """
    turn = Transform(quarter_turns % 4, 0, 0)

    def action(old: Action) -> Action:
        return Remove(turn(old.cell)) if isinstance(old, Remove) else Place(colors[old.color], turn(old.cell))

    def event(old: Event) -> Event:
        if isinstance(old, Utterance):
            return Utterance(old.speaker, recolored(old.text, colors))
        metadata = old.metadata
        if "plan" in metadata:  # of a simulated game
            metadata = {**metadata, "plan": _transformed_plan(metadata["plan"], turn, colors)}
        return Step(turned(old.pose, quarter_turns), tuple(map(action, old.actions)), metadata)

    target = Structure.from_colors({turn(cell): colors[color] for color, cell in game.target})
    return replace(game, target=target, events=tuple(map(event, game.events)))


# Every spelling that the corpus has, but: `read` ("in read", twice; also a verb, and the next line corrects it), names
# of other colors (`brown`, 10 times, and `pink`; the players find out that it is orange or purple), and words that only
# contain one (`blueprint`, `multicolored`, `centered`). No single letter ever means a color.
_MISSPELLED: Mapping[str, tuple[str, ...]] = {
    "red": ("rred", "yed"),  # "5 yed blocks": the next line and the blocks are red
    "orange": ("orang", "orane", "orage", "ornage", "oragne", "organe", "organge", "ornge", "oraneg"),
    "yellow": ("yello", "yelow", "yllow", "ywellow"),
    "yellows": ("yellos",),
    "green": ("gree", "gren", "greean", "greeen", "creen"),
    "blue": ("bklue", "blus", "blut", "plue", "eblue"),  # "place on eblue block"
    "purple": ("purp", "puple", "purpe", "purpel", "puprple", "pruple", "dpurple"),  # "ad dpurple bricks"
    "purples": ("puples",),
    "of purple": ("ofpurple",),
    "purple like": ("purplelike",),
    "yellow piece": ("yellowpiece",),
}
# In lower case -> the color, and the words around it.
_SPELLINGS: dict[str, tuple[Color, str]] = {
    f"{color.value}{s}": (color, "{}" + s) for color in Color for s in ("", "s")
}
for _right, _wrong in _MISSPELLED.items():
    _color = next(color for color in Color if color.value in _right)
    _SPELLINGS.update(dict.fromkeys(_wrong, (_color, _right.replace(_color.value, "{}"))))
# Digits, hyphens, slashes and apostrophes end a word: 2red, red-green, green's.
_COLOR_WORD = re.compile(rf"(?<![a-z])(?:{'|'.join(_SPELLINGS)})(?![a-z])", re.IGNORECASE)


def recolored(text: str, colors: Mapping[Color, Color]) -> str:
    """Return the chat line with the words of other colors; capitals and plurals stay, `a` and `an` follow the color.

    A misspelled color becomes the right spelling of the new one: no misspelled color is ever brought in.

    >>> recolored("An Orange one, then 2red and a yello-green row", dict(zip(Color, [*Color][1:] + [Color.RED])))
    'A Yellow one, then 2orange and a green-blue row'
    """
    parts: list[str] = []
    done = 0
    for match in _COLOR_WORD.finditer(text):
        color, pattern = _SPELLINGS[match[0].lower()]
        new = pattern.format(colors[color].value)
        parts += [with_article(text[done : match.start()], match[0], new), cased(new, match[0])]
        done = match.end()
    return "".join(parts) + text[done:]


def color_words(text: str) -> list[Color]:
    """Return the colors that a chat line names, in order.

    >>> [color.value for color in color_words("REDS on the yello-green row")]
    ['red', 'yellow', 'green']
    """
    return [_SPELLINGS[word.lower()][0] for word in _COLOR_WORD.findall(text)]


def _transformed_plan(plan: Mapping[str, Any], turn: Transform, colors: Mapping[Color, Color]) -> dict[str, Any]:
    """Return the Architect's plan of a simulated game; its other entries are as the Builder sees them."""
    reference = plan["reference"]
    return {
        **plan,
        "color": colors[Color(plan["color"])].value,
        "reference": list(turn(Cell(*reference))) if reference else reference,
    }
