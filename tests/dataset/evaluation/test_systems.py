"""The answers of our systems that come with the package, and what stands beside them."""

import json

import pytest
from paths import ROOT
from simulated_rows import published_rows
from small_test_sets import SPLITS, use_small_test_sets, write
from typer.testing import CliRunner

from bap_v2_dataset.cli import app
from bap_v2_dataset.evaluation import systems
from bap_v2_dataset.evaluation.answered_splits import read_files
from bap_v2_dataset.evaluation.results import Resampling, ScoredSplit, scored
from bap_v2_dataset.interface.table import require_task
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tasks.building.written import written_shards

CONFIGS = list(dict.fromkeys(config for system in systems.catalog().values() for config in system["test_sets"]))
SLOW = ("dh", "dr", "mdc_v2", "written")


# --- What is packed.
@pytest.mark.parametrize("config", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in CONFIGS])
def test_answers_are_to_the_rows_of_today_and_score_what_is_said(config, request):
    if config == "mdc_v2":
        request.getfixturevalue("corpus")
    rows = [row for shard in written_shards("test") for row in shard.rows()] if config == "written" else None
    rows = rows or list(published_rows(config))
    task = require_task(config)
    test = ScoredSplit(task, config, "test", rows, len(rows))
    today, references = systems.made_on(test), list(map(task.scorer.reference_of, rows))
    for name, system in systems.catalog().items():
        if record := system["test_sets"].get(config):
            assert systems.stale_in(record, today) == [], f"{name}: let it answer again (docs/how_to/publish.md)"
            texts = systems.archived(name)[config]["predictions"]
            answers = task.scores.answers(rows, texts, name)
            score = scored(answers, references, task.scorer, Resampling(0)).scores["fairer_f1"]
            assert (len(texts), round(score, 6)) == (record["items"], record["score"]), name
    stack = list(map(task.baseline("stack"), rows))
    assert systems.archived("stack")[config]["predictions"] == stack, "the rule changed: pack it again"


def test_all_systems_are_small_and_whole_and_say_how_they_were_made():
    files = {path.name: path.stat().st_size for path in systems.FOLDER.iterdir()}
    assert files.keys() == {"systems.json", *(f"{name}.json.xz" for name in systems.catalog())}
    assert sum(files.values()) < 2_000_000
    for name, system in systems.catalog().items():
        assert all(system[key].strip() for key in systems.TOLD), name
        assert systems.archived(name).keys() == system["test_sets"].keys(), name
        assert not any(path in json.dumps(system) for path in ("/work", "/home", "/tmp")), name
    page = (ROOT / "docs" / "how_to" / "score_your_own_model.md").read_text()
    assert all(f"| `{name}` |" in page for name in systems.catalog())


# --- What stands beside them.
@pytest.fixture
def packed(monkeypatch, tmp_path):
    """One system, `rule`, with answers to the small test set of dss."""
    use_small_test_sets(monkeypatch)
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "systems"
    folder.mkdir()
    (folder / "systems.json").write_text("{}")
    monkeypatch.setattr(systems, "FOLDER", folder)
    systems.catalog.cache_clear()
    run("score", "--baseline", "stack", "--config", "dss", "--pack", "rule", "--resamples", 0)
    systems.catalog.cache_clear()
    yield
    systems.catalog.cache_clear()


def run(*arguments: object) -> str:
    """The output of a command that ends well; an error of the user's is raised."""
    result = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_system_beside_a_file_is_what_a_second_file_is(packed, tmp_path):
    mine, stack = write(tmp_path / "mine.jsonl", "dss", wrong=1), tmp_path / "rule.jsonl"
    texts = systems.archived("rule")["dss"]["predictions"]
    lines = [json.dumps({"id": row["id"], "prediction": text}) for row, text in zip(SPLITS["dss", "test"], texts)]
    stack.write_text("\n".join(lines) + "\n")
    expected = run("score", mine, stack)
    assert "p" in expected and "rule" in expected
    assert run("score", mine, "--beside", "rule") == run("score", mine, "rule") == expected
    assert run("score", mine, "--beside", "all") == expected
    assert run("report", mine, "--beside", "rule", "--format", "csv") == run("report", mine, stack, "--format", "csv")
    assert [file.system for file in read_files([mine], beside=["rule"])] == ["mine", "rule"]
    (alone,) = read_files(["rule"])
    assert alone.predictions == read_files([str(stack)])[0].predictions
    assert run("score", "rule", "--config", "dss", "--brief").endswith(" rule\n")
    run("score", mine, "--beside", "rule", "--fail-under", 50)  # asks one's own score alone
    half = tmp_path / "half.jsonl"
    half.write_text("\n".join(lines[:3]) + "\n")
    for command in ("score", "report"):
        assert "3 of " in run(command, half, "--beside", "rule", "--subset", "--resamples", 0)
    # Of two test sets it has answered one; and a baseline may have its name.
    both = run("score", mine, write(tmp_path / "dr.jsonl", "dr"), "--beside", "rule", "--format", "csv")
    assert sum(line.startswith(("rule,", "dss,test,rule,")) or ",rule," in line for line in both.splitlines()) > 0
    run("score", "--baseline", "stack", "--config", "dss", "--pack", "stack", "--resamples", 0)
    systems.catalog.cache_clear()
    for command in ("score", "report"):
        named = run(command, mine, "--baseline", "stack", "--beside", "all", "--format", "markdown", "--resamples", 0)
        assert "| stack |" in named and "| stack (of the package) |" in named
    with pytest.raises(PredictionError, match="--labels and --beside are mutually exclusive"):
        run("score", mine, "rule", "--labels", "all")


def test_systems_are_listed(packed):
    assert "rule" in run("score", "--systems")
    assert (
        json.loads(run("score", "--systems", "--json"))["rule"]["test_sets"]["dss"]["settings"]["baseline"] == "stack"
    )


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["dss", "--beside", "rul"], r"unknown system 'rul' \(expected one of rule, all\); did you mean rule\?"),
        (["dr", "--beside", "rule"], "rule has no answers to dr, test, only to the test sets of dss"),
    ],
)  # fmt: skip
def test_what_there_is_not_is_said(packed, tmp_path, arguments, message):
    config, *options = arguments
    with pytest.raises(PredictionError, match=message):
        run("score", write(tmp_path / "mine.jsonl", config), *options)


@pytest.mark.parametrize("column, named", [("dialogue", "rows"), ("after", "labels")])
def test_stale_answers_are_never_scored(packed, tmp_path, monkeypatch, column, named):
    mine = write(tmp_path / "mine.jsonl", "dss")
    first, *others = SPLITS["dss", "test"]
    changed = first | {column: [*first[column], "red 5 1 5" if column == "after" else "<Architect> now"]}
    monkeypatch.setitem(SPLITS, ("dss", "test"), [changed, *others])
    for arguments in (["--beside", "rule"], ["--beside", "all"]):
        with pytest.raises(PredictionError, match=rf"answers of rule to dss are stale, for its {named} changed since"):
            run("score", mine, *arguments)
