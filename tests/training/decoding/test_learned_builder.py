"""predict.py with Builders that are not language models: any batch size, resumed, from the Hub, wrong options."""

import json
import shutil
from pathlib import Path

import pytest
from answer_lines import lines_by_id
from case_tables import cases_of
from small_builders import ROWS as ALL_ROWS
from small_builders import save_builder

from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS
from bap_v2_metric import score_items
from bap_v2_metric.notation import parse_structure
from bap_v2_training import predict
from bap_v2_training.decoding import learned_builder
from bap_v2_training.decoding.bayes_risk import text_of
from bap_v2_training.decoding.predict_settings import SAMPLING
from bap_v2_training.errors import UsageError

ROWS = ALL_ROWS[::3]


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("data") / "items.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    return path


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> dict[str, Path]:
    return {kind: save_builder(tmp_path_factory.mktemp("models") / kind, kind) for kind in BUILDER_KINDS}


@pytest.fixture(params=BUILDER_KINDS)
def kind(request) -> str:
    return request.param


@pytest.fixture
def model(models, kind, tmp_path) -> Path:
    """A folder that the test may change."""
    return Path(shutil.copytree(models[kind], tmp_path / "builder"))


def predicted(model: Path, data: Path, output: Path, *options: str) -> dict[str, dict]:
    """The lines that predict.py writes, by id."""
    command = ["--model", str(model), "--data", str(data), "--out", str(output), *options]
    predict.main(predict.parse_arguments(command))
    return lines_by_id(output)


def test_the_answers_are_the_same_whatever_the_batch(model, data, tmp_path):
    one = predicted(model, data, tmp_path / "1.jsonl", "--batch_size", "1")
    assert one == predicted(model, data, tmp_path / "many.jsonl", "--batch_size", "100")
    assert one.keys() == {row["id"] for row in map(json.loads, data.read_text().splitlines())}
    assert len({line["prediction"] for line in one.values()}) > len(one) / 2
    assert {line["finished"] for line in one.values()} == {True, False}
    assert {tuple(line) for line in one.values()} == {("id", "prediction", "finished", "history_lines_dropped")}


def test_a_builder_is_not_given_the_answer(model, data, tmp_path, monkeypatch):
    of_type, given = type(learned_builder.load_builder(str(model))), []
    monkeypatch.setattr(of_type, "answers", lambda self, rows: [given.append(row) or ("", True) for row in rows])
    predicted(model, data, tmp_path / "x.jsonl")
    assert {tuple(sorted(row)) for row in given} == {("before", "dialogue", "history", "id", "pose")}


def test_what_was_stopped_is_resumed_with_the_same_answers(model, data, tmp_path, monkeypatch):
    whole = predicted(model, data, tmp_path / "whole.jsonl")
    of_type, batches = type(learned_builder.load_builder(str(model))), []
    answers = of_type.answers

    def interrupted(builder, rows):
        batches.append(len(rows))
        if len(batches) == 3:
            raise KeyboardInterrupt
        return answers(builder, rows)

    monkeypatch.setattr(of_type, "answers", interrupted)
    output = tmp_path / "stopped.jsonl"
    with pytest.raises(KeyboardInterrupt):
        predicted(model, data, output, "--batch_size", "5")
    before = output.read_bytes()
    assert before.count(b"\n") == 10
    output.write_bytes(before + b'{"id": "dss-te')  # what a kill in the middle of a line leaves
    assert predicted(model, data, output, "--batch_size", "7") == whole
    assert output.read_bytes().startswith(before) and sum(batches[3:]) == len(whole) - 10


