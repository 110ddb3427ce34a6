"""GALLERY.md shows what the simulators make now."""

from pathlib import Path

from bap_v2_dataset.gallery import GAMES_SHOWN, gallery, layers
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import parse_structure
from bap_v2_simulators.corpora import SIMULATORS

ROOT = Path(__file__).parent.parent


def test_the_gallery_is_up_to_date():
    written = (ROOT / "GALLERY.md").read_text(encoding="utf-8")
    assert written == gallery(), "the simulators make other games now: `make gallery`, and raise their version"


def test_the_gallery_holds_a_dozen_games_of_each_simulator():
    text = gallery()
    for name in SIMULATORS:
        assert text.count(f"<summary>{name}-") == GAMES_SHOWN == 12


def test_layers_lie_side_by_side_from_the_ground_up():
    structure = parse_structure(["red 0 1 0", "purple 0 2 1", "green 2 1 1"])
    assert layers(structure) == "y=1     y=2\nR . .   . . .\n. . G   P . ."
    assert layers(Structure()) == ""
