"""Scores whose resamples draw targets: what an item's target is, and that every format says what was drawn."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from small_test_sets import SPLITS, use_small_test_sets, write
from typer.testing import CliRunner

import bap_v2_dataset as bap
import bap_v2_metric
from bap_v2_dataset.cli import app
from bap_v2_dataset.evaluation import model_items, test_sets
from bap_v2_dataset.evaluation.scoring import clusters_of
from bap_v2_dataset.interface.table import TASKS
from bap_v2_dataset.items.rows import target_of
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.publishing.model_facts import split_result
from bap_v2_dataset.tasks.building.error_analysis import binned
from bap_v2_metric.scoring import InputError

pytestmark = pytest.mark.usefixtures("few_are_enough")

ROWS = SPLITS["dss", "test"]
GAMES = [row["game_id"] for row in ROWS]
TEXTS = [row["completion"] if number % 3 else "" for number, row in enumerate(ROWS)]
ITEMS = bap_v2_metric.score_items(TEXTS, ROWS)
N_TARGETS = len(set(GAMES))


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    use_small_test_sets(monkeypatch)
    monkeypatch.setattr(model_items, "split_rows", test_sets.split_rows)  # it has a name for it of its own
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps({"id": row["id"], "prediction": text}) for row, text in zip(ROWS, TEXTS)]
    Path("mine.jsonl").write_text("\n".join(lines))


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, list(map(str, arguments)))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def by_hand(unit: str, n_resamples: int = 60) -> tuple[float, float]:
    """The interval that the metric gives when the clusters are the games, which is what simulated targets are."""
    clusters = GAMES if unit == "target" else None
    return bap_v2_metric.bootstrap(ITEMS, n_resamples, clusters=clusters)["fairer_f1"]


# --- What an item's target is.
def test_each_simulated_game_has_a_target_of_its_own():
    assert 1 < N_TARGETS < len(ROWS)
    clusters = clusters_of(ROWS, "target", TASKS["bap"], "dss, test")
    assert len(set(zip(GAMES, clusters))) == len(set(clusters)) == N_TARGETS
    assert clusters_of(ROWS, "item", TASKS["bap"], "dss, test") is None


def test_games_of_people_about_the_same_structure_have_one_target():
    blocks, others = ["red 0 1 0", "red 1 1 0"], ["blue 0 1 0", "blue 1 1 0"]
    copies = [{"target": each, "metadata": {"source": "human", "target_id": "C5"}} for each in (blocks, others)]
    assert target_of(copies[0]) == target_of(copies[1]) == "C5"  # as training data have it in other colors
    assert target_of({"target": blocks, "metadata": {}}) == target_of({"target": blocks[::-1]})
    assert target_of({"target": blocks, "metadata": None}) != target_of({"target": others, "metadata": {}})


def test_a_row_without_a_target_is_named():
    rows = [{"id": "mine/0", "target": ["red 0 1 0"]}, {"id": "mine/1", "target": [], "metadata": {}}]
    message = "test: unit target: the item mine/1 has no target: fill its column target, or resample items"
    with pytest.raises(PredictionError, match=message):
        clusters_of(rows, "target", TASKS["bap"], "test")


# --- Commands.
@pytest.mark.slow
@pytest.mark.parametrize("unit", ["item", "target"])
def test_score_draws_the_unit_that_it_is_asked_for_and_says_so_in_every_form(unit):
    low, high = (100 * bound for bound in by_hand(unit))
    arguments = ["score", "mine.jsonl", "--baseline", "stack", "--resamples", 60]
    arguments += ["--unit", unit] * (unit != "item")  # the default
    over = {"item": "over items", "target": f"over {N_TARGETS} targets"}[unit]
    text = run(*arguments, "--out", "scores.json")
    assert f"{low:.1f}–{high:.1f}" in text and f"(paired bootstrap {over})" in text
    assert f"95% percentile bootstrap {over}, 60 resamples" in text
    assert f"|bs:60|seed:20260|unit:{unit}|config:dss|split:test|items:" in text
    for record in (json.loads(Path("scores.json").read_text()), json.loads(run(*arguments, "--format", "json"))):
        assert record["settings"]["unit"] == unit
        assert record["systems"][0]["confidence_intervals"]["fairer_f1"] == list(by_hand(unit))
        assert f"|unit:{unit}|" in record["systems"][0]["scores"]["signature"]
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv"))))
    assert {row["unit"] for row in rows if row["low"]} == {unit} and {row["unit"] for row in rows} == {"", unit}
    assert run(*arguments, "--brief").splitlines()[0] == (
        f"fairer_f1 {100 * bap_v2_metric.aggregate(ITEMS)['fairer_f1']:.1f} [{low:.1f}, {high:.1f}] "
        + f"(over {N_TARGETS} targets) " * (unit == "target") + "mine"
    )  # fmt: skip
    for form in ("markdown", "latex"):
        text = run(*arguments, "--format", form)
        assert f"percentile bootstrap {over}, 60 resamples" in text
        assert f"paired bootstrap {over}" in text
        assert text.count(f"Intervals {over}.") == (unit == "target")  # with the one table that has intervals
    assert split_result(Path("scores.json")).unit == unit


def test_the_test_between_systems_draws_targets_too():
    stack = bap.evaluate_model("stack", n_resamples=60, unit="target")
    mine = bap.score_file("mine.jsonl", n_resamples=60, unit="target")
    items = [bap_v2_metric.score_items(each.predictions, ROWS) for each in (mine, stack)]
    assert mine.compare(stack).tests == bap_v2_metric.paired_bootstrap(*items, 60, clusters=GAMES)
    assert mine.compare(stack).tests != bap_v2_metric.paired_bootstrap(*items, 60)
    assert f"paired bootstrap over {N_TARGETS} targets" in str(mine.compare(stack))
    assert f"percentile bootstrap over {N_TARGETS} targets, 60 resamples" in mine.compare(stack)._repr_html_()
    assert mine.scores["confidence_intervals"]["fairer_f1"] == list(by_hand("target"))
    assert f"bootstrap over {N_TARGETS} targets" in str(mine)


def test_runs_of_a_system_are_tested_over_targets():
    runs = bap.score_file(["mine.jsonl", write(Path("other.jsonl"), "dss", 2)], name="mine", n_resamples=60,
                          unit="target")  # fmt: skip
    assert runs.runs[0].confidence_intervals["fairer_f1"] == list(by_hand("target"))
    stack = bap.evaluate_model("stack", n_resamples=60)
    over_targets, over_items = runs.compare(stack), bap.score_file("mine.jsonl", n_resamples=60).compare(stack)
    assert "over 3 targets" in str(over_targets) and "over items" in str(over_items)


def test_a_reading_of_peoples_test_items_is_a_line_for_a_register():
    for config, settings, said in (
        ("mdc_v2", {"samples": 64, "min_probability": 0.15}, r"human \| 64 samples, threshold 0.15 \| mdc_v2, 3 items"),
        ("mdc_v2", {"model": "m"}, r"m/human \| one answer an item \| mdc_v2, 3 items"),
        ("dss", {"model": "m"}, None),
    ):
        write(Path("human.jsonl"), config, 1, settings)
        result = CliRunner().invoke(app, ["score", "human.jsonl", "--resamples", "0"])
        pattern = said and rf"\| \d{{4}}-\d\d-\d\d \| {said} \| fairer_f1 \d+\.\d \| why \|\n"
        assert bool(re.search(pattern or "register", result.stderr)) == bool(said), result.stderr


@pytest.mark.slow
def test_a_report_records_and_says_the_unit(tmp_path):
    write(Path("human.jsonl"), "mdc_v2", 1, {"model": "m"})
    text = run("report", "mine=mine.jsonl", "--baseline", "stack", "--unit", "target", "--resamples", 60, "--errors",
               "--format", "markdown", "--out", "report")  # fmt: skip
    record = json.loads(Path("report/report.json").read_text())
    assert record["resampling"] == {"n": 60, "confidence": 0.95, "seed": 20260, "unit": "target"}
    assert "|unit:target|config:dss|" in record["signature"]
    (said,) = [remark for remark in record["remarks"] if remark.startswith("Intervals")]
    assert said == f"Intervals: 95% percentile bootstrap over {N_TARGETS} targets, 60 resamples, seed 20260."
    tables = [part for part in text.split("### ") if re.search(r"\d \(\d+\.\d–", part)]
    assert len(tables) > 2 and all(f"Intervals over {N_TARGETS} targets." in table for table in tables)
    assert json.loads(Path("report/scores/mine/dss-test.json").read_text())["settings"]["unit"] == "target"
    with Path("report/scores.csv").open() as file:
        assert {row["unit"] for row in csv.DictReader(file) if row["low"]} == {"target"}
    (picture,) = [line for line in Path("report/report.md").read_text().splitlines() if "overall.png" in line]
    assert f"intervals over {N_TARGETS} targets" in picture


def test_a_bin_of_a_single_target_has_no_interval():
    clusters = GAMES
    for part in binned(ROWS, [ITEMS], 60, clusters=clusters):
        inside = [name for name, row in zip(clusters, ROWS) if part.label in part.dimension.bins(row)]
        assert len(part.intervals) == (len(set(inside)) > 1)
    plain = {(part.dimension.name, part.label): part.intervals for part in binned(ROWS, [ITEMS], 60)}
    single = [f"row {number}" for number in range(len(ROWS))]
    for part in binned(ROWS, [ITEMS], 60, clusters=single):
        if part.n_items > 1:
            assert part.intervals == plain[part.dimension.name, part.label]


def test_a_human_test_set_is_resampled_by_targets_unless_items_are_asked_for():
    file = write(Path("human.jsonl"), "mdc_v2", 1)
    for arguments, over, unit in (((), "over 3 targets", "target"), (("--unit", "item"), "over items", "item")):
        text = run("score", file, *arguments, "--baseline", "stack", "--resamples", 20, "--out", "a.json")
        assert f"95% percentile bootstrap {over}" in text and f"Against human (paired bootstrap {over})" in text
        assert f"|unit:{unit}|config:mdc_v2|split:test|items:" in text
        assert json.loads(Path("a.json").read_text())["settings"]["unit"] == unit
    assert "over items" in run("score", write(Path("dss.jsonl"), "dss"), "--resamples", 20)


def test_a_report_says_what_each_test_set_draws():
    files = [f"mine={write(Path(f'{name}.jsonl'), name, 1)}" for name in ("dss", "mdc_v2")]
    text = run("report", *files, "--resamples", 20, "--format", "markdown", "--out", "out")
    assert text.count("Intervals over items (dss) and 3 targets (mdc\\_v2).") == 1  # below the table of all systems
    assert text.count("Intervals over items.") == text.count("Intervals over 3 targets.") == 1  # all measures
    tests = json.loads(Path("out/report.json").read_text())["tests"]
    assert [(test["config"], test["unit"]) for test in tests] == [("dss", "item"), ("mdc_v2", "target")]


# --- What cannot be.
def test_a_unit_that_there_is_not_is_an_error_that_names_those_there_are():
    with pytest.raises(InputError, match=r"unit is 'game' \(expected item or target"):
        run("score", "mine.jsonl", "--unit", "game")


def test_a_part_of_one_target_has_no_intervals_over_targets():
    first = [number for number, game in enumerate(GAMES) if game == GAMES[0]]
    Path("part.json").write_text(json.dumps({ROWS[number]["id"]: TEXTS[number] for number in first}))
    text = run("score", "part.json", "--subset", "--unit", "target")
    assert "No interval and no p below 20 items of 10 targets" in text and f"{len(first)} items of 1 target" in text
    assert "No interval" not in run("score", "part.json", "--subset")


def test_a_model_is_not_asked_for_answers_whose_intervals_cannot_be():
    items = [{"id": f"mine/{number}", "before": [], "after": ["red 0 1 0"]} for number in range(2)]

    def model(row):
        raise AssertionError("asked")

    with pytest.raises(PredictionError, match="the item mine/0 has no target"):
        bap.evaluate_model(model, data=items, unit="target")


def test_a_task_without_targets_says_so(monkeypatch):
    from toy_task import SPELLING as TASK

    with pytest.raises(PredictionError, match="items of this task have no target: resample items"):
        clusters_of([{"id": "a"}], "target", TASK, "spelling, probe")
