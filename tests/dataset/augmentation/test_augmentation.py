"""Augmented games are the originals seen from elsewhere, in other colors and other words."""

import json
import math
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from case_tables import cases_of
from hypothesis import given
from hypothesis import strategies as st
from small_corpus import BELL, GAMES, log
from strategies import cells, colors, structures

from bap_v2_dataset.augmentation.lexicon import COUNTS, LEXICON, ORDINALS, REFUSED, paraphrased
from bap_v2_dataset.augmentation.mirroring import SIDE_WORD, is_direction
from bap_v2_dataset.augmentation.model_text import line_digest, paraphrases, synthetic_dialogues
from bap_v2_dataset.augmentation.transforms import color_words, recolored, transformed
from bap_v2_dataset.augmentation.variants import VARIANTS, AugmentationError, augmented
from bap_v2_dataset.human.mdc import read_log
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.tasks.building.baselines.symbolic_reader import read
from bap_v2_metric.actions import NetAction, Place, Remove, execute, net_actions
from bap_v2_metric.alignment import Transform, align
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.game import Game, Step, Utterance, read_games
from bap_v2_simulators.pose import Pose, perspective_coordinates, turned
from bap_v2_simulators.simulation import play

turns = st.integers(0, 3)
permutations = st.permutations(list(Color)).map(lambda new: dict(zip(Color, new, strict=True)))
_flat, _yaws = st.floats(-9, 9), st.floats(-180, 180, exclude_max=True)
poses = st.builds(Pose, _flat, st.floats(1, 10), _flat, _yaws, st.floats(-90, 90))
_texts = ["put a red block on top", "an orange one, then a purple", "REDS and yellows", "like this?", "no, to the left",
         "ok now remove the last two blue blocks", "a green-blue row of 3 blocks"]  # fmt: skip
utterances = st.builds(Utterance, st.sampled_from(["Architect", "Builder"]), st.sampled_from(_texts))
_actions = st.one_of(st.builds(Place, colors, cells(reach=7, height=3)), st.builds(Remove, cells(reach=7, height=3)))
changes = st.builds(Step, poses, st.tuples(_actions) | st.tuples(_actions, _actions))  # some outside the region
human_games = st.builds(
    Game, st.uuids().map(str), st.just("train"), structures(), st.lists(utterances | changes, max_size=12).map(tuple),
    st.just({"source": "human"}),
)  # fmt: skip

# Words that say where, and how they look when two words belong to a verb: "put down" is not a direction.
_DIRECTIONS = re.compile(
    r"(?<!put )\bdown\b|(?<!take )\baway\b|\b(?:left|right|up|above|below|under|underneath|over|behind|front|back|top|"
    r"bottom|side|sides|corner|middle|center|edge|next to|between|toward|towards|closest|diagonal|diagonally|parallel|"
    r"perpendicular|vertical|horizontal|forward|high|tall|long|wide|row|column|stack|tower|line|layer|level|square)\b"
)
_VALUES = {word: value for value, word in COUNTS.items()} | {"one": 1}
_RANKS = {form: f"{rank}." for rank, forms in ORDINALS.items() for form in forms}


def small_game(game_id: str) -> Game:
    return read_log(json.dumps(log(GAMES[game_id])).encode(), game_id, "train", Structure(), "C1")


def directions(text: str) -> list[str]:
    return [direction.replace("towards", "toward") for direction in _DIRECTIONS.findall(text.lower())]


def numbers(text: str) -> Counter:
    words = re.findall(r"[a-z0-9]+", re.sub(r"\b(an?|one) second\b", r"\1 while", text.lower()))
    values = {**_VALUES, **_RANKS}
    return Counter(values.get(word) or int(word) for word in words if word in values or word.isdigit())


def middle(cell: Cell) -> tuple[float, float, float]:
    return cell.x + 0.5, cell.y + 0.5, cell.z + 0.5


def moved(actions, turn: Transform, colors):
    return frozenset(NetAction(action.type, colors[action.color], turn(action.cell)) for action in actions)


def net(item):
    return net_actions(item.before, item.after)


def drawn(game: Game) -> tuple[Transform, dict[Color, Color]]:
    """What the metadata of a variant say was done to it."""
    record = game.metadata["augmentation"]
    return Transform(record["quarter_turns"], 0, 0), {Color(a): Color(b) for a, b in record["colors"].items()}


