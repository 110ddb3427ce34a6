"""Scores of Plancraft: episodes are played once more by the rules, baselines play, tables stand beside the paper's."""

import json

import pytest
from in_process import use_home
from plancraft_package import needs_package

from bap_v2_dataset.evaluation.answered_splits import read_files, read_files_for
from bap_v2_dataset.evaluation.report import scored_report
from bap_v2_dataset.evaluation.report_tables import remarks
from bap_v2_dataset.evaluation.results import Resampling
from bap_v2_dataset.evaluation.scoring import scored_split
from bap_v2_dataset.loading import install
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tasks.plancraft import scorer as plancraft_scoring
from bap_v2_dataset.tasks.plancraft.paper import TABLE_2
from bap_v2_dataset.tasks.plancraft.policies import BASELINES, POLICIES
from bap_v2_dataset.tasks.plancraft.rows import task_row
from bap_v2_dataset.tasks.plancraft.tables import tables
from bap_v2_dataset.tasks.plancraft.task import PLANCRAFT
from bap_v2_dataset.tasks.plancraft.task_files import records

needs_package()

NO_INTERVALS = Resampling(0)
SMALL = "test_small"
# Section by difficulty, overall, impossible F1 and turns, measured once: policies of the test split.
MEASURED = {
    "oracle": (1.0, 1.0, 1.0, 1.0, 1.0, 8.735),
    "one-recipe": (0.915, 0.79, 0.0, 0.546, 0.478, 3.59),
    "always-impossible": (0.0, 0.0, 0.0, 0.0, 0.294, 1.0),
    "random": (0.015, 0.0, 0.0, 0.006, None, 29.85),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Caches with the tasks."""
    path = tmp_path_factory.mktemp("plancraft_home")
    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, path)
        install.install_dataset("plancraft")
    return path


@pytest.fixture(autouse=True)
def tasks_set_up(home, monkeypatch):
    use_home(monkeypatch, home)


@pytest.fixture(scope="module")
def small():
    """The tasks of the small test split, by id."""
    return {record["id"]: task_row(record) for record in records(SMALL)}


def episode(task, name="oracle"):
    return json.loads(BASELINES[name](task))


@pytest.fixture
def write(tmp_path, small):
    """Writes a file of episodes with its settings."""

    def written(name="oracle", policy="oracle", settings=(("tools", "M S I"),), runs=(1,), changed=lambda line: line):
        tools = dict(settings).get("tools", "I")
        lines = [
            changed({"id": task["id"], "run": run, "prediction": episode(task, policy)})
            for run in runs
            for task in small.values()
            if "I" in tools.split() or not task["impossible"]
        ]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines if line))
        record = {"dataset_config": "plancraft", "split": SMALL, "model": name, **dict(settings)}
        path.with_name(f"{path.name}.settings.json").write_text(json.dumps(record))
        return path

    return written


def scores_of(*paths, **options):
    config, split, files = read_files_for(list(map(str, paths)))
    return scored_split(PLANCRAFT, config, split, files, resampling=NO_INTERVALS, **options)


@pytest.mark.slow
def test_baselines_have_the_scores_that_were_measured():
    names = [name for name in POLICIES if name != "batched"]
    _, results, notes = scored_split(PLANCRAFT, "plancraft", "test", [], names, resampling=NO_INTERVALS)
    keys = ("easy_success", "medium_success", "hard_success", "success", "impossible_f1", "turns")
    for result in results:
        got = [None if result.scores[key] is None else round(result.scores[key], 3) for key in keys]
        assert got == pytest.approx(list(MEASURED[result.name]), abs=6e-3 if result.name == "one-recipe" else 5e-3)
    assert not notes


def test_a_file_scores_as_the_metric_scores_its_episodes(write, small):
    _, (result,), _ = scores_of(write())
    predictions = [episode(task) for task in small.values()]
    items = plancraft_scoring.score_items(predictions, list(small.values()), tools="M S I")
    assert result.items == items and result.scores["success"] == 1.0
    assert "tools:M+S+I" in result.signature


def test_runs_are_scored_together_and_their_spread_is_shown(write, small):
    failed = {"turns": ["impossible: no"], "success": False, "tokens": None}
    easy = next(task["id"] for task in small.values() if not task["impossible"])

    def one_fails(line):
        return {**line, "prediction": failed} if line["run"] == 2 and line["id"] == easy else line

    _, (result,), _ = scores_of(write(runs=(1, 2), changed=one_fails))
    solvable = sum(not task["impossible"] for task in small.values())
    assert len(result.runs) == 2 and result.scores["success"] == pytest.approx(1 - 1 / (2 * solvable))
    assert result.deviations["success"] == pytest.approx((1 / solvable) / 2**0.5)
    assert result.scores["impossible_precision"] == pytest.approx(40 / 41)


def test_without_the_tool_impossible_tasks_are_left_out(write):
    test, (result,), _ = scores_of(write(settings=(("tools", "M S"),)))
    assert len(result.counted_items) == 97 and len(test.rows) == 117
    assert result.scores["success"] == 1.0 and result.scores["impossible_f1"] is None
    without_settings = write("bare", settings=(("tools", "M S"),))
    without_settings.with_name("bare.jsonl.settings.json").unlink()
    files = read_files_for([str(without_settings)], "plancraft", SMALL)[2]
    _, (bare,), _ = scored_split(PLANCRAFT, "plancraft", SMALL, files, resampling=NO_INTERVALS)
    assert bare.scores["success"] == 1.0


def lies(line):
    return {**line, "prediction": {**line["prediction"], "success": True, "turns": line["prediction"]["turns"][:1]}}


def goes_on(line):
    return {**line, "prediction": {**line["prediction"], "turns": [*line["prediction"]["turns"], "think: done"]}}


@pytest.mark.parametrize(
    "settings, changed, message",
    [
        ((("tools", "M S"),), lies, "success is True, but played by the rules it is False"),
        ((("tools", "M S T I"),), goes_on, "goes on after turn"),
        ((("tools", "M S X"),), lambda line: line, "tools is 'M S X'"),
        ((("tools", "M S I"), ("reading", "free")), lambda line: line, "reading is 'free'"),
        ((("tools", "M S I"), ("max_steps", 0)), lambda line: line, None),
        ((("tools", "M S I"), ("max_steps", 2)), lambda line: line, "goes on after turn 2"),
        ((("tools", "M S I"),), lambda line: {**line, "prediction": "move: from [I1]"}, "is no episode"),
        ((("tools", "M S I"),), lambda line: {**line, "run": 0}, '"run" is 0'),
        ((("tools", "M S I"),), lambda line: None if line["id"].endswith("7") else line, "no prediction for"),
    ],
)
def test_what_is_not_an_episode_is_an_error_that_says_why(write, settings, changed, message):
    path = write(settings=settings, changed=changed)
    if message is None:
        assert scores_of(path)[1][0].scores["success"] == 1.0
        return
    with pytest.raises(PredictionError) as error:
        scores_of(path)
    assert message in str(error.value) and (path.name in str(error.value) or "settings" in str(error.value))


def test_a_part_is_scored_alone_or_with_failures_for_the_rest(write):
    def half(line):
        return line if int(line["id"][-2:]) % 2 else None

    path = write(changed=half)
    test, (alone,), _ = scores_of(path, subset=True)
    assert test.is_subset and alone.scores["success"] == 1.0
    _, (rest,), _ = scores_of(path, partial=True)
    assert rest.missing == 117 - len(test.rows) and 0 < rest.scores["success"] < 1
    with pytest.raises(PredictionError, match="mutually exclusive"):
        scores_of(path, partial=True, subset=True)


def test_dialogues_are_not_scored():
    with pytest.raises(PredictionError, match="--config plancraft"):
        scored_split(PLANCRAFT, "plancraft_oracle", "validation", [])


@pytest.mark.slow
def test_a_report_has_the_tables_of_the_paper_with_baselines_in_each():
    report = scored_report([], ["always-impossible", "random"], resampling=NO_INTERVALS)
    by_name = {table.name: table for table in tables(report)}
    all_tools = by_name["plancraft_table_2_plancraft_M_S_T_SE_I"]
    assert [line.cells[0] for line in all_tools.lines if not line.paper] == ["always-impossible", "random"]
    theirs = [line for line in all_tools.lines if line.paper]
    assert len(theirs) == sum(row.tools == "M S T SE I" for row in TABLE_2)
    llama = next(line.cells for line in theirs if line.cells[0] == "Llama 70B")
    assert [cell.value for cell in llama[2:6]] == [0.88, 0.82, 0.30, 0.65] and llama[-1] == "36.7k"
    acting = by_name["plancraft_table_2_plancraft_M_S"]
    assert [line.cells[0] for line in acting.lines if not line.paper] == ["random"]  # the other one gives up
    assert len(by_name["plancraft_tables_5_6_plancraft"].lines) == 2 + 16
    assert {"plancraft_table_3_plancraft", "plancraft_more_plancraft"} <= by_name.keys()
    sentences = " ".join(remarks(report))
    assert "impossible F1 of 0.29" in sentences and "issue #2" in sentences


def test_a_report_of_a_model_shows_its_tools_alone(write):
    path = write("model", settings=(("tools", "M S T SE I"), ("few_shot", False)))
    shown = [table.name for table in tables(scored_report(read_files([str(path)]), resampling=NO_INTERVALS))]
    assert f"plancraft_table_2_plancraft_{SMALL}_M_S_T_SE_I" in shown and len(shown) == 4
    assert f"plancraft_table_7_plancraft_{SMALL}" in shown
