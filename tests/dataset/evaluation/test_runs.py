"""Several runs of one system: which files are its runs, their mean and their spread."""

import json
import re
from pathlib import Path
from statistics import mean, stdev

import pytest
from small_test_sets import SPLITS, use_small_test_sets, write

import bap_v2_metric
from bap_v2_dataset.evaluation.answered_splits import read_files
from bap_v2_dataset.evaluation.report import scored_report
from bap_v2_dataset.evaluation.report_tables import remarks
from bap_v2_dataset.evaluation.results import Answers, Resampling, mean_of_runs, paired_test, scored
from bap_v2_dataset.evaluation.score_formats import to_json
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_metric.scoring import SCORER

pytestmark = pytest.mark.usefixtures("few_are_enough")

QUICK = Resampling(50)
LOGS = Path(__file__).parents[1] / "predictions" / "logs"


@pytest.fixture(autouse=True)
def small(monkeypatch):
    use_small_test_sets(monkeypatch)


def labels(*arguments: str) -> list[str]:
    return [file.label for file in read_files(arguments)]


def trained(folder: Path, seed: int, wrong: int = 0, **arguments) -> str:
    """Predictions for dss of a model that was trained with this seed."""
    training = {"output_dir": str(folder), "seed": seed, "learning_rate": 1e-4, **arguments}
    model = {"model_name_or_path": f"{folder}/new_model"}
    folder.mkdir(parents=True)
    (folder / "training_run.json").write_text(
        json.dumps({"dataset": {"config": "dss"}, "seed": seed, "arguments": {"training": training, "model": model}})
    )
    return write(folder / "dss.jsonl", "dss", wrong, {"model": str(folder), "representation": "n"})


# --- Which files are runs of one system.
def test_files_of_one_name_are_runs_of_one_system_unless_they_are_for_several_test_sets(tmp_path):
    files = [write(tmp_path / f"{number}.jsonl", "dss", number) for number in range(3)]
    assert labels(*(f"mine={file}" for file in files)) == ["mine (run 1)", "mine (run 2)", "mine (run 3)"]
    files = [write(tmp_path / f"{config}.jsonl", config) for config in ("dss", "dr")]
    assert labels(*(f"mine={file}" for file in files)) == ["mine", "mine"]


def test_models_that_differ_in_their_seed_are_runs(tmp_path):
    files = [trained(tmp_path / f"crafts-seed{seed}", seed) for seed in (1, 2)]
    assert labels(*files) == ["crafts (seed 1)", "crafts (seed 2)"]
    assert labels(f"one={files[0]}", files[1]) == ["one", "crafts-seed2"]
    assert labels(f"all={files[0]}", f"all={files[1]}") == ["all (seed 1)", "all (seed 2)"]


def test_models_that_differ_in_more_are_systems(tmp_path):
    files = [trained(tmp_path / "a", 1), trained(tmp_path / "b", 2, learning_rate=1e-3)]
    assert labels(*files) == ["a", "b"]
    files = [trained(tmp_path / "c", 3), trained(tmp_path / "d", 3)]  # the same twice: nobody knows why
    assert labels(*files) == ["c", "d"]


def test_models_that_started_from_models_of_several_seeds_are_runs(tmp_path):
    def second(name: str, start: Path, seed: int) -> str:
        file = trained(tmp_path / name, seed)
        record = json.loads((tmp_path / name / "training_run.json").read_text())
        record["arguments"]["bap"] = {"init_from": str(start)}
        (tmp_path / name / "training_run.json").write_text(json.dumps(record))
        return file

    for seed in (1, 2):
        trained(tmp_path / f"first-seed{seed}", seed)
    trained(tmp_path / "other", 2, learning_rate=1e-3)
    files = [second(f"second-seed{seed}", tmp_path / f"first-seed{seed}", seed) for seed in (1, 2)]
    assert labels(*files) == ["second (seed 1)", "second (seed 2)"]
    assert labels(files[0], second("else", tmp_path / "other", 2)) == ["second-seed1", "else"]


def test_decoding_with_several_seeds_gives_runs(tmp_path):
    settings = [{"model": "org/model", "temperature": 0.7, "seed": seed} for seed in (1, 2)]
    files = [write(tmp_path / str(n) / "dss.jsonl", "dss", 0, record) for n, record in enumerate(settings)]
    assert labels(*files) == ["model (seed 1)", "model (seed 2)"]


def test_builders_of_several_seeds_that_answer_from_samples_are_runs(tmp_path):
    def sampled(name: str, seed: int, decoding_seed: int) -> str:
        trained(tmp_path / name, seed)
        record = {"model": str(tmp_path / name), "model_type": "bap_pointer", "samples": 64, "seed": decoding_seed}
        return write(tmp_path / name / "dss.jsonl", "dss", seed, record)

    files = [sampled(f"pointer-seed{seed}", seed, 0) for seed in (1, 2)]
    assert labels(*files) == ["pointer (seed 1)", "pointer (seed 2)"]
    assert labels(files[0], sampled("other", 3, 7)) == ["pointer-seed1", "other"]  # other samples: not the seed alone


def test_repeats_and_epochs_of_a_log_are_runs():
    assert labels(str(LOGS / "bap_v2_dss_twice")) == ["answers (run 1)", "answers (run 2)"]
    assert labels(str(LOGS / "inspect_two_epochs.eval")) == ["answers (run 1)", "answers (run 2)"]
    assert labels(str(LOGS / "bap_v2_dss"), f"other={LOGS / 'inspect.eval'}") == ["answers", "other"]


