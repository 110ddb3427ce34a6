"""Sentences that nobody would type do not occur: doublings, wrong agreement, verbs without what they need."""

import re
import tomllib
from itertools import product
from pathlib import Path

import pytest

from bap_v2_dataset.augmentation.patterns import filled
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import SPLITS, play

GAMES = {"dr": 50, "dsb": 60, "dss": 300, "dh": 25}  # of each split: more than 2,000 lines of each corpus
SEED = 2024
SETTINGS = ({}, {"talk.clarification": "0.6", "talk.verification": "0.3", "talk.ellipsis": "0.5"})

FILE = tomllib.loads((Path(__file__).parent / "odd_sentences.toml").read_text(encoding="utf-8"))
NAMES = filled(FILE["names"])
# What must not occur, and a line in which it does: of lines in lower case, and of lines as they are typed.
ODD, UNTIDY = (
    {what: (filled({what: pattern}, **NAMES)[what], example) for what, (pattern, example) in FILE[kind].items()}
    for kind in ("odd", "untidy")
)


@pytest.fixture(scope="module")
def lines():
    """What is said in games of every split, as it is and with many questions, without slips; each line once."""
    said = {}
    for name, games in GAMES.items():
        texts = set()
        for settings in SETTINGS:
            simulator = simulator_of(name, {**settings, **({"slips": "0"} if name == "dh" else {})})
            for split, index in product(SPLITS, range(games)):
                events = play(simulator, split, index, SEED).events
                texts.update(event.text for event in events if hasattr(event, "text"))
        said[name] = sorted(texts - {"Mission has started."})
        assert len(texts) > 2000
    return said


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_no_line_is_odd_or_untidy(name, lines):
    for what, (pattern, _) in ODD.items():
        assert [text for text in lines[name] if re.search(pattern, text.lower())] == [], what
    for what, (pattern, _) in UNTIDY.items():
        assert [text for text in lines[name] if re.search(pattern, text, re.I if "twice" in what else 0)] == [], what
    assert [text for text in lines[name] if text.count("(") != text.count(")")] == []


def test_each_pattern_finds_what_it_is_for():
    for what, (pattern, example) in (ODD | UNTIDY).items():
        assert re.search(pattern, example), what