def assert_is_a_variant(game: Game, variant: Game) -> None:
    """Everything but the words is that of the original, turned and recolored."""
    turn, colors = drawn(variant)
    skips, skips_of_variant = [], []
    old, new = list(items(game, skips)), list(items(variant, skips_of_variant))
    assert len(old) == len(new)
    assert [(s.run, s.actions, s.reason) for s in skips] == [(s.run, s.actions, s.reason) for s in skips_of_variant]
    for before, after in zip(old, new, strict=True):
        assert net(after) == moved(net(before), turn, colors)
        for name in ("before", "after", "target"):
            blocks = {turn(cell): colors[color] for color, cell in getattr(before, name)}
            assert getattr(after, name) == Structure.from_colors(blocks)
        assert after.infeasible_actions == before.infeasible_actions
        assert len(after.history) == len(before.history) and len(after.dialogue) == len(before.dialogue)
        assert -180.0 <= after.pose.yaw < 180.0
        for _, cell in [*before.before, *before.after]:
            seen = perspective_coordinates(middle(turn(cell)), after.pose)
            assert math.dist(seen, perspective_coordinates(middle(cell), before.pose)) < 1e-9
    for event, other in zip(game.events, variant.events, strict=True):
        if isinstance(event, Utterance):
            assert other.speaker == event.speaker and other == Utterance.parse(str(other))
            assert "\n" not in other.text and bool(other.text) == bool(event.text)
            assert color_words(other.text) == [colors[color] for color in color_words(event.text)]
            assert directions(other.text) == directions(event.text), (event, other)
            assert numbers(other.text) == numbers(event.text), (event, other)
    assert Game.from_json(variant.to_json()) == variant


# --- the rotation


@given(cells(reach=8), poses, turns)
def test_the_builder_sees_a_turned_world_as_before(cell, pose, quarter_turns):
    seen = perspective_coordinates(middle(Transform(quarter_turns, 0, 0)(cell)), turned(pose, quarter_turns))
    assert seen == pytest.approx(perspective_coordinates(middle(cell), pose), abs=1e-9)


# --- the colors


@given(human_games, turns, permutations)
def test_the_inverse_permutation_and_turn_restore_a_game(game, quarter_turns, colors):
    forth = transformed(game, quarter_turns, colors)
    back = transformed(forth, -quarter_turns, {new: old for old, new in colors.items()})
    assert back.target == game.target
    for event, same in zip(game.events, back.events, strict=True):
        if isinstance(event, Utterance):
            assert same == event
        else:
            assert same.actions == event.actions
            assert (same.pose.x, same.pose.z) == pytest.approx((event.pose.x, event.pose.z), abs=1e-9)


@given(permutations)
def test_every_color_word_changes_and_no_other(colors):
    text = "An orange, RED and Yellow one: greens, purple-blue/red, 2red, the blue's side, not centered, mirrored, redo"
    words = [color.value for color in Color]

    def without_colors(text):
        text = re.sub(r"\ban?\b", "a", text.lower())
        return re.sub(r"(?<![a-z])(?:" + "|".join(words) + r")(?=s?(?![a-z]))", "*", text)

    new = recolored(text, colors)
    assert color_words(new) == [colors[color] for color in color_words(text)]
    assert len(color_words(text)) == 9
    assert without_colors(new) == without_colors(text)
    assert recolored(new, {b: a for a, b in colors.items()}) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    cases_of(__file__, "colors"),
)
def test_color_words_in_all_their_spellings(text, expected):
    swaps = ("red orange", "green blue", "blue green", "orange red", "yellow purple", "purple yellow")
    assert recolored(text, {Color(a): Color(b) for a, b in map(str.split, swaps)}) == expected


# --- the words


def ways(text: str, number: int = 60) -> set[str]:
    return {paraphrased(text, Random(f"{index}"))[0] for index in range(number)}


@pytest.mark.parametrize(
    ("text", "all_of"),
    [
        ("great", {"great", "perfect", "excellent", "awesome", "nice", "cool", "good"}),
        ("place an empty block", {f"{verb} an empty {noun}" for verb in ("place", "put", "add")
                                  for noun in ("block", "brick")}),
        ("Remove it.", {"Remove it.", "Delete it.", "Break it.", "Get rid of it."}),
        ("it's an easy one", {f"{it} {a}" for it in ("it's", "it is") for a in ("an easy one", "a simple one")}),
        ("3 red", {"3 red", "three red"}),
        ("YES", {"YES", "YEAH", "YEP", "YUP"}),
        ("teh top", {"teh top", "the top"}),
        ("the top", {"the top"}),
    ],
)  # fmt: skip
def test_every_form_of_an_entry_occurs_and_no_other(text, all_of):
    assert ways(text) == all_of


