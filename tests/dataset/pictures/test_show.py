"""`bap-v2 show`, as a user types it: items and games in the terminal, as figures and as pages; errors that help."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import small_corpus
from in_process import command, use_home
from simulated_rows import row_of

from bap_v2_dataset.human import game_store
from bap_v2_dataset.tasks.building.pictures.game_frames import frames
from bap_v2_dataset.tasks.building.items import items
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.game import read_games
from bap_v2_simulators.simulation import play

pytest.importorskip("matplotlib", reason="the extra `pictures` is not installed")
pytest.importorskip("plotly", reason="the extra `pictures` is not installed")

ITEM = "dss-test-6/1"
LARGE = {"datasets", "gradio", "matplotlib", "numpy", "pandas", "plotly", "pyarrow"}


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def bap(home, tmp_path, monkeypatch, capsys):
    return command(monkeypatch, capsys, home, tmp_path, width=160)


@pytest.fixture
def with_corpus(bap, tmp_path_factory, home):
    """The small human corpus is set up."""
    if not (home / "bap_v2_games" / "mdc.json").is_file():
        corpus = small_corpus.write(tmp_path_factory.mktemp("corpus") / "mdc")
        assert bap("setup", "--mdc", corpus, "--config", "mdc")[0] == 0
    return bap


def write_predictions(path: Path, predictions: dict[str, str], **settings: str) -> Path:
    path.write_text("".join(json.dumps({"id": i, "prediction": text}) + "\n" for i, text in predictions.items()))
    if settings:
        path.with_name(f"{path.name}.settings.json").write_text(json.dumps(settings))
    return path


# --- In the terminal.
def test_a_variant_is_shown_beside_its_parent_with_what_models_build_in_both(bap, tmp_path):
    variant = "dss-test-6~sa_turn-1/1"
    file = write_predictions(tmp_path / "a.jsonl", {variant: "place red 0 1 0", ITEM: ""}, dataset_config="robust_dss")
    code, out, err = bap("show", variant, "--predictions", file, "--baseline", "stack")
    assert (code, err) == (0, "") and out.startswith(f"{variant} robust_dss, sa_turn")
    assert f"parent  {ITEM}" in out and "- turned by 90°: +x becomes +z" in out
    assert [line.split("   F1:")[0] for line in out.splitlines() if "   F1:" in line] == [
        "a, parent", "a", "stack, parent", "stack",
    ]  # fmt: skip
    for suffix in ("png", "html"):
        assert bap("show", variant, "--out", f"v.{suffix}")[0] == 0 and (tmp_path / f"v.{suffix}").stat().st_size > 9999


def test_an_item_in_the_terminal_has_its_dialogue_its_board_and_the_change(bap):
    code, out, err = bap("show", ITEM)
    assert (code, err) == (0, "")
    row = row_of(ITEM)
    assert out.startswith(f"{ITEM} dss, test")
    assert all(line in " ".join(out.split()) for line in row["dialogue"])
    assert out.count("+B") == 5 and "What the Builder built: 5 placed" in out
    assert "the Builder is" in out and "level 1" in out


def test_simulated_items_need_no_set_up_and_may_have_any_seed(bap, home):
    code, out, _ = bap("show", "dr-seed7-validation-900000/0")
    assert code == 0 and "dr, validation, multiple interpretations" in out
    assert not (home / "datasets").exists()


def test_a_simulated_item_in_the_terminal_needs_no_large_library():
    program = f"""
import sys
from bap_v2_dataset.cli import main
sys.argv = ["bap-v2", "show", "{ITEM}"]
try:
    main()