def test_the_settings_say_which_model_answered_how_and_nothing_of_prompts(model, data, tmp_path):
    predicted(model, data, tmp_path / "a.jsonl", "--max_items", "5")
    settings = json.loads((tmp_path / "a.jsonl.settings.json").read_text())
    assert len(settings.pop("items_sha256")) == 64
    assert settings.pop("feasible_only", None) == (False if settings["model_type"] == "bap_gru" else None)
    sampling = dict.fromkeys(("samples", "temperature", "seed", "min_probability"))
    if settings["model_type"] == "bap_ensemble":
        sampling = {"samples": None, "temperature": 1.0, "seed": 0, "min_probability": 0.05, "probability_version": 2}
    assert settings == sampling | {
        "model": str(model), "model_type": json.loads((model / "config.json").read_text())["model_type"],
        "dataset_config": None, "dataset_path": str(data), "split": "test", "max_items": 5, "dtype": "float32",
        "max_actions": None, "model_finished": None,
    }  # fmt: skip


def test_an_answer_ends_after_so_many_actions(model, kind, data, tmp_path):
    free = predicted(model, data, tmp_path / "free.jsonl")
    short = predicted(model, data, tmp_path / "short.jsonl", "--max_actions", "1")
    if kind == "bap_ensemble":  # of each member: together they may give more
        lengths = [sum(len(line["prediction"]) for line in lines.values()) for lines in (short, free)]
        assert lengths[0] < lengths[1]
        return
    for name, line in short.items():
        lines = line["prediction"].splitlines()
        net = sum(1 if action.startswith("place") else -1 for action in lines)
        assert len(lines) <= 1 if kind == "bap_gru" else abs(net) <= 1
        if kind == "bap_gru":
            assert lines == free[name]["prediction"].splitlines()[:1]
        assert line["finished"] <= free[name]["finished"]


def test_a_gru_can_choose_among_feasible_actions(models, data, tmp_path):
    model = models["bap_gru"]
    free = predicted(model, data, tmp_path / "free.jsonl")
    feasible = predicted(model, data, tmp_path / "feasible.jsonl", "--feasible_only", "true")
    infeasible = [
        sum(
            score["infeasible_actions"] for score in score_items([lines[row["id"]]["prediction"] for row in ROWS], ROWS)
        )
        for lines in (free, feasible)
    ]
    assert infeasible[0] > 0 == infeasible[1]


def test_a_pointer_transformer_can_choose_among_samples(models, data, tmp_path):
    model = models["bap_pointer"]
    output, options = tmp_path / "a.jsonl", ("--samples", "6", "--temperature", "0.8", "--seed", "2")
    predicted(model, data, output, *options, "--batch_size", "7")
    lines = output.read_bytes().splitlines(keepends=True)
    output.write_bytes(b"".join(lines[:11]))  # stopped in the second batch
    resumed = predicted(model, data, output, *options, "--batch_size", "1")
    assert [*resumed.values()] == [json.loads(line) for line in lines]
    settings = json.loads(Path(f"{output}.settings.json").read_text())
    assert {name: settings[name] for name in SAMPLING if name in settings} == {
        "samples": 6, "temperature": 0.8, "seed": 2, "min_probability": None,
    }  # fmt: skip
    for other in (
        (),
        ("--samples", "7", *options[2:]),
        (*options[:4], "--seed", "3"),
        (*options, "--min_probability", "0.2"),
        (*options, "--min_probability", "0.2", "--whole_answers", "true"),
    ):
        with pytest.raises(ValueError, match="was made with other settings"):
            predicted(model, data, output, *other)

    greedy = predicted(model, data, tmp_path / "greedy.jsonl")
    assert predicted(model, data, tmp_path / "1.jsonl", "--samples", "1") == greedy != resumed


def test_probable_actions_of_all_samples_answer_together(models, data, tmp_path):
    """With a threshold of 0, an answer has the cells of all samples; with a high one, few are left."""
    model, options = models["bap_pointer"], ("--samples", "6")
    one = predicted(model, data, tmp_path / "one.jsonl", *options)
    before = {row["id"]: row["before"] for row in ROWS}
    sizes = {}
    for least in ("0", "0.9"):
        answers = predicted(model, data, tmp_path / f"{least}.jsonl", *options, "--min_probability", least)
        assert all(answers[name] == one[name] for name in answers if not before[name])
        assert any(answers[name] != one[name] for name in answers if before[name])
        sizes[least] = sum(len(answers[name]["prediction"].splitlines()) for name in answers if before[name])
    assert sizes["0"] > sizes["0.9"]
    # Of whole answers, one that somebody gave
    whole = learned_builder.load_builder(str(model), samples=6, min_probability=0.05, whole_answers=True)
    for row, found, (text, _) in zip(ROWS, whole.candidates(ROWS), whole.answers(ROWS)):
        starts = {text_of(parse_structure(row["before"]), numbers[:end])
                  for numbers, _ in (found.greedy, *found.samples) for end in range(len(numbers) + 1)}  # fmt: skip
        assert text in starts
    assert any(text for text, _ in whole.answers([row for row in ROWS if row["before"]]))


