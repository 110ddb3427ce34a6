"""Full games: who understands wins, equal seeds give equal games, and bad text changes nothing but counts."""

import re
import subprocess
import sys
from random import Random

import pytest
from paths import ROOT
from planted_errors import KINDS
from planted_errors import played as played_with

from bap_v2_dataset.games.builders import builder_of
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.corpus_table import PUBLISHED
from bap_v2_simulators.full_games.build_game import PATIENCE, BuildGame


def played(corpus: str, name: str, seed: int) -> BuildGame:
    game, builder = BuildGame(SIMULATORS[corpus](), seed), builder_of(name, seed)
    while not game.is_over:
        game.play(builder(game.row))
    return game


@pytest.mark.parametrize("corpus", PUBLISHED)
def test_the_symbolic_builder_wins(corpus):
    results = [played(corpus, "symbolic", seed).result() for seed in range(25)]
    assert all(result.completed and not result.fp + result.fn for result in results)


def test_the_architect_starts_from_the_block_that_was_really_placed_last():
    """Game 12: a platform, then a row that starts from its last block. Who ends elsewhere is told another start."""
    game, builder = BuildGame(SIMULATORS["dss"](), 12), builder_of("symbolic")
    platform = builder(game.row).splitlines()
    game.play("\n".join([*platform[6:], *platform[:6]]))  # the other row of it first: another block is the last
    as_planned = BuildGame(SIMULATORS["dss"](), 12)
    as_planned.play("\n".join(platform))
    assert game.dialogue != as_planned.dialogue
    for one in (game, as_planned):
        one.play(builder(one.row))
        assert one.result().completed


@pytest.mark.parametrize("corpus", PUBLISHED)
def test_a_builder_that_errs_needs_repairs_and_mostly_wins(corpus):
    results = [played(corpus, "symbolic_err25", seed).result() for seed in range(20)]
    assert sum(result.repairs for result in results) >= 5
    assert sum(result.completed for result in results) > 12


@pytest.mark.parametrize("corpus", PUBLISHED)
@pytest.mark.parametrize("name", ["random", "nothing"])
def test_a_builder_that_does_not_listen_loses_and_the_game_ends(corpus, name):
    results = [played(corpus, name, seed).result() for seed in range(5)]
    assert not any(result.completed for result in results)


@pytest.mark.parametrize("corpus", PUBLISHED)
def test_equal_seeds_give_equal_games(corpus):
    games = [played(corpus, "symbolic_err25", 3) for _ in range(2)]
    assert games[0].history == games[1].history
    assert games[0].result() == games[1].result()


@pytest.mark.parametrize("text", ["", "certainly!", "pick 0 1 0", "place red 0 9 0", "place red 40 1 0"])
def test_text_that_is_no_feasible_action_changes_nothing_but_counts(text):
    game = BuildGame(SIMULATORS["dr"](), 0)
    before = game.row["before"], game.row["history"], game.pose
    game.play(text)
    assert (game.row["before"], game.row["history"], game.pose) == before
    result = game.result()
    assert (result.turns, result.infeasible + result.unparsed) == (1, int(bool(text)))


@pytest.mark.parametrize("corpus", PUBLISHED)
@pytest.mark.parametrize("errors", [[], ["place red 5 1 5", "place blue -5 1 5\nplace blue -5 1 -5"]])
def test_who_asks_hears_it_in_ever_other_words_and_then_builds_it(corpus, errors):
    for seed in range(4):
        game, builder = BuildGame(SIMULATORS[corpus](), seed), builder_of("symbolic")
        for text in errors:
            game.play(text)
        said, repairs, board = set(game.dialogue), game.result().repairs, game.board
        for question in ("what do you mean?", "which one", "Huh", "i don't get it", "say that again\nplace red 9 9 9"):
            game.play(f"<Builder> {question}")
            assert game.dialogue and said.isdisjoint(game.dialogue)
            said |= set(game.dialogue)
        assert (game.result().questions, game.result().repairs, game.board) == (5, repairs, board)
        while not game.is_over:
            game.play(builder(game.row))
        assert game.result().completed


@pytest.mark.parametrize(
    "cycle",
    [
        ["place red 5 9 5\nplace purple 5 1 5", "pick 5 1 5"],
        ["place red 5 1 5", "pick 5 1 5\nplace red 5 1 4", "pick 5 1 4"],
        [f"place red {x} 1 {z}" for x in range(-5, 6) for z in range(-5, 6)],  # grows
        [f"pick {x} 1 {z}\nplace red {x + 1} 1 {z}" for z in (4, 5) for x in range(-5, 5)],  # drifts
        ["<Builder> what?"],
        ["place red 5 1 5", "<Builder> what?", "pick 5 1 5", "<Builder> what?"],
    ],
)
@pytest.mark.parametrize("corpus", PUBLISHED)
def test_a_builder_that_goes_to_and_fro_ends(corpus, cycle):
    game, turns = BuildGame(SIMULATORS[corpus](), 1), iter(cycle * 50)
    while not game.is_over:
        game.play(next(turns))
    assert game.result().turns < 40


def test_who_asks_what_to_remove_is_not_told_that_it_was_wrong():
    game, builder = BuildGame(SIMULATORS["dr"](), 1024), builder_of("symbolic")
    while not game._architect._turn.turn.removes:
        game.play(builder(game.row))
    for _ in range(6):
        game.play("<Builder> what do you mean?")
        assert not re.search("> (?:no|not|hmm|sorry|we need)", game.dialogue[0])


