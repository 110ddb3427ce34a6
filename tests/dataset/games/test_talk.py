"""A person as the Architect: rows as in the corpus, turns back and other answers, and `bap-v2 talk` in a terminal."""

import pytest
from typer.testing import CliRunner

from bap_v2_dataset.cli import app, console
from bap_v2_dataset.games.builders import builder_of
from bap_v2_dataset.games.talk import Reply, Talk, Talker, TalkError, target_of
from bap_v2_dataset.generation.converted import convert_games
from bap_v2_dataset.interface.viewer import NotFoundError
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import format_structure
from bap_v2_simulators.game import read_games
from bap_v2_simulators.view import View
from bap_v2_simulators.viewpoint import sees

TALK = ["talk", "--model", "symbolic"]
WORDS = (
    "put three red blocks in a row on the floor", "well", "now a blue block on top of the last one", "undo that",
    "  ", "put a green block in the middle of the row\nplease",
)  # fmt: skip


def test_rows_are_those_of_the_items_of_the_log_and_the_builder_sees_what_it_built_with_left_where_it_was():
    rows, symbolic = [], builder_of("symbolic")
    talker = Talker("symbolic", lambda row: rows.append(row) or Reply(f"<Builder> ok\n{symbolic(row)}"))
    talk = Talk.begun(talker)
    for words in WORDS:
        talk = talk.said(words, talker)
        *_, last = items(talk.game)
        assert talk.pose.y == 1.0 and sees(talk.pose, last.actions[-1].cell, talk.board.colors())
        assert View.of(talk.pose.yaw) == View.of(0.0)
    assert len(rows) == len(talk.turns) == len(WORDS) - 1  # an empty turn does nothing
    done = [number for number, outcome in enumerate(talk.outcomes) if outcome.before != outcome.after]
    for number, item in zip(done, map(row, items(talk.game)), strict=True):
        *dialogue, said = item["dialogue"]
        assert said == "<Builder> ok" and format_structure(talk.outcomes[number].after) == item["after"]
        expected = {**item, "id": f"talk/{number}", "dialogue": dialogue}
        assert rows[number] == {name: expected[name] for name in rows[number]}


def test_a_turn_is_taken_back_and_other_answers_come_round():
    answers = ("place red 0 1 0", "place red 1 1 0", "place blue 9 9 9")
    talker = Talker("three", lambda row: Reply(answers[0], answers[1:]))
    talk = Talk.begun(talker).said("put it", talker)
    other = talk.other()
    assert format_structure(other.board) == ["red 1 1 0"] and other.turns[-1].words == "put it"
    assert other.other().outcomes[-1].sentence.startswith("nothing changed; action 1: place blue 9 9 9")
    assert other.other().other() == talk and other.back() == Talk.begun(talker)
    for wrong in (other.back().back, other.back().other):
        with pytest.raises(TalkError):
            wrong()


def test_the_distance_counts_down_to_the_target_wherever_it_stands():
    target = sorted(map(str.split, format_structure(target_of("dss-test-1/0"))), key=lambda block: block[2])
    moved = [f"place {color} {int(x) + 1} {y} {z}" for color, x, y, z in target]
    steps = iter([*moved, "place red 5 1 5"])
    talker = Talker("steps", lambda row: Reply(next(steps)))
    talk = Talk.begun(talker, "dss-test-1")
    for left in range(len(moved), 0, -1):
        assert talk.distance == f"distance {left}: {len(moved) - left} of {len(moved)} blocks stand"
        talk = talk.said("the next", talker)
    assert talk.distance == f"the target stands: {len(moved)} blocks"
    # It is shown where it fits best, and moves only to where it fits better
    assert talk.shown == talk.board
    before, wrong = talk.shown, Talker("wrong", lambda row: Reply("place purple 5 1 5"))
    assert talk.said("and one too many", wrong).shown == before == talk.said("again", wrong).back().shown
    assert talk.said("more", talker).distance.startswith("distance 1:")
    with pytest.raises(NotFoundError, match="TEST0001"):
        target_of("TEST0001")


def test_words_in_a_pipe_are_a_whole_game_that_other_commands_read(tmp_path, monkeypatch):
    log, out = tmp_path / "talk.jsonl", tmp_path / "items.jsonl"
    typed = ["/back", *WORDS[:3], "", "/other", "undo that", "/back", "/foo", "/save", f"/save {log}", f"/save {log}"]
    typed.insert(1, "/save ~no-such-user/talk.jsonl")
    monkeypatch.setattr(console, "_width", 40)
    result = CliRunner().invoke(app, [*TALK, "--target", "dss-test-3"], "\n".join(typed))
    assert result.exit_code == 0, result.exception
    assert all(len(line) <= 40 for line in result.stdout.splitlines() if not line.startswith("> "))
    for text in ("placed 3 red", "nothing changed", "placed 1 blue", "took away 1 blue", "The target", "distance 8: 0"):
        assert text in result.stdout
    for text in (
        "nothing was said",
        "no other answer",
        "unknown command /foo",
        "name the file",
        f"{log} exists",
        "home directory",
    ):
        assert text in result.stderr
    (game,) = read_games(log)
    assert (game.metadata["builder"], len(game.target)) == ("symbolic", 8)
    assert convert_games(log, out).items == {"test": 2}
    assert "put three red blocks" in CliRunner().invoke(app, ["show", "--played", str(log)]).stdout
    for options, message in ((["--samples", "4"], "no such option without a model"), (["--model", "a/b/c"], "a/b/c")):
        wrong = CliRunner().invoke(app, [*TALK, *options]).exception
        assert isinstance(wrong, UserError) and message in str(wrong)
