"""Scores of GSU as tables: what `bap-v2 score` and `report` show, in the units of the paper and beside its numbers."""

import csv
import io
import json
import re

import pytest
from case_tables import cases_of
from gsu_items import gsu_rows, save_rows
from in_process import command, use_home
from rich.console import Console

from bap_v2_dataset.api import evaluate_model
from bap_v2_dataset.evaluation.report_tables import remarks
from bap_v2_dataset.evaluation.results import (
    Answers,
    Report,
    Resampling,
    Result,
    ScoredSplit,
    System,
    mean_of_runs,
    paired_test,
    scored,
)
from bap_v2_dataset.evaluation.score_formats import scores_csv
from bap_v2_dataset.evaluation.score_tables import paired_tests, score_report, tables_of_scores
from bap_v2_dataset.evaluation.scoring import baseline_predictions
from bap_v2_dataset.loading import install
from bap_v2_dataset.tables import formats
from bap_v2_dataset.tables.cells import ScoreTable, Value
from bap_v2_dataset.tasks.gsu.counts import MEASURES as COUNTED
from bap_v2_dataset.tasks.gsu.paper import TABLE_1
from bap_v2_dataset.tasks.gsu.scores import SCORES, SCORES_OF
from bap_v2_dataset.tasks.gsu.task import GSU
from bap_v2_simulators.gsu.configs import SIZES

pytestmark = pytest.mark.usefixtures("few_are_enough")

SCORER = SCORES.scorer
FEW = Resampling(50)


def test_set(config: str, items: int = 12) -> ScoredSplit:
    return ScoredSplit(GSU, config, "test", gsu_rows(config, items, "test"), items)


test_set.__test__ = False


def result_of(test: ScoredSplit, name: str, texts: list[str] | None = None, n_resamples: int = 50) -> Result:
    """Of predictions, or of a baseline."""
    predictions = texts if texts is not None else baseline_predictions(name, test.rows, GSU)
    references = [SCORER.reference_of(row) for row in test.rows]
    return scored(Answers(name, predictions, predictions), references, SCORER, Resampling(n_resamples))


def report_on(configs: list[str], systems: list[str], resampling: Resampling = FEW) -> Report:
    tests = [test_set(config) for config in configs]
    results = {name: {test.key: result_of(test, name, n_resamples=resampling.n) for test in tests} for name in systems}
    made = [System(name, baseline=True, results=of_name) for name, of_name in results.items()]
    return Report(tests, made, systems[0], resampling)


def table_called(tables: list[ScoreTable], name: str) -> ScoreTable:
    (table,) = (table for table in tables if table.name == name)
    return table


def cell(table: ScoreTable, line: str, heading: str):
    (found,) = (each for each in table.lines if each.cells[0] == line)
    return found.cells[table.headings.index(heading)]


def test_every_measure_of_the_metric_has_a_heading():
    families = {"walks": "instructor", "directions": "localization", "structures": "structure"}
    for family, task in families.items():
        assert set(COUNTED[task]) == {score.key for score in SCORES_OF[family]} - {"composite_spatial", "mean"}


def test_walks_are_from_0_to_1_with_two_decimals_and_the_rest_in_percent():
    tables = SCORES.tables(report_on(["gsu_follower_ego_2d", "gsu_allo_y_adjacent"], ["symbolic"]))
    accuracy = cell(table_called(tables, "gsu_table_1_walks"), "symbolic", "Follower ego 2D")
    overlap = cell(table_called(tables, "gsu_table_1_blocks"), "symbolic", "Localization allo")
    assert accuracy == Value(1.0, 1.0, 1.0, digits=2) and overlap == Value(100.0, 100.0, 100.0)


