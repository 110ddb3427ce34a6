"""Decoding that permits only the notation: lines `place COLOR X Y Z` and `pick X Y Z` inside the BuildRegion, and EOS.
As the Builder sees cells (representation `ego`), they are offsets of any two cells of the region.

The notation is read by a small automaton, a character at a time. Whatever a tokenizer's tokens are, each leads from a
state of the automaton to another one or to nowhere, so a table says which tokens may follow and where they lead.

Libraries do this for any grammar. Compared with Llama-3's 128,256 tokens and 32 rows, a step costs 4.4 ms of CPU time
here, 4.1 with llguidance 1.9.1 and 20.4 with xgrammar 0.2.8 (which also requires triton, 286 MB); the table is made in
5 s, theirs in 9 and 4. None of them ends an answer with a whole action where it is cut off, they hold one state a row
on the CPU where here all states are one tensor on the model's device, and they permit fewer tokens: outlines-core
0.2.14 forbids the token "p" at the start of a line, llguidance the shorter ways to spell a color.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import torch
from transformers import PreTrainedTokenizerBase

from bap_v2_dataset.items.prompts import REPRESENTATIONS
from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MAX, Y_MIN, Z_MAX, Z_MIN, Cell, Color
from bap_v2_training.errors import UsageError

_NEVER = 10**6  # tokens
_COLORS = tuple(color.value for color in Color)
_VERBS = ("place ", "pick ")


class State(NamedTuple):
    """The place of the automaton in a line."""

    parts: tuple[tuple[str, ...], ...]  # the current one and those to come, each with its options
    read: str = ""  # of the current part


START = State((_VERBS,))


class Notation:
    """Lines of actions in a box of cells.

    Args:
        least, most: corners of the box.
    """

    def __init__(self, least: Cell, most: Cell):
        x, y, z = (tuple(map(str, range(low, high + 1))) for low, high in zip(least, most))
        # With the space behind them, no option of a part is the beginning of another one. Only at the end of a line may
        # a number be the beginning of a longer one.
        cell = (_spaced(x), _spaced(y), z)
        self._rest = {"place ": (_spaced(_COLORS), *cell), "pick ": cell}
        self.alphabet = "".join(sorted(set("".join(["\n", *_VERBS, *_COLORS, *x, *y, *z]))))
        action = f"(place ({'|'.join(_COLORS)})|pick) ({'|'.join(x)}) ({'|'.join(y)}) ({'|'.join(z)})"
        self.regex = f"({action}(\n{action})*)?"  # the same for servers that take a regular expression

    def step(self, state: State, character: str) -> State | None:
        """Return the state after one more character; None if the notation does not allow it there."""
        options, *rest = state.parts
        if character == "\n":
            return START if self._at_line_end(state) else None
        read = state.read + character
        if read in options and options is _VERBS:
            return State(self._rest[read])
        if read in options and rest:
            return State(tuple(rest))
        return State(state.parts, read) if any(option.startswith(read) for option in options) else None

    def may_end(self, state: State) -> bool:
        """Return whether a text may end here: after an action, or where a line has not begun."""
        return state == START or self._at_line_end(state)

    @cached_property
    def states(self) -> tuple[State, ...]:
        """Every state that can be reached, START first."""
        reached = [START]
        for state in reached:  # grows while it is read
            following = (self.step(state, character) for character in self.alphabet)
            reached += [state for state in dict.fromkeys(following) if state is not None and state not in reached]
        return tuple(reached)

    @staticmethod
    def _at_line_end(state: State) -> bool:
        """Return whether an action has been read to its end."""
        return state.parts[0] is not _VERBS and len(state.parts) == 1 and state.read in state.parts[0]


def _spaced(options: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{option} " for option in options)


IN_WORLD = Notation(Cell(X_MIN, Y_MIN, Z_MIN), Cell(X_MAX, Y_MAX, Z_MAX))
_WIDEST = Cell(X_MAX - X_MIN, Y_MAX - Y_MIN, Z_MAX - Z_MIN)
# From any cell of the region to any other one: which of them are outside depends on the item.
IN_EGO = Notation(Cell(*(-distance for distance in _WIDEST)), _WIDEST)


def notation_of(representation: str | None) -> Notation:
    """Return what answers to prompts of a representation may hold."""
    entry = REPRESENTATIONS.get(representation or "")
    return IN_EGO if entry and entry.egocentric else IN_WORLD


class NotationTable:
    """The notation's automaton over the tokens of one vocabulary: which token leads where.

    Args:
        tokenizer: any whose `decode` gives the same text for a token wherever it stands within an answer.
        vocab_size: of the model's logits; it may exceed the tokenizer's.
        ends: ids of the tokens that end an answer.
        notation: what is permitted.
    Raises:
        UsageError: the vocabulary cannot write the notation.
    """

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerBase,
        vocab_size: int,
        ends: Collection[int],
        notation: Notation = IN_WORLD,
    ):
        # Where each token leads from each state
        index = {state: number for number, state in enumerate(notation.states)}
        ended = len(index)  # one more state, after the end: what follows is not read
        self.next = torch.full((len(index) + 1, vocab_size), -1, dtype=torch.int16)  # -1: not allowed
        tree = _tree_of_texts(tokenizer, vocab_size, ends, notation.alphabet)
        for state, number in index.items():
            for token, reached in _reachable(tree, state, notation):
                self.next[number, token] = index[reached]
            if notation.may_end(state):
                self.next[number, sorted(ends)] = ended
        self.next[ended] = ended
        # No token leads to where no token leads to an end
        self.to_end = self._tokens_to_an_end([*map(notation.may_end, index), True])
        self.furthest = int(self.to_end[self.to_end < _NEVER].max())
        self.next[self.to_end[self.next.long()] == _NEVER] = -1
        self.forbidden = self.next < 0
        if not any((self.next[0] == number).any() for number in range(1, ended)):
            raise UsageError("--constrained: this tokenizer's vocabulary cannot write the notation")

    def _tokens_to_an_end(self, may_end: list[bool]) -> torch.Tensor:
        """Count the tokens from each state to one where the text may end, at least; _NEVER if it cannot."""
        distances = [0 if end else _NEVER for end in may_end]
        following = [set(row[row >= 0].tolist()) for row in self.next]
        for distance in range(1, len(distances) + 1):
            for number, reached in enumerate(following):
                if distances[number] == _NEVER and any(distances[other] == distance - 1 for other in reached):
                    distances[number] = distance
        return torch.tensor(distances)

    def to(self, device: torch.device) -> "NotationTable":
        """Move the table to another device, and return it."""
        self.next, self.to_end, self.forbidden = (
            table.to(device) for table in (self.next, self.to_end, self.forbidden)
        )
        return self


class OnlyNotation:
    """Forbids every token that would leave the notation, row by row, for one batch of greedy answers.

    Toward the end of `max_new_tokens` no action is begun that could not be finished, so an answer that is cut off
    still ends with a whole action.
    """

    def __init__(self, table: NotationTable, max_new_tokens: int):
        self.table = table
        self.left = max_new_tokens
        self.state: torch.Tensor | None = None  # [batch]

    def __call__(self, last: torch.Tensor | None, scores: torch.Tensor) -> torch.Tensor:
        """`scores` [rows, vocabulary] with minus infinity for what may not follow the `last` tokens [rows]."""
        if self.state is None:
            self.state = torch.zeros(len(scores), dtype=torch.long, device=scores.device)
        else:
            self.state = self.table.next[self.state, last].long()
        self.left -= 1
        forbidden = self.table.forbidden[self.state]
        if self.left < self.table.furthest:
            following = self.table.next[self.state].clamp(min=0).long()
            forbidden |= self.table.to_end[following] > self.left
        return scores.masked_fill(forbidden, -torch.inf)

    def keep(self, rows: torch.Tensor) -> None:
        """Keep these rows of the batch alone: true or false for each [rows]."""
        assert self.state is not None
        self.state = self.state[rows]


def _token_texts(tokenizer: PreTrainedTokenizerBase, ends: Collection[int], alphabet: str) -> Iterator[tuple[int, str]]:
    """Yield the tokens that are made of the notation's characters alone, with their texts inside an answer."""
    # Behind another token, because some tokenizers drop the space of a text's first one.
    before = tokenizer("0", add_special_tokens=False)["input_ids"][-1]
    special = {*tokenizer.all_special_ids, *ends}
    tokens = [token for token in range(len(tokenizer)) if token not in special]
    texts = tokenizer.batch_decode([[before, token] for token in tokens], clean_up_tokenization_spaces=False)
    start = tokenizer.decode([before])
    allowed = re.compile(f"{re.escape(start)}[{re.escape(alphabet)}]+")
    for token, text in zip(tokens, texts, strict=True):
        if allowed.fullmatch(text):
            yield token, text[len(start) :]


def _tree_of_texts(tokenizer: PreTrainedTokenizerBase, vocab_size: int, ends: Collection[int], alphabet: str) -> dict:
    """Return the texts of tokens as nested dicts by character; the key "" holds the tokens whose text ends there."""
    tree: dict = {}
    for token, text in _token_texts(tokenizer, ends, alphabet):
        if token < vocab_size:
            node = tree
            for character in text:
                node = node.setdefault(character, {})
            node.setdefault("", []).append(token)
    return tree


def _reachable(tree: dict, state: State, notation: Notation) -> Iterator[tuple[int, State]]:
    """Yield the tokens that may follow in `state`, and the state after each."""
    for character, node in tree.items():
        if character == "":
            yield from ((token, state) for token in node)
        elif (following := notation.step(state, character)) is not None:
            yield from _reachable(node, following, notation)
