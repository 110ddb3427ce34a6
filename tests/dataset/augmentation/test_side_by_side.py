"""Games beside their augmented variants, as `bap-v2 augment` prints them."""

import pytest
import small_corpus
from typer.testing import CliRunner

from bap_v2_dataset import cli
from bap_v2_dataset.augmentation.side_by_side import COLUMN_WIDTH, chosen_games, layers, side_by_side
from bap_v2_dataset.augmentation.variants import VARIANTS, AugmentationError, augmented
from bap_v2_dataset.human.game_store import mdc_games
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import parse_structure
from bap_v2_simulators.game import Utterance


@pytest.fixture
def small(own_home, tmp_path):
    return small_corpus.write(tmp_path / "corpus.zip")


def test_layers_lie_side_by_side_from_the_ground_up():
    structure = parse_structure(["red 0 1 0", "purple 0 2 1", "green 2 1 1"])
    assert layers(structure) == "y=1     y=2\nR . .   . . .\n. . G   P . ."
    assert layers(Structure()) == ""
    assert layers(structure, width=9) == "y=1\nR . .\n. . G\n\ny=2\n. . .\nP . ."
    assert layers(structure, width=13) == layers(structure)


def test_variants_stand_beside_the_original_line_for_line(small):
    (game,) = chosen_games(mdc_games(small), [small_corpus.BELL])
    columns = [[line.strip() for line in column] for column in zip(*map(_columns, side_by_side(game).splitlines()))]
    assert len({tuple(column) for column in columns}) == 1 + VARIANTS
    for column, version in zip(columns, [game, *(augmented(game, variant) for variant in (1, 2, 3))], strict=True):
        text = " ".join(" ".join(column).split())
        assert all(str(event) in text for event in version.events if isinstance(event, Utterance))
        assert ("original" in column[0]) == (version is game)


def _columns(line: str) -> list[str]:
    assert len(line) <= (1 + VARIANTS) * (COLUMN_WIDTH + 3) - 3
    starts = [column * (COLUMN_WIDTH + 3) for column in range(1 + VARIANTS)]
    return [line[start : start + COLUMN_WIDTH] for start in starts]


def test_random_games_are_of_the_train_split_and_named_ones_of_any(small):
    corpus = mdc_games(small)
    assert {game.game_id for game in chosen_games(corpus, number=9)} == {small_corpus.BELL, small_corpus.ROW}
    assert chosen_games(corpus, number=1, seed=3) == chosen_games(corpus, number=1, seed=3)
    named = [small_corpus.EDGE, small_corpus.BELL]
    assert [game.game_id for game in chosen_games(corpus, named)] == named
    with pytest.raises(AugmentationError, match=rf"no game B1-A1-C1 .*{small_corpus.BELL}"):
        chosen_games(corpus, ["B1-A1-C1"])


def test_the_command_prints_the_same_sheet_and_narrow_terminals_one_variant_after_the_other(small, monkeypatch):
    def augment(width: int) -> str:
        monkeypatch.setattr(cli.console, "width", width)
        result = CliRunner().invoke(cli.app, ["augment", small_corpus.BELL, "--mdc", str(small)])
        assert result.exit_code == 0
        return result.stdout

    (game,) = chosen_games(mdc_games(small), [small_corpus.BELL])
    assert augment(170).strip() == side_by_side(game, (170 - 9) // 4)
    narrow = augment(80)
    assert narrow.count("original") == VARIANTS and max(map(len, narrow.splitlines())) <= 80
