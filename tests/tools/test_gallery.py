"""docs/gallery.md shows what the simulators and the augmentation make now."""

from gallery import EXAMPLES, GAMES_SHOWN, gallery
from paths import ROOT

from bap_v2_dataset.augmentation.lexicon import LEXICON, REFUSED
from bap_v2_dataset.items.item import items
from bap_v2_simulators.corpora import SIMULATORS


def test_the_gallery_is_up_to_date_and_shows_games_of_each_simulator_and_the_lexicon():
    text = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    assert text == gallery(), "other games are made now: `make gallery`, and raise the version of what makes them"
    assert all(text.count(f"<summary>{name}-") == GAMES_SHOWN == 12 for name in SIMULATORS)
    assert all(f"| {group.name} | {len(group.entries)} |" in text and group.why in text for group in LEXICON)
    assert all(f"| {entry} | {reason} |" in text for entry, reason in REFUSED.items())


def test_the_examples_of_the_augmentation_are_played_to_the_end():
    for game in EXAMPLES:
        played = list(items(game))
        assert played[-1].after == game.target
        assert not any(item.infeasible_actions for item in played)
