"""`bap-v2 show` of GSU items: any id, without a setup, with the answers of systems; errors that help."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from in_process import command

from bap_v2_dataset.evaluation.model_arguments import ArgumentError
from bap_v2_dataset.tasks.building.item_picture import PictureError
from bap_v2_dataset.tasks.building.lookup import NotFoundError
from bap_v2_dataset.tasks.gsu.lookup import gsu_item, is_gsu

pytest.importorskip("matplotlib", reason="the extra `pictures` is not installed")

ITEM = "gsu_follower_ego_2d-test-7"
LARGE = {"datasets", "gradio", "matplotlib", "numpy", "pandas", "plotly", "pyarrow"}


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def bap(home, tmp_path, monkeypatch, capsys):
    return command(monkeypatch, capsys, home, tmp_path, width=80)


def write_predictions(path: Path, **predictions: str) -> Path:
    path.write_text("".join(json.dumps({"id": i, "prediction": text}) + "\n" for i, text in predictions.items()))
    return path


def test_an_item_is_shown_without_a_setup(bap, home):
    code, out, err = bap("show", ITEM)
    row = gsu_item(ITEM).row
    assert (code, err) == (0, "")
    assert out.startswith(f"{ITEM} Follower, egocentric, 2D · gsu_follower_ego_2d, test\n")
    assert "From above: S start, E end" in out and f"Answer  {row['answer']}" in out
    assert not (home / "datasets").exists()


@pytest.mark.parametrize(
    "item_id", ["gsu_structure-seed7-train-900000", "gsu_combined-test-100", "gsu_card2ego_3d-seed-1-test-0"]
)
def test_items_that_are_in_no_config_are_made_from_their_ids(bap, item_id):
    code, out, _ = bap("show", item_id)
    assert code == 0 and "made from its id: the published rows do not have it" in " ".join(out.split())
    assert gsu_item(item_id).row["id"] == item_id and not gsu_item(item_id).published


def test_the_last_item_of_a_split_is_published():
    assert gsu_item("gsu_structure-test-99").published and gsu_item("gsu_structure-train-2999").published


def test_the_joint_config_has_the_items_of_its_parts():
    assert gsu_item(ITEM, "gsu", "test_gsu_follower_ego_2d").config == "gsu_follower_ego_2d"
    with pytest.raises(NotFoundError, match="gsu_combined-test-1 is not in the joint config gsu"):
        gsu_item("gsu_combined-test-1", "gsu")


def test_a_terminal_needs_no_large_library():
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


def test_predictions_and_baselines_stand_below_the_answer(bap, tmp_path):
    right = gsu_item(ITEM).row["completion"]
    file = write_predictions(tmp_path / "a.jsonl", **{ITEM: "Answer: (1, 1)", "gsu_structure-test-0": "a cube"})
    write_predictions(tmp_path / "b.jsonl", **{ITEM: right})
    other = write_predictions(tmp_path / "c.jsonl", **{"gsu_structure-test-0": "a cube"})
    code, out, err = bap(
        "show", ITEM, "--predictions", file, "--predictions", "mine=b.jsonl", "--predictions", other,
        "--baseline", "symbolic", "--baseline", "cardinal-reader",
    )  # fmt: skip
    assert code == 0 and err.strip() == f"{other} has no prediction for {ITEM}"
    marks = [line.split("   ")[0] for line in out.splitlines() if line[:1] in "✓✗" and line]
    assert marks == ["✗ a", "✓ mine", "✓ symbolic", "✗ cardinal-reader"] and "cells away" in out


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_an_item_is_written_as_a_figure(bap, tmp_path, suffix):
    file = write_predictions(tmp_path / "a.jsonl", **{ITEM: "Answer: (1, 1)"})
    code, out, err = bap("show", ITEM, "--predictions", file, "--out", f"x.{suffix}")
    assert (code, out) == (0, "") and err.startswith(f"x.{suffix}: ")
    assert (tmp_path / f"x.{suffix}").stat().st_size > 5000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gsu_folower_ego_2d-test-7"], "unknown config 'gsu_folower_ego_2d'"),
        (["gsu_folower_ego_2d-test-7"], "did you mean gsu_follower_ego_2d?"),
        (["gsu_structure-dev-3"], "unknown split 'dev' (expected one of train, validation, test)"),
        (
            ["gsu-test-3"],
            "the joint config gsu has the items of other configs, with ids like gsu_follower",
        ),
        (["gsu_structure-test"], "ids of GSU end in the number of the item, like gsu_follower_ego_2d-test-7"),
        (["gsu_structure-seed99999999999999999999-test-0"], "expected a whole number of at most 64 bits"),
        ([ITEM, "--split", "train"], f"{ITEM} is an item of test, not of train: leave out --split"),
        ([ITEM, "--config", "dss"], f"{ITEM} is an item of gsu_follower_ego_2d, not of dss: leave out --config"),
        ([ITEM, "--labels", "ours"], "items of GSU have no labels"),
        ([ITEM, "--out", "x.html"], "items of GSU are drawn as .png, .svg or .pdf"),
        ([ITEM, "--baseline", "stack"], "unknown baseline 'stack' (expected one of symbolic"),
    ],
)
def test_mistakes_are_named(bap, arguments, message):
    code, _, err = bap("show", *arguments)
    assert code and message in " ".join(err.replace("│", " ").split())


def test_ids_of_building_are_not_taken_for_ids_of_gsu():
    assert is_gsu(ITEM) and is_gsu("gsu") and is_gsu("gsu_x")
    assert not any(map(is_gsu, ["dss-test-0/1", "gsun-test-1", "B36-A25-C148-1524179747169/8"]))


def test_python_shows_an_item_by_its_id_or_as_a_row(tmp_path):
    import bap_v2_dataset as bap

    row = gsu_item(ITEM).row
    by_id = bap.show(ITEM, "Answer: (1, 1)", baseline="symbolic")
    by_row = bap.show(row, "Answer: (1, 1)", baseline="symbolic")
    first, *rest = str(by_id).splitlines()
    assert first == f"{ITEM} Follower, egocentric, 2D · gsu_follower_ego_2d, test"
    assert rest == str(by_row).splitlines()[1:] and any(line.startswith("✓ symbolic") for line in rest)
    assert by_id.save(tmp_path / "x.png").stat().st_size > 5000
    bundle, size = by_id._repr_mimebundle_()
    assert bundle["text/plain"] == repr(by_id) and size["image/png"]["width"] > 300
    with pytest.raises(PictureError, match=r"x.html: the name has to end in \.png, \.svg or \.pdf"):
        by_id.save("x.html")


@pytest.mark.parametrize("given", [{"labels": "authors"}, {"interactive": True}])
def test_python_names_what_items_of_gsu_have_not(given):
    import bap_v2_dataset as bap

    (name,) = given
    with pytest.raises(ArgumentError, match=f"^{name}=.* is for items of building; .*leave it out"):
        bap.show(ITEM, **given)


def test_own_items_are_shown_with_their_answers(bap, tmp_path):
    row = gsu_item("gsu_ego_random-seed9-test-2").row
    own, unknown = {**row, "id": "mine-1"}, {"id": "mine-2", "task": "combined", "question": "Where?", "answer": "left"}
    (tmp_path / "own.jsonl").write_text("".join(json.dumps(one) + "\n" for one in (own, unknown)))
    predictions = write_predictions(tmp_path / "answers.jsonl", **{"mine-1": "Answer: left", "mine-2": "left"})
    code, out, err = bap("show", "mine-1", "--data", "own.jsonl", "--predictions", predictions)
    assert code == 0 and f"Answer  {row['answer']}" in out and "answers" in out
    code, out, err = bap("show", "mine-2", "--data", "own.jsonl")
    assert code == 1 and "mine-2 cannot be drawn: its metadata lack steps, viewer" in " ".join(err.split())