def test_table_1_has_the_columns_of_the_test_sets_and_all_models_of_the_paper():
    tables = SCORES.tables(report_on(["gsu_instructor_ego_2d", "gsu_structure"], ["symbolic", "groups"]))
    walks, blocks = (table_called(tables, f"gsu_table_1_{name}") for name in ("walks", "blocks"))
    assert walks.headings[3:] == ("Instructor ego",)
    assert blocks.headings[3:] == (
        "Structure spatial", "Structure color", "Structure number", "Structure shape"
    )  # fmt: skip
    assert [line.cells[0] for line in walks.lines] == ["symbolic", "groups", *(model.name for model in TABLE_1)]
    gemini = next(line for line in blocks.lines if line.cells[0] == "Gemini-3-Pro")
    assert gemini.paper and [score.value for score in gemini.cells[3:]] == [79.67, 97.83, 87.45, 90.68]
    assert {line.cells[2] for line in walks.lines if line.paper} == {"prompted", "full fine-tuning", "LoRA"}
    ours = next(line for line in walks.lines if line.cells[0] == "symbolic")
    assert ours.cells[1:3] == ["ours", "baseline"] and not ours.paper


def test_table_8_has_distances_where_the_paper_has_them():
    tables = SCORES.tables(report_on(["gsu_follower_ego_3d"], ["constant"]))
    distances = table_called(tables, "gsu_table_8")
    assert cell(distances, "GPT-4o", "Follower ego 3D") == Value(1.40, digits=2)
    assert cell(distances, "constant", "Follower ego 3D").value > 1
    assert "Llama-70b" not in {line.cells[0] for line in distances.lines}  # Table 8 leaves it out
    assert table_called(tables, "gsu_table_1_walks").paper == "sidhu2026gsu"


def test_configs_outside_table_1_have_a_table_of_their_own_without_the_paper():
    report = report_on(["gsu_combined", "gsu_follower_cardinal_3d"], ["symbolic"])
    names = [table.name for table in SCORES.tables(report)]
    assert names == ["gsu_walks", "gsu_directions", "gsu_groups"]
    assert not any("paper" in remark for remark in remarks(report))


def test_scores_by_group_are_those_of_the_items_of_the_group():
    report = report_on(["gsu_follower_ego_2d", "gsu_structure"], ["cardinal-reader", "empty"])
    table = table_called(SCORES.tables(report), "gsu_groups")
    assert table.headings == ("Test set", "Group", "Items", "cardinal-reader", "empty")
    groups = [line.cells[1] for line in table.lines]
    assert groups == ["1 step", "2 steps", "3 steps", "4 steps", "all items",
                      "simple", "cohesive", "composite", "all items"]  # fmt: skip
    one_step = table.lines[0]
    assert one_step.cells[0] == "gsu_follower_ego_2d" and one_step.cells[3] == Value(1.0, digits=2)
    simple, composite = table.lines[5], table.lines[7]
    assert simple.cells[4] == Value(25.0) and composite.cells[4] == Value(0.0)  # no relation is right, or wrong


def test_a_terminal_of_any_width_shows_every_number():
    test = test_set("gsu_structure")
    results = [result_of(test, name) for name in ("groups", "cardinal-reader")]
    for width in (40, 60, 80, 200):
        console = Console(file=io.StringIO(), width=width, color_system=None)
        console.print(score_report(test, results, FEW), crop=False)
        shown = console.file.getvalue()
        for word in ("Spatial", "spatial", "Color", "Number", "Shape", "Exact", "Score"):
            assert word in shown, (width, word)
        assert "…" not in shown and "labels: none needed (synthetic)" in shown
        number = f"{100 * results[0].scores['structure_number']:.1f}"
        assert number in shown
        if width >= 60:
            tables = shown.partition("Structures, percent")[0].splitlines()
            assert max(map(len, tables)) <= width


def test_the_mean_of_runs_has_mean_groups_and_their_spread():
    test = test_set("gsu_follower_ego_2d", 8)
    right = baseline_predictions("symbolic", test.rows, GSU)
    runs = [result_of(test, f"a ({n})", texts, 0) for n, texts in ((1, right), (2, [""] * 8))]
    mean = mean_of_runs("a", runs)
    assert mean.scores["groups"]["follower/1"]["accuracy"] == mean.scores["follower_accuracy"] == 0.5
    assert mean.scores["groups"]["follower/1"]["n_items"] == 2 and mean.scores["signature"]
    assert SCORER.aggregate(mean.items)["follower_accuracy"] == 0.5  # counts of both, added up
    console = Console(file=io.StringIO(), width=100, color_system=None)
    console.print(score_report(test, [mean], Resampling(0)))
    assert "0.50" in console.file.getvalue() and "± 0.71" in console.file.getvalue()
    single = result_of(test, "b", right, 0)
    difference = paired_test(SCORER, single, mean, FEW)["follower_accuracy"]
    assert difference["a"] == 1 and difference["b"] == 0.5 and difference["difference"] == 0.5