def test_the_data_default_to_those_of_the_training(model, data, tmp_path):
    record = {"finished": "2026-11-22", "arguments": {"bap": {"dataset_config": "dss", "dataset_path": None}}}
    (model / "training_run.json").write_text(json.dumps(record))
    command = ["--model", str(model), "--out", "x"]
    assert predict.parse_arguments(command).dataset_config == "dss"
    own = predict.parse_arguments([*command, "--data", str(data)])
    assert (own.dataset_config, own.dataset_path) == (None, str(data))


def test_other_items_or_another_model_are_not_answered_in_the_same_file(model, data, tmp_path):
    predicted(model, data, tmp_path / "a.jsonl", "--max_items", "5")
    for options in (["--max_items", "6"], ["--max_items", "5", "--max_actions", "2"]):
        with pytest.raises(ValueError, match="was made with other settings"):
            predicted(model, data, tmp_path / "a.jsonl", *options)
    changed = data.read_text().replace("<Architect>", "<Architect> well ,")
    (tmp_path / "changed.jsonl").write_text(changed)
    same_path = tmp_path / "items.jsonl"
    same_path.write_text(data.read_text())
    predicted(model, same_path, tmp_path / "b.jsonl")
    same_path.write_text(changed)
    with pytest.raises(ValueError, match="items_sha256 was"):
        predicted(model, same_path, tmp_path / "b.jsonl")


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    cases_of(__file__, "refused_options"),
)
def test_options_that_would_do_nothing_are_refused(models, data, tmp_path, kind, options, message):
    with pytest.raises(UsageError, match=message):
        predicted(models[kind], data, tmp_path / "x.jsonl", *options)


_OF_A_BUILDER = "is for a GRU, a pointer transformer or an ensemble"
_AT_AN_ENDPOINT = "is for models that run here, not for --backend openai"


@pytest.mark.parametrize(
    ("option", "endpoint", "message"),
    [
        ("--max-actions=5", False, _OF_A_BUILDER),
        ("--feasible-only", False, _OF_A_BUILDER),
        ("--temperature=0.5", False, "is for --samples"),
        *((option, True, _AT_AN_ENDPOINT) for option in ("--max-actions=5", "--feasible-only", "--samples=4")),
    ],
)
def test_options_of_a_builder_are_refused_for_other_models(tmp_path, option, endpoint, message):
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    options = ["--backend", "openai", "--base_url", "http://127.0.0.1:9"] if endpoint else []
    with pytest.raises(UsageError, match=f"{option.partition('=')[0]} {message}"):
        predict.parse_arguments(["--model", str(tmp_path), *options, "--out", "x", "--representation", "n", option])


def test_a_model_without_a_record_asks_for_the_data(model):
    with pytest.raises(UsageError, match="does not say which data are to be answered: pass"):
        predict.parse_arguments(["--model", str(model), "--out", "x"])


def test_items_without_a_pose_are_a_sentence(model, data, tmp_path):
    rows = [json.loads(line) | {"pose": None} for line in data.read_text().splitlines()]
    (tmp_path / "flat.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(UsageError, match=r"items have no pose, e\.g\. ds"):
        predicted(model, tmp_path / "flat.jsonl", tmp_path / "x.jsonl")


def test_a_folder_of_another_kind_is_not_a_builder(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    assert learned_builder.builder_kind(str(tmp_path)) is None
    assert learned_builder.builder_kind(str(tmp_path / "nowhere")) is None