finally:
    print(*({LARGE} & sys.modules.keys()), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.startswith(ITEM) and done.stderr.strip() == ""


def test_a_baseline_is_judged_beside_the_result(bap):
    code, out, _ = bap("show", ITEM, "--baseline", "symbolic", "--baseline", "do-nothing")
    assert code == 0
    assert "symbolic   F1: Type 1.00  Color 1.00  Location 1.00  Shape 1.00  Overall 1.00" in out
    assert "do-nothing   F1: Type 0.00" in out and "changes nothing" in out
    assert out.count("✓ right: place blue") == out.count("○ missed: place blue") == 5


def test_prediction_files_are_named_and_those_without_the_item_say_so(bap, tmp_path):
    right = write_predictions(tmp_path / "right.jsonl", {ITEM: "\n".join(row_of(ITEM)["actions"])})
    other = write_predictions(tmp_path / "other.jsonl", {"dss-test-0/0": "place red 0 1 0"})
    wrong = write_predictions(tmp_path / "x.jsonl", {ITEM: "place red 5 1 5\npick 5 5 5"})
    code, out, err = bap(
        "show", ITEM, "--predictions", right, "--predictions", f"The rival={wrong}", "--predictions", f"third={other}"
    )
    assert code == 0
    assert "The rival   F1: Type 0.33  Color 0.00" in out and "1 infeasible action" in out
    assert "✗ wrong: place red 5 1 5" in out and "Overall 1.00" in out
    assert f"{other} has no prediction for {ITEM}" in err and "third" not in out


def test_predictions_say_the_config_of_a_human_item(with_corpus, tmp_path):
    item_id = f"{small_corpus.IDLE}/0"
    file = write_predictions(
        tmp_path / "p.jsonl", {item_id: "place yellow 2 1 2"}, dataset_config="mdc", split="test", model="tiny"
    )
    code, out, _ = with_corpus("show", item_id, "--predictions", file)
    assert code == 0 and out.startswith(f"{item_id} mdc, test") and "tiny/p   F1" in out


def test_a_game_in_the_terminal_is_told_to_its_end(with_corpus):
    code, out, _ = with_corpus("show", "--game", small_corpus.EARLY)
    assert code == 0
    assert "<Architect> then an orange one on top" in out and "place orange 0 2 0" in out
    assert "+O" in out and "▲P" in out


def test_any_game_that_is_named_is_found(with_corpus, home):
    for name in ("dsb-train-3", "dss-seed-4-test-0", f"{small_corpus.EARLY}-aug2", f"{small_corpus.IDLE}/0"):
        assert with_corpus("show", "--game", name)[0] == 0, name


# --- Files.
@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF"), ("html", b"<!DOCTYPE html>")]
)
def test_the_suffix_says_what_is_written(bap, tmp_path, suffix, start):
    code, out, err = bap("show", ITEM, "--baseline", "stack", "--out", f"x.{suffix}")
    data = (tmp_path / f"x.{suffix}").read_bytes()
    assert (code, out) == (0, "") and err == f"x.{suffix}: {len(data) / 1000:,.0f} kB\n"
    assert data.startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [f"x.{suffix}"]


def test_an_item_of_the_corpus_has_the_turn_before(with_corpus, tmp_path):
    (game,) = (g for g in read_games(game_store.mdc_games().file("test")) if g.game_id == small_corpus.EARLY)
    last = list(items(game))[-1]
    assert with_corpus("show", last.item_id, "--out", "x.html")[0] == 0
    page = (tmp_path / "x.html").read_text()
    assert page.count("class='board'") == 4 and "what the human built" in page


def test_a_game_is_written_as_a_replay(bap, tmp_path):
    code, _, err = bap("show", "--game", "dsb-test-1", "--out", "g.html")
    assert code == 0 and err.startswith("g.html: ")
    assert "id='play'" in (tmp_path / "g.html").read_text()


