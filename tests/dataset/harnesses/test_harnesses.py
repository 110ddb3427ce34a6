"""Tasks of evaluation harnesses: the same answers and scores as predict.py and `bap-v2 score`."""

import json
import os
from types import SimpleNamespace

import datasets
import pytest
import yaml
from in_process import use_home
from typer.testing import CliRunner

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset.cli.command_line import app
from bap_v2_dataset.harnesses import harness_path, lighteval_tasks
from bap_v2_dataset.harnesses.lm_eval import utils
from bap_v2_dataset.harnesses.scores import SCORES
from bap_v2_dataset.tasks import TASKS, all_configs
from bap_v2_metric.errors import UserError
from bap_v2_metric.scoring import score

os.environ.setdefault("HF_HUB_OFFLINE", "1")
FOLDER = harness_path("lm-eval")
ITEMS = 6


@pytest.fixture
def dss(set_up_home, monkeypatch):
    """The first test rows of dss, in the caches that a setup has filled."""
    use_home(monkeypatch, set_up_home)
    return datasets.load_dataset("bap_v2", "dss", split=f"test[:{ITEMS}]")


def settings(name: str) -> dict:
    """A task or group file, without the tags of functions."""
    text = (FOLDER / name).read_text().replace("!function ", "")
    return yaml.safe_load(text)


def test_every_task_names_a_config_and_a_split_that_there_are():
    tasks = [settings(path.name) for path in FOLDER.glob("bap_v2_*.yaml")]
    tasks = [task for task in tasks if "task" in task and "group" not in task]
    configs = all_configs()
    for task in tasks:
        assert (task.get("test_split") or "test") in configs[task["metadata"]["config"]].splits
    names = {task["task"] for task in tasks}
    assert {f"bap_v2_{config}" for config in TASKS["gsu"].configs if config != "gsu"} <= names
    for group in ("bap_v2.yaml", "bap_v2_probe.yaml", "bap_v2_gsu.yaml"):
        assert set(settings(group)["task"]) <= names


def test_the_command_prints_where_the_tasks_are():
    shown = CliRunner().invoke(app, ["harness", "lm-eval"])
    assert shown.output.strip() == str(FOLDER) and (FOLDER / "bap_v2_dss.yaml").is_file()
    assert harness_path("lighteval").is_file()
    with pytest.raises(UserError, match="'helm'"):
        harness_path("helm")


def test_the_functions_give_the_scores_of_the_metric(dss):
    rows = dss.to_list()
    answers = [row["completion"] if number % 2 else "place red 0 1 0" for number, row in enumerate(rows)]
    expected = score(answers, [{name: row[name] for name in ("before", "after", "interpretations")} for row in rows])
    counts = [utils.bap_results(row, [answer]) for row, answer in zip(rows, answers)]
    responses = [SimpleNamespace(final_text=[answer]) for answer in answers]
    docs = [SimpleNamespace(**lighteval_tasks.document("bap", row)) for row in rows]
    light = [lighteval_tasks.compute_counts("bap", doc, given) for doc, given in zip(docs, responses)]
    functions = lighteval_tasks.corpus_functions("bap")
    for name in SCORES["bap"]:
        assert getattr(utils, name)([one[name] for one in counts]) == expected[name]
        assert functions[name]([one[name] for one in light]) == expected[name]
    assert 0 < expected["fairer_f1"] < 1


def test_lm_eval_gives_the_answers_and_scores_of_predict(dss, tmp_path):
    lm_eval = pytest.importorskip("lm_eval", reason="the harness extra is not installed")
    pytest.importorskip("trl", reason="the training extra is not installed")
    from fabricated_items import TINY
    from lm_eval.tasks import TaskManager
    from tiny_runs import arguments

    from bap_v2_training import predict, train_sft
    from bap_v2_training.models.new_llama import save_new_llama

    rows = dss
    data, tiny, model = tmp_path / "dss.jsonl", tmp_path / "tiny", tmp_path / "model"
    data.write_text("".join(f"{json.dumps(row)}\n" for row in rows.to_list()))
    texts = rows["prompt_n_posb_s"][:] + rows["completion"][:]
    save_new_llama(tiny, texts, TINY | {"max_position_embeddings": 2048}, seed=1)
    changes = ("--use_peft", "false", "--num_train_epochs", "60", "--learning_rate", "1e-2", "--max_length", "1300",
               "--max_prompt_tokens", "1200")  # fmt: skip
    train_sft.main(*arguments(data, tiny, model, *changes))

    manager = TaskManager(include_path=str(FOLDER), include_defaults=False)
    found = lm_eval.simple_evaluate(
        model="hf", model_args=f"pretrained={model},dtype=float32", tasks=["bap_v2_dss"], task_manager=manager,
        limit=ITEMS, device="cpu", batch_size=1,
    )  # fmt: skip
    output = tmp_path / "answers.jsonl"
    asked = ["--model", str(model), "--dataset_path", str(data), "--split", "train", "--output", str(output),
             "--batch_size", "1"]  # fmt: skip
    predict.main(predict.parse_arguments(asked))
    answers = {line["id"]: line["prediction"] for line in map(json.loads, output.read_text().splitlines())}
    samples = found["samples"]["bap_v2_dss"]
    assert {sample["doc"]["id"]: sample["resps"][0][0] for sample in samples} == answers
    references = [{name: row[name] for name in ("before", "after", "interpretations")} for row in rows]
    expected = score([answers[row["id"]] for row in rows], references)
    assert expected["fairer_f1"] > 0
    for name in SCORES["bap"]:
        assert found["results"]["bap_v2_dss"][f"{name},none"] == expected[name]
