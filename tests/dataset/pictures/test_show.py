"""`bap-v2 show` and `bap_v2_dataset.show`: items of any task and games, in a terminal and as files; helpful errors."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import small_corpus
from case_tables import cases_of
from in_process import command, use_home
from simulated_rows import row_of

import bap_v2_dataset
from bap_v2_dataset.evaluation.model_arguments import ArgumentError
from bap_v2_dataset.human import game_store
from bap_v2_dataset.interface.table import TASKS, task_of_item
from bap_v2_dataset.interface.viewer import NotFoundError
from bap_v2_dataset.items.item import items
from bap_v2_dataset.pictures.picture import PictureError
from bap_v2_dataset.tasks.building.pictures.game_frames import frames
from bap_v2_dataset.tasks.shown import located_item
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.game import read_games
from bap_v2_simulators.simulation import play

pytest.importorskip("matplotlib", reason="the extra `pictures` is not installed")
pytest.importorskip("plotly", reason="the extra `pictures` is not installed")

ITEM, OF_GSU = "dss-test-6/1", "gsu_follower_ego_2d-test-7"
needs_package = pytest.mark.skipif(find_spec("plancraft") is None, reason="needs the package plancraft")
# By task: an item, how its first line begins, and baselines.
ITEMS = {
    "bap": (ITEM, f"{ITEM} dss, test", ("stack", "symbolic")),
    "robust": ("dss-test-6~sa_turn-1/1", "dss-test-6~sa_turn-1/1 robust_dss, sa_turn", ("stack", "symbolic")),
    "gsu": (
        OF_GSU, f"{OF_GSU} Follower, egocentric, 2D · gsu_follower_ego_2d, test", ("cardinal-reader", "symbolic")
    ),
    "plancraft": ("TEST0003", "TEST0003 craft ", ("one-recipe", "oracle")),
}  # fmt: skip
every_task = pytest.mark.parametrize(
    "task", [pytest.param(name, marks=[needs_package] * (name == "plancraft")) for name in ITEMS]
)
STARTS = {
    ".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".html": b"<!DOCTYPE html>", ".gif": b"GIF89a"
}  # fmt: skip
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


# --- Every task.
@every_task
def test_an_item_is_shown_without_a_setup(bap, home, task):
    item_id, start, (wrong, right) = ITEMS[task]
    code, out, err = bap("show", item_id, "--baseline", wrong, "--baseline", right)
    assert (code, err) == (0, "") and out.startswith(start) and out.index(wrong) < out.rindex(right)
    assert not (home / "datasets").exists()


@pytest.mark.slow
@every_task
def test_the_suffix_says_what_is_written_the_same_each_time_and_other_formats_are_refused(bap, tmp_path, task):
    item_id, _, (wrong, _) = ITEMS[task]
    formats = TASKS[task].viewer.formats
    for suffix in formats:
        code, out, err = bap("show", item_id, "--baseline", wrong, "--out", f"x{suffix}")
        data = (tmp_path / f"x{suffix}").read_bytes()
        assert (code, out) == (0, "") and err == f"x{suffix}: {len(data) / 1000:,.0f} kB\n"
        assert data.startswith(STARTS[suffix]) and len(data) > 5000
        assert bap_v2_dataset.show(item_id, baseline=wrong).data(suffix) == data
    for suffix in ({*STARTS} - {*formats}) | {".mp4"}:
        code, out, err = bap("show", item_id, "--out", f"y{suffix}")
        assert code == 2 and f"has to end in {formats[0]}, " in " ".join(err.replace("│", " ").split())
    assert {path.name for path in tmp_path.iterdir()} == {f"x{suffix}" for suffix in formats}


@pytest.mark.slow
@every_task
def test_python_shows_what_the_command_does_by_an_id_or_as_a_row(bap, tmp_path, task):
    item_id, start, (wrong, right) = ITEMS[task]
    picture = bap_v2_dataset.show(item_id, baseline=[wrong, right])
    row = located_item(item_id)[1].row
    by_row = bap_v2_dataset.show(row, baseline=[wrong, right])
    assert str(picture).startswith(start) and repr(by_row).startswith(item_id)
    if task != "robust":  # a row does not say where its parent is
        assert str(picture).splitlines()[-5:] == str(by_row).splitlines()[-5:]
    assert picture.save(tmp_path / "x.png").read_bytes().startswith(STARTS[".png"])
    bundle, size = picture._repr_mimebundle_()
    assert bundle["text/plain"] == repr(picture) and size["image/png"]["width"] > 300
    with pytest.raises(PictureError, match=r"x.mp4: the name has to end in \.png, "):
        picture.save("x.mp4")


@pytest.mark.parametrize("task", [name for name in ITEMS if not TASKS[name].viewer.rotates])
def test_what_items_of_a_task_have_not_is_named(bap, task):
    item_id = ITEMS[task][0]
    for given in ({"labels": "authors"}, {"interactive": True}):
        with pytest.raises(ArgumentError, match=f"^{next(iter(given))}=.* does nothing for items of .*leave it out"):
            bap_v2_dataset.show(item_id, **given)
    assert "have no labels: leave out" in " ".join(bap("show", item_id, "--labels", "ours")[2].replace("│", "").split())


@pytest.mark.parametrize("item_id", [ITEM, OF_GSU])
def test_a_terminal_needs_no_large_library(item_id):
    program = f"""