@pytest.mark.parametrize(
    "text",
    [
        "Mission has started.",
        "the right place", "is this right?", "right, all right", "the one you put there", "you placed it",
        "no blocks".replace("blocks", "reds"), "a u shape", "3x3", "x = 3", "2d", "row 3", "3 by 3", "a 7", "2-3",
        "wait a second", "turn to your left", "a nice row", "that makes it red", "this will make a cross",
        "make the first red".replace("the first", "it"), "that is 3", "what it is", "isn't it?", "going to the left",
        "its top", "we were", "add that to the tower", "2.5", "e.g. one",
    ],
)  # fmt: skip
def test_what_means_something_else_there_stays(text):
    assert ways(text, 20) == {text}


def test_forms_are_equally_likely():
    rng = Random("forms")
    counts = Counter(paraphrased("great", rng)[0] for _ in range(7_000))
    assert len(counts) == 7 and all(850 < count < 1_150 for count in counts.values())


def test_a_place_is_counted_if_it_got_another_form():
    text = "ok place a block"
    for index in range(40):
        new, count = paraphrased(text, Random(f"{index}"))
        assert count == sum(a != b for a, b in zip(text.split(), new.split(), strict=True))


@pytest.mark.parametrize("group", LEXICON, ids=lambda group: group.name)
def test_no_entry_says_a_color_a_direction_or_another_number(group):
    for entry in group.entries:
        assert len({*entry.forms, *entry.sought}) > 1
        forms = {*entry.forms, *entry.sought} - {"take away", "put down", "just put down"}
        assert not any(map(color_words, forms))
        assert len({tuple(directions(form)) for form in forms if form in entry.forms}) == 1
        assert len({str(numbers(form)) for form in forms}) == 1, entry


def test_the_lexicon_is_larger_than_that_of_2020_and_says_why():
    assert len({form for group in LEXICON for entry in group.entries for form in entry.sought}) > 108
    assert all(group.why for group in LEXICON) and all(REFUSED.values())
    forms = {frozenset(entry.forms) for group in LEXICON for entry in group.entries}
    for pair in ({"correct", "right"}, {"squares", "blocks"}, {"level", "layer"}, {"u", "you"}, {"tall", "high"}):
        assert not any(pair <= entry for entry in forms)


# --- whole games


@given(human_games, st.integers(1, VARIANTS))
def test_a_variant_of_any_game_is_the_game_transformed(game, variant):
    assert_is_a_variant(game, augmented(game, variant))


def test_what_a_variant_says_about_itself():
    game = small_game(BELL)
    variant = augmented(game, 2)
    assert variant.game_id == f"{BELL}-aug2" and variant.split == "train"
    record = variant.metadata["augmentation"]
    assert {key: variant.metadata[key] for key in game.metadata} == game.metadata
    assert (record["variant"], record["of"], record["version"]) == (2, BELL, "1.0.0")
    assert sorted(record["colors"]) == sorted(record["colors"].values()) == sorted(color.value for color in Color)
    for item, original in zip(items(variant), items(game), strict=True):
        assert item.metadata["augmentation"] == record and item.item_id == f"{BELL}-aug2/{item.index}"
        assert item.metadata["state_index"] == original.metadata["state_index"]


def test_a_variant_is_a_function_of_its_name():
    game = small_game(BELL)
    assert augmented(game, 1) == augmented(game, 1)
    assert len({augmented(game, variant).to_json() for variant in range(1, 21)}) == 20
    renamed = augmented(replace(game, game_id="B1-A1-C1-1000000000009"), 1)
    assert renamed.metadata["augmentation"]["colors"] != augmented(game, 1).metadata["augmentation"]["colors"]


def test_rotations_and_permutations_are_uniform():
    game = Game("g", "train", Structure(), ())
    records = [augmented(game, variant).metadata["augmentation"] for variant in range(1, 4_001)]
    assert all(900 < count < 1_100 for count in Counter(record["quarter_turns"] for record in records).values())
    pairs = Counter(pair for record in records for pair in record["colors"].items())
    assert len(pairs) == 36 and all(560 < count < 780 for count in pairs.values())
    assert len({tuple(record["colors"].values()) for record in records}) > 700  # of 720


def test_errors_name_the_game():
    game = small_game(BELL)
    with pytest.raises(AugmentationError, match=f"variant 0 of {BELL}"):
        augmented(game, 0)
    with pytest.raises(AugmentationError, match="is an augmented game already"):
        augmented(augmented(game, 1), 1)


