"""Games as values and as lines of JSON."""

import orjson
import pytest
import small_corpus
import strategies
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.human.mdc import read_corpus
from bap_v2_metric.actions import Place, Remove
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.notation import format_structure
from bap_v2_simulators.game import Game, GameError, Step, Utterance, one_line, read_games, write_games
from bap_v2_simulators.pose import Pose

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
anywhere = st.builds(Cell, *[st.integers(-(10**6), 10**6)] * 3)
poses = st.builds(Pose, *[st.floats(-1e6, 1e6)] * 3, yaw=st.floats(-180, 179), pitch=st.floats(-90, 90))
metadata = st.dictionaries(texts, st.none() | st.booleans() | st.integers(-9, 9) | texts | st.lists(texts), max_size=3)
steps = st.builds(
    Step,
    poses,
    st.lists(st.builds(Place, strategies.colors, anywhere) | st.builds(Remove, anywhere), max_size=3).map(tuple),
    metadata,
)
utterances = st.builds(Utterance, st.sampled_from(["Architect", "Builder"]), texts.map(one_line))
games = st.builds(
    Game,
    game_id=texts,
    split=st.sampled_from(["train", "validation", "test"]),
    target=st.dictionaries(anywhere, strategies.colors, max_size=4).map(Structure.from_colors),
    events=st.lists(utterances | steps, max_size=5).map(tuple),
    metadata=metadata,
)
GAME = Game("B1-A1-C1-1", "train", Structure(), (Utterance("Architect", "hello"),))


@given(games)
def test_a_game_is_one_line_of_json_and_back(game):
    line = game.to_json()
    assert b"\n" not in line
    back = Game.from_json(line)
    assert back == game
    assert format_structure(back.target) == format_structure(game.target)  # the order of placement, too
    assert back.to_json() == line


@given(utterances)
def test_a_chat_line_is_text_and_back(utterance):
    assert Utterance.parse(str(utterance)) == utterance


@pytest.mark.parametrize("line", ["", "hello", "<Cow> moo", "<architect> hello", "Architect: hello", "<Builder>hi"])
def test_a_line_without_a_speaker_is_no_chat_line(line):
    with pytest.raises(GameError, match="is not a chat line"):
        Utterance.parse(line)


def test_an_empty_chat_line_is_one():
    assert Utterance.parse("<Builder>") == Utterance.parse("<Builder> ") == Utterance("Builder", "")


def test_a_step_that_removes_and_places_in_one_cell_recolors_it():
    board = {Cell(0, 1, 0): Color.RED, Cell(1, 1, 0): Color.RED}
    step = Step(Pose(0, 1, 0, 0, 0), (Place(Color.BLUE, Cell(0, 1, 0)), Remove(Cell(0, 1, 0)), Remove(Cell(1, 1, 0))))
    step.apply_to(board)
    assert board == {Cell(0, 1, 0): Color.BLUE}


def test_a_file_of_games_is_written_and_read(tmp_path):
    written = list(read_corpus(small_corpus.write(tmp_path / "mdc")))
    assert write_games(written, tmp_path / "games.jsonl") == len(written)
    assert list(read_games(tmp_path / "games.jsonl")) == written
    assert (tmp_path / "games.jsonl").read_bytes().count(b"\n") == len(written)


def test_blank_lines_are_no_games(tmp_path):
    (tmp_path / "games.jsonl").write_bytes(b"\n" + GAME.to_json() + b"\n\n")
    assert list(read_games(tmp_path / "games.jsonl")) == [GAME]


def field(name, value):
    return orjson.dumps({**orjson.loads(GAME.to_json()), name: value})


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (b"{", "not a game: "),
        (b"[]", "not a game: "),
        (b"null", "not a game: "),
        (b"{}", "no field 'game_id'"),
        (field("target", ["pink 0 1 0"]), "unknown color 'pink'"),
        (field("target", ["red 0 1 0", "blue 0 1 0"]), "same cell"),
        (field("target", [["red"]]), "is not a block"),
        (field("game_id", 7), "not a game: game_id is 7"),
        (field("events", ["hello"]), "'hello' is not a chat line"),
        (field("events", [5]), "not a game: "),
        (field("events", [None]), "not a game: "),
        (field("events", ["<Builder> hi", {}]), "event 2: a step has no field 'pose'"),
        (field("events", [{"pose": [0, 1, 0, 0], "actions": [], "metadata": {}}]), "pitch"),
        (field("events", [{"pose": [0, 1, 0, 0, "up"], "actions": [], "metadata": {}}]), "not a game: "),
        (field("events", [{"pose": list("01000"), "actions": [], "metadata": {}}]), "not a game: "),
        (field("events", [{"pose": [0, 1, 0, 0, 0], "actions": ["jump"], "metadata": {}}]), "is not an action"),
        (field("events", [{"pose": [0, 1, 0, 0, 0], "actions": [5], "metadata": {}}]), "5 is not an action"),
    ],
)
def test_an_error_names_file_line_and_cause(line, cause, tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_bytes(GAME.to_json() + b"\n" + line + b"\n")
    games = read_games(path)
    assert next(games) == GAME
    with pytest.raises(GameError, match=cause) as caught:
        next(games)
    assert str(caught.value).startswith(f"{path}, line 2: ")


def test_a_game_written_by_hand_needs_no_target_and_no_metadata():
    line = (
        b'{"game_id": "a", "split": "test", "events": ["<Architect> go", '
        b'{"pose": {"x": 0.5, "y": 1, "z": 2, "yaw": 90, "pitch": 0}, "actions": ["place red 0 1 0"]}]}'
    )
    step = Step(Pose(0.5, 1, 2, 90, 0), (Place(Color.RED, Cell(0, 1, 0)),))
    assert Game.from_json(line) == Game("a", "test", Structure(), (Utterance("Architect", "go"), step))
