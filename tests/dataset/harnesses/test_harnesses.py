"""Tasks of evaluation harnesses: the same answers and scores as predict.py and `bap-v2 score`."""

import io
import json
import math
import os
import pickle
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import datasets
import pytest
import yaml
from in_process import use_home
from plancraft_package import needs_package
from typer.testing import CliRunner

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset.cli.command_line import app
from bap_v2_dataset.harnesses import harness_path, lighteval_tasks
from bap_v2_dataset.harnesses.lm_eval import utils
from bap_v2_dataset.harnesses.task_table import GROUPS, HARNESS_TASKS, QUESTION_FORMATS
from bap_v2_dataset.interface.table import all_configs
from bap_v2_dataset.loading import install
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.predictions.eval_logs import inspect_archive, inspect_log, lm_eval_entries
from bap_v2_dataset.predictions.formats import content
from bap_v2_dataset.tasks.plancraft.rows import task_row
from bap_v2_dataset.tasks.plancraft.task_files import records
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
    configs = all_configs()
    assert all(task.split in configs[task.config].splits for task in HARNESS_TASKS.values())


def test_the_files_of_lm_eval_are_the_tasks_of_the_table():
    files = {path.stem: settings(path.name) for path in FOLDER.glob("bap_v2*.yaml")}
    assert {name: file["task"] for name, file in files.items() if "group" in file} == {
        name: list(group) for name, group in GROUPS.items()
    }
    assert {name for name, file in files.items() if "group" not in file} == set(HARNESS_TASKS)
    for name, task in HARNESS_TASKS.items():
        file = files[name] if "include" not in files[name] else settings(files[name]["include"]) | files[name]
        scores, asked = tuple(metric["metric"] for metric in file["metric_list"]), QUESTION_FORMATS[task.kind]
        assert (file["task"], file["metadata"]["config"], file["test_split"]) == (name, task.config, task.split)
        assert scores == asked.scores and file["generation_kwargs"]["max_gen_toks"] == asked.max_tokens


def test_the_command_prints_where_the_tasks_are():
    shown = CliRunner().invoke(app, ["harness", "lm-eval"])
    assert shown.output.strip() == str(FOLDER) and (FOLDER / "bap_v2_dss.yaml").is_file()
    assert harness_path("lighteval").is_file() and harness_path("inspect").is_file()
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
    functions = pickle.loads(pickle.dumps(lighteval_tasks.corpus_functions("bap")))  # as for LightEval's processes
    assert all(function.__name__ == name for name, function in functions.items())
    for name in QUESTION_FORMATS["bap"].scores:
        assert getattr(utils, name)([one[name] for one in counts]) == expected[name]
        assert functions[name]([one[name] for one in light]) == expected[name]
    assert 0 < expected["fairer_f1"] < 1


@pytest.mark.slow
def test_lm_eval_gives_the_answers_and_scores_of_predict(dss, tmp_path):
    lm_eval = pytest.importorskip("lm_eval", reason="the harness extra is not installed")
    pytest.importorskip("trl", reason="the training extra is not installed")
    from fabricated_items import TINY
    from lm_eval.tasks import TaskManager
    from tiny_runs import arguments
    from transformers import AutoTokenizer

    from bap_v2_training import predict, train_sft
    from bap_v2_training.decoding.prompt_format import PromptFormat
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
    asked = ["--model", str(model), "--dataset_path", str(data), "--split", "train", "--out", str(output),
             "--batch_size", "1"]  # fmt: skip
    predict.main(predict.parse_arguments(asked))
    answers = {line["id"]: line["prediction"] for line in map(json.loads, output.read_text().splitlines())}
    samples = found["samples"]["bap_v2_dss"]
    assert {sample["doc"]["id"]: sample["resps"][0][0] for sample in samples} == answers
    references = [{name: row[name] for name in ("before", "after", "interpretations")} for row in rows]
    expected = score([answers[row["id"]] for row in rows], references)
    assert expected["fairer_f1"] > 0
    for name in QUESTION_FORMATS["bap"].scores:
        assert found["results"]["bap_v2_dss"][f"{name},none"] == expected[name]

    tokenizer = AutoTokenizer.from_pretrained(model)
    tokenizer.chat_template = "user: {{ messages[0].content }}{% if add_generation_prompt %}assistant: {% endif %}"
    tokenizer.save_pretrained(model)
    found = lm_eval.simple_evaluate(
        model="hf", model_args=f"pretrained={model},dtype=float32", tasks=["bap_v2_dss"], task_manager=manager,
        limit=1, device="cpu", gen_kwargs="max_gen_toks=1", apply_chat_template=True,
    )  # fmt: skip
    ((asked, _),) = found["samples"]["bap_v2_dss"][0]["arguments"]
    (ids,) = PromptFormat("chat").input_ids(tokenizer, [rows[0]["prompt_n_posb_s"]])
    assert tokenizer(asked, add_special_tokens=False)["input_ids"] == ids


