"""How the simulated games differ from the human ones: where Builders stand, how Architects talk, what is covered.

One pass over each corpus. Of a corpus of 60,000 items it keeps the utterances of the Architect and eleven numbers an
item: some tens of MB.

Words that no human Architect uses are looked up in the train and test games of the human corpora: its own instructions
are those of validation there, what people say that were not asked.

    numbers = comparison({"human": human_games(corpus), **simulated_games(1000)})
    tables(numbers)  # of comparison.tables
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from statistics import fmean
from typing import Any

from bap_v2_dataset.human.game_store import KeptGames
from bap_v2_dataset.human.mdc import SPLITS
from bap_v2_dataset.items.item import Item, items
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.game import MISSION, Game, read_games
from bap_v2_simulators.simulation import play
from bap_v2_simulators.simulator import Simulator
from comparison.language import (
    REMOVING,
    SENTENCE_TYPES,
    by_number,
    relation_names,
    sentence_type,
    skeleton,
    verbs_in,
    words_of,
)
from comparison.poses import PoseStatistics
from comparison.positions import PositionStatistics
from comparison.turn_kinds import TURN_KINDS, turn_kinds
from comparison.turns import turns_of_items
from comparison.usage import HumanWords, architect_lines, usage

SAMPLE = 1500  # utterances of each corpus whose wording is compared


def simulated_games(number: int, split: str = "train", seed: int = 0) -> dict[str, Iterator[Game]]:
    """That many games of each simulator, by the name of the simulator."""
    return {name: played(simulator(), number, split, seed) for name, simulator in SIMULATORS.items()}


def played(simulator: Simulator, number: int, split: str = "train", seed: int = 0) -> Iterator[Game]:
    """That many games of one simulator."""
    for index in range(number):
        yield play(simulator, split, index, seed)


def human_games(games: KeptGames) -> Iterator[Game]:
    """The games of all splits of the human corpus, test games included: for aggregate figures, never for examples."""
    return chain.from_iterable(read_games(games.file(split)) for split in SPLITS.values())


def comparison(games_by_name: Mapping[str, Iterable[Game]], sample: int = SAMPLE) -> dict[str, Any]:
    """All numbers, as plain values.

    Args:
        games_by_name: the corpora; whether one is simulated is read from its games. Each is gone through once.
        sample: the number of utterances of each corpus whose wording is compared; the size of the smallest corpus if
            that is less.
    Returns:
        `sizes`, `poses`, `positions`, `language`, `usage` (of all instructions), `turns` (shares of the items),
        `wording` (of a sample) and `coverage` (of simulated corpora) by corpus; `wording_sample`, the number of
        utterances compared.
    """
    human = HumanWords()  # of all human corpora
    corpora = {name: _Corpus(name, games, human) for name, games in games_by_name.items()}
    sample = min([sample, *(len(corpus.instructions) for corpus in corpora.values())])
    return {
        "sizes": {
            name: {"games": corpus.games, "items": corpus.items, "instructions": len(corpus.instructions)}
            for name, corpus in corpora.items()
        },
        "poses": {name: corpus.poses.numbers() for name, corpus in corpora.items()},
        "positions": {name: corpus.positions.numbers() for name, corpus in corpora.items()},
        "language": {name: corpus.language() for name, corpus in corpora.items()},
        "usage": {name: corpus.usage() for name, corpus in corpora.items()},
        "turns": {name: corpus.turns() for name, corpus in corpora.items()},
        "wording_sample": sample,
        "wording": {name: _wording(corpus.sample(sample)) for name, corpus in corpora.items()},
        "coverage": {name: corpus.coverage for name, corpus in corpora.items() if corpus.simulated},
    }


class _Corpus:
    """What is counted of one corpus, and the words of its Architects."""

    def __init__(self, name: str, games: Iterable[Game], human: HumanWords):
        self.name = name
        self.games = self.items = 0
        self.simulated = False
        self.poses = PoseStatistics()
        self.positions = PositionStatistics()
        self.coverage: dict[str, Counter] = {}
        self._turns: Counter = Counter()
        self.utterances: list[str] = []  # of the Architect
        self.instructions: list[str] = []  # those that tell the Builder to place or remove
        self.held_out: list[str] = []  # those of validation, of a human corpus
        self.human = human  # a human corpus adds to it
        self._with_question = self._with_another_line = 0
        for game in games:
            self.games += 1
            for item in items(game):
                self.items += 1
                self._add(item, game.split)

    def _add(self, item: Item, split: str) -> None:
        self.poses.add(item)
        for turn in turns_of_items([item]):
            self.positions.add(turn)
        self._turns.update(turn_kinds(item))
        simulated = "plan" in item.metadata
        if simulated:
            self.simulated = True
            _count(self.coverage, item)
        for text, instruction in architect_lines(item):
            self.utterances.append(text)
            if instruction:
                self.instructions.append(text)
            if not simulated:
                self.human.add(words_of(text), instruction, split)
                if instruction and split == "validation":
                    self.held_out.append(text)
        builder = [line for line in item.dialogue if line.startswith("<Builder>") and line != str(MISSION)]
        self._with_question += any("?" in line for line in builder)
        self._with_another_line += any("?" not in line for line in builder)

    def usage(self) -> dict[str, Any]:
        """How often the words of the instructions are used."""
        human = self.human if self.human.words else None
        return usage(self.instructions, human, None if self.simulated else self.held_out)

    def turns(self) -> dict[str, float]:
        """The share of the items that are of each kind."""
        return {kind: self._turns[kind] / self.items if self.items else 0.0 for kind in TURN_KINDS}

    def sample(self, number: int) -> list[str]:
        """That many instructions at random, always the same ones."""
        return Random(f"comparison {self.name}").sample(self.instructions, number)

    def language(self) -> dict[str, float]:
        """How much the players say, and with how many words."""
        lines = [words_of(text) for text in self.utterances]
        lengths = [len(line) for line in lines]
        return {
            "utterances": len(lines),
            "distinct": len({" ".join(line) for line in lines}),
            "vocabulary": len(set(chain.from_iterable(lines))),
            "words_mean": fmean(lengths) if lengths else 0.0,
            "words_per_item": sum(lengths) / self.items if self.items else 0.0,
            "items_with_a_question": self._with_question / self.items if self.items else 0.0,
            "items_with_another_line": self._with_another_line / self.items if self.items else 0.0,
        }


def _wording(texts: Sequence[str]) -> dict[str, Any]:
    """In how many ways a sample of instructions says things."""
    lines = [words_of(text) for text in texts]
    types = Counter(map(sentence_type, texts))
    verbs = [verb for line in lines for verb in verbs_in(line)]
    placing = Counter(f"{verb} {particle}".strip() for verb, particle in verbs if verb not in REMOVING)
    return {
        "distinct": len({" ".join(line) for line in lines}),
        "skeletons": len({skeleton(line) for line in lines}),
        "vocabulary": len(set(chain.from_iterable(lines))),
        "placing_verbs": by_number(placing),
        "relation_names": {relation: by_number(counts) for relation, counts in relation_names(lines).items()},
        "types": {kind: types[kind] / len(texts) if texts else 0.0 for kind in SENTENCE_TYPES},
    }


def expected_kinds(counts: Mapping[str, int], uses: int) -> float:
    """How many different names there are among so many uses, on average (rarefaction): corpora differ in uses."""
    total = sum(counts.values())
    if uses > total:
        return math.nan
    return sum(1.0 - math.comb(total - number, uses) / math.comb(total, uses) for number in counts.values())


def _count(counts: dict[str, Counter], item: Item) -> None:
    """Counts each thing that a simulator planned in an item, by kind; shapes as "l-shape, up"."""
    plan = item.metadata["plan"]
    values = {name: plan[name] or "none" for name in ("action", "relation_type", "relation", "reference_rule")}
    values["omitted"] = plan["omitted"] or "nothing"
    if "shape" in plan:
        values["shape"] = ", ".join([plan["shape"], *([way] if (way := plan.get("shape_orientation")) else [])])
    if "kind" in plan:
        values["kind_of_turn"] = plan["kind"]
    for name, value in values.items():
        counts.setdefault(name, Counter())[value] += 1
    counts.setdefault("dialogue_act", Counter()).update(item.metadata["dialogue_acts"])
