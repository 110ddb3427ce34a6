"""Lexical substitution, the family `spl`: the same row in other words (Dan, Zhou and Roth, 2021, section 2, SPL).

The lexicon of the augmentation leaves words of place, shape and size alone. The paper perturbs just these. Here are the
ones that are safe on a board of blocks, in the form of `augmentation.lexicon`: forms that name the same cells in the
context given. Every guard was checked against all places where its words stand in the human validation and test games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from bap_v2_dataset.augmentation.lexicon import LEXICON, Forms, LexiconGroup, paraphrased, table_of
from bap_v2_dataset.tasks.robustness.parent import Change
from bap_v2_metric.blocks import Color
from bap_v2_simulators.number_words import NUMBER_WORDS

_COLORS = "|".join(color.value for color in Color)
_NUMBERS = "|".join((*NUMBER_WORDS[1:11], "[0-9]+"))
# The beginning of a noun phrase: what stands behind a preposition.
_THING = (
    rf" (?:the|teh|hte|that|this|these|those|it|them|each|every|both|all|an?|one|you|me|us|your|my|our|its|where|what|"
    rf"any|{_NUMBERS}|{_COLORS})\b(?! and\b)"
)
_REGION = "board|grid|map|platform|region|area|field|floor|ground|space|world|screen|arena|environment|square"


def _not_after(*words: str) -> str:
    return "".join(rf"(?<!\b{word} )" for word in words) + "$"


# "the left of the row", "the top left of it" are parts.
_A_PART = (
    "the", "a", "your", "my", "its", "top", "bottom", "upper", "lower", "far", "front", "back", "middle", "very",
    "side", "hand", "and", "or", "to",
)  # fmt: skip
# "attached to the left of it" is not "attached left of it", "all the way to the left of the board" is on the board.
_GOVERNING = (
    "attached", "attach", "attaching", "connected", "connect", "connecting", "connects", "joined", "join", "joining",
    "next", "adjacent", "close", "closer", "closest", "near", "nearer", "nearest", "parallel", "way", "on", "up",
    "down", "above", "below", "over", "it", "them",
)  # fmt: skip
# "what is left of the row" remains.
_REMAINING = ("what's", "whats", "is", "it's", "its", "that's", "was", "are", "were", "have", "got", "you", "we", "i",
              "just")  # fmt: skip


def _side_of(side: str) -> tuple[Forms, Forms]:
    """Entries that take "to the left of" to "left of", and back."""
    long, short = f"to the {side} of", f"{side} of"
    after = rf" (?!(?:the |your |this )?(?:\w+ )?(?:{_REGION}|side|edge|corner|end)\b)\w"
    return (
        Forms((long, short), seek=(long,), before=_not_after(*_GOVERNING, *_REMAINING), after=after),
        Forms((short, long), seek=(short,), before=_not_after(*_A_PART, *_GOVERNING, *_REMAINING), after=after),
    )


def _end_at(side: str) -> Forms:
    """The words for the block at one end: "the leftmost one", not "the 2nd leftmost one", "the bottom leftmost"."""
    return Forms(
        (f"{side}most", f"{side}-most", f"furthest {side}"),
        seek=(f"{side}most", f"{side}-most", f"{side} most", f"furthest {side}", f"farthest {side}"),
        before=r"\b(?:the|your|this) $",
        after=r"(?! (?:and|or|of|from|you|as|that|i|side)\b| ?,)",
    )


CONCEPTS: tuple[LexiconGroup, ...] = (
    LexiconGroup(
        "on top",
        "Both touch the upper face. Only with what it is on: `one on top` has no other form.",
        (
            Forms(("on top of", "atop"), seek=("on top of", "ontop of", "atop"), after=r" \w"),
        ),
    ),
    LexiconGroup(
        "beside",
        "Both say that the two touch or nearly do; `next to last` is a rank, `next to each other` describes a figure.",
        (
            Forms(("next to", "beside"), after=r" (?!(?:last|each|one another|next)\b)\w"),
        ),
    ),
    LexiconGroup(
        "under",
        "They say the same of what they stand in front of; without it (`the boxes underneath`, `under and left of it`) "
        "they stay.",
        (
            Forms(("under", "underneath", "beneath"), after=_THING),
        ),
    ),
    LexiconGroup(
        "behind",
        "The same side of what it stands in front of.",
        (
            Forms(("behind", "in back of"), after=_THING),
        ),
    ),
    LexiconGroup(
        "left of and right of",
        "The same side of a thing. `the right of the row` is a part of it, `to the left of the board` may be on it.",
        (*_side_of("left"), *_side_of("right")),
    ),
    LexiconGroup(
        "the last one on a side",
        "Nothing is further to that side.",
        (_end_at("left"), _end_at("right")),
    ),
    LexiconGroup(
        "the last one up and down",
        "The same word. `highest` stays: in a figure that lies flat, the topmost block is not higher than others.",
        (
            Forms(("topmost", "top-most"), seek=("topmost", "top-most", "top most"), before=r"(?<!-)$"),
            Forms(("bottommost", "bottom-most"), seek=("bottommost", "bottom-most", "bottom most"), before=r"(?<!-)$"),
        ),
    ),
    LexiconGroup(
        "near and far",
        "The least and the greatest distance; `further` only as a distance, for it may be `more`.",
        (
            Forms(("closest", "nearest"),
                  after=rf" (?:to (?:you|me|us|the|it|your|my|an?|one|{_COLORS})\b"
                        rf"|(?:{_COLORS}|block|brick|one|edge|side|corner|end|face|left|right)\b)"),
            Forms(("closer to", "nearer to"), after=r" \w"),
            Forms(("furthest", "farthest")),
            Forms(("further", "farther"), after=r" (?:away|back|out|from|left|right|up|down|along|to|than)\b"),
        ),
    ),
    LexiconGroup(
        "between",
        "The same place, with the things on its two sides named.",
        (
            Forms(("between", "in between"), before=r"(?<!\bin )$", after=_THING),
        ),
    ),
    LexiconGroup(
        "the middle of the region and of a figure",
        "Only with one of these nouns, all of which have two sides: `the middle` alone may be the middle block of "
        "three, `the middle of the two` is between them.",
        (
            Forms(("the middle of", "the center of", "the centre of"),
                  after=rf" (?:the|this|that|your) (?:(?:build|building|{_COLORS}) )?"
                        rf"(?:structure|surface|{_REGION})\b"),
        ),
    ),
    LexiconGroup(
        "towers",
        "As many blocks, one above the other, where their number is given. `column` stays: some lie flat in a drawing, "
        "and a `wide tower` has more than one block a level.",
        (
            Forms(("tower", "stack", "pillar"),
                  before=rf"\b(?:an?|another|additional|extra|single|vertical|one|{_COLORS}) $",
                  after=rf" of (?:{_NUMBERS}) (?:(?:{_COLORS})s?|blocks|bricks)\b"),
        ),
    ),
    LexiconGroup(
        "directions with and without s",
        "The same adverb; not the adjective (`an upward line`).",
        tuple(
            Forms((way, f"{way}s"), before=_not_after("a", "an", "the", "your", "my", "this"),
                  after=r"(?! (?:of|facing|row|line|diagonal|step)\b)")
            for way in ("upward", "downward", "forward", "backward")
        ),
    ),
)  # fmt: skip

# Found by reading every entry's places in the human games and variants one by one. To train with, the lexicon is good
# enough as it is, and what it makes is published. Forms of an entry -> what must not stand before, what not behind it.
_NOT_HERE: Mapping[tuple[str, ...], tuple[str, str]] = {
    ("need to", "have to"): ("", r" (?:that|this|these|those|it|them|do with)\b"),  # "the closest I have to that"
    ("should i", "shall i", "do you want me to"): ("", r" have\b"),  # "should I have kept it?"
    ("yay", "hooray", "woohoo"): ("", r" or\b"),  # "yay or nay?"
    ("block", "brick"): (r"\bblock by ", r" by block\b"),
}


def _stricter(entry: Forms) -> Forms:
    before, behind = _NOT_HERE.get(entry.forms, ("", ""))
    if before:
        entry = replace(entry, before=rf"(?<!{before})(?:{entry.before or '$'})")
    return replace(entry, after=rf"(?!{behind})(?:{entry.after})") if behind else entry


STRICT_LEXICON: tuple[LexiconGroup, ...] = tuple(
    replace(group, entries=tuple(map(_stricter, group.entries))) for group in LEXICON
)

REFUSED: Mapping[str, str] = {
    "box for block": "A box is a figure here: four walls, or the frame of the region.",
    "above, over for on top of": "They may leave a gap, and `over` may go across.",
    "adjacent to, touching, against, by, near for next to": "They may touch on any side, or not at all.",
    "under, beneath for below; below for under": "Below may be further down, to a side, or on the near side of a "
    "drawing that lies flat.",
    "tower, stack, pillar for column": "A column may be one of a table, lie flat, or be wide.",
    "tower, stack without a number of blocks": "A tower may be wider than one block, and `stack` is also a verb.",
    "row for line, line for row": "A row may be one of a table, a line may stand.",
    "corner, edge, side, end": "An edge may be a corner, a side or an end.",
    "highest for topmost, lowest for bottommost": "In a figure that lies flat the top is the far end.",
    "center for middle without a noun of the region": "The middle may be one of three blocks, or between two.",
    "between for in between, alone": "`a space between` needs the things that it is between.",
    "upright, standing for vertical": "Upright is a figure as one reads it, which may lie on the ground.",
    "level for layer, height for level": "A level may be a height, a layer is a plane.",
    "either side for both sides": "Either side may be a choice of one.",
    "hollow for empty, open": "An open square may lack one side.",
    "space, tile, square, spot for one another": "A space is an empty cell, a square may be a figure.",
    "in front of for towards you from": "In front of may be the side that the figure shows.",
    "off of, off for from": "`hanging off` is beside, `off the ground` is above.",
    "3 by 3 for 3x3": "One word becomes two numbers, which is more than a synonym to a Builder that looks for numbers.",
    "forward for towards me, backward for behind": "They change with who looks.",
    "far left for leftmost": "Far left may be at the edge of the board.",
    "tall for high, long for tall": "`3 high` may be how far up, `3 tall` is how long.",
    "grid, map, platform, area for board": "Each may be a figure of blocks.",
    "diagonally for corner to corner": "A diagonal may go up, or along the ground.",
    "flat for horizontal": "Flat is on the ground or one block high.",
    "square for cube, rectangle for wall": "Other figures.",
}

_TABLE = table_of((*STRICT_LEXICON, *CONCEPTS))
_DRAWS = 24  # an entry of two forms is changed in every other one


def propose(row: Mapping[str, Any], rng: Random, number: int) -> Change | None:
    """The row with synonyms in the utterances of its history and dialogue, at least one of them in the dialogue.

    Every place where an entry of STRICT_LEXICON or CONCEPTS fits is drawn for itself, so that the same word may differ
    from line to line. Only utterances change, never lines of actions.

    A draw that leaves the dialogue as it is would test nothing that the last instruction says; the dialogue is then
    drawn again. This changes nothing about how often each form is chosen among the draws that are kept.

    Args:
        row: of a dataset; `history` and `dialogue` are read.
        rng: the only source of chance.
        number: of the variant; the stream that `rng` is at decides alone what is drawn.
    Returns:
        None if no word of the dialogue has a synonym.
    """
    for _ in range(_DRAWS):
        dialogue, words = _paraphrased_lines(row["dialogue"], rng)
        if dialogue != list(row["dialogue"]):
            break
    else:
        return None
    history, earlier_words = _paraphrased_lines(row["history"], rng)
    return Change({"history": history, "dialogue": dialogue}, facts={"words": words + earlier_words})


def _paraphrased_lines(lines: Sequence[str], rng: Random) -> tuple[list[str], int]:
    """The lines with synonyms, and how many words and phrases were exchanged."""
    changed: list[str] = []
    count = 0
    for line in lines:
        if line.startswith("<"):
            speaker, space, text = line.partition(" ")
            text, words = paraphrased(text, rng, _TABLE)
            line = f"{speaker}{space}{text}"
            count += words
        changed.append(line)
    return changed, count
