"""Family spl: other words of the same meaning, of places and shapes, too."""

import re
from collections import Counter
from random import Random

import pytest
from case_tables import cases_of

from bap_v2_dataset.augmentation.lexicon import COUNTS, LEXICON, ORDINALS, paraphrased, table_of
from bap_v2_dataset.augmentation.transforms import color_words
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.tasks.building.baselines.symbolic_reader import read
from bap_v2_dataset.tasks.robustness.synonyms import CONCEPTS, STRICT_LEXICON, propose
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.game import read_games
from bap_v2_simulators.simulation import play

CONCEPT_TABLE = table_of(CONCEPTS)
_VALUES = {word: str(value) for value, word in COUNTS.items()} | {"one": "1"}
_VALUES |= {form: f"{rank}." for rank, forms in ORDINALS.items() for form in forms}


def ways(text: str, number: int = 60) -> set[str]:
    """What becomes of a line with the concepts alone."""
    return {paraphrased(text, Random(f"{index}"), CONCEPT_TABLE)[0] for index in range(number)}


def numbers(lines: list[str]) -> Counter:
    """The values of all numbers, in digits and in words, those of sizes (`3x3`) one by one; not `one second`."""
    text = re.sub(r"\b(an?|one) second\b|\bone (sec|moment)\b", r"\1 while", " ".join(lines).lower())
    words = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[0-9])x(?=[0-9])", " by ", text))
    return Counter(_VALUES.get(word, word) for word in words if word in _VALUES or word.isdigit())


def colors(lines: list[str]) -> Counter:
    return Counter(color for line in lines for color in color_words(line))


def simulated_rows(name: str, games: int) -> list[dict]:
    return [
        row(item) for index in range(games) for item in items(play(simulator_of(name), "train", index, seed=61))
    ]  # fmt: skip


# --- the table


@pytest.mark.parametrize("group", CONCEPTS, ids=lambda group: group.name)
def test_the_entries_of_a_group_are_well_formed(group):
    assert group.why.endswith(".")
    for entry in group.entries:
        forms = {*entry.forms, *entry.sought}
        assert len(forms) > 1 and all(form == form.lower().strip() for form in forms)
        assert not any(map(color_words, forms))
        assert len({str(numbers([form])) for form in forms}) == 1, entry
        re.compile(entry.before), re.compile(entry.after)


@pytest.mark.parametrize(
    "pair",
    [
        {"block", "box"}, {"on top of", "above"}, {"on top of", "over"}, {"atop", "over"}, {"next to", "touching"},
        {"next to", "adjacent to"}, {"below", "beneath"}, {"below", "under"}, {"tower", "column"}, {"row", "line"},
        {"topmost", "highest"}, {"edge", "corner"}, {"edge", "side"}, {"level", "layer"}, {"square", "box"},
        {"middle", "center"}, {"forward", "away"}, {"tall", "high"}, {"space", "square"},
    ],
    ids=sorted,
)  # fmt: skip
def test_what_is_refused_is_in_no_entry(pair):
    entries = [{*entry.forms, *entry.sought} for group in (*LEXICON, *CONCEPTS) for entry in group.entries]
    assert not any(pair <= forms for forms in entries)


# --- the guards, from both sides


@pytest.mark.parametrize(
    ("text", "all_of"),
    cases_of(__file__, "forms"),
)
def test_every_form_of_a_concept_occurs_and_no_other(text, all_of):
    assert ways(text) == set(all_of)


@pytest.mark.parametrize(
    "text",
    cases_of(__file__, "stay"),
)
def test_what_means_something_else_there_stays(text):
    assert ways(text, 30) == {text}


def test_articles_follow_the_word_behind_them():
    table = table_of([*LEXICON, *CONCEPTS])
    made = {paraphrased("an additional tower of 3 red", Random(f"{index}"), table)[0] for index in range(200)}
    assert "an extra stack of three red" in made
    assert all(re.match(r"an (?:additional|extra) ", text) for text in made)


@pytest.mark.parametrize(
    "text", ["the closest I have to that", "should I have kept it?", "yay or nay?", "block by block", "i have to it"]
)
def test_a_test_is_stricter_than_a_training_set(text):
    lexicon, strict = table_of(LEXICON), table_of(STRICT_LEXICON)
    assert {paraphrased(text, Random(f"{index}"), strict)[0] for index in range(30)} == {text}
    assert len({paraphrased(text, Random(f"{index}"), lexicon)[0] for index in range(30)}) > 1