@pytest.mark.slow
def test_a_game_is_written_as_an_animation_with_a_frame_for_every_event(bap, tmp_path):
    from PIL import Image

    game = play(simulator_of("dr"), "test", 1)
    code, _, err = bap("show", "--game", game.game_id, "--out", "g.gif")
    assert code == 0 and err.startswith("g.gif: ")
    picture = Image.open(tmp_path / "g.gif")
    assert picture.n_frames == len(game.events) + 1 and picture.info["loop"] == 0
    assert (tmp_path / "g.gif").stat().st_size < 3_000_000
    seconds, last = [], None
    for number in range(picture.n_frames):
        picture.seek(number)
        seconds.append(picture.info["duration"])
        assert picture.convert("RGB") != last
        last = picture.convert("RGB")
    *shown, _last = (frame.milliseconds // 10 * 10 for frame in frames(game))
    assert seconds == [*shown, 3000]


# --- Errors.
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["dss-test-6/77"], "there is no item dss-test-6/77: the game dss-test-6 has the items dss-test-6/0,"),
        (["dss-test-6"], "there is no item dss-test-6: the game dss-test-6 has the items"),
        (["dss-test-6x/1"], "'dss-test-6x/1' is not the id of a simulated item: they are like dss-test-12/0"),
        ([ITEM, "--split", "train"], "dss-test-6/1 is an item of test, not of train: leave out --split"),
        ([ITEM, "--config", "ds"], "unknown config 'ds' (expected one of mdc_v2, mdc, dr, dsb, dss, all"),
        ([ITEM, "--baseline", "magic"], "unknown baseline 'magic' (expected one of"),
        ([ITEM, "--predictions", "nowhere.jsonl"], "nowhere.jsonl: No such file or directory"),
        (["B9-A9-C9-1/0"], "the human corpus is not set up: run `bap-v2 setup --mdc PATH`"),
    ],
)  # fmt: skip
def test_errors_are_sentences_that_help(bap, home, arguments, sentence, monkeypatch):
    use_home(monkeypatch, home / "none")
    code, out, err = bap("show", *arguments)
    assert (code, out) == (1, "")
    assert f"error: {sentence}" in " ".join(err.split()) and "Traceback" not in err


def test_an_unknown_human_id_names_the_nearest(with_corpus):
    known = small_corpus.EARLY
    for typed, sentence in (
        (f"{known}/9", f"there is no item {known}/9 in mdc: it has {known}/0, {known}/1"),
        (f"{known[:-2]}/0", f"there is no item {known[:-2]}/0 in mdc (the nearest: {known}/0"),
        (f"X{known[1:]}/0", f"{known}/0"),
    ):
        code, _, err = with_corpus("show", typed)
        assert code == 1 and sentence in " ".join(err.split()), err
    code, _, err = with_corpus("show", "--game", known[:-1])
    assert code == 1 and f"did you mean {known}" in err
    code, _, err = with_corpus("show", f"{known}/0", "--split", "tset", "--config", "mdc")
    assert code == 1 and "the config mdc has no split 'tset': it has train, validation, test" in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "pass either an item"),
        ([ITEM, "--game", "dss-test-6"], "pass either an item"),
        ([ITEM, "--out", "x.jpg"], "has to end in .png, .svg, .pdf or .html"),
        (["--game", "dss-test-6", "--out", "x.png"], "has to end in .html or .gif"),
        ([ITEM, "--out", "no/where/x.png"], "there is no directory"),
    ],
)
def test_a_wrong_call_is_refused_before_anything_is_read(bap, tmp_path, arguments, sentence):
    code, _, err = bap("show", *arguments)
    assert code == 2 and sentence in " ".join(err.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("library", "module", "name"), [("plotly", "page", "x.html"), ("matplotlib", "figure", "x.png")]
)
def test_a_library_that_is_missing_is_named_with_the_command_that_installs_it(bap, monkeypatch, library, module, name):
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"bap_v2_dataset.pictures.{module}", raising=False)
    if library == "plotly":
        monkeypatch.setitem(sys.modules, "plotly.offline", None)
    code, _, err = bap("show", ITEM, "--out", name)
    assert code == 1 and f'this needs {library}: pip install "bap-v2[pictures]"' in err
