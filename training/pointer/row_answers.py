"""Which answers of a row are learned, and how often: what was built, after what was said or after an instruction that a
larger model wrote for it; a reading; or what followed the next turn as well.

`metadata["annotation"]` of a row may say what the next turn of its game does to what was built (`next_turn`), whether
its words are clear (`clear`), and what somebody else would build after them (`reading`): docs/data/readings.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

from bap_v2_dataset.augmentation.model_text import synthetic_dialogues
from bap_v2_dataset.items.rows import noted
from bap_v2_dataset.labels.readings import NEXT_TURNS, UNDONE, clear_reading_of
from bap_v2_metric.notation import parse_action, parse_structure
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.net_actions import net_of, numbers_of
from bap_v2_training.pointer.examples import PointerExample, centered, example_of_row

BUILT, READING, JOINED, SYNTHETIC = "built", "reading", "joined", "synthetic"
JUDGED = ("unclear", "different")  # what a larger model's readings say of a turn; "different": clear, and not built so
TURNS = (*NEXT_TURNS, *JUDGED)  # kinds of turns that have weights
_LONGEST = 40  # actions of two turns that are joined


@dataclass(frozen=True)
class AnswerSettings:
    """How often which answer of a row is learned. By default what was built, of all rows equally often."""

    joined: float = 0.0  # share of the rows that come with the next turn of their game as one item
    readings: float = 0.0  # share of the others with a clear reading that have it for their answer
    repairs: float | None = None  # that share for what the next turn undoes, wholly or partly; None: as others
    weights: Mapping[str, float] = field(default_factory=dict)  # of what was built, by TURNS; multiplied
    synthetic: float = 0.0  # share of the others for which there are instructions that come with one of these


class Answer(NamedTuple):
    """An answer of a row."""

    kind: str  # BUILT, READING, JOINED or SYNTHETIC
    example: PointerExample
    weight: float  # how often it is learned in an epoch


def answers_of(
    name: str, rows: Sequence[Mapping[str, Any]], examples: Sequence[PointerExample], settings: AnswerSettings
) -> list[list[Answer]]:
    """Return the answers of each row, whose weights sum to at most 1; what was built is the last of them.

    A weight is how good what was built is after what was said. So a reading, and what was built after a synthetic
    instruction, have the weight 1, and two joined turns have that of the second, whose end is theirs: a turn that the
    next one corrects is right together with it.

    Args:
        name: of the source, for errors.
        rows: those of a game one after the other.
        examples: theirs, with what was built.
    Raises:
        UsageError: no rows can be joined, none has a clear reading or an instruction, or all have the weight 0.
    """
    # What is known of each row
    readings = [_reading(row, example) for row, example in zip(rows, examples)]
    turns = [_turns(row, example, reading) for row, example, reading in zip(rows, examples, readings)]
    both = [joined_turns(*pair) for pair in pairwise(rows)] if settings.joined else []
    if settings.joined and not any(both):
        raise UsageError(
            f"joined_turns: no row of {name} follows the one before it in its game: their ids are GAME/NUMBER, and the "
            "rows of a game come one after the other"
        )
    if (settings.readings or settings.repairs) and not any(reading is not None for reading in readings):
        raise UsageError(
            f'readings: no row of {name} has a clear one: metadata["annotation"] needs clear: true, and a list of '
            "actions, reading"
        )
    dialogues = [synthetic_dialogues(row) if settings.synthetic else [] for row in rows]
    if settings.synthetic and not any(dialogues):
        raise UsageError(
            f"synthetic_instructions: there are none for the rows of {name}; there are for those of mdc, split train, "
            "as they are"
        )
    answers = []
    for number, (example, reading) in enumerate(zip(examples, readings)):
        own, rest = [], 1.0
        # With the next turn of the game
        if number < len(both) and (pair := both[number]) is not None:
            weight = _weight(turns[number + 1] | (turns[number] & {"unclear"}), settings)
            own.append(Answer(JOINED, example_of_row(pair), settings.joined * weight))
            rest -= settings.joined
        # As it was read
        if reading is not None:
            repaired = settings.repairs is not None and not turns[number].isdisjoint(UNDONE)
            share = rest * (settings.repairs if repaired else settings.readings)
            own += [Answer(READING, reading, share)] if share else []
            rest -= share
        # After a synthetic instruction
        if dialogues[number]:
            share = rest * settings.synthetic
            others = [example._replace(dialogue=tuple(dialogue)) for dialogue in dialogues[number]]
            own += [Answer(SYNTHETIC, other, share / len(others)) for other in others]
            rest -= share
        answers.append([*own, Answer(BUILT, example, rest * _weight(turns[number], settings))])
    if not any(answer.weight for own in answers for answer in own):
        raise UsageError(f"next_turn_weights: no row of {name} is left: give some turns more than 0")
    return answers


def shares_of(answers: Sequence[Sequence[Answer]]) -> dict[str, float]:
    """Return which share of what is learned has which kind of answer; a reading that was built counts as built."""
    shares = dict.fromkeys((BUILT, READING, JOINED, SYNTHETIC), 0.0)
    for own in answers:
        for kind, example, weight in own:
            shares[BUILT if example is own[-1].example else kind] += weight
    return {kind: round(share / sum(shares.values()), 4) for kind, share in shares.items()}


def joined_turns(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return two turns of a game as one item: what was said in both, and what was done, from the first pose and board.

    None, if the second does not follow the first in their game, or if both together are long.
    """
    (game, _, _), (same, _, _) = first["id"].rpartition("/"), second["id"].rpartition("/")
    actions = [*first["actions"], *second["actions"]]
    follows = game and game == same and sorted(first["after"]) == sorted(second["before"])
    if not follows or len(actions) > _LONGEST:
        return None
    return {
        **first, "dialogue": [*first["dialogue"], *second["dialogue"]], "actions": actions, "after": second["after"]
    }  # fmt: skip


def _reading(row: Mapping[str, Any], example: PointerExample) -> PointerExample | None:
    """Return the example with its clear reading for the answer, itself if that was built; None without one.

    On an empty board what was built stands for it: a reading may be in another place, and is no other answer.
    """
    if (reading := clear_reading_of(row)) is None:
        return None
    if not example.blocks:
        return example
    numbers = [numbers_of(parse_action(line)) for line in reading.splitlines()]
    read = example._replace(net=net_of(parse_structure(row["before"]), numbers))
    return example if set(centered(read).net) == set(centered(example).net) else read


def _turns(row: Mapping[str, Any], example: PointerExample, reading: PointerExample | None) -> set[str]:
    """Return which of TURNS a row is."""
    annotation = noted(row, "annotation")
    unclear, different = annotation.get("clear") is False, reading not in (None, example)
    return {str(annotation.get("next_turn")), unclear and "unclear", different and "different"} & set(TURNS)


def _weight(turns: set[str], settings: AnswerSettings) -> float:
    return prod(settings.weights.get(turn, 1.0) for turn in sorted(turns))
