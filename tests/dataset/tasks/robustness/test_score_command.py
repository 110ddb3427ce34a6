"""`bap-v2 score` and `bap-v2 report` on robustness configs: families, what is not seen, originals, tests, errors."""

import csv
import io
import json
from pathlib import Path

import pytest
import small_robust_sets
from small_robust_sets import CONFIG, rows, splits, use_small_robust_set, write
from typer.testing import CliRunner

from bap_v2_dataset.api import score_file
from bap_v2_dataset.cli import app, console
from bap_v2_dataset.evaluation.answered_splits import read_files, read_files_for
from bap_v2_dataset.evaluation.model_evaluation import ComparisonError
from bap_v2_dataset.evaluation.results import Resampling
from bap_v2_dataset.evaluation.score_tables import against
from bap_v2_dataset.evaluation.scoring import scored_split
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tasks.building.baselines.rules import stack
from bap_v2_dataset.tasks.robustness.ids import family_of, parent_of, split_of_variant
from bap_v2_dataset.tasks.robustness.scores import SCORES
from bap_v2_dataset.tasks.robustness.scoring import unseen_variants
from bap_v2_dataset.tasks.robustness.task import ROBUSTNESS
from bap_v2_metric import robustness

pytestmark = pytest.mark.usefixtures("few_are_enough")

