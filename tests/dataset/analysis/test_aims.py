"""Architects who talk like people: the aims of the simulated language, each beside the human figure.

The human figures are those of all splits (`bap-v2 compare`), but for words that no human Architect uses and novel
trigrams: there validation is compared with the rest. With the corpus at hand they are counted again.
"""

from itertools import product

import pytest

from bap_v2_dataset.analysis.comparison import comparison, human_games, simulated_games
from bap_v2_dataset.analysis.usage import PLACE_WORDS

GAMES = 300
NAMES = ("dr", "dsb", "dss")

# number: (the human figure, at least, at most), of each corpus
AIMS = {
    "plain_verbs": (0.834, 0.75, 1.0),
    "verb_entropy": (3.13, 2.8, 3.4),
    "depth": (0.347, 0.25, 0.45),
    "items_with_a_question": (0.236, 0.17, 0.24),
    "beyond_30_of_the_grid": (0.128, 0.05, 0.15),
}
# D_ss says how shapes extend, often in depth. It has use for ten verbs only: of these, people's entropy is 2.5 bits.
AIMS_OF_SHAPES = {"verb_entropy": (3.13, 2.2, 3.4), "depth": (0.347, 0.25, 0.55)}
# Of D_r and D_sb alone. D_ss says how a shape goes ("up", "away from you") and starts it some steps from a block ("two
# above it"): these are names of top and behind, too, and it has few others.
AIMS_OF_BLOCKS = {
    "on_top_of": (0.334, 0.25, 0.40),
    "in_front_of": (0.352, 0.25, 0.45),
    "behind": (0.247, 0.20, 0.35),
}
AIMS_WITH_THE_CORPUS = {"unseen_words": (0.084, 0.0, 0.12), "novel_trigrams": (0.369, 0.0, 0.45)}
WORDS_PER_UTTERANCE = {"dr": (9.0, 11.0), "dsb": (9.0, 11.0), "dss": (15.0, 18.0)}  # human: 8.2


def figures(numbers: dict, name: str) -> dict:
    """All numbers of one corpus by their names."""
    return {**numbers["poses"][name], **numbers["language"][name], **numbers["usage"][name]}


@pytest.fixture(scope="module")
def games():
    """Games of each simulator."""
    return {name: list(played) for name, played in simulated_games(GAMES).items()}


@pytest.fixture(scope="module")
def simulated(games):
    """The figures of each simulator."""
    numbers = comparison(games)
    return {name: figures(numbers, name) for name in NAMES}


@pytest.fixture(scope="module")
def with_the_corpus(games, mdc_games):
    """The figures of the human corpus and of each simulator."""
    numbers = comparison({"human": human_games(mdc_games), **games})
    return {name: figures(numbers, name) for name in ("human", *NAMES)}


@pytest.mark.parametrize(("figure", "name"), [*product(AIMS, NAMES), *product(AIMS_OF_BLOCKS, ("dr", "dsb"))])
def test_simulated_architects_talk_like_people(simulated, figure, name):
    human, least, most = (AIMS | AIMS_OF_BLOCKS | (AIMS_OF_SHAPES if name == "dss" else {}))[figure]
    value = simulated[name][figure]
    assert least <= value <= most, f"{figure} of {name}: {value:.3f} (human: {human})"


@pytest.mark.parametrize("name", NAMES)
def test_turns_are_about_as_long_as_they_should_be(simulated, name):
    least, most = WORDS_PER_UTTERANCE[name]
    value = simulated[name]["words_mean"]
    assert least <= value <= most, f"words per utterance of {name}: {value:.1f} (human: 8.2)"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("figure", AIMS_WITH_THE_CORPUS)
def test_simulated_architects_use_words_that_people_use(with_the_corpus, name, figure):
    human, least, most = AIMS_WITH_THE_CORPUS[figure]
    value = with_the_corpus[name][figure]
    assert least <= value <= most, f"{figure} of {name}: {value:.3f} (human: {human})"


@pytest.mark.parametrize("figure", [*AIMS, *AIMS_OF_BLOCKS, *AIMS_WITH_THE_CORPUS])
def test_the_human_figures_are_those_of_the_corpus(with_the_corpus, figure):
    human = (AIMS | AIMS_OF_BLOCKS | AIMS_WITH_THE_CORPUS)[figure][0]
    assert with_the_corpus["human"][figure] == pytest.approx(human, abs=0.005 if human > 1 else 0.0005)


def test_words_that_people_need_are_heard(simulated):
    """Of what was missing in version 1.0.0; what each word means: docs/data/simulators.md."""
    heard = {word for name in NAMES for word, share in simulated[name]["place_words"].items() if share}
    assert set(PLACE_WORDS) - heard == set()
