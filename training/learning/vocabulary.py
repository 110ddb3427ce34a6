"""Words of dialogue as numbers: a regular expression that cuts text into words, and a plain list of those known."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bap_v2_simulators.atomic_files import atomic_write
from bap_v2_training.errors import UsageError

PAD, UNKNOWN = "<pad>", "<unk>"  # the first two entries of every vocabulary: 0 and 1
FILE = "vocabulary.json"

# Like NLTK's word_tokenize on this corpus: "don't" is do + n't, "it's" is it + 's. "3x3" becomes 3 x 3.
_TOKEN = re.compile(
    r"[^\W\d_]+(?=n't\b)|n't\b"  # do + n't
    r"|'(?:s|m|re|ve|ll|d)\b"
    r"|[^\W\d_]+|\d+|\.{2,}|\S"  # letters, digits, dots, any other mark alone
)


def tokens_of(text: str) -> list[str]:
    """Return the words, numbers and marks of an utterance, in lower case.

    >>> tokens_of("Don't fill it in... it's a 3x3 square!")
    ['do', "n't", 'fill', 'it', 'in', '..', 'it', "'s", 'a', '3', 'x', '3', 'square', '!']
    """
    return [".." if match[0].startswith("..") else match[0] for match in _tokens_in(text)]


def ends_of(text: str) -> list[int]:
    """Behind which character each token of `tokens_of` ends.

    >>> ends_of("Don't fill")
    [2, 5, 10]
    """
    return [match.end() for match in _tokens_in(text)]


def _tokens_in(text: str) -> Iterator[re.Match]:
    lower = text.lower()
    if len(lower) != len(text):  # a few letters are two in lower case
        lower = "".join(letter if len(letter.lower()) != 1 else letter.lower() for letter in text)
    return _TOKEN.finditer(lower.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))


class Vocabulary:
    """The tokens that a model knows, each with its number: its place in the list.

    >>> words = Vocabulary.of([["a", "red", "block"], ["a", "red", "one"]], special=["<dialogue>"])
    >>> words.words
    ('<pad>', '<unk>', '<dialogue>', 'a', 'red')
    >>> words.ids(["a", "blue", "<dialogue>"])
    [3, 1, 2]
    """

    def __init__(self, words: Iterable[str]):
        """Args: words: `<pad>` and `<unk>` first. Raises: ValueError if they are not, or if a word comes twice."""
        self.words = tuple(words)
        self._ids = {word: number for number, word in enumerate(self.words)}
        if self.words[:2] != (PAD, UNKNOWN) or len(self._ids) < len(self.words):
            raise ValueError(f"a vocabulary is a list of different words that begins with {PAD} and {UNKNOWN}")

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]], special: Sequence[str] = (), least: int = 2) -> "Vocabulary":
        """The words that occur at least `least` times in `texts`, the most frequent first, after the `special` ones."""
        counts = Counter(token for text in texts for token in text)
        first = (PAD, UNKNOWN, *special)
        learned = sorted((-count, word) for word, count in counts.items() if count >= least and word not in first)
        return cls([*first, *(word for _, word in learned)])

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._ids

    def ids(self, tokens: Iterable[str]) -> list[int]:
        """Return the number of each token; that of `<unk>` for one that is not known."""
        return [self._ids.get(token, 1) for token in tokens]

    def save(self, folder: str | Path) -> None:
        """Write `vocabulary.json`, a list of words, into a model's folder."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        atomic_write(Path(folder) / FILE, (json.dumps(self.words, indent=0, ensure_ascii=False) + "\n").encode())

    @classmethod
    def load(cls, model: str | Path) -> "Vocabulary":
        """Return the vocabulary in a model's folder, or of a model on the Hub.

        Raises:
            UsageError: there is none, or it is not a list of words.
        """
        from transformers.utils import cached_file  # here: the data and the tests of this file do without

        try:
            return cls(json.loads(Path(cached_file(str(model), FILE)).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise UsageError(f"{model} has no readable {FILE}, the list of words of its model: {error}") from error