QUICK = ("--resamples", 20)
ORIGINALS = splits()["original"]


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    use_small_robust_set(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(console, "width", 160)


def run(*arguments: object, command: str = "score"):
    """Output, errors and exit code; an error of the user's is raised."""
    result = CliRunner().invoke(app, [command, *map(str, arguments)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def scores(*arguments: object) -> dict:
    """By system its scores, in percent where they are shares."""
    record = json.loads(run(*arguments, "--format", "json", "--resamples", 0).stdout)
    return {system["name"]: system["scores"] for system in record["systems"]}


def answers(split: str, baseline=stack) -> dict[str, str]:
    return {row["id"]: baseline(row) for row in rows(split)}


def half_right(split: str) -> dict[str, str]:
    """Right answers, but none to the variants of every third item."""
    wrong = {row["id"] for row in ORIGINALS[::3]}
    return {row["id"]: "" if family_of(row) and parent_of(row) in wrong else row["completion"] for row in rows(split)}


# --- What the scores are.
@pytest.mark.parametrize("split", ["original+spl", "original+spc_add+sa_turn", "probe"])
def test_the_scores_are_those_of_the_metric(split):
    write(Path("r.jsonl"), half_right(split), {"dataset_config": CONFIG, "split": split})
    references = [robustness.reference_of(row) for row in rows(split)]
    expected = robustness.aggregate(robustness.score_items(list(half_right(split).values()), references))
    (found,) = scores("r.jsonl").values()
    assert found.pop("signature").startswith(f"{expected.pop('signature')}|config:{CONFIG}|split:{split}|items:")
    assert found == expected
    assert 0 < found["all_robust_f1"] < found["all_standard_f1"] == 1.0


def test_a_folder_of_logs_of_originals_and_variants_is_scored_together():
    answered = half_right("original+spl+sa_turn")
    write(Path("one.jsonl"), answered)
    folder = Path("logs/org__m")
    folder.mkdir(parents=True)
    for name in ("original", "spl", "sa_turn"):
        ids = [row["id"] for row in rows(name)] if name != "original" else [row["id"] for row in ORIGINALS]
        samples = [{"doc": {"id": row_id}, "resps": [[answered[row_id]]], "filter": "none"} for row_id in ids]
        (folder / f"samples_{name}_2026-11-22T04-02-15.jsonl").write_text("\n".join(map(json.dumps, samples)))
    (folder / "results_2026-11-22T04-02-15.json").write_text('{"model_name": "org/m"}')
    expected = scores("one.jsonl")["one"]
    assert scores("logs")["m"] == scores("logs", "--config", CONFIG)["m"] == expected
    other = [{"doc": {"id": "dr-test-0/0"}, "resps": [["x"]], "filter": "none"}]  # of a test set that is not asked for
    (folder / "samples_dr_2026-11-22T04-02-15.jsonl").write_text("\n".join(map(json.dumps, other)))
    assert scores("logs", "--config", CONFIG)["m"] == expected


def test_a_line_stands_for_each_family_answered_and_for_all():
    write(Path("r.jsonl"), half_right("original+spl+sa_turn"))
    out = run("r.jsonl", *QUICK).stdout
    lines = [line.split("│")[1].strip() for line in out.split("Standard minus")[0].splitlines() if line.startswith("│")]
    assert [line for line in lines if line] == ["spl", "sa_turn", "All"]
    for heading in ("Items", "Variants", "Standard", "Perturbed", "Robust", "Rank", "Consistency"):
        assert heading in out
    assert "families:spl,sa_turn|variants:3,3" in out


def test_the_splits_are_those_of_the_settings_and_of_the_ids_without_them():
    answered = half_right("original+spl")
    write(Path("with.jsonl"), answered, {"dataset_config": CONFIG, "split": "original+spl+sa_turn"})
    write(Path("without.jsonl"), dict(reversed(answered.items())))
    write(Path("probe.jsonl"), half_right("probe"))
    assert read_files_for(["without.jsonl"])[:2] == (CONFIG, "original+spl")
    assert read_files_for(["probe.jsonl"])[:2] == (CONFIG, "probe")
    assert [(file.config, file.split) for file in read_files(["without.jsonl"])] == [(CONFIG, "original+spl")]
    with pytest.raises(PredictionError, match=r"no prediction for .*sa_turn.*--subset"):
        run("with.jsonl")
    run("with.jsonl", "--subset", *QUICK)


def test_a_family_can_be_chosen_and_so_many_variants():
    write(Path("r.jsonl"), half_right("original+spl+sa_turn"))
    (found,) = scores("r.jsonl", "--split", "sa_turn").values()
    assert "spl_robust_f1" not in found and found["sa_turn_n_variants"] == len(splits()["sa_turn"])
    (first,) = scores("r.jsonl", "--variants", 1).values()
    assert first["sa_turn_n_variants"] == first["sa_turn_n_items"] == len(ORIGINALS)
    assert first["spl_robust_f1"] >= scores("r.jsonl")["r"]["spl_robust_f1"]
    with pytest.raises(PredictionError, match=r"no split 'train'.*original, spl"):
        run("--config", CONFIG, "--split", "train", "--baseline", "stack")


def test_another_measure_is_shown_for_the_same_variants():
    write(Path("r.jsonl"), answers("original+spc_add"))
    plain, strict = (
        run("r.jsonl", "--measure", name, "--brief", "--resamples", 0).stdout.split() for name in ("fairer", "strict")
    )
    (found,) = scores("r.jsonl").values()
    assert strict[:2] == ["all_robust_strict_f1", f"{100 * found['all_robust_strict_f1']:.1f}"]
    assert plain[0] == "all_robust_fairer_f1"
    assert "worst for fairer F1" in run("r.jsonl", "--measure", "strict", *QUICK).stdout
    with pytest.raises(PredictionError, match="expected one of strict, fairer"):
        run("r.jsonl", "--measure", "exact")


# --- Originals.
def test_originals_may_stand_in_another_file():
    write(Path("r.jsonl"), {key: text for key, text in half_right("original+spl").items() if "~" in key})
    write(Path("base.jsonl"), ORIGINALS)
    write(Path("whole.jsonl"), half_right("original+spl"))
    with pytest.raises(PredictionError, match="--original FILE"):
        run("r.jsonl")
    with pytest.raises(PredictionError, match="--original FILE"):
        run("r.jsonl", "--partial")
    assert scores("r.jsonl", "--original", "base.jsonl")["r"] == scores("whole.jsonl")["whole"]
    assert scores("mine=r.jsonl", "mine=base.jsonl") == {"mine": scores("whole.jsonl")["whole"]}
    with pytest.raises(PredictionError, match="2 files for 1 prediction file"):
        run("r.jsonl", "--original", "base.jsonl", "--original", "whole.jsonl")
    with pytest.raises(PredictionError, match=r"whole.jsonl has answers to originals itself"):
        run("whole.jsonl", "--original", "base.jsonl")
    write(Path("few.jsonl"), ORIGINALS[1:])
    with pytest.raises(PredictionError, match="no prediction for 1 of"):
        run("r.jsonl", "--original", "few.jsonl")
    write(Path("other.jsonl"), {"dr-test-0/0": ""})
    with pytest.raises(PredictionError, match="answers none of the 16 originals"):
        run("r.jsonl", "--original", "other.jsonl")


def test_the_probe_takes_its_originals_from_those_of_all_items():
    write(Path("r.jsonl"), {key: text for key, text in half_right("probe").items() if "~" in key})
    write(Path("base.jsonl"), ORIGINALS)
    write(Path("whole.jsonl"), half_right("probe"))
    expected = scores("whole.jsonl")["whole"]
    assert expected["all_n_items"] == 2
    assert scores("r.jsonl", "--original", "base.jsonl")["r"] == expected
    assert scores("x=r.jsonl", "x=base.jsonl")["x"] == expected
    out = run("x=r.jsonl", "x=base.jsonl", "--format", "csv", "--resamples", 0, command="report").stdout
    lines = {(line["config"], line["split"]): line for line in csv.DictReader(io.StringIO(out))}
    assert lines.keys() == {("dss", "test"), (CONFIG, "probe")}


def test_originals_of_another_model_are_refused():
    settings = {"dataset_config": CONFIG, "split": "spl", "model": "a", "representation": "n"}
    write(Path("r.jsonl"), rows("spl"), settings)
    write(Path("base.jsonl"), ORIGINALS, settings | {"dataset_config": "dss", "split": "test", "model": "b"})
    with pytest.raises(PredictionError, match=r"model is 'b', and 'a' for r\.jsonl"):
        run("r.jsonl", "--original", "base.jsonl")


def test_originals_alone_are_no_robustness_test():
    write(Path("r.jsonl"), ORIGINALS, {"dataset_config": CONFIG, "split": "original"})
    with pytest.raises(PredictionError, match=r"answers no variants of robust_dss.*score it on dss"):
        run("r.jsonl")


def test_with_subset_variants_without_their_original_are_left_out():
    answered = half_right("original+spl")
    first = ORIGINALS[0]["id"]
    lost = [row for row in rows("spl") if parent_of(row) == first]
    write(Path("r.jsonl"), {key: text for key, text in answered.items() if key != first})
    result = run("r.jsonl", "--subset", *QUICK)
    assert f"left out {len(lost)} prediction" in result.stderr
    whole = {key: text for key, text in answered.items() if key != first and key not in {row["id"] for row in lost}}
    write(Path("less.jsonl"), whole)
    assert scores("r.jsonl", "--subset")["r"] == scores("less.jsonl", "--subset")["less"]


# --- Variants that are not seen.
def test_a_variant_whose_prompt_is_that_of_its_original_is_left_out():
    settings = {"dataset_config": CONFIG, "split": "original+spg+spp+spl", "model": "m"}
    texts = half_right(settings["split"])
    found = {}
    for name in ("n", "n_posb", "n_posb_s"):
        write(Path(f"{name}.jsonl"), texts, settings | {"representation": name})
        found |= {name: next(iter(scores(f"{name}.jsonl").values()))}
    assert "spg_robust_f1" not in found["n"] and "spp_robust_f1" not in found["n"]
    assert "spg_robust_f1" in found["n_posb"] and "spp_robust_f1" not in found["n_posb"]
    assert found["n_posb_s"]["spp_n_variants"] == len(splits()["spp"])
    assert found["n"]["all_n_variants"] == found["n"]["spl_n_variants"] == len(splits()["spl"])
    out = run("n.jsonl", *QUICK).stdout
    assert f"spg {len(splits()['spg'])} of {len(splits()['spg'])}, spp" in out
    (line,) = [line for line in out.splitlines() if line.startswith("│ spg")]
    assert line.count("–") == 8
    write(Path("gru.jsonl"), texts, settings | {"model_type": "bap_gru"})
    assert "not seen" not in run("gru.jsonl", "--baseline", "stack", *QUICK).stdout


def test_lines_of_the_history_that_a_system_does_not_read_are_not_seen(monkeypatch):
    own = rows("original+spp_history")
    table = small_robust_sets.datasets.Dataset.from_list(own)
    assert not unseen_variants(table, own, "n")
    assert len(unseen_variants(table, own, "n", 0)) == len(splits()["spp_history"])


def test_a_system_that_sees_nothing_has_no_score():
    settings = {"dataset_config": CONFIG, "split": "original+spg", "model": "m", "representation": "n"}
    write(Path("r.jsonl"), half_right("original+spg"), settings)
    assert run("r.jsonl", "--brief", *QUICK).stdout == "all_robust_f1 – m/r\n"
    assert "–" in run("r.jsonl", *QUICK).stdout
    assert run("r.jsonl", "--fail-under", 1, *QUICK).exit_code == 3


# --- Several systems and runs.
def test_several_systems_stand_in_blocks_and_are_tested_against_the_first():
    write(Path("a.jsonl"), half_right("original+spl+sa_turn"))
    write(Path("b.jsonl"), rows("original+spl"))  # another set of families
    out = run("a.jsonl", "b.jsonl", "--baseline", "stack", *QUICK).stdout
    assert "Against a (paired" in out and "Standard minus robust F1" in out
    found = scores("a.jsonl", "b.jsonl")
    assert "sa_turn_robust_f1" in found["a"] and "sa_turn_robust_f1" not in found["b"]
    assert found["b"]["spl_robust_f1"] == 1.0
    assert found["a"] == scores("a.jsonl")["a"]


def test_the_paired_test_is_that_of_the_metric():
    write(Path("a.jsonl"), half_right("original+spl"))
    config, split, files = read_files_for(["a.jsonl"])
    _, (a, b), _ = scored_split(ROBUSTNESS, config, split, files, ["stack"], resampling=Resampling(50))
    line = against(SCORES, [b], a, Resampling(50)).lines[0]
    test = robustness.paired_bootstrap(b.items, a.items, 50)["spl_robust_f1"]
    assert line.cells[2] == f"{100 * test['difference']:+.1f}"
    assert line.cells[4] == f"{test['p_value']:.3f}"


def test_runs_of_a_system_have_means_and_deviations():
    write(Path("1.jsonl"), half_right("original+spl"))
    write(Path("2.jsonl"), rows("original+spl"))
    out = run("x=1.jsonl", "x=2.jsonl", "--baseline", "stack", *QUICK).stdout
    one, two = scores("1.jsonl")["1"], scores("2.jsonl")["2"]
    mean = (one["all_robust_f1"] + two["all_robust_f1"]) / 2
    assert scores("x=1.jsonl", "x=2.jsonl")["x"]["all_robust_f1"] == pytest.approx(mean)
    assert f"{100 * mean:.1f}" in out and "±" in out and "mean of 2 runs" in out


def test_runs_of_a_system_count_the_variants_that_all_of_them_see():
    settings = {"dataset_config": CONFIG, "split": "original+spg+spl", "model": "m"}
    texts = half_right(settings["split"])
    write(Path("n.jsonl"), texts, settings | {"representation": "n"})
    write(Path("unknown.jsonl"), texts)
    for runs in (("x=n.jsonl", "x=unknown.jsonl"), ("x=unknown.jsonl", "x=n.jsonl")):
        result = run(*runs, "--baseline", "stack", *QUICK)
        assert (
            result.exit_code == 0 and f"left out {len(splits()['spg'])} variants that another run of x" in result.stderr
        )
        assert scores(*runs)["x"] == pytest.approx(scores("n.jsonl")["m/n"])


def test_parts_of_a_system_that_answer_the_same_item_are_refused():
    write(Path("a.jsonl"), rows("original+spl"))
    write(Path("b.jsonl"), rows("original+sa_turn"))
    with pytest.raises(PredictionError, match=r"a.jsonl and b.jsonl both answer .* as the system 'x'"):
        run("x=a.jsonl", "x=b.jsonl")


# --- Forms of the output.
@pytest.mark.parametrize("width", [60, 200])
def test_nothing_is_cut_in_a_narrow_terminal(monkeypatch, width):
    write(Path("r.jsonl"), answers("original+spl+spp+spp_history"))
    monkeypatch.setattr(console, "width", width)
    monkeypatch.setattr(console, "_force_terminal", True)
    out = run("r.jsonl", "--baseline", "symbolic", *QUICK).stdout
    assert "…" not in out
    for text in ("spp_history", "Standard", "Consistency", "symbolic"):
        assert text in out


def test_scores_of_items_tell_variant_and_original_apart():
    write(Path("r.jsonl"), half_right("original+spl"))
    run("r.jsonl", "--per-item", "items.jsonl", *QUICK)
    run("r.jsonl", "--per-item", "items.jsonl", *QUICK)  # may be replaced
    records = [json.loads(line) for line in Path("items.jsonl").read_text().splitlines()]
    assert [record["id"] for record in records] == [row["id"] for row in rows("original+spl")]
    kinds = {(record["family"], record["variant"]) for record in records}
    assert kinds == {("", 0), ("spl", 1), ("spl", 2), ("spl", 3)}
    variant = next(record for record in records if record["family"])
    assert variant["parent"] != variant["id"] and variant["consistent"] in (True, False) and variant["seen"] is True


def test_targets_are_drawn_with_all_variants_of_their_items():
    write(Path("r.jsonl"), half_right("original+sa_turn"))
    config, split, files = read_files_for(["r.jsonl"])
    test, (result,), _ = scored_split(ROBUSTNESS, config, split, files, resampling=Resampling(20, unit="target"))
    by_id = {row["id"]: cluster for row, cluster in zip(test.rows, result.clusters)}
    assert all(by_id[parent_of(row)] == by_id[row["id"]] for row in test.rows)
    assert f"over {small_robust_sets.GAMES} targets" in run("r.jsonl", "--unit", "target", *QUICK).stdout


@pytest.mark.parametrize("option", [("--original", "x.jsonl"), ("--variants", "1"), ("--measure", "strict")])
def test_options_of_robustness_configs_are_for_them_alone(option):
    write(Path("base.jsonl"), ORIGINALS)
    with pytest.raises(PredictionError, match=f"{option[0]} is for robustness configs .*dss is none"):
        run("base.jsonl", *option)


# --- The report.
def test_the_report_has_a_section_and_what_the_paper_reports_apart():
    write(Path("r.jsonl"), half_right("original+spl+sa_turn"))
    out = run("r.jsonl", "--baseline", "stack", "--format", "markdown", *QUICK, command="report").stdout
    parts = {part.splitlines()[0]: part for part in out.split("### ") if part}
    (ours,) = [part for title, part in parts.items() if title == "Robustness on dss"]
    found = scores("r.jsonl")["r"]
    assert f"{100 * found['spl_robust_f1']:.1f} (100.0)" in ours and "mean rank" in ours
    assert not any(number in ours for number in ("48.89", "42.08"))
    (table_1,) = [part for title, part in parts.items() if "Table 1" in title]
    assert "Blocks World, other measure" in table_1 and "*42.08*" in table_1 and "stack" not in table_1


def test_a_report_finds_the_originals_among_the_files_of_the_system(tmp_path):
    write(Path("r.jsonl"), rows("spl"))
    with pytest.raises(PredictionError, match="in a report as another file"):
        run("x=r.jsonl", *QUICK, command="report")
    write(Path("base.jsonl"), ORIGINALS)
    out = run("x=r.jsonl", "x=base.jsonl", "--format", "csv", "--resamples", 0, command="report").stdout
    lines = list(csv.DictReader(io.StringIO(out)))
    assert {line["config"] for line in lines} == {"dss", CONFIG}
    assert [line["value"] for line in lines if line["score"] == "spl_robust_f1"] == ["1.0"]


@pytest.mark.slow
def test_the_folder_of_a_report_holds_all(tmp_path):
    write(Path("r.jsonl"), half_right("original+spl+sa_turn"))
    run("r.jsonl", "--out", "report", *QUICK, command="report")
    record = json.loads(Path("report/report.json").read_text())
    bins = [part for part in record["tests"][0]["errors"] if part["dimension"] == "perturbation"]
    assert [part["bin"] for part in bins] == ["none (original)", "spl", "sa_turn"]
    assert bins[1]["items"] == len(splits()["spl"]) and bins[0]["f1"] == [1.0]
    assert "Robustness on dss" in Path("report/report.md").read_text()


# --- From Python.
def test_files_are_scored_from_python_too():
    write(Path("r.jsonl"), rows("spl"))
    write(Path("base.jsonl"), ORIGINALS)
    evaluation = score_file(["r.jsonl", "base.jsonl"], name="mine", n_resamples=20)
    assert evaluation.scores["spl_robust_f1"] == 1.0 and evaluation.config == CONFIG
    assert "Consistency" in str(evaluation) and "Consistency" in evaluation._repr_html_()


def test_systems_that_see_no_variant_in_common_are_not_compared():
    settings = {"dataset_config": CONFIG, "split": "original+spg", "model": "m"}
    for name in ("n_posb", "n"):
        write(Path(f"{name}.jsonl"), answers("original+spg"), settings | {"representation": name})
    seen, unseen = (score_file(f"{name}.jsonl", n_resamples=50) for name in ("n_posb", "n"))
    with pytest.raises(ComparisonError, match="no item in common that both could answer"):
        seen.compare(unseen)
    assert "Against m/n_posb (paired" in run("n_posb.jsonl", "n.jsonl", *QUICK).stdout


# --- Where an id is from.
def test_ids_tell_their_config():
    for row in rows("spl+sa_turn"):
        assert split_of_variant(row["id"])[0] == CONFIG
    for other in ("dss-test-1/0", "dss-train-1~spl-1/0", "dss-seed7-test-1~spl-1/0", "dss-test-1~new-1/0", "mine"):
        assert split_of_variant(other) is None


def test_a_subset_without_a_variant_of_an_answered_original_is_an_error():
    first = ORIGINALS[0]
    texts = {row["id"]: "" for row in rows("original+spl") if row["id"] == first["id"]}
    texts |= {row["id"]: "" for row in rows("spl") if parent_of(row) != first["id"]}
    write(Path("r.jsonl"), texts)
    with pytest.raises(PredictionError, match=r"r\.jsonl .*no variant of .* originals that it answers: answer"):
        run("r.jsonl", "--subset", *QUICK)
