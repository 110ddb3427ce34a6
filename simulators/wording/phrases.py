"""Tables of ways to say one thing, each way as frequent as among human Architects.

The tables are in phrases.json, by name, and are picked by name: `words.pick("BESIDE.left")`. An entry is

- a list of texts, or of forms of a word (["place", "placing"]); their weights are counts of our own phrases in the
  human train split (phrase_counts.json, made by `make phrase-counts`). No human sentence is kept.
- {"counted": [...], "tail": 0.3}: the same, with another share that is spread evenly than `TAIL`.
- {"evenly": [...]}: not counted, all are equally likely; {"weights": {...}}: with weights of its own.
- {"of": "BESIDE", "only": "^on", "not": "you$"}: the part of another table with the one pattern and without the other;
  also of each table of a family: then "PLAIN_BESIDE.left" is the part of "BESIDE.left".

Of two sides one is listed: "BESIDE.right" is the mirror image of "BESIDE.left".

In the texts `{r}` is the reference ("the last block"), `{c}` a color, `{n}` and `{m}` numbers, `{v}` a verb, `{g}` its
-ing form, `{np}` what is to be built, `{pp}` or `{at}` where, `{to}` a direction.
"""

import json
import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import accumulate
from typing import Any, Generic, TypeVar

T = TypeVar("T")

TAIL = 0.04  # the share of a table that is spread evenly, at least: what is correct and rare is heard, too

_SIDES = {"left": "right", "right": "left"}
_SIDE = re.compile(r"left|right")


class Phrases(Generic[T], Sequence[T]):
    """Ways to say one thing.

    Args:
        name: under which they are counted; names of tables are unique.
        options: texts, or tuples that begin with a text ("place", "placing").
        counts: of each option; those of phrase_counts.json if they are not given.
        tail: the share of the table that is spread evenly, at least.
    Raises:
        ValueError: if there is no option, or one is listed twice.
    """

    __slots__ = ("_cumulative", "_tail", "counted", "counts", "name", "options")

    def __init__(self, name: str, options: Iterable[T], counts: Iterable[int] | None = None, tail: float = TAIL):
        # The options, each once.
        self.name = name
        self.options = tuple(options)
        self._tail = tail
        self.counted = counts is None  # among people; not so parts and images of other tables
        if not self.options:
            raise ValueError(f"the table {name} has no option")
        texts = [text_of(option) for option in self.options]
        if len(set(texts)) < len(texts):
            twice = next(text for text, times in Counter(texts).items() if times > 1)
            raise ValueError(f"the table {name} lists {twice!r} twice: it would be counted twice")
        # Their counts, from the file if they are not given.
        if counts is None:
            known = _from_file("phrase_counts.json").get(name, {})
            counts = [known.get(text, 0) for text in texts]
        self.counts = tuple(counts)
        if len(self.counts) != len(self.options):
            raise ValueError(f"the table {name} has {len(self.options)} options and {len(self.counts)} counts")
        # The borders at which draws pass from one option to the next.
        *cumulative, _ = accumulate(self.shares())
        self._cumulative = (*cumulative, 1.0)

    def at(self, share: float) -> T:
        """Return the option at this share of the table: a random number in [0, 1) draws one by its weight."""
        return self.options[bisect(self._cumulative, share)]

    @property
    def tail(self) -> float:
        """The share that is spread evenly: more if few uses were counted, all if none was."""
        return max(self._tail, 1.0 / (1.0 + sum(self.counts)))

    def shares(self) -> list[float]:
        """Return how likely each option is; they add up to 1."""
        total, tail = max(1, sum(self.counts)), self.tail
        return [(1.0 - tail) * count / total + tail / len(self.counts) for count in self.counts]

    def only(self, keep: Callable[[T], object]) -> "Phrases[T]":
        """Those options for which `keep` is true, with the counts that they have. Raises: ValueError if none is."""
        kept = [pair for pair in zip(self.options, self.counts, strict=True) if keep(pair[0])]
        return Phrases(self.name, [option for option, _ in kept], [count for _, count in kept], self._tail)

    def mapped(self, change: Callable[[T], T]) -> "Phrases[T]":
        """Return each option changed, with its count; those that become equal are one option."""
        counts: dict[T, int] = {}
        for option, count in zip(self.options, self.counts, strict=True):
            changed = change(option)
            counts[changed] = counts.get(changed, 0) + count
        return Phrases(self.name, counts, list(counts.values()), self._tail)

    def mirrored(self) -> "Phrases[T]":
        """Return the same table with left and right exchanged; each side has the count of both (see
        phrase_counts.json)."""
        return self.mapped(_mirrored)

    def __getitem__(self, index):
        return self.options[index]

    def __len__(self) -> int:
        return len(self.options)

    def __repr__(self) -> str:
        return f"Phrases({self.name!r}, {len(self.options)} options)"


@cache
def table(name: str) -> Phrases:
    """Return the table of this name: see above. Raises: KeyError if there is none."""
    entries = _from_file("phrases.json")
    match entries.get(name):
        case [*listed]:
            return Phrases(name, _options(listed))
        case {"counted": listed, "tail": tail}:
            return Phrases(name, _options(listed), tail=tail)
        case {"evenly": listed}:
            return Phrases(name, _options(listed), [1] * len(listed))
        case {"weights": weights}:
            return Phrases(name, weights, weights.values())
        case {"of": whole, **rule}:
            return _part(table(whole), **rule)
    # The mirror image of a table, or a part of one of a family.
    if mirror_image(name) in entries:
        return table(mirror_image(name)).mirrored()
    family, _, member = name.partition(".")
    match entries.get(family):
        case {"of": whole, **rule}:
            return _part(table(f"{whole}.{member}"), **rule)
    raise KeyError(f"phrases.json has no table {name!r}")


def _part(whole: Phrases, **rule: str) -> Phrases:
    only, never = re.compile(rule.get("only", "")), re.compile(rule.get("not", "(?!)"))
    return whole.only(lambda option: only.search(text_of(option)) and not never.search(text_of(option)))


@cache
def tables() -> Mapping[str, Phrases]:
    """Return all tables of phrases.json with options of their own, by name; not parts and mirror images of others."""
    entries = _from_file("phrases.json").items()
    return {name: table(name) for name, entry in entries if isinstance(entry, list) or "of" not in entry}


def text_of(option: object) -> str:
    """Return the text under which an option is counted."""
    return option if isinstance(option, str) else option[0]


def mirror_image(text: str) -> str:
    """Return the text with left and right exchanged.

    >>> mirror_image("to the left of {r}, leftmost")
    'to the right of {r}, rightmost'
    """
    return _SIDE.sub(lambda match: _SIDES[match[0]], text)


def _mirrored(option):
    return mirror_image(option) if isinstance(option, str) else tuple(map(mirror_image, option))


def _options(listed: Iterable[str | list[str]]) -> list[str | tuple[str, ...]]:
    return [one if isinstance(one, str) else tuple(one) for one in listed]


@cache
def _from_file(name: str) -> Mapping[str, Any]:
    """Read a file of this folder."""
    return json.loads(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))
