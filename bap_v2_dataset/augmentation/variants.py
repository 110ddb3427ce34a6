"""Augmented variants of human games: turned, in other colours, in other words (BAP v2, 2.3).

One variant of a game is three independent draws: a rotation of the world with the Builder by quarter turns, one
permutation of the six colours in the blocks and in the chat, and synonyms (`paraphrases.py`). The whole game is
transformed and then cut into items like any other, so that history, board and actions of an item agree.

The paper has four times the items of the train split (3,709 -> 14,836). Its authors made 20 variants of each game and
drew 15% of their items; here every game has exactly three variants, so that every item occurs four times.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from bap_v2_dataset.augmentation.lexicon import cased, paraphrased, with_article
from bap_v2_metric.actions import Action, Place, Remove
from bap_v2_metric.alignment import Transform
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.errors import UserError
from bap_v2_simulators.game import Event, Game, Step, Utterance
from bap_v2_simulators.pose import Pose, wrapped_yaw

AUGMENTATION_VERSION = "1.0.0"  # raised whenever a variant would come out differently
VARIANTS = 3


class AugmentationError(UserError):
    """A variant that there is not."""


def augmented(game: Game, variant: int) -> Game:
    """Variant 1, 2, 3, ... of a game: a function of (AUGMENTATION_VERSION, game_id, variant).

    Its id is `<game_id>-aug<variant>`, and its metadata, hence that of each of its items, has besides the game's own

        "augmentation": {"variant": 1, "of": game_id, "version": "1.0.0", "quarter_turns": 3,
                         "colors": {"red": "blue", ...}, "paraphrased_words": 17}

    where `paraphrased_words` counts the words and phrases that were exchanged.

    Raises:
        AugmentationError: for a variant below 1, or of a game that is a variant itself.
    """
    if variant < 1:
        raise AugmentationError(f"variant {variant} of {game.game_id}: variants are numbered 1, 2, 3, ...")
    if "augmentation" in game.metadata:
        raise AugmentationError(f"{game.game_id} is an augmented game already: pass the original")
    # A stream each: a change of the lexicon leaves the rotation and the colours as they are.
    rotation, color, words = (
        Random(f"augmentation {AUGMENTATION_VERSION} {game.game_id} {variant} {part}")
        for part in ("rotation", "colors", "words")
    )
    quarter_turns = rotation.randrange(4)
    colors = dict(zip(Color, color.sample(list(Color), len(Color)), strict=True))
    events: list[Event] = []
    n_words = 0
    for event in game.events:
        if isinstance(event, Utterance):
            text, count = paraphrased(event.text, words)
            event = Utterance(event.speaker, text)
            n_words += count
        events.append(event)
    made = transformed(replace(game, events=tuple(events)), quarter_turns, colors)
    record = {
        "variant": variant,
        "of": game.game_id,
        "version": AUGMENTATION_VERSION,
        "quarter_turns": quarter_turns,
        "colors": {old.value: new.value for old, new in colors.items()},
        "paraphrased_words": n_words,
    }
    metadata = {**game.metadata, "augmentation": record}
    return replace(made, game_id=f"{game.game_id}-aug{variant}", metadata=metadata)


def transformed(game: Game, quarter_turns: int, colors: Mapping[Color, Color]) -> Game:
    """The game in a world that is turned and has other colours: target, poses, actions and chat.

    Args:
        game: any.
        quarter_turns: about the vertical axis through the middle of the BuildRegion; see `turned`.
        colors: the new colour of each, a permutation.
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


def turned(pose: Pose, quarter_turns: int) -> Pose:
    """Where the Builder stands and looks after quarter turns of the world, the direction of `alignment.Transform`.

    The axis of the turns goes through the middle of the region's middle cell. A cell is named by its corner: the
    middle of (0, y, 0) is x = z = 0.5. Turned about x = z = 0, a Builder on top of a block would stand beside it.

    >>> turned(Pose(0.25, 1.0, -3.0, yaw=170.0, pitch=20.0), 1)
    Pose(x=4.0, y=1.0, z=0.25, yaw=-100.0, pitch=20.0)
    """
    x, z = pose.x, pose.z
    for _ in range(quarter_turns % 4):
        x, z = 1.0 - z, x
    return Pose(x, pose.y, z, wrapped_yaw(pose.yaw + 90.0 * (quarter_turns % 4)), pose.pitch)


# Every spelling that the corpus has, but: `read` ("in read", twice; also a verb, and the next line corrects it), what
# names no colour that there is (`brown`, 10 times, and `pink`; the players find out that it is orange or purple), and
# words that only hold one (`blueprint`, `multicolored`, `centered`). No single letter ever means a colour.
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
# In lower case -> the colour, and what else is said.
_SPELLINGS: dict[str, tuple[Color, str]] = {
    f"{color.value}{s}": (color, "{}" + s) for color in Color for s in ("", "s")
}
for _right, _wrong in _MISSPELLED.items():
    _color = next(color for color in Color if color.value in _right)
    _SPELLINGS.update(dict.fromkeys(_wrong, (_color, _right.replace(_color.value, "{}"))))
# Digits, hyphens, slashes and apostrophes end a word: 2red, red-green, green's.
_COLOR_WORD = re.compile(rf"(?<![a-z])(?:{'|'.join(_SPELLINGS)})(?![a-z])", re.IGNORECASE)


def recolored(text: str, colors: Mapping[Color, Color]) -> str:
    """The chat line with the words of other colours; capitals and plurals stay, `a` and `an` go with the colour.

    A misspelled colour becomes the right spelling of the new one: no misspelled colour is ever brought in.

    >>> recolored("An Orange one, then 2red and a yello-green row", dict(zip(Color, [*Color][1:] + [Color.RED])))
    'A Yellow one, then 2orange and a green-blue row'
    """
    parts: list[str] = []
    done = 0
    for found in _COLOR_WORD.finditer(text):
        color, pattern = _SPELLINGS[found[0].lower()]
        new = pattern.format(colors[color].value)
        parts += [with_article(text[done : found.start()], found[0], new), cased(new, found[0])]
        done = found.end()
    return "".join(parts) + text[done:]


def color_words(text: str) -> list[Color]:
    """The colours that a chat line names, in order.

    >>> [color.value for color in color_words("REDS on the yello-green row")]
    ['red', 'yellow', 'green']
    """
    return [_SPELLINGS[word.lower()][0] for word in _COLOR_WORD.findall(text)]


def _transformed_plan(plan: Mapping[str, Any], turn: Transform, colors: Mapping[Color, Color]) -> dict[str, Any]:
    """What the Architect of a simulated game had in mind; all the rest of it is as the Builder sees it."""
    reference = plan["reference"]
    return {
        **plan,
        "color": colors[Color(plan["color"])].value,
        "reference": list(turn(Cell(*reference))) if reference else reference,
    }
