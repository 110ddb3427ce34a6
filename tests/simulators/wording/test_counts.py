"""The weights of the tables: up to date, drawn as they say, the same for left and right, hardly a rare word."""

import json
import re
from importlib import resources

import pytest

from bap_v2_simulators import wording
from bap_v2_simulators.wording.phrases import mirror_image, tables, text_of

COUNTED = {name: table for name, table in tables().items() if table.counted}
COUNTS = json.loads(resources.files(wording).joinpath("phrase_counts.json").read_text(encoding="utf-8"))

LONGER_TAILS = ("PLACE_VERBS", "STACK_VERBS", "BUILD_VERBS")


def test_every_phrase_is_counted_and_no_other():
    expected = {name: sorted(map(text_of, table)) for name, table in COUNTED.items()}
    assert {name: sorted(counts) for name, counts in COUNTS.items()} == expected, "run `make phrase-counts`"


def test_the_counts_are_numbers_and_most_tables_have_some():
    numbers = [number for counts in COUNTS.values() for number in counts.values()]
    assert all(isinstance(number, int) and number >= 0 for number in numbers)
    assert sum(any(counts.values()) for counts in COUNTS.values()) > 0.6 * len(COUNTS)


def test_every_table_has_its_counts():
    for name, table in COUNTED.items():
        assert dict(zip(map(text_of, table), table.counts, strict=True)) == COUNTS[name], name


def test_what_nobody_says_is_heard_in_a_few_per_cent_at_most():
    for name, table in COUNTED.items():
        if sum(table.counts) >= 24:  # of less, one cannot know
            unheard = sum(share for share, count in zip(table.shares(), table.counts) if not count)
            assert unheard <= 0.04 + (name in LONGER_TAILS) * 0.01, name


def test_left_and_right_are_equally_frequent():
    pairs = [(name, mirror_image(name)) for name in COUNTS if mirror_image(name) in COUNTS]
    assert {"SUPERLATIVES.leftmost.before", "BESIDE.left"} <= {name for name, _ in pairs} | COUNTS.keys()
    for name, image in pairs:
        mirrored = {mirror_image(phrase): number for phrase, number in COUNTS[image].items()}
        if name != image:
            assert COUNTS[name] == mirrored, name
    for name, counts in COUNTS.items():
        for phrase, number in counts.items():
            assert counts.get(mirror_image(phrase), number) == number, (name, phrase)


def test_plain_verbs_are_heard_most_of_the_time():
    for name in LONGER_TAILS:
        table = tables()[name]
        plain = ("place", "put", "add", "build", "make")
        share = sum(share for (verb, _), share in zip(table, table.shares()) if verb.split()[0] in plain)
        assert 0.75 < share < 0.97, name


# --- the human corpus

# No human Architect types these, but nothing else says the thing.
NEEDED = {"eight": "8", "nine": "9"}  # fmt: skip


@pytest.mark.slow
def test_every_word_is_one_that_human_architects_use(mdc_games):
    from comparison.language import words_of
    from comparison.numbers import human_games
    from comparison.usage import human_words
    from phrase_contexts import BUILDER, context_of

    known = human_words(human_games(mdc_games)).words | NEEDED.keys()
    unknown = {}
    for name, table in COUNTED.items():
        if context_of(name).lines == BUILDER:
            continue
        for option in table:  # of verbs the first form: people who say "having" may say it in the validation split
            for word in words_of(re.sub(r"\{\w+\}", " 2 ", text_of(option))):
                if word not in known:
                    unknown.setdefault(word, set()).add(name)
    assert not unknown, unknown