def test_a_run_that_is_passed_twice_is_an_error(tmp_path):
    file = write(tmp_path / "a.jsonl", "dss")
    for arguments in ([file, file], [f"mine={file}", f"mine={file}"], 2 * [str(LOGS / "inspect_two_epochs.eval")]):
        with pytest.raises(PredictionError, match="was passed twice"):
            read_files(arguments)
    with pytest.raises(PredictionError, match=r"the standard input .* was passed twice"):
        read_files(["-", "-"])


def test_other_files_of_one_system_are_an_error_that_names_both_ways_out(tmp_path):
    files = [write(tmp_path / str(n) / "dss.jsonl", "dss", 0, {"model": "runs/a"}) for n in range(2)]
    fix = rf"name one of them, e\.g\. other={files[1]}; or both alike, .* a={files[0]} a={files[1]}"
    with pytest.raises(PredictionError, match=fix):
        read_files(files)


# --- Their mean and spread.
REFERENCES = [{"before": [], "after": ["red 0 1 0"]}, {"before": ["red 0 1 0"], "after": ["red 0 1 0", "blue 1 1 0"]}]
TEXTS = (["place red 0 1 0", "place blue 1 1 0"], ["place red 0 1 0", "no"], ["", "place blue 1 1 0\npick 5 5 5"])


def runs_of(texts, n_resamples: int = 0) -> list:
    return [
        scored(Answers(f"mine (run {n})", one, one), REFERENCES, SCORER, Resampling(n_resamples))
        for n, one in enumerate(texts, start=1)
    ]


def test_the_scores_of_runs_are_their_mean_with_the_sample_standard_deviation():
    runs = runs_of(TEXTS)
    result = mean_of_runs("mine", runs)
    f1 = [bap_v2_metric.score(texts, REFERENCES)["fairer_f1"] for texts in TEXTS]
    assert f1 == [1.0, pytest.approx(2 / 3), pytest.approx(2 / 3)]
    assert result.scores["fairer_f1"] == pytest.approx(mean(f1)) and result.scores["n_items"] == 2
    assert result.deviations["fairer_f1"] == pytest.approx(stdev(f1)) == pytest.approx(1 / 3 / 3**0.5)
    assert result.scores["unparsed_lines"] == pytest.approx(1 / 3)
    assert result.items[0]["fairer"] == {"tp": 2, "fp": 0, "fn": 1} and result.items[0]["empty_board"] is True


def test_equal_runs_have_the_scores_of_each_and_the_test_of_runs_is_that_of_their_mean_counts():
    single, other = runs_of(TEXTS[:2])
    same = mean_of_runs("mine", [single] * 3)
    assert same.scores == single.scores and set(same.deviations.values()) == {0.0}
    for base in (other, mean_of_runs("other", [other] * 2)):
        assert paired_test(SCORER, same, base, QUICK) == paired_test(SCORER, single, other, QUICK)
    # One item of two: 5 of 6 right actions in the mean of the runs against all in the other.
    test = paired_test(SCORER, mean_of_runs("mine", runs_of(TEXTS)), single, QUICK)["fairer_f1"]
    counts = bap_v2_metric.Counts(tp=4, fp=0, fn=2)
    assert test["a"] == counts.f1 and test["b"] == 1.0


def test_json_holds_the_mean_the_spread_and_every_run():
    (system,) = json.loads(to_json([mean_of_runs("mine", runs_of(TEXTS, 20))]))["systems"]
    assert [run["name"] for run in system["runs"]] == ["mine (run 1)", "mine (run 2)", "mine (run 3)"]
    assert system["standard_deviations"]["fairer_f1"] > 0 and not system["confidence_intervals"]
    assert all(run["confidence_intervals"] for run in system["runs"])


def test_plots_draw_the_spread_of_runs(tmp_path):
    plots = pytest.importorskip("bap_v2_dataset.tasks.building.plots", reason="the extra `report` is not installed")
    files = [f"mine={write(tmp_path / f'{n}.jsonl', 'dss', n)}" for n in (1, 3)]
    report = scored_report(read_files(files), resampling=Resampling(0))
    ((_, result),) = report.on(report.tests[0])
    ((value, bounds),) = plots._scores(report, report.tests[0], "fairer_f1")
    deviation = 100 * result.deviations["fairer_f1"]
    assert deviation > 0 and bounds == pytest.approx([value - deviation, value + deviation])
    svg = next(images["svg"] for _, name, images in plots.drawn(report, {}) if name == "overall")
    assert svg.startswith(b"<?xml")


def test_a_report_has_one_system_with_all_seeds(tmp_path):
    files = [trained(tmp_path / f"crafts-seed{seed}", seed, wrong=seed) for seed in (1, 2, 3)]
    report = scored_report(read_files(files), ["replay"], resampling=QUICK)
    assert [system.name for system in report.systems] == ["crafts", "replay"]
    assert report.systems[0].seeds == (1, 2, 3)
    ((_, result), _) = report.on(report.tests[0])
    texts = [
        ["" if n < wrong else row["completion"] for n, row in enumerate(SPLITS["dss", "test"])] for wrong in (1, 2, 3)
    ]
    f1 = [bap_v2_metric.score(one, SPLITS["dss", "test"])["fairer_f1"] for one in texts]
    assert result.scores["fairer_f1"] == pytest.approx(mean(f1))
    assert re.search(
        r"crafts: model .*crafts-seed1, .*; trained on dss; input N; seeds 1, 2, 3", "\n".join(remarks(report))
    )