@pytest.mark.parametrize(("name", "games"), [("dr", 60), ("dsb", 45), ("dss", 150)])
def test_the_symbolic_reader_understands_turned_and_recolored_games_completely(name, games):
    shift = list(Color)[1:] + list(Color)[:1]
    colors = dict(zip(Color, shift, strict=True))
    n_items = 0
    for index in range(games):
        game = play(simulator_of(name), "train", index)
        quarter_turns = 1 + index % 3
        new = transformed(game, quarter_turns, colors)
        for item, original in zip(items(new), items(game), strict=True):
            n_items += 1
            result = execute(item.before, read(row(item))).after
            if item.interpretations == "multiple":
                result = Structure((color, align(result, item.after)(cell)) for color, cell in result)
            assert result == item.after, item.item_id
            plan = item.metadata["plan"]
            assert plan["color"] == colors[Color(original.metadata["plan"]["color"])].value
            if reference := original.metadata["plan"]["reference"]:
                assert Cell(*plan["reference"]) == Transform(quarter_turns, 0, 0)(Cell(*reference))
    assert n_items > 250


# --- the human corpus


@pytest.mark.slow
def test_every_variant_of_the_train_split_is_its_game_transformed(mdc_games):
    n_items, n_skipped = 0, []
    for game in read_games(mdc_games.file("train")):
        variants = [augmented(game, variant) for variant in range(1, VARIANTS + 1)]
        for variant in variants:
            assert_is_a_variant(game, variant)
            n_items += sum(1 for _ in items(variant, n_skipped))
        plain = [(v.target, [e for e in v.events if isinstance(e, Utterance)]) for v in (game, *variants)]
        assert all(a != b for a, b in pairwise(plain)), game.game_id
    assert (n_items, len(n_skipped)) == (3 * 3709, 3 * 19)
    assert 3709 + n_items == 14_836


def test_articles_of_the_corpus_agree_after_augmentation_where_they_did(mdc_games):
    wrong = re.compile(r"\b(?:a (?:orange|additional|extra|eas)|an (?:red|yellow|green|blue|purple|simple))")
    before = after = n_articles = 0
    for game in read_games(mdc_games.file("train")):
        for event, new in zip(game.events, augmented(game, 1).events, strict=True):
            if isinstance(event, Utterance):
                before += len(wrong.findall(event.text.lower()))
                after += len(wrong.findall(new.text.lower()))
                n_articles += len(re.findall(r"\ban? (?=red|orange|yellow|green|blue|purple)", new.text.lower()))
    assert n_articles > 400 and after <= before <= 5


def sides(text: str) -> set[str]:
    """The words left and right in it that mean a direction."""
    return {match["word"].lower() for match in SIDE_WORD.finditer(text) if is_direction(text, match)}


def test_paraphrases_of_a_line_have_its_colors_and_directions(mdc_games):
    lines = {
        event.text
        for game in read_games(mdc_games.file("train"))
        for event in game.events
        if isinstance(event, Utterance) and event.speaker == "Architect"
    }
    found = {line: paraphrases()[line_digest(line)] for line in lines if line_digest(line) in paraphrases()}
    assert len(found) == len(paraphrases()) > 4900
    for line, others in found.items():
        assert len({line.lower(), *(other.lower() for other in others)}) == 1 + len(others), line
        for other in others:
            assert set(color_words(line)) == set(color_words(other)), (line, other)
            assert sides(line) == sides(other), (line, other)


def test_synthetic_instructions_are_for_train_items(mdc_items):
    rows = [row(item) for item in mdc_items["train"]]
    written = {one["id"]: (one, others) for one in rows if (others := synthetic_dialogues(one))}
    assert len(written) == 3090
    for one, others in written.values():
        assert len(others) == 2 and one["dialogue"] not in others and others[0] != others[1]
        assert all(line.startswith(("<Architect> ", "<Builder> ")) for lines in others for line in lines)
        assert not synthetic_dialogues({**one, "after": one["before"]})


def test_nearly_every_mention_of_a_color_in_the_corpus_is_recognised(mdc_games):
    known = left = 0
    for split in ("train", "validation", "test"):
        for game in read_games(mdc_games.file(split)):
            for event in game.events:
                if isinstance(event, Utterance):
                    known += len(color_words(event.text))
                    left += len(re.findall(r"\b(?:brown|pink|(?:in|all) read)\b", event.text.lower()))
    assert (known, left) == (6258, 13)
