"""Augmented variants of human games: turned, in other colors, in other words (BAP v2, 2.3).

One variant of a game is three independent draws: a rotation of the world with the Builder by quarter turns, one
permutation of the six colors in the blocks and in the chat, and synonyms (`lexicon.toml`). The whole game is
transformed and then cut into items like any other, so that history, board and actions of an item agree.

The paper has four times the items of the train split (3,709 -> 14,836). Its authors made 20 variants of each game and
drew 15% of their items; here every game has exactly three variants, so that every item occurs four times.
"""

from dataclasses import replace
from random import Random

from bap_v2_dataset.augmentation.lexicon import paraphrased
from bap_v2_dataset.augmentation.transforms import transformed
from bap_v2_metric.blocks import Color
from bap_v2_metric.errors import UserError
from bap_v2_simulators.game import Event, Game, Utterance

AUGMENTATION_VERSION = "1.0.0"  # raised whenever a variant would come out differently
VARIANTS = 3


class AugmentationError(UserError):
    """A variant that does not exist."""


def augmented(game: Game, variant: int) -> Game:
    """Return variant 1, 2, 3, ... of a game: a function of (AUGMENTATION_VERSION, game_id, variant).

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
    # A stream each: a change of the lexicon leaves the rotation and the colors as they are.
    rotation, color, words = (
        Random(f"augmentation {AUGMENTATION_VERSION} {game.game_id} {variant} {part}")
        for part in ("rotation", "colors", "words")
    )
    quarter_turns = rotation.randrange(4)
    colors = dict(zip(Color, color.sample(list(Color), len(Color)), strict=True))
    # The words first, in the colors and directions of the original, then the world.
    events: list[Event] = []
    n_words = 0
    for event in game.events:
        if isinstance(event, Utterance):
            text, count = paraphrased(event.text, words)
            event = Utterance(event.speaker, text)
            n_words += count
        events.append(event)
    variant_game = transformed(replace(game, events=tuple(events)), quarter_turns, colors)
    record = {
        "variant": variant,
        "of": game.game_id,
        "version": AUGMENTATION_VERSION,
        "quarter_turns": quarter_turns,
        "colors": {old.value: new.value for old, new in colors.items()},
        "paraphrased_words": n_words,
    }
    metadata = {**game.metadata, "augmentation": record}
    return replace(variant_game, game_id=f"{game.game_id}-aug{variant}", metadata=metadata)
