"""The lexicon of the augmentation: which words of a chat line may be exchanged for which others (BAP v2, 2.3).

An entry holds forms of equal meaning, in the inflection in which they are equal, and the context in which they are.
The lexicon is this project's own, made from the most frequent words of the corpus. Its rule: words of place, direction,
shape, size, color and number stay as they are, for they are what an instruction is about. (Numbers and `toward` may
be spelled in another way.) Its entries, and what looks like a synonym and is refused, stand in `lexicon.toml`.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bap_v2_dataset.augmentation.patterns import filled
from bap_v2_metric.blocks import Color
from bap_v2_simulators.number_words import NUMBER_WORDS


@dataclass(frozen=True, slots=True)
class Forms:
    """Forms that mean the same where the context allows them."""

    forms: tuple[str, ...]  # in lower case; each may be chosen
    seek: tuple[str, ...] = ()  # what is exchanged, if not just the forms; what is none of them is never brought in
    before: str = ""  # a regular expression for the end of what stands before, in lower case
    after: str = ""  # and one for the beginning of what stands behind

    @property
    def sought(self) -> tuple[str, ...]:
        """The forms that are exchanged when they are met."""
        return self.seek or self.forms


@dataclass(frozen=True, slots=True)
class LexiconGroup:
    """Entries that are safe for the same reason."""

    name: str
    why: str  # the meaning is kept
    entries: tuple[Forms, ...]


_COLORS = "|".join(color.value for color in Color)
_NUMBERS = "|".join((*NUMBER_WORDS[2:11], "[0-9]+"))
_FILE = tomllib.loads((Path(__file__).parent / "lexicon.toml").read_text(encoding="utf-8"))
_CONTEXTS = {"COLORS": _COLORS, **filled(_FILE["contexts"], COLORS=_COLORS, NUMBERS=_NUMBERS)}

COUNTS = {number: NUMBER_WORDS[number] for number in range(2, 10)}
ORDINALS = {1: ("first", "1st"), 2: ("second", "2nd"), 3: ("third", "3rd"), 4: ("fourth", "4th"),
            5: ("fifth", "5th"), 6: ("sixth", "6th"), 7: ("seventh", "7th")}  # fmt: skip


def groups_of(file: Mapping, contexts: Mapping[str, str]) -> tuple[LexiconGroup, ...]:
    """Return the groups of a file that was read; in its regular expressions <NAME> stands for a context."""

    def forms_of(entry: Mapping) -> Forms:
        guards = filled({side: entry.get(side, "") for side in ("before", "after")}, **contexts)
        return Forms(tuple(entry["forms"]), tuple(entry.get("seek", ())), **guards)

    return tuple(LexiconGroup(one["name"], one["why"], tuple(map(forms_of, one["entries"]))) for one in file["groups"])


REFUSED: Mapping[str, str] = _FILE["refused"]
LEXICON: tuple[LexiconGroup, ...] = (
    *groups_of(_FILE, _CONTEXTS),
    LexiconGroup(
        "numbers",
        "The same number in digits and in words, only where it counts something (`3 red`, not `3x3`, `column 3`, a "
        "shape `3`). `one` and `1` stay: `one` is a pronoun.",
        tuple(
            Forms((word, str(number)), before=_CONTEXTS["NO_LABEL"] + "$", after=_CONTEXTS["COUNTED"])
            for number, word in COUNTS.items()
        ),
    ),
    LexiconGroup(
        "ordinal numbers",
        "The same rank; behind an article, so that `a second` stays a while.",
        tuple(Forms(forms, before=r"\b(?:the|this|that|your|our|its) $", after=r" \w") for forms in ORDINALS.values()),
    ),
)


_WORD = re.compile(r"(?<![\w'./=#×-])[a-z0-9']+")
_END = re.compile(r"(?![\w'=/×-]|[.:,][0-9])")
Table = Mapping[str, Sequence[tuple[str, Forms, re.Pattern | None, re.Pattern | None]]]


def table_of(groups: Iterable[LexiconGroup]) -> Table:
    """Return the sought forms by their first word, with their entry and its guards, as `paraphrased` looks them up.

    The longest form of a word is first; of equal ones, that which is first in the groups.
    """
    by_first_word: dict[str, list] = {}
    for group in groups:
        for entry in group.entries:
            guards = [re.compile(guard) if guard else None for guard in (entry.before, entry.after)]
            for form in entry.sought:
                by_first_word.setdefault(_WORD.match(form)[0], []).append((form, entry, *guards))
    return {word: sorted(forms, key=lambda form: -len(form[0])) for word, forms in by_first_word.items()}


_LEXICON_TABLE = table_of(LEXICON)


def paraphrased(text: str, rng: Random, table: Table | None = None) -> tuple[str, int]:
    """Return the text with other words of the same meaning, and how many words and phrases were exchanged.

    Wherever an entry fits, one of its forms is drawn, all equally likely, the original
    among them. Capitals are kept; `a` and `an` follow the word behind them.

    Args:
        text: a chat line.
        rng: the only source of chance.
        table: the entries that may be used, from `table_of`; without one, those of the lexicon.

    >>> paraphrased("Now remove the left two blocks, please", Random("17"))
    ('Next break the left two bricks, please', 3)
    """
    table = _LEXICON_TABLE if table is None else table
    lower = text.lower()
    parts: list[str] = []
    done = count = 0
    for word in _WORD.finditer(lower):
        start = word.start()
        if start < done:
            continue
        # The first form that is there, in a context that allows it.
        for form, entry, before, after in table.get(word[0], ()):
            end = start + len(form)
            fits = lower.startswith(form, start) and _END.match(lower, end)
            if not fits or (before and not before.search(lower, 0, start)) or (after and not after.match(lower, end)):
                continue
            # All forms are equally likely, the one that is there among them.
            choices = entry.forms if form in entry.forms else (form, *entry.forms)
            chosen = choices[int(rng.random() * len(choices))]
            if chosen != form:
                parts += [with_article(text[done:start], form, chosen), cased(chosen, text[start:end])]
                count += 1
            else:
                parts.append(text[done:end])
            done = end
            break
    return "".join(parts) + text[done:], count


_ARTICLE = re.compile(r"(?<![\w'])(an?)(\s+)$", re.IGNORECASE)


def with_article(before: str, old: str, new: str) -> str:
    """Return what stands before a word that is exchanged: its `a` or `an` fits the new word if it fitted the old."""
    article = _ARTICLE.search(before)
    if article is None or article[1].lower() != _article(old):
        return before
    return before[: article.start()] + cased(_article(new), article[1]) + article[2]


def _article(word: str) -> str:
    # By letters, which is by sounds for the words of the lexicon and for colors.
    return "an" if word[0].lower() in "aeio8" else "a"


def cased(new: str, old: str) -> str:
    """Return the new word with the capitals of the old one: `Ok`, `YES`, `I`."""
    if len(old) > 2 and old.isupper():
        return new.upper()
    if re.search(r"\bI\b", old):
        new = re.sub(r"\bi\b", "I", new)
    return new[0].upper() + new[1:] if old[0].isupper() else new