@pytest.fixture(scope="module")
def plancraft_rows():
    """Some tasks of Plancraft: easy to hard, and impossible ones."""
    needs_package()
    return [task_row(record) for record in records("test_small")[::6]]


def test_gold_plans_have_full_scores_and_plans_are_played(plancraft_rows):
    kind = QUESTION_FORMATS["plan"]
    questions = [kind.question(row) for row in plancraft_rows]
    gold = [kind.counts_of(question["completion"], question) for question in questions]
    assert {kind.score_of(name, gold) for name in kind.scores} == {1.0}
    nothing = [kind.counts_of("", question) for question in questions]
    assert kind.score_of("success", nothing) == kind.score_of("impossible_f1", nothing) == 0
    assert math.isnan(kind.score_of("success", []))
    question = next(question for question in questions if len(question["plan"]) > 1)
    talk = f"<think>impossible: no.</think>My plan:\n1. {question['plan'][0]}\n\n" + "\n".join(question["plan"][1:])
    reversed_plan = "\n".join(reversed(question["plan"]))
    assert [kind.counts_of(text, question)["success"] for text in (talk, reversed_plan)] == [1, 0]
    assert kind.counts_of(talk, question)["turns"] == 1 + len(question["plan"])  # a line without a turn is one, too


def test_details_of_lighteval_are_read(dss):
    rows = [
        {
            "doc": {"specific": {"id": row["id"], "before": row["before"]}},
            "model_response": {"text": [row["completion"]]},
        }
        for row in dss.to_list()
    ]
    file = io.BytesIO()
    datasets.Dataset.from_list(rows).to_parquet(file)
    entries = content(file.getvalue(), "details.parquet").entries
    assert {entry.row_id: entry.prediction for entry in entries} == dict(zip(dss["id"], dss["completion"]))
    with pytest.raises(PredictionError, match="not a whole Parquet file"):
        content(file.getvalue()[:-20], "details.parquet")
    own = io.BytesIO()
    dss.to_parquet(own)
    with pytest.raises(PredictionError, match=r"rows\.parquet, row 1 needs the strings"):
        list(content(own.getvalue(), "rows.parquet").entries)


def test_a_plan_in_a_log_is_read_as_the_episode_that_it_is(plancraft_rows):
    question = QUESTION_FORMATS["plan"].question(plancraft_rows[0])
    record = {"doc": question, "resps": [[question["completion"]]], "filter": "none"}
    (entry,) = lm_eval_entries([("line 1", record)], "samples.jsonl", "id")
    episode = json.loads(entry.prediction)
    assert episode["success"] and episode["turns"] == question["completion"].splitlines()
    sample = {"id": question["id"], "metadata": question, "output": {"choices": [1], "completion": "no plan"}}
    (entry,) = inspect_log({"eval": {"model": "m"}, "samples": [sample]}, "log.json").entries
    assert json.loads(entry.prediction) == {"turns": ["no plan"], "success": False, "tokens": None}


