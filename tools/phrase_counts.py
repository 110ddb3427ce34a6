"""Counts how often people say each phrase of the simulators, after a phrase was added: `make phrase-counts`.

Reads the human *train* split alone, and writes `simulators/wording/phrase_counts.json`: numbers of our own phrases, no
sentence of the corpus; and `simulators/human_turns/built_counts.json`: where people build, and how large. Run again, it
writes the same files.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from phrase_contexts import ANSWERS, ARCHITECT, BUILDER, Context, context_of
from phrase_patterns import COMPLETE, COMPLETE_ALONE, normalized, pattern_of

from bap_v2_dataset.human.game_store import KeptGames, mdc_games
from bap_v2_dataset.items.item import items
from bap_v2_metric.actions import Place, net_actions
from bap_v2_metric.blocks import Cell
from bap_v2_simulators import human_turns, wording
from bap_v2_simulators.atomic_files import atomic_write
from bap_v2_simulators.game import Game, Utterance, read_games
from bap_v2_simulators.human_turns.drawings import DRAWINGS
from bap_v2_simulators.human_turns.things import kind_of
from bap_v2_simulators.wording.phrases import Phrases, mirror_image, tables

SPLIT = "train"
FILE = Path(wording.__path__[0]) / "phrase_counts.json"
BUILT = Path(human_turns.__path__[0]) / "built_counts.json"


def human_lines(games: KeptGames) -> dict[str, list[str]]:
    """The normalized chat lines of the train split, by whose they are."""
    return lines_of(read_games(games.file(SPLIT)))


def lines_of(games: Iterable[Game]) -> dict[str, list[str]]:
    """The normalized chat lines of some games: the Architect's, those of them that answer a question, the Builder's."""
    lines: dict[str, list[str]] = {ARCHITECT: [], ANSWERS: [], BUILDER: []}
    for game in games:
        asked = False
        for event in game.events:
            if isinstance(event, Utterance):
                text = normalized(event.text)
                lines[event.speaker].append(text)
                if event.speaker == "Architect" and asked:
                    lines[ANSWERS].append(text)
                asked = event.speaker == "Builder" and "?" in event.text
    return lines


def phrase_counts(lines: Mapping[str, Sequence[str]]) -> dict[str, dict[str, int]]:
    """How often each phrase of each table is said, by table."""
    return {name: counts_of(table, context_of(name), lines) for name, table in tables().items() if table.counted}


def counts_of(table: Phrases, context: Context, lines: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """How often each option of a table occurs: the longest first, none overlapping another.

    An option and its mirror image are the same phrase.
    """
    options = [(option,) if isinstance(option, str) else option for option in table]
    phrases = {one_side(texts[0]): texts for texts in reversed(options)}
    # At each position the most words first; of equal phrases the one that is listed first.
    ordered = sorted(phrases, key=lambda phrase: (-len(phrase.split()), -len(phrase), phrase))
    pattern = re.compile("|".join(f"({_in_context(phrases[phrase], table, context)})" for phrase in ordered))
    counts = dict.fromkeys(ordered, 0)
    for line in lines[context.lines]:
        for match in pattern.finditer(line):
            counts[ordered[match.lastindex - 1]] += 1
    return {texts[0]: counts[one_side(texts[0])] for texts in options}


def one_side(text: str) -> str:
    """The same text for a phrase and its mirror image: left and right are counted together."""
    return min(text, mirror_image(text))


def _in_context(texts: Sequence[str], table: Phrases, context: Context) -> str:
    """The pattern of one option, in any of its forms ("place", "placing"), with what must stand around it."""
    text, space, after = texts[0], "", context.after
    if context.after_a_color and text in ("", "s"):
        after = COMPLETE_ALONE
    elif context.after_a_color:
        space = " "
    elif text.endswith(("that", "it", "this")) and context.after == Context.after:
        after = COMPLETE  # not "that red block"
    forms = "|".join(pattern_of(form, table) for form in texts)
    return f"{context.before}{space}(?:{forms}){after}"


def built_counts(games: Iterable[Game]) -> dict[str, dict[str, int]]:
    """Where the first block of a game is and where all others are, by max(|x|, |z|), and how large shapes are.

    Returns:
        `first block` and `placed`, the blocks by ring; `row`, `tower` and `diagonal`, those placed in a turn by length;
        `plane` and `drawn`, by their longer and their shorter side, the latter with the name of the drawing.
    """
    counts: dict[str, Counter] = {
        name: Counter() for name in ("first block", "placed", "row", "tower", "diagonal", "plane", "drawn")
    }
    for game in games:
        for number, item in enumerate(items(game)):
            # Where blocks are.
            if not number and isinstance(item.actions[0], Place):
                counts["first block"][_ring(item.actions[0].cell)] += 1
            cells = tuple(sorted(net.cell for net in net_actions(item.before, item.after) if net.type.value == "place"))
            counts["placed"].update(map(_ring, cells))
            # How large it is.
            kind = kind_of(cells) if len(cells) > 1 else None
            if kind in ("row", "tower", "diagonal"):
                counts[kind][str(len(cells))] += 1
            elif kind is not None:
                sides = sorted((max(along) - min(along) + 1 for along in zip(*cells, strict=True)), reverse=True)
                size = f"{sides[0]}x{sides[1]}"
                counts["drawn" if kind in DRAWINGS else "plane"][f"{kind} {size}" if kind in DRAWINGS else size] += 1
    return counts


def _ring(cell: Cell) -> str:
    return str(max(abs(cell.x), abs(cell.z)))


def as_json(counts: Mapping[str, Mapping[str, int]]) -> bytes:
    """The content of phrase_counts.json: one phrase per line, in alphabetical order."""
    return (json.dumps(counts, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode("utf-8")


def main() -> None:
    """Counts and writes."""
    counts = phrase_counts(human_lines(mdc_games()))
    atomic_write(FILE, as_json(counts))
    atomic_write(BUILT, as_json(built_counts(read_games(mdc_games().file(SPLIT)))))
    print(f"{FILE}: {sum(map(len, counts.values())):,} phrases in {len(counts)} tables")
    unheard = sorted(name for name, table in counts.items() if not any(table.values()))
    if unheard:
        print(f"tables of which people say nothing (all their phrases are equally likely): {', '.join(unheard)}")


if __name__ == "__main__":
    main()