def test_systems_are_tested_against_the_first():
    report = report_on(["gsu_instructor_ego_2d", "gsu_structure"], ["cardinal-reader", "symbolic"])
    walks, structures = paired_tests(SCORES, report).lines
    assert walks.cells[:3] == ["gsu_instructor_ego_2d", "symbolic", "Accuracy"] and walks.cells[3].startswith("+0.")
    assert structures.cells[2:] == ["Score %", "+0.0", "+0.0 to +0.0", "1.000"]
    assert paired_tests(SCORES, report_on(["gsu_structure"], ["symbolic", "groups"], Resampling(0))) is None


def test_several_tasks_in_one_split_have_a_table_each_and_one_for_all():
    rows = gsu_rows("gsu_card2ego_2d", 4, "test") + gsu_rows("gsu_structure", 6, "test")
    test = ScoredSplit(GSU, "gsu", "test_gsu_card2ego_2d+test_gsu_structure", rows, len(rows))
    report = Report([test], [System("symbolic", results={test.key: result_of(test, "symbolic")})], "symbolic", FEW)
    assert [table.headings[0] for table in tables_of_scores(report)] == ["Card2Ego", "Structure", "System"]
    every = tables_of_scores(report)[-1]
    assert every.lines[0].cells == ["symbolic", "10", Value(100.0, 100.0, 100.0)]
    assert {line.cells[0] for line in table_called(SCORES.tables(report), "gsu_groups").lines} == {
        f"{test.title}: card2ego", f"{test.title}: structure"
    }  # fmt: skip


def test_notes_are_about_the_columns_that_are_shown():
    sentences = " ".join(remarks(report_on(["gsu_structure"], ["symbolic"])))
    assert "last two columns of Table 1 are lost" in sentences and "about 67 percent" in sentences
    assert "Source ours: computed here" in sentences and "FlanT5: Table 6" not in sentences
    sentences = " ".join(remarks(report_on(["gsu_follower_ego_2d"], ["symbolic"])))
    assert "FlanT5: Table 6" in sentences and "columns of Table 1 are lost" not in sentences
    assert "Walks, 0 to 1" in sentences and "Structures, percent" not in sentences


def test_markdown_and_latex_have_the_decimals_and_cite_the_paper_of_gsu():
    report = report_on(["gsu_follower_ego_2d"], ["symbolic", "cardinal-reader"])
    tables, notes = SCORES.tables(report), remarks(report)
    markdown = formats.markdown(tables, notes, report.signatures)
    assert "| symbolic | ours | baseline | 1.00 (1.00–1.00) |" in markdown
    assert "| *GPT-4o* | *paper* | *prompted* | *0.71* |" in markdown
    latex = formats.latex(tables, notes, report.signatures)
    assert r"As Table 1 of \citet{sidhu2026gsu}: walks, accuracy from 0 to 1." in latex
    assert "jayannavar2025bapv2: " not in latex and latex.count(r"\begin{table}") == len(tables)


def test_the_csv_has_the_scores_of_groups_too():
    test = test_set("gsu_follower_ego_2d")
    lines = list(csv.DictReader(io.StringIO(scores_csv([(test, result_of(test, "symbolic"))]))))
    values = {line["score"]: line["value"] for line in lines}
    assert values["follower_accuracy"] == "1.0" and values["groups.follower/2.accuracy"] == "1.0"


def test_per_item_says_what_is_right():
    (row,) = gsu_rows("gsu_follower_ego_2d", 1, "test")
    (item,) = SCORER.score_items([f"Answer: {row['answer']}"], [SCORER.reference_of(row)])
    assert SCORES.item_record(row, item, "") == {
        "task": "follower", "frame": "egocentric", "group": row["group"], "right": True, "score": 1, "accuracy": 1,
        "distance": 0.0, "unparsed": 0, "answer": row["answer"],
    }  # fmt: skip


