"""docs/gallery.md shows what the simulators and the augmentation make now."""

from gallery import EXAMPLES, gallery
from paths import ROOT
from side_by_side import COLUMN_WIDTH, layers, side_by_side

from bap_v2_dataset.augmentation.variants import VARIANTS, augmented
from bap_v2_dataset.items.item import items
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import parse_structure
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.game import Utterance


def test_the_gallery_is_up_to_date_and_shows_a_game_of_each_simulator():
    text = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    assert text == gallery(), "other games are made now: `make gallery`, and raise the version of what makes them"
    assert all(text.count(f"\n`{name}-train-0`, ") == 1 for name in SIMULATORS)


def test_the_examples_of_the_augmentation_are_played_to_the_end():
    for game in EXAMPLES:
        played = list(items(game))
        assert played[-1].after == game.target
        assert not any(item.infeasible_actions for item in played)


def test_layers_lie_side_by_side_from_the_ground_up():
    structure = parse_structure(["red 0 1 0", "purple 0 2 1", "green 2 1 1"])
    assert layers(structure) == "y=1     y=2\nR . .   . . .\n. . G   P . ."
    assert layers(Structure()) == ""
    assert layers(structure, width=9) == "y=1\nR . .\n. . G\n\ny=2\n. . .\nP . ."
    assert layers(structure, width=13) == layers(structure)


def test_variants_stand_beside_the_original_line_for_line():
    game = EXAMPLES[0]
    starts = [column * (COLUMN_WIDTH + 3) for column in range(1 + VARIANTS)]
    lines = side_by_side(game).splitlines()
    columns = [[line[start : start + COLUMN_WIDTH].strip() for line in lines] for start in starts]
    assert len(set(map(tuple, columns))) == 1 + VARIANTS
    for column, version in zip(columns, [game, *(augmented(game, variant) for variant in (1, 2, 3))], strict=True):
        text = " ".join(" ".join(column).split())
        assert all(str(event) in text for event in version.events if isinstance(event, Utterance))
        assert ("original" in column[0]) == (version is game)