@pytest.mark.slow
def test_lm_eval_asks_plancraft_and_gold_answers_have_full_scores(set_up_home, monkeypatch, tmp_path):
    needs_package()
    lm_eval = pytest.importorskip("lm_eval", reason="the harness extra is not installed")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Gold(LM):
        """Answers every question with its completion."""

        def generate_until(self, requests, disable_tqdm=False):
            return [request.doc["completion"] for request in requests]

        def loglikelihood(self, requests):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    use_home(monkeypatch, tmp_path)
    install.install_dataset("plancraft")
    manager = TaskManager(include_path=str(FOLDER), include_defaults=False)
    found = lm_eval.simple_evaluate(
        model=Gold(), tasks=["bap_v2_plancraft"], task_manager=manager, bootstrap_iters=0, limit=100
    )
    for name in GROUPS["bap_v2_plancraft"]:
        results = found["results"][name]
        assert {results[f"{score},none"] for score in QUESTION_FORMATS[HARNESS_TASKS[name].kind].scores} == {1.0}
        assert len(found["samples"][name]) == 100


def test_inspect_gives_the_scores_of_the_metric_and_its_log_is_read(dss, tmp_path):
    inspect_ai = pytest.importorskip("inspect_ai", reason="the extra inspect is not installed")
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from bap_v2_dataset.harnesses import inspect_tasks

    rows = {row["prompt_n_posb_s"]: row for row in dss.to_list()}
    answers = {
        row["id"]: row["completion"] if number % 2 else "place red 0 1 0" for number, row in enumerate(rows.values())
    }

    def answer(messages, *_):
        output = ModelOutput.from_content("mockllm/model", answers[rows[messages[-1].text]["id"]])
        output.usage = ModelUsage()  # or tokens are counted, for which a file would be downloaded
        return output

    (log,) = inspect_ai.eval(
        inspect_tasks.harness_task("bap_v2_dss"), model=get_model("mockllm/model", custom_outputs=answer),
        limit=ITEMS, log_dir=str(tmp_path), log_format="eval", display="none",
    )  # fmt: skip
    assert log.status == "success", log.error
    references = [{name: row[name] for name in ("before", "after", "interpretations")} for row in rows.values()]
    expected = score(list(answers.values()), references)
    (scores,) = log.results.scores
    assert {name: metric.value for name, metric in scores.metrics.items()} == {
        name: expected[name] for name in QUESTION_FORMATS["bap"].scores
    }
    (path,) = tmp_path.glob("*.eval")
    assert {
        entry.row_id: entry.prediction for entry in inspect_archive(path.read_bytes(), path.name).entries
    } == answers


def test_inspect_knows_every_task_by_name():
    pytest.importorskip("inspect_ai", reason="the extra inspect is not installed")
    from inspect_ai._util.registry import registry_find, registry_info

    from bap_v2_dataset.harnesses import inspect_tasks  # noqa: F401 (registers the tasks)

    infos = map(registry_info, registry_find(lambda info: info.type == "task"))
    assert {info.name.rpartition("/")[2] for info in infos} >= HARNESS_TASKS.keys()


def test_a_lighteval_that_lacks_a_package_says_which(tmp_path, monkeypatch):
    (tmp_path / "lighteval").mkdir()
    (tmp_path / "lighteval" / "__init__.py").write_text("import no_such_package")
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "lighteval"]:
        monkeypatch.delitem(sys.modules, name)
    source = Path(lighteval_tasks.__file__)
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        runpy.run_path(str(source))


def test_lighteval_has_every_task_and_leaves_out_what_is_not_asked(plancraft_rows):
    pytest.importorskip("lighteval", reason="LightEval needs an environment of its own")
    table = {config.name: config for config in lighteval_tasks.TASKS_TABLE}
    assert table.keys() == HARNESS_TASKS.keys()
    plan, turn = table["bap_v2_plancraft_plan"], table["bap_v2_plancraft_oracle"]
    for config, n in ((plan, len(plancraft_rows)), (turn, sum(not row["impossible"] for row in plancraft_rows))):
        docs = [doc for row in plancraft_rows if (doc := config.prompt_function(row, config.name)) is not None]
        (metric,) = config.metrics
        counts = [
            metric.compute_sample(doc=doc, model_response=SimpleNamespace(final_text=doc.choices)) for doc in docs
        ]
        assert len(docs) == n
        for name, function in metric.get_corpus_aggregations().items():
            assert function([one[name] for one in counts]) == 1.0