# --- The commands.
@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An HF_HOME with three configs of twelve items."""
    folder = tmp_path_factory.mktemp("gsu")
    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, folder)
        for split in SIZES:
            patch.setitem(SIZES, split, 12)
        for config in ("gsu_follower_ego_2d", "gsu_structure"):
            install.install_dataset(config)
        yield folder


@pytest.fixture
def bap(home, tmp_path, monkeypatch, capsys):
    for config in ("gsu_follower_ego_2d", "gsu_structure"):
        rows = gsu_rows(config, 12, "test")
        for run in (1, 2):
            answers = [
                {"id": row["id"], "prediction": row["completion"] if n % (run + 1) else "no idea"}
                for n, row in enumerate(rows)
            ]
            save_rows(tmp_path / f"{config}-{run}.jsonl", answers)
    return command(monkeypatch, capsys, home, tmp_path, width=150)


def test_score_knows_the_test_set_by_the_ids(bap, tmp_path):
    code, out, err = bap("score", "gsu_follower_ego_2d-1.jsonl", "--baseline", "cardinal-reader", "--resamples", 20)
    assert code == 0, err
    assert "gsu_follower_ego_2d, test: 1, cardinal-reader" in out and "1 step" in out and "0.50" in out
    assert "1: 6 unparsed answers" in out and "signature: bap_v2_gsu|" in out


def test_runs_of_a_system_and_parts_of_the_joint_config(bap, tmp_path):
    runs = ("A=gsu_structure-1.jsonl", "A=gsu_structure-2.jsonl")
    assert re.match(r"score [\d.]+ ± [\d.]+ \(2 runs\) A", bap("score", *runs, "--brief")[1])
    (tmp_path / "joint.jsonl").write_bytes((tmp_path / "gsu_structure-1.jsonl").read_bytes())
    settings = {"dataset_config": "gsu", "split": "test_gsu_structure"}
    (tmp_path / "joint.jsonl.settings.json").write_text(json.dumps(settings))
    code, out, err = bap("report", "joint.jsonl", "B=gsu_structure-2.jsonl", "--resamples", 0)
    assert code == 0 and "Differences" not in out and re.search(r"gsu_structure +│ joint", out), err


def test_report_of_files_and_of_baselines_alone(bap, tmp_path):
    files = ("M=gsu_structure-1.jsonl", "M=gsu_follower_ego_2d-1.jsonl")
    code, out, err = bap("report", *files, "--baseline", "groups", "--out", "folder", "--resamples", 20)
    assert code == 0, err
    assert "Table 1: walks" in out and "Table 1: blocks" in out and "Gemini-3-Pro" in out
    assert "Differences from M: paired bootstrap" in out
    text = (tmp_path / "folder" / "report.md").read_text()
    assert "Scores by number of steps, heading and class" in text
    assert (tmp_path / "folder" / "scores" / "M" / "gsu_structure-test.json").exists()
    code, out, err = bap("report", "--baseline", "groups", "--baseline", "symbolic", "--resamples", 0)
    assert code == 0 and "Follower ego 2D" in out and "Card2Ego" not in out, err  # those that are set up


@pytest.mark.parametrize(
    ("line", "complaint"),
    cases_of(__file__, "errors"),
)
def test_what_cannot_be_is_said(line, complaint, bap):
    code, _, err = bap(*line)
    assert code == 1 and complaint in err


def test_a_session_scores_and_compares_as_the_commands_do():
    rows = gsu_rows("gsu_card2ego_2d", 12, "test")
    one, other = (evaluate_model(name, data=rows, n_resamples=50) for name in ("symbolic", "cardinal-reader"))
    assert one.scores["card2ego_accuracy"] == 1 and one.labels == "none (own data)"
    comparison = one.compare(other)
    assert comparison.difference > 0 and "Accuracy" in str(comparison)
    assert one._repr_html_().startswith("<table>") and comparison._repr_html_().startswith("<table>")