import sys
from bap_v2_dataset.cli import main
sys.argv = ["bap-v2", "show", "{item_id}"]
try:
    main()
finally:
    print(*({LARGE} & sys.modules.keys()), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.startswith(item_id) and done.stderr.strip() == ""


@pytest.mark.parametrize(
    ("item_id", "answer", "name"),
    [(ITEM, "place red 5 1 5\npick 5 5 5", "The rival   F1: Type 33.3  Color 0.0"), (OF_GSU, "(1, 1)", "✗ The rival")],
)
def test_files_stand_below_the_result_and_those_without_the_item_say_so(bap, tmp_path, item_id, answer, name):
    right = write_predictions(tmp_path / "right.jsonl", {item_id: located_item(item_id)[1].row["completion"]})
    other = write_predictions(tmp_path / "other.jsonl", {"gsu_structure-test-0": "a cube", "dss-test-0/0": ""})
    wrong = write_predictions(tmp_path / "x.jsonl", {item_id: answer, "gsu_structure-test-0": "a cube"})
    code, out, err = bap(
        "show", item_id, "--predictions", right, "--predictions", f"The rival={wrong}", "--predictions",
        f"third={other}",
    )  # fmt: skip
    assert code == 0, err
    assert name in out and out.index("right") < out.index("The rival")
    assert err.strip() == f"{other} has no prediction for {item_id}" and "third" not in out


def test_the_task_of_an_id_is_that_which_it_can_only_be_of():
    of = {"gsu": [OF_GSU, "gsu", "gsu_x"], "plancraft": ["TEST0000"], "robust": ["dss-test-0~sa_turn-1/0", "a~spl-1/2"],
          "architect": ["architect_dsb-test-0/0"],
          "bap": [ITEM, "gsun-test-1", "B36-A25-C148-1524179747169/8", "TEST000", "dss-test-0~1/0"]}  # fmt: skip
    assert {name: [item for item in ids if task_of_item(item).name == name] for name, ids in of.items()} == of
    assert task_of_item(ITEM, "robust_dss").name == "robust"  # the items that variants are made of


# --- Items of building, and games.
def test_an_item_in_the_terminal_has_its_dialogue_its_board_and_the_change(bap):
    _, out, _ = bap("show", ITEM)
    assert all(line in " ".join(out.split()) for line in row_of(ITEM)["dialogue"])
    assert out.count("+B") == 5 and "What the Builder built: 5 placed" in out
    assert "the Builder is" in out and "level 1" in out


def test_simulated_items_may_have_any_seed(bap):
    code, out, _ = bap("show", "dr-seed7-validation-900000/0")
    assert code == 0 and "dr, validation, multiple interpretations (made from its id: the published" in out


def test_a_baseline_is_judged_beside_the_result(bap):
    code, out, _ = bap("show", ITEM, "--baseline", "symbolic", "--baseline", "do-nothing")
    assert code == 0
    assert "symbolic   F1: Type 100.0  Color 100.0  Location 100.0  Shape 100.0  Overall 100.0" in out
    assert "do-nothing   F1: Type 0.0" in out and "changes nothing" in out
    assert out.count("✓ right: place blue") == out.count("○ missed: place blue") == 5


def test_a_variant_is_shown_beside_its_parent_with_what_models_build_in_both(bap, tmp_path):
    variant = ITEMS["robust"][0]
    file = write_predictions(tmp_path / "a.jsonl", {variant: "place red 0 1 0", ITEM: ""}, dataset_config="robust_dss")
    code, out, err = bap("show", variant, "--predictions", file, "--baseline", "stack")
    assert (code, err) == (0, "") and f"parent  {ITEM}" in out and "- turned by 90°: +x becomes +z" in out
    assert [line.split("   F1:")[0] for line in out.splitlines() if "   F1:" in line] == [
        "a, parent", "a", "stack, parent", "stack",
    ]  # fmt: skip


@pytest.mark.slow
def test_predictions_say_the_config_of_a_human_item(with_corpus, tmp_path):
    item_id = f"{small_corpus.IDLE}/0"
    file = write_predictions(
        tmp_path / "p.jsonl", {item_id: "place yellow 2 1 2"}, dataset_config="mdc", split="test", model="tiny"
    )
    code, out, _ = with_corpus("show", item_id, "--predictions", file)
    assert code == 0 and out.startswith(f"{item_id} mdc, test") and "tiny/p   F1" in out


def test_an_item_of_the_corpus_has_the_turn_before(with_corpus, tmp_path):
    (game,) = (g for g in read_games(game_store.mdc_games().file("test")) if g.game_id == small_corpus.EARLY)
    last = list(items(game))[-1]
    assert with_corpus("show", last.item_id, "--out", "x.html")[0] == 0
    page = (tmp_path / "x.html").read_text()
    assert page.count("class='board'") == 4 and "what the human built" in page


def test_a_game_in_the_terminal_is_told_to_its_end(with_corpus):
    code, out, _ = with_corpus("show", "--game", small_corpus.EARLY)
    assert code == 0
    assert "<Architect> then an orange one on top" in out and "place orange 0 2 0" in out
    assert "+O" in out and "▲P" in out


@pytest.mark.slow
def test_any_game_that_is_named_is_found(with_corpus):
    for name in ("dsb-train-3", "dss-seed-4-test-0", f"{small_corpus.EARLY}-aug2", f"{small_corpus.IDLE}/0"):
        assert with_corpus("show", "--game", name)[0] == 0, name


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


# --- Items of GSU.
def test_an_item_of_gsu_has_its_map_and_answer(bap):
    _, out, _ = bap("show", OF_GSU)
    assert "From above: S start, E end" in out and f"Answer  {located_item(OF_GSU)[1].row['answer']}" in out


@pytest.mark.parametrize(
    "item_id", ["gsu_structure-seed7-train-900000", "gsu_combined-test-100", "gsu_card2ego_3d-seed-1-test-0"]
)
def test_items_that_are_in_no_config_are_made_from_their_ids(bap, item_id):
    code, out, _ = bap("show", item_id)
    assert code == 0 and "made from its id: the published rows do not have it" in " ".join(out.split())
    assert located_item(item_id)[1].row["id"] == item_id


def test_the_last_item_of_a_split_is_published_and_the_joint_config_has_those_of_its_parts():
    for item_id in ("gsu_structure-test-99", "gsu_structure-train-2999"):
        assert located_item(item_id)[1].note == ""
    assert located_item(OF_GSU, "gsu", "test_gsu_follower_ego_2d")[1].config == "gsu_follower_ego_2d"
    with pytest.raises(NotFoundError, match="gsu_combined-test-1 is not in the joint config gsu"):
        located_item("gsu_combined-test-1", "gsu")


def test_own_items_are_shown_with_their_answers(bap, tmp_path):
    row = located_item("gsu_ego_random-seed9-test-2")[1].row
    own, unknown = {**row, "id": "mine-1"}, {"id": "mine-2", "task": "combined", "question": "Where?", "answer": "left"}
    (tmp_path / "own.jsonl").write_text("".join(json.dumps(one) + "\n" for one in (own, unknown)))
    predictions = write_predictions(tmp_path / "answers.jsonl", {"mine-1": "Answer: left", "mine-2": "left"})
    code, out, err = bap("show", "mine-1", "--data", "own.jsonl", "--predictions", predictions)
    assert code == 0 and f"Answer  {row['answer']}" in out and "answers" in out
    code, out, err = bap("show", "mine-2", "--data", "own.jsonl")
    assert code == 1 and "mine-2 cannot be drawn: its metadata lack steps, viewer" in " ".join(err.split())


def test_own_items_without_pictures_are_shown_column_by_column(bap, tmp_path):
    own = {"id": "mine/0", "utterances": ["hello there"], "before": [], "after": ["red 0 1 0"], "target": ["red 0 1 0"]}
    (tmp_path / "own.jsonl").write_text(json.dumps(own) + "\n")
    code, out, err = bap("show", "mine/0", "--data", "own.jsonl", "--baseline", "silent")
    assert code == 0 and out.startswith("mine/0 own, test") and "utterances\n<Architect> hello there\n" in out, err
    code, _, err = bap("show", "mine/0", "--data", "own.jsonl", "--out", "x.png")
    assert code == 2 and "this item is shown as text alone" in " ".join(err.replace("│", " ").split())


def test_what_a_language_model_reads_of_an_item(bap):
    code, prompt, _ = bap("show", ITEM, "--prompt", "n_posb")
    assert code == 0 and prompt.startswith("Predict the action sequence") and prompt.endswith("degrees\n### AS:\n")
    code, other, _ = bap("show", ITEM, "--prompt", "n")
    assert prompt.replace(prompt.splitlines()[-2] + "\n", "") == other


def test_a_random_item_is_one_of_the_split_and_can_be_shown_again(with_corpus):
    shown = {with_corpus("show", "--random", "--config", "mdc", "--split", "validation")[1:] for _ in range(4)}
    for out, err in shown:
        command = next(line for line in err.splitlines() if line.startswith("bap-v2 show"))
        assert with_corpus(*command.split()[1:])[1] == out and "mdc, validation" in out
    code, _, err = with_corpus("show", "--random", "--config", "mdc", "--split", "tset")
    assert code == 1 and "the config mdc has no split 'tset': it has train, validation, test" in err


# --- Errors.
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    cases_of(__file__, "errors"),
)
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
        ([], "pass an item"),
        ([ITEM, "--game", "dss-test-6"], "pass an item"),
        (["x", "--data", "nowhere", "--out", "x.jpg"], "has to end in .png, .svg, .pdf, .html or .gif"),
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
    monkeypatch.delitem(sys.modules, f"bap_v2_dataset.tasks.building.pictures.{module}", raising=False)
    if library == "plotly":
        monkeypatch.setitem(sys.modules, "plotly.offline", None)
    code, _, err = bap("show", ITEM, "--out", name)
    assert code == 1 and f'this needs {library}: pip install "bap-v2[pictures]"' in err
