"""How often people say each phrase of the simulators: by hand, and that the file of counts is what the corpus says."""

import doctest
import json

import phrase_patterns
import pytest
from phrase_contexts import context_of
from phrase_counts import BUILT, FILE, as_json, built_counts, counts_of, human_lines, lines_of, phrase_counts
from phrase_patterns import normalized

from bap_v2_simulators.game import Game, Utterance, read_games
from bap_v2_simulators.wording.phrases import Phrases, mirror_image, tables


def chat(*lines: str) -> dict[str, list[str]]:
    """The lines of a game; those of the Architect have no name in front."""
    utterances = [Utterance.parse(line if line.startswith("<") else f"<Architect> {line}") for line in lines]
    return lines_of([Game("game", "train", (), tuple(utterances))])


def counted(name: str, options: tuple, *lines: str) -> dict[str, int]:
    """What is counted at all."""
    counts = counts_of(Phrases(name, options), context_of(name), chat(*lines))
    return {phrase: number for phrase, number in counts.items() if number}


def test_the_longest_phrase_is_counted_and_no_part_of_it():
    options = ("on top of {r}", "directly on top of {r}", "above {r}")
    lines = ("put it directly on top of the red one", "On top of that, one above it", "on top of all")
    counts = counted("BESIDE.top", options, *lines)
    assert counts == {"directly on top of {r}": 1, "on top of {r}": 2, "above {r}": 1}


def test_left_and_right_are_counted_together():
    lines = ("to the left of that", "to the right of the red ones", "to the RIGHT of it")
    for name, options in (("BESIDE.left", ("to the left of {r}",)), ("BESIDE.right", ("to the right of {r}",))):
        assert counted(name, options, *lines) == {options[0]: 3}


def test_a_verb_is_counted_before_something_new():
    options = (("place", "placing"), ("put", "putting"), ("put down", "putting down"), ("make", "making"))
    lines = {
        "place": ("place a red block there", "now, Place another blue on it"),
        "put": ("great! you can put one green block on that", "try putting one block on it", "put three blocks there"),
        "put down": ("put down a red one",),
        "make": ("make a red row",),
    }
    for verb, spoken in lines.items():
        assert counted("PLACE_VERBS", options, *spoken) == {verb: len(spoken)}
    others = ("the place a block should go", "in the right place", "put it there", "do you see the red one, make sure")
    assert counted("PLACE_VERBS", options, *others) == {}


def test_sentences_are_counted_where_a_sentence_begins():
    options = ("{v} {np} {pp}", "{pp}, {v} {np}", "{pp} {v} {np}", "please {v} {np} {pp}")
    lines = (
        "ok now place a red block on top", "good. put two on that", "on top of that, place a blue one",
        "on top of that place a blue one", "please add a block to the left of it", "the row that we build a house on",
    )  # fmt: skip
    counts = counted("IMPERATIVES", options, *lines)
    assert counts == {"{v} {np} {pp}": 2, "{pp}, {v} {np}": 1, "{pp} {v} {np}": 1, "please {v} {np} {pp}": 1}


def test_that_is_a_reference_after_a_preposition_and_not_before_a_noun():
    options = ("that", "it", "that one", "that block")
    lines = ("on top of that", "that is good", "on that one now", "behind that red row", "left of it", "it is red")
    assert counted("LAST_PLACED", options, *lines) == {"that": 1, "that one": 1, "it": 1}


def test_a_color_may_stand_alone():
    lines = ("put two red on it", "two reds there", "3 red blocks", "two red bricks", "2 red rows", "two red, one blue")
    counts = counted("PLURAL_NOUNS", ("blocks", "bricks", "", "s"), *lines)
    assert counts == {"blocks": 1, "bricks": 1, "": 1, "s": 1}


def test_what_the_builder_says_is_counted_in_the_lines_of_the_builder():
    lines = ("<Builder> Done!", "done", "<Builder> done", "<Builder> done with all of it", "<Builder> ok")
    assert counted("CONFIRMATIONS", ("done", "done!", "ok"), *lines) == {"done": 1, "done!": 1, "ok": 1}


def test_answers_are_what_follows_a_question():
    lines = ("red", "<Builder> what color?", "red", "sorry, blue", "<Builder> ok", "in red")
    assert counted("ANSWER_COLOR", ("{c}", "sorry, {c}", "in {c}"), *lines) == {"{c}": 1}


def test_normalized_text():
    assert normalized("ok ... what?? 1.5 high") == "ok | what? | 1.5 high"
    assert normalized("it’s  there ,or not") == "it's there,or not"
    assert normalized("!?") == ""


def test_the_example_in_the_docstring_runs():
    assert doctest.testmod(phrase_patterns) == (0, 1)


def test_the_file_has_the_same_text_however_tables_are_ordered():
    some = {"B": {"b": 1, "a": 2}, "A": {"x": 0}}
    assert as_json(some) == as_json({"A": {"x": 0}, "B": {"a": 2, "b": 1}})
    assert json.loads(as_json(some)) == some


# --- the human corpus


@pytest.mark.slow
def test_the_counts_are_those_of_the_human_train_split(mdc_games):
    counts = phrase_counts(human_lines(mdc_games))
    assert as_json(counts) == FILE.read_bytes(), "run `make phrase-counts`"
    built = built_counts(read_games(mdc_games.file("train")))
    assert as_json(built) == BUILT.read_bytes(), "run `make phrase-counts`"
    for table in counts.values():
        for phrase, number in table.items():
            assert table.get(mirror_image(phrase), number) == number, phrase
    assert counts.keys() == {name for name, table in tables().items() if table.counted}
