"""Tasks of evaluation harnesses: the same answers and scores as predict.py and `bap-v2 score`."""

import io
import json
import math
import os
import pickle
import runpy
import sys
from itertools import product
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


@pytest.fixture(scope="module")
def plancraft_home(tmp_path_factory):
    """Caches with the tasks of Plancraft."""
    needs_package()
    home = tmp_path_factory.mktemp("plancraft")
    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, home)
        install.install_dataset("plancraft")
    return home


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


# --- One law: whatever asks the questions, the scores are those of their format.


def functions_of_lm_eval(name, rows, answers, folder):
    task = HARNESS_TASKS[name]
    questions = getattr(utils, f"{task.kind}_questions")(datasets.Dataset.from_list(rows))
    counts = [getattr(utils, f"{task.kind}_results")(doc, [answers[doc["id"]]]) for doc in questions]
    return {
        score: getattr(utils, score)([one[score] for one in counts]) for score in QUESTION_FORMATS[task.kind].scores
    }


def functions_of_lighteval(name, rows, answers, folder):
    """Those that need no LightEval, as its processes are sent them."""
    kind = HARNESS_TASKS[name].kind
    docs = [SimpleNamespace(**lighteval_tasks.document(kind, row)) for row in rows if row["id"] in answers]
    given = [SimpleNamespace(text=[answers[doc.specific["id"]]]) for doc in docs]
    counts = [lighteval_tasks.compute_counts(kind, doc, response) for doc, response in zip(docs, given)]
    functions = pickle.loads(pickle.dumps(lighteval_tasks.corpus_functions(kind)))
    assert all(function.__name__ == score for score, function in functions.items())
    return {score: function([one[score] for one in counts]) for score, function in functions.items()}


def run_of_inspect(name, rows, answers, folder):
    inspect_ai = pytest.importorskip("inspect_ai", reason="the extra inspect is not installed")
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from bap_v2_dataset.harnesses import inspect_tasks

    ids = {row["prompt_n_posb_s"]: row["id"] for row in rows}

    def answer(messages, *_):
        output = ModelOutput.from_content("mockllm/model", answers[ids[messages[-1].text]])
        output.usage = ModelUsage()  # or tokens are counted, for which a file would be downloaded
        return output

    (log,) = inspect_ai.eval(
        inspect_tasks.harness_task(name), model=get_model("mockllm/model", custom_outputs=answer),
        limit=len(answers), log_dir=str(folder), log_format="eval", display="none",
    )  # fmt: skip
    assert log.status == "success", log.error
    (path,) = folder.glob("*.eval")
    entries = inspect_archive(path.read_bytes(), path.name).entries
    assert {entry.row_id: entry.prediction for entry in entries} == answers
    (scores,) = log.results.scores
    return {score: metric.value for score, metric in scores.metrics.items()}


NAMES = ("bap_v2_dss", "bap_v2_plancraft_plan", "bap_v2_plancraft_oracle")


@pytest.mark.parametrize(
    ("harness", "name"),
    [*product((functions_of_lm_eval, functions_of_lighteval), NAMES), (run_of_inspect, "bap_v2_dss")],
)
def test_a_harness_asks_the_questions_of_a_task_and_gives_their_scores(harness, name, request, monkeypatch, tmp_path):
    task = HARNESS_TASKS[name]
    form = QUESTION_FORMATS[task.kind]
    home = "plancraft_home" if task.config == "plancraft" else "set_up_home"
    use_home(monkeypatch, request.getfixturevalue(home))
    rows = datasets.load_dataset("bap_v2", task.config, split=task.split).select(range(20)).to_list()
    questions = [form.question(row) for row in rows if form.asks(row)]
    answers = {one["id"]: one["completion"] if number % 2 else "" for number, one in enumerate(questions)}
    counts = [form.counts_of(answers[question["id"]], question) for question in questions]
    expected = {score: form.score_of(score, counts) for score in form.scores}
    assert harness(name, rows, answers, tmp_path) == pytest.approx(expected, abs=0, nan_ok=True)
    assert 0 < expected[form.scores[0]] < 1
    if task.kind == "bap":
        references = [{column: row[column] for column in ("before", "after", "interpretations")} for row in rows]
        assert expected.items() <= score(list(answers.values()), references).items()


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
    assert found["results"]["bap_v2_dss"]["fairer_f1,none"] > 0

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
