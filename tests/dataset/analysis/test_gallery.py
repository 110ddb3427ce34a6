"""GALLERY.md shows what the simulators and the augmentation make now."""

import pytest
import small_corpus
from paths import ROOT
from typer.testing import CliRunner

from bap_v2_dataset import cli
from bap_v2_dataset.analysis.gallery import (
    COLUMN_WIDTH,
    EXAMPLES,
    GAMES_SHOWN,
    chosen_games,
    gallery,
    layers,
    side_by_side,
)
from bap_v2_dataset.augmentation.lexicon import LEXICON, REFUSED
from bap_v2_dataset.augmentation.variants import VARIANTS, AugmentationError, augmented
from bap_v2_dataset.human.game_store import mdc_games
from bap_v2_dataset.tasks.building.items import items
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import parse_structure
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.game import Utterance


@pytest.fixture(scope="module")
def text():
    return gallery()


def test_the_gallery_is_up_to_date(text):
    written = (ROOT / "GALLERY.md").read_text(encoding="utf-8")
    assert written == text, "other games are made now: `make gallery`, and raise the version of what makes them"


def test_the_gallery_holds_a_dozen_games_of_each_simulator(text):
    for name in SIMULATORS:
        assert text.count(f"<summary>{name}-") == GAMES_SHOWN == 12


def test_layers_lie_side_by_side_from_the_ground_up():
    structure = parse_structure(["red 0 1 0", "purple 0 2 1", "green 2 1 1"])
    assert layers(structure) == "y=1     y=2\nR . .   . . .\n. . G   P . ."
    assert layers(Structure()) == ""
    assert layers(structure, width=9) == "y=1\nR . .\n. . G\n\ny=2\n. . .\nP . ."
    assert layers(structure, width=13) == layers(structure)


def test_the_examples_of_the_augmentation_are_played_to_the_end():
    for game in EXAMPLES:
        played = list(items(game))
        assert played[-1].after == game.target
        assert not any(item.infeasible_actions for item in played)


def test_variants_stand_beside_the_original_line_for_line():
    game = EXAMPLES[0]
    columns = [[line.strip() for line in column] for column in zip(*map(_columns, side_by_side(game).splitlines()))]
    assert len(columns) == 1 + VARIANTS
    for column, shown in zip(columns, [game, *(augmented(game, variant) for variant in (1, 2, 3))], strict=True):
        text = " ".join(" ".join(column).split())
        for event in shown.events:
            if isinstance(event, Utterance):
                assert str(event) in text
        assert ("original" in column[0]) == (shown is game)
    assert len({tuple(column) for column in columns}) == 1 + VARIANTS


def _columns(line: str) -> list[str]:
    assert len(line) <= (1 + VARIANTS) * (COLUMN_WIDTH + 3) - 3
    starts = [column * (COLUMN_WIDTH + 3) for column in range(1 + VARIANTS)]
    return [line[start : start + COLUMN_WIDTH] for start in starts]


def test_the_gallery_shows_the_lexicon_and_what_was_refused():
    text = (ROOT / "GALLERY.md").read_text(encoding="utf-8")
    assert all(f"| {group.name} | {len(group.entries)} |" in text and group.why in text for group in LEXICON)
    assert all(f"| {entry} | {reason} |" in text for entry, reason in REFUSED.items())


@pytest.fixture
def small(own_home, tmp_path):
    return small_corpus.write(tmp_path / "corpus.zip")


def test_random_games_are_of_the_train_split_and_named_ones_of_any(small):
    corpus = mdc_games(small)
    assert {game.game_id for game in chosen_games(corpus, number=9)} == {small_corpus.BELL, small_corpus.ROW}
    assert chosen_games(corpus, number=1, seed=3) == chosen_games(corpus, number=1, seed=3)
    named = [small_corpus.EDGE, small_corpus.BELL]
    assert [game.game_id for game in chosen_games(corpus, named)] == named
    with pytest.raises(
        AugmentationError, match=rf"no game B1-A1-C1 in the corpus \(did you mean {small_corpus.BELL}\?\)"
    ):
        chosen_games(corpus, ["B1-A1-C1"])


def test_the_command_prints_the_same_sheet(small, monkeypatch):
    monkeypatch.setattr(cli.console, "width", 170)
    result = CliRunner().invoke(cli.app, ["augment", small_corpus.BELL, "--mdc", str(small)])
    (game,) = chosen_games(mdc_games(small), [small_corpus.BELL])
    assert result.exit_code == 0 and result.stdout.strip() == side_by_side(game, (170 - 9) // 4)
    assert "<Builder> Mission has started." in result.stdout


def test_a_narrow_terminal_shows_the_variants_one_after_the_other(small, monkeypatch):
    monkeypatch.setattr(cli.console, "width", 80)
    monkeypatch.setattr("bap_v2_dataset.cli.look.widen", lambda least: None)  # as in a terminal
    result = CliRunner().invoke(cli.app, ["augment", small_corpus.BELL, "--mdc", str(small)])
    assert result.exit_code == 0
    assert result.stdout.count("original") == VARIANTS and max(map(len, result.stdout.splitlines())) <= 80