def test_it_is_only_what_the_last_turn_left_standing():
    game, builder = BuildGame(SIMULATORS["dr"](), 801), builder_of("symbolic")
    for _ in range(3):
        game.play(builder(game.row))
    game.play("pick 0 1 0\nplace red 3 1 3\nplace red 3 2 3")
    assert "undo all of that" not in game.dialogue[0]  # something was taken away, too
    game.play("place blue 5 1 -5")
    game.play("pick 5 1 -5\npick 3 1 3")
    assert re.search("the red (?:block|one|brick)", game.dialogue[0])
    game.play("place green 5 1 5\npick 5 1 5")  # came to nothing
    assert "red" in game.dialogue[0] and "that" not in game.dialogue[0]


def test_after_a_turn_that_placed_several_it_is_none_of_them():
    """Two blocks were put back in one turn; the plan, in which each had one, says "remove that block"."""
    game = played_with("dr", 69, "all removed", Random("dr 69 all removed"))
    assert game.result().completed and "<Architect> remove that block" not in game.history


def test_a_first_block_where_the_plan_has_no_room_is_no_error():
    game, builder = BuildGame(SIMULATORS["dsb"](), 9003), builder_of("symbolic")
    game.play("place yellow 0 1 0")
    assert re.search("room|fit", game.dialogue[0]) and game.result().repairs == 0
    while not game.is_over:
        game.play(builder(game.row))
    assert game.result().completed


def test_the_architect_gives_up_when_its_corrections_do_not_help():
    game = played("dr", "nothing", 0)
    assert game.result().repairs == PATIENCE + 1


def test_a_block_that_is_one_off_is_moved():
    game, builder = BuildGame(SIMULATORS["dr"](), 0), builder_of("symbolic")
    game.play(builder(game.row))
    verb, color, x, y, z = builder(game.row).split()
    assert y == "1"
    game.play(f"{verb} {color} {int(x) + 1} {y} {z}")
    assert len(game.dialogue) == 1
    assert any(word in game.dialogue[0] for word in ("should", "move"))
    game.play(builder(game.row))
    assert game.result().repairs == 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_architect_finishes_whatever_went_wrong(kind):
    """Seeds at which 1.1.0 gave up, and some more."""
    for corpus, seed in (("dr", 1), ("dr", 1012), ("dsb", 2002), ("dsb", 2005), ("dss", 3), ("dss", 2014)):
        assert played_with(corpus, seed, kind, Random(f"{corpus} {seed}")).result().completed


def told(corpus: str, seed: int, *, extra: str, at: int) -> BuildGame:
    """A game after `at` right turns and one that does more."""
    game, builder = BuildGame(SIMULATORS[corpus](), seed), builder_of("symbolic")
    for _ in range(at):
        game.play(builder(game.row))
    game.play(f"{builder(game.row)}\n{extra}")
    return game


def test_what_is_missing_of_an_earlier_instruction_is_asked_for_and_not_what_stands():
    game, builder = told("dss", 2014, extra="pick 0 1 4", at=1), builder_of("symbolic")
    assert not any("row" in line for line in game.dialogue)
    game.play(builder(game.row))
    assert game.result().repairs == 1


def test_on_an_empty_board_the_architect_begins_anew_and_the_plan_follows():
    game, builder = BuildGame(SIMULATORS["dr"](), 1012), builder_of("symbolic")
    for _ in range(4):
        game.play(builder(game.row))
    game.play("\n".join(f"pick {x} {y} {z}" for x, y, z in game.board))
    assert not game.board
    while not game.is_over:
        game.play(builder(game.row))
    assert game.result().completed


@pytest.mark.parametrize("seed", range(6))
def test_nothing_right_is_ever_taken_away(seed):
    """Three blocks too many beside what is right: who takes away what it is told to keeps all that is right."""
    game, builder = (
        told("dss", seed, extra="place red 5 1 5\nplace blue -5 1 5\nplace red -5 1 -5", at=0),
        builder_of("symbolic"),
    )
    right = set(game._architect.goal.items()) & set(game.board.items())
    for _ in range(3):
        if set(game.board) <= {cell for cell, _ in right}:
            break
        game.play(builder(game.row))
        assert right <= set(game.board.items())


def test_a_repeat_is_said_in_other_words_instead_of_what_was_said():
    """At first the Architect waits; then it says it anew, and a Builder that listens to that alone is right."""
    game, builder = BuildGame(SIMULATORS["dss"](), 12), builder_of("symbolic")
    game.play(builder(game.row))
    said = list(game.dialogue)
    game.play("")
    assert game.dialogue == said
    game.play("")
    assert game.dialogue and not set(said) & set(game.dialogue)
    game.play(builder(game.row))
    assert set(game.board.items()) <= set(game._architect.goal.items())


def test_an_empty_turn_after_a_removal_undoes_nothing():
    game, builder = BuildGame(SIMULATORS["dr"](), 1024), builder_of("symbolic")
    while not game._architect._turn.turn.removes:
        game.play(builder(game.row))
    game.play("")
    assert not any("undo" in line or "take away all" in line for line in game.dialogue)


@pytest.mark.slow
def test_the_benchmark_plays_a_game_of_each_kind_of_error_and_loses_none():
    command = [sys.executable, "benchmarks/full_games.py", "--errors", "126", "--processes", "1"]
    table = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    _, games, lost, _, pronouns, wrong, same = re.search(r"\| (all of these)" + r" \| ([^|]+)" * 6, table).groups()
    assert (games, lost, wrong, same.strip()) == ("126", "0", "0", "0") and int(pronouns) > 100
    assert "| 200 " not in table and ", 200 |" not in table
