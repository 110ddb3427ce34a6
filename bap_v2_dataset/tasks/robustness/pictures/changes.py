"""What differs between an item and a variant of it: in sentences, and word for word.

Everything is read off the two rows and the transform in the variant's metadata, so that it can be checked by eye.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, NamedTuple

from bap_v2_dataset.items.rows import perturbation_of
from bap_v2_metric.blocks import Cell, Color
from bap_v2_metric.notation import format_block, parse_structure
from bap_v2_metric.symmetry import IDENTITY, Symmetry
from bap_v2_simulators.pose import wrapped_yaw

_TURNS = {1: "90°: +x becomes +z", 2: "180°", 3: "270°: +x becomes -z"}
_MOST_PAIRS = 6  # of words that are listed

Places = frozenset[int]  # numbers of the words in a line


class Lines(NamedTuple):
    """Lines of an item, with the words that are not those of the other one."""

    lines: Sequence[str]
    changed: Sequence[Places]  # of each line


def symmetry_of(variant: Mapping[str, Any]) -> Symmetry:
    """Read the transform that takes the right answer for the parent to that for the variant."""
    return Symmetry.from_json(perturbation_of(variant).get("transform") or {})


def title_of(variant: Mapping[str, Any]) -> str:
    """`sa_turn, variant 1`."""
    record = perturbation_of(variant)
    return f"{record.get('family', 'variant')}, variant {record.get('variant', '?')}"


def changes(parent: Mapping[str, Any], variant: Mapping[str, Any]) -> list[str]:
    """Say what was changed, in sentences without a full stop; the last one says what became of the answer."""
    symmetry = symmetry_of(variant)
    found = [*_symmetry_in_words(symmetry, _colors(parent)), *_words_in_words(parent, variant)]
    if symmetry == IDENTITY:
        found += [*_pose_in_words(parent["pose"], variant["pose"]), *_board_in_words(parent, variant)]
        found += _history_in_words(parent, variant)
    answer = "the same answer is right" if symmetry == IDENTITY else "the right answer changes in the same way"
    return [*found, answer]


def dialogues(parent: Mapping[str, Any], variant: Mapping[str, Any]) -> tuple[Lines, Lines]:
    """Compare the dialogues of the parent and of the variant."""
    return _compared(parent["dialogue"], variant["dialogue"])


def boards(parent: Mapping[str, Any], variant: Mapping[str, Any]) -> tuple[Lines, Lines] | None:
    """The blocks in the order in which a prompt lists them, on one line; None if only a transform changed them."""
    old, new = list(parent["before"]), list(variant["before"])
    if symmetry_of(variant) != IDENTITY or old == new or Counter(old) != Counter(new):
        return None
    return _listed(old, new)


def histories(parent: Mapping[str, Any], variant: Mapping[str, Any]) -> tuple[Lines, Lines] | None:
    """Runs of earlier actions that differ, one per line; None without any, or where only a transform changed them."""
    runs = [list(_runs(row["history"])) for row in (parent, variant)]
    if symmetry_of(variant) != IDENTITY or len(runs[0]) != len(runs[1]):
        return None
    pairs = [_listed(old, new) for old, new in zip(*runs) if old != new]
    if not pairs:
        return None
    return tuple(  # type: ignore[return-value]
        Lines([pair[side].lines[0] for pair in pairs], [pair[side].changed[0] for pair in pairs]) for side in (0, 1)
    )


def new_and_gone(parent: Mapping[str, Any], variant: Mapping[str, Any]) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """Return the cells of blocks that only the variant's board has, and of those that only the parent's has."""
    symmetry = symmetry_of(variant)
    old = set(symmetry.structure(parse_structure(parent["before"])))
    new = set(parse_structure(variant["before"]))
    back = symmetry.inverse
    return frozenset(block.cell for block in new - old), frozenset(back.cell(block.cell) for block in old - new)


def _colors(row: Mapping[str, Any]) -> set[Color]:
    """Return those of the blocks that are on the board before or after; if there are none, all."""
    return {block.color for name in ("before", "after") for block in parse_structure(row[name])} or set(Color)


def _symmetry_in_words(symmetry: Symmetry, colors: set[Color]) -> Iterator[str]:
    if symmetry.mirror:
        yield "mirrored: x becomes -x, left becomes right"
    if symmetry.quarter_turns:
        yield f"turned by {_TURNS[symmetry.quarter_turns]}"
    if symmetry.dx or symmetry.dz:
        steps = ((symmetry.dx, "x"), (symmetry.dz, "z"))
        yield f"shifted: {', '.join(f'{axis} {step:+d}' for step, axis in steps if step)}"
    if symmetry.colors != IDENTITY.colors:
        renamed = [f"{old.value} → {symmetry.color(old).value}" for old in Color if old in colors]
        yield f"colors: {', '.join(renamed)}"


def _words_in_words(parent: Mapping[str, Any], variant: Mapping[str, Any]) -> Iterator[str]:
    pairs: dict[str, None] = {}
    for old, new in zip(parent["dialogue"], variant["dialogue"]):
        pairs.update(dict.fromkeys(_word_pairs(old.split(), new.split())))
    if pairs and symmetry_of(variant).colors == IDENTITY.colors:
        shown = list(pairs)[:_MOST_PAIRS]
        more = f" and {len(pairs) - len(shown)} more" if len(pairs) > len(shown) else ""
        yield f"words: {', '.join(shown)}{more}"
    said = [[line for line in row["history"] if line.startswith("<")] for row in (parent, variant)]
    if number := sum(len(places) for places in _compared(*said)[1].changed):
        yield f"also {number:,} word{'' if number == 1 else 's'} of the history"


def _word_pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        before, after = _bare(old[a:b]), _bare(new[c:d])
        if what == "replace":
            yield f"{before} → {after}"
        elif what != "equal":
            yield f"without “{before}”" if before else f"with “{after}”"


def _bare(words: Sequence[str]) -> str:
    return " ".join(words).strip(".,!?;:()\"'").lower()


def _pose_in_words(old: Mapping[str, float] | None, new: Mapping[str, float] | None) -> Iterator[str]:
    if old is None or new is None or old == new:
        return
    steps = [f"{axis} {new[axis] - old[axis]:+.2f}" for axis in ("x", "y", "z") if new[axis] != old[axis]]
    turns = {"yaw": wrapped_yaw(new["yaw"] - old["yaw"]), "pitch": new["pitch"] - old["pitch"]}
    steps += [f"{name} {turn:+.1f}°" for name, turn in turns.items() if turn]
    yield f"the Builder: {', '.join(steps)}"


def _board_in_words(parent: Mapping[str, Any], variant: Mapping[str, Any]) -> Iterator[str]:
    old, new = parse_structure(parent["before"]), parse_structure(variant["before"])
    for blocks, what in ((set(new) - set(old), "more"), (set(old) - set(new), "fewer")):
        if blocks:
            listed = ", ".join(sorted(map(format_block, blocks)))
            yield f"{len(blocks)} block{'' if len(blocks) == 1 else 's'} {what}: {listed}"
    if set(old) == set(new) and list(parent["before"]) != list(variant["before"]):
        yield "the blocks of the board are listed in another order"


def _history_in_words(parent: Mapping[str, Any], variant: Mapping[str, Any]) -> Iterator[str]:
    runs = [[sorted(run) for run in _runs(row["history"])] for row in (parent, variant)]
    if runs[0] == runs[1] and list(_runs(parent["history"])) != list(_runs(variant["history"])):
        yield "earlier actions are in another order"


def _runs(history: Sequence[str]) -> Iterator[list[str]]:
    """Yield the runs of actions between utterances."""
    for said, lines in groupby(history, lambda line: line.startswith("<")):
        if not said:
            yield list(lines)


def _compared(old: Sequence[str], new: Sequence[str]) -> tuple[Lines, Lines]:
    """Lines, one by one, with the words that differ; if there are more of one kind, no word does."""
    if len(old) != len(new):
        return tuple(Lines(lines, [frozenset()] * len(lines)) for lines in (old, new))  # type: ignore[return-value]
    places = [_places(a.split(), b.split()) for a, b in zip(old, new)]
    return Lines(old, [pair[0] for pair in places]), Lines(new, [pair[1] for pair in places])


def _places(old: Sequence[str], new: Sequence[str]) -> tuple[Places, Places]:
    """Return the numbers of the words that differ: of the old ones, and of the new ones."""
    gone, come = set(), set()
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            gone.update(range(a, b))
            come.update(range(c, d))
    return frozenset(gone), frozenset(come)


def _listed(old: Sequence[str], new: Sequence[str]) -> tuple[Lines, Lines]:
    """Two lists on a line each, with the words of the entries that stand in another place, or in one list alone."""
    if sorted(old) == sorted(new):
        moved = {place for place, (a, b) in enumerate(zip(old, new)) if a != b}
        entries = moved, moved
    else:
        entries = tuple(set(places) for places in _places(old, new))
    return _on_a_line(old, entries[0]), _on_a_line(new, entries[1])


def _on_a_line(entries: Sequence[str], changed: "set[int]") -> Lines:
    places, first = set(), 0
    for number, entry in enumerate(entries):
        words = len(entry.split())
        if number in changed:
            places.update(range(first, first + words))
        first += words
    return Lines([", ".join(entries)], [frozenset(places)])
