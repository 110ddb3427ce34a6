"""A person as the Architect: rows as in the corpus, turns back and other answers, and `bap-v2 talk` in a terminal."""

from dataclasses import replace

import pytest
from typer.testing import CliRunner

from bap_v2_dataset.cli import app, console
from bap_v2_dataset.games.builders import builder_of
from bap_v2_dataset.games.talk import Reply, Talk, Talker, TalkError, talker_of, target_of
from bap_v2_dataset.generation.converted import convert_games
from bap_v2_dataset.interface.viewer import NotFoundError
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import format_structure
from bap_v2_simulators.game import read_games
from bap_v2_simulators.view import View
from bap_v2_simulators.viewpoint import sees

WORDS = (
    "put three red blocks in a row on the floor", "well", "now a blue block on top of the last one", "undo that",
    "  ", "put a green block in the middle of the row\nplease", "build a 2x2 orange square on the floor",
)  # fmt: skip


def talked(target: str = "dss-test-3", words=WORDS) -> tuple[Talk, list[dict]]:
    """A talk with the rule `symbolic`, and the rows that it was given."""
    rows, symbolic = [], builder_of("symbolic")
    talker = Talker("symbolic", lambda row: rows.append(row) or Reply(f"<Builder> ok\n{symbolic(row)}"))
    talk = Talk.begun(talker, target)
    for each in words:
        talk = talk.said(each, talker)
    return talk, rows


def test_the_rows_are_those_of_the_items_that_the_log_is_cut_into():
    talk, rows = talked()
    assert len(rows) == len(talk.turns) == len(WORDS) - 1  # an empty turn does nothing
    done = [number for number, outcome in enumerate(talk.outcomes) if outcome.before != outcome.after]
    of_log = [row(item) for item in items(talk.game)]
    assert len(of_log) == len(done) >= 4
    for number, item in zip(done, of_log, strict=True):
        given = {name: value for name, value in rows[number].items() if name != "id"}
        said = item["dialogue"][-1:]
        assert said == ["<Builder> ok"]  # which comes after the row
        assert given == {name: item[name] for name in given} | {"dialogue": item["dialogue"][:-1]}
        assert format_structure(talk.outcomes[number].after) == item["after"]


def test_the_builder_sees_what_it_built_and_left_stays_left():
    talk, _ = talked(words=WORDS[:-1])  # a block behind others is seen from another side
    turns = [replace(talk, turns=talk.turns[: number + 1]) for number in range(len(talk.turns))]
    for part in turns:
        *_, last = items(part.game)
        assert part.pose.y == 1.0 and sees(part.pose, last.actions[-1].cell, part.board.colors())
        assert View.of(part.pose.yaw) == View.of(0.0)


def test_a_turn_is_taken_back_and_other_answers_come_round():
    answers = ("place red 0 1 0", "place red 1 1 0", "place blue 9 9 9")
    talker = Talker("three", lambda row: Reply(answers[0], answers[1:]), lambda text: [2])
    talk = Talk.begun(talker).said("put it", talker)
    assert talk.turns[-1].unseen == (2,) and talk.distance == ""
    other = talk.other()
    assert format_structure(other.board) == ["red 1 1 0"] and other.turns[-1].words == "put it"
    assert other.other().outcomes[-1].sentence.startswith("nothing changed; action 1: place blue 9 9 9")
    assert other.other().other() == talk and other.back() == Talk.begun(talker)
    for wrong in (Talk.begun(talker).back, Talk.begun(talker).other, talked(words=["red"])[0].other):
        with pytest.raises(TalkError):
            wrong()


def test_the_distance_counts_down_to_the_target_wherever_it_stands():
    target = format_structure(target_of("dss-test-1/0"))
    blocks = sorted(map(str.split, target), key=lambda block: block[2])
    moved = [f"place {color} {int(x) + 1} {y} {z}" for color, x, y, z in blocks]
    steps = iter([*moved, "place red 5 1 5"])
    talker = Talker("steps", lambda row: Reply(next(steps)))
    talk = Talk.begun(talker, "dss-test-1")
    for left in range(len(moved), 0, -1):
        assert talk.distance == f"distance {left}: {len(moved) - left} of {len(moved)} blocks stand"
        talk = talk.said("the next", talker)
    assert talk.distance == f"the target stands: {len(moved)} blocks"
    assert talk.said("more", talker).distance.startswith("distance 1:")
    with pytest.raises(NotFoundError, match="TEST0001"):
        target_of("TEST0001")


def test_words_in_a_pipe_are_a_whole_game_that_other_commands_read(tmp_path, monkeypatch):
    log, out = tmp_path / "talk.jsonl", tmp_path / "items.jsonl"
    typed = ["/back", *WORDS[:3], "", "/other", "undo that", "/back", "/foo", "/save", f"/save {log}", f"/save {log}"]
    monkeypatch.setattr(console, "_width", 40)
    result = CliRunner().invoke(app, ["talk", "--target", "dss-test-3"], "\n".join(typed))
    assert result.exit_code == 0, result.exception
    assert all(len(line) <= 40 for line in result.stdout.splitlines() if not line.startswith("> "))
    for text in ("placed 3 red", "nothing changed", "placed 1 blue", "took away 1 blue", "The target", "distance 8: 0"):
        assert text in result.stdout
    for text in ("nothing was said", "no other answer", "unknown command /foo", "name the file", f"{log} exists"):
        assert text in result.stderr
    (game,) = read_games(log)
    assert (game.metadata["builder"], len(game.target)) == ("symbolic", 8)
    assert convert_games(log, out).items == {"test": 2}
    assert "put three red blocks" in CliRunner().invoke(app, ["show", "--played", str(log)]).stdout


def test_what_is_no_builder_and_options_of_models_are_errors():
    for options, message in (
        (["--samples", "4"], "--samples: there is no such option without a model"),
        (["--target", "TEST0001"], "TEST0001"),
        (["--model", "there/is/none"], "there/is/none"),
    ):
        result = CliRunner().invoke(app, ["talk", *options])
        assert isinstance(result.exception, UserError) and message in str(result.exception), options
    assert talker_of("symbolic").unseen("zork") == ()
