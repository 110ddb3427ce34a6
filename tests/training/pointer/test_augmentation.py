"""Other forms of an item are right: the words, the boards, the pose and the net actions change together."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from bap_v2_dataset.augmentation.transforms import color_words
from bap_v2_dataset.items.item import items
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.settings import SettingsError
from bap_v2_simulators.simulation import play
from bap_v2_training.learning.net_actions import COLORS, REMOVE
from bap_v2_training.pointer.augmentation import AugmentationSettings, augmented, mirrored, permuted, shifted
from bap_v2_training.pointer.examples import PointerExample, example_of_item
from bap_v2_training.pointer.features import collate, vocabulary_of

GAMES = [play(simulator_of(name), "train", index, seed=4) for name in SIMULATORS for index in range(8)]
EXAMPLES = [example_of_item(item) for game in GAMES for item in items(game)]
EXAMPLE = PointerExample(
    dialogue=("<Architect> A red one right next to the leftmost green", "<Builder> ok"),
    previous=("<Architect> Green pillar",),
    recent=((3, 2, 1, 0), (3, 7, 1, 0)),  # people build outside the region, too
    blocks=((3, 2, 1, 0),),
    pose=(0.5, 1.0, -2.0, 30.0, 10.0),
    net=((0, 3, 1, 0), (6, 2, 1, 0)),
)


def cells_of(example: PointerExample) -> list[tuple[int, int, int]]:
    return [tuple(cell) for _, *cell in (*example.blocks, *example.recent, *example.net)]


def test_an_example_in_other_colors():
    other = permuted(EXAMPLE, [1, 2, 3, 4, 5, 0])
    assert other.dialogue == ("<Architect> An orange one right next to the leftmost blue", "<Builder> ok")
    assert other.previous == ("<Architect> Blue pillar",)
    assert (other.blocks, other.net) == (((4, 2, 1, 0),), ((1, 3, 1, 0), (REMOVE, 2, 1, 0)))


def test_colors_stay_where_somebody_names_one_that_no_block_has():
    example = EXAMPLE._replace(previous=("<Architect> the brown ones",))
    assert permuted(example, [1, 2, 3, 4, 5, 0]) == example


def test_an_example_in_the_mirror():
    other = mirrored(EXAMPLE)
    assert other.dialogue[0] == "<Architect> A red one right next to the rightmost green"
    assert (other.blocks, other.recent[1], other.net[0]) == (((3, -2, 1, 0),), (3, -7, 1, 0), (0, -3, 1, 0))
    assert other.pose == (0.5, 1.0, -2.0, -30.0, 10.0)
    assert mirrored(other) == EXAMPLE
    assert mirrored(EXAMPLE._replace(dialogue=("<Architect> an L",))) is None


def test_an_example_moved():
    other = shifted(EXAMPLE, 0.0, 0.999)  # as far as it goes to small x and to large z
    assert (other.net[0], other.blocks[0], other.recent[1]) == ((0, -4, 1, 5), (3, -5, 1, 5), (3, 0, 1, 5))
    assert other.pose == (-6.5, 1.0, 3.0, 30.0, 10.0)
    somewhere = EXAMPLE._replace(dialogue=("<Architect> in the middle",))
    assert shifted(somewhere, 0.0, 0.9) == somewhere


def test_in_the_frame_a_mirror_image_has_negative_x():
    pairs = [(example, mirrored(example)) for example in EXAMPLES]
    pairs = [(example, other) for example, other in pairs if other is not None and example.pose[3] % 90 != 45]
    assert len(pairs) > len(EXAMPLES) / 2
    words = vocabulary_of(EXAMPLES)
    batch, other = (collate(list(examples), words) for examples in zip(*pairs))
    for name in ("blocks", "targets", "recent"):
        assert np.array_equal(other[name], batch[name] * np.array([1, -1, 1, 1]))
    assert other["pose"].numpy() == pytest.approx(
        batch["pose"].numpy() * [-1, 1, 1, -1, 1] + [1, 0, 0, 0, 0], abs=2e-3
    )  # fmt: skip


def test_every_form_has_the_same_items_in_it():
    settings = AugmentationSettings(mirror=1.0, shift=1.0, synonyms=1.0)
    changed = 0
    for number, example in enumerate(EXAMPLES):
        other = augmented(example, Random(number), settings)
        changed += other != example
        assert [len(part) for part in other._replace(earlier=())] == [
            len(part) for part in example._replace(earlier=())
        ]
        assert len(other.earlier) <= len(example.earlier)
        assert all(-5 <= x <= 5 and 1 <= y <= 9 and -5 <= z <= 5 for x, y, z in cells_of(other))
        # A permutation: where two colors were the same they are, and the words follow the blocks.
        pairs = {
            (old[0], new[0])
            for part in ("blocks", "net")
            for old, new in zip(getattr(example, part), getattr(other, part))
        }
        named = zip(
            *([COLORS.index(c) for line in each.dialogue for c in color_words(line)] for each in (example, other))
        )
        pairs |= set(named)
        assert len(pairs) == len(dict(pairs)) == len({new for _, new in pairs})
        assert other == augmented(example, Random(number), settings)
    assert changed > 0.9 * len(EXAMPLES)


def test_earlier_dialogues_that_cannot_be_said_in_a_form_are_left_out():
    said = (("<Architect> a red one",), ("<Architect> in the corner, light blue",), ("<Architect> a row",))
    example = EXAMPLE._replace(earlier=said)
    assert shifted(example, 0.0, 0.0).earlier == said[:1]
    assert permuted(example, [1, 0, 2, 3, 4, 5]).earlier == (("<Architect> an orange one",),)
    east = (("<Architect> on the left",), ("<Architect> further east",))
    assert mirrored(EXAMPLE._replace(earlier=east)).earlier == (("<Architect> on the right",),)


def test_nothing_changes_at_a_rate_of_zero():
    settings = AugmentationSettings(colors=0.0, mirror=0.0, shift=0.0, synonyms=0.0)
    assert [augmented(example, Random(1), settings) for example in EXAMPLES] == EXAMPLES
    with pytest.raises(SettingsError, match="mirror=2"):
        AugmentationSettings(mirror=2)


def test_a_line_of_people_is_learned_as_its_paraphrases():
    line = "<Architect> same on the other side"  # somebody says so in a human train game
    example = EXAMPLE._replace(dialogue=(line, "<Builder> ok"))
    settings = AugmentationSettings(colors=0.0, mirror=0.0, shift=0.0, synonyms=0.0, paraphrases=0.8)
    drawn = [augmented(example, Random(seed), settings) for seed in range(300)]
    assert all(other._replace(dialogue=example.dialogue) == example for other in drawn)
    said = Counter(other.dialogue for other in drawn)
    assert 4 < len(said) < 10 and 30 < said[example.dialogue] < 90
    assert all(first.startswith("<Architect> ") and rest == "<Builder> ok" for first, rest in said)