def test_the_strict_lexicon_differs_from_the_lexicon_in_guards_alone():
    for group, strict in zip(LEXICON, STRICT_LEXICON, strict=True):
        assert [(entry.forms, entry.sought) for entry in strict.entries] == [
            (entry.forms, entry.sought) for entry in group.entries
        ]
    changed = [
        entry.forms
        for group, strict in zip(LEXICON, STRICT_LEXICON, strict=True)
        for entry, other in zip(group.entries, strict.entries, strict=True)
        if entry != other
    ]
    assert len(changed) == 4 and ("block", "brick") in changed


# --- the family


ROW = {
    "id": "a/1",
    "history": ["<Architect> Build 2 blocks on top of that", "place red 0 1 0", "<Builder> ok", "pick 0 1 0"],
    "dialogue": ["<Builder> like this?", "<Architect>", "<Architect> Now put two red blocks beside the green block"],
}


def test_only_utterances_change_and_the_dialogue_does():
    seen = set()
    for index in range(60):
        change = propose(ROW, Random(f"{index}"), 1)
        history, dialogue = change.columns["history"], change.columns["dialogue"]
        assert set(change.columns) == {"history", "dialogue"}
        assert (history[1], history[3]) == ("place red 0 1 0", "pick 0 1 0")
        assert dialogue != ROW["dialogue"] and dialogue[1] == "<Architect>"
        assert [line.split()[0] for line in dialogue] == [line.split()[0] for line in ROW["dialogue"]]
        changed = sum(a != b for a, b in zip(history + dialogue, ROW["history"] + ROW["dialogue"], strict=True))
        assert change.facts["words"] >= changed >= 1
        seen.add(dialogue[2])
    assert any("red blocks" in line and "green brick" in line for line in seen)  # from place to place
    assert ROW["dialogue"][0] == "<Builder> like this?"


def test_a_dialogue_without_synonyms_has_no_variant():
    assert propose({"history": ROW["history"], "dialogue": ["<Architect> red"]}, Random("0"), 1) is None


def test_a_word_with_one_other_form_is_changed_in_every_variant():
    only = {"history": [], "dialogue": ["<Architect> a red brick"]}
    assert {propose(only, Random(f"{index}"), 1).columns["dialogue"][0] for index in range(40)} == {
        "<Architect> a red block"
    }


def test_the_stream_alone_decides():
    assert propose(ROW, Random("7"), 1) == propose(ROW, Random("7"), 3)
    assert len({str(propose(ROW, Random(f"{index}"), 1)) for index in range(20)}) > 10


@pytest.mark.slow
@pytest.mark.parametrize(("name", "games"), [("dr", 40), ("dsb", 40), ("dss", 120)])
def test_simulated_items_keep_their_numbers_colors_and_reading(name, games):
    """The symbolic reader understands each synonym: of 9,741 draws on the published test sets it refuses none."""
    draws = refused = 0
    for columns in simulated_rows(name, games):
        expected = read(columns)
        for number in (1, 2):
            change = propose(columns, Random(f"{columns['id']} {number}"), number)
            if change is None:
                break
            draws += 1
            dialogue = change.columns["dialogue"]
            assert dialogue != columns["dialogue"]
            assert numbers(dialogue) == numbers(columns["dialogue"]), dialogue
            assert colors(dialogue) == colors(columns["dialogue"])
            refused += read({**columns, **change.columns}) != expected
    assert draws > 300 and refused <= 0.002 * draws


@pytest.mark.parametrize("split", ["validation", "test"])
def test_human_dialogues_keep_their_numbers_and_colors(mdc_games, split):
    draws = 0
    for game in read_games(mdc_games.file(split)):
        for item in items(game, []):
            columns = {"history": [], "dialogue": [str(utterance) for utterance in item.dialogue]}
            change = propose(columns, Random(item.item_id), 1)
            if change is not None:
                draws += 1
                dialogue = change.columns["dialogue"]
                assert numbers(dialogue) == numbers(columns["dialogue"]), (columns["dialogue"], dialogue)
                assert colors(dialogue) == colors(columns["dialogue"]), (columns["dialogue"], dialogue)
    assert draws > 900
