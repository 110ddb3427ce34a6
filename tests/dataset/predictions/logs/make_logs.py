"""Makes the logs in this folder with the libraries themselves: lm-eval 0.4.13 and inspect-ai 0.3.285.

    pip install lm-eval inspect-ai
    python make_logs.py

Four items of dss are answered with ANSWERS: by lm-eval in a run with one and one with two answers per item, by inspect
as an `.eval` file, as `.json`, in two epochs, and with items that it numbers itself.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ITEMS = ["dss-test-0/0", "dss-test-0/1", "dss-test-1/0", "dss-test-1/1"]
ANSWERS = ["place red 0 1 0", "<think>\nhm\n</think>\nplace blue 1 1 1\npick 0 1 0", "I do not know.", ""]
SECOND = ["place red 0 2 0", "pick 0 1 0", "place red 0 1 0", "no"]  # of the second time that an item is asked

TASK = """\
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {rows}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{prompt}}}}"
doc_to_target: "{{{{completion}}}}"
generation_kwargs: {{until: ["###"]}}
metric_list: [{{metric: exact_match}}]
repeats: {repeats}
"""


def with_lm_eval(rows: Path, folder: Path) -> None:
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.api.registry import register_model
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    @register_model("answers")
    class Answers(LM):
        """Gives the answers in the order of the items."""

        def generate_until(self, requests, disable_tqdm=False):
            asked: dict[str, int] = {}
            answers = []
            for request in requests:
                number = ITEMS.index(request.doc["id"])
                answers.append((ANSWERS, SECOND)[asked.get(request.doc["id"], 0)][number])
                asked[request.doc["id"]] = asked.get(request.doc["id"], 0) + 1
            return answers

        def loglikelihood(self, requests, disable_tqdm=False):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

        @classmethod
        def create_from_arg_string(cls, arguments, additional_config=None):
            return cls()

    for name, repeats in (("bap_v2_dss", 1), ("bap_v2_dss_twice", 2)):
        tasks = folder / f"{name}_task"
        tasks.mkdir()
        (tasks / f"{name}.yaml").write_text(TASK.format(name=name, rows=rows, repeats=repeats))
        tracker = EvaluationTracker(output_path=str(folder / "lm_eval"))
        results = simple_evaluate(
            "answers", "pretrained=org/answers", tasks=[name], task_manager=TaskManager(include_path=str(tasks)),
            log_samples=True, evaluation_tracker=tracker,
        )  # fmt: skip
        samples = results.pop("samples")
        tracker.save_results_aggregated(results=results, samples=samples)
        tracker.save_results_samples(task_name=name, samples=samples[name])
        (written,) = (folder / "lm_eval").glob("*/samples_*.jsonl")
        to = HERE / name / written.parent.name
        shutil.rmtree(to.parent, ignore_errors=True)
        shutil.copytree(written.parent, to)
        shutil.rmtree(folder / "lm_eval")


def with_inspect(rows: Path, folder: Path) -> None:
    from inspect_ai import Task, eval
    from inspect_ai.dataset import FieldSpec, json_dataset
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate

    def run(name: str, form: str, epochs: int = 1, item_id: str | None = "id") -> None:
        def answered(messages, tools, tool_choice, config):
            prompt = messages[0].text
            number = next(n for n, row in enumerate(map(json.loads, rows.open())) if row["prompt"] == prompt)
            asked[number] = asked.get(number, 0) + 1
            output = ModelOutput.from_content("mockllm/answers", (ANSWERS, SECOND)[asked[number] - 1][number])
            output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
            return output

        asked: dict[int, int] = {}
        task = Task(
            dataset=json_dataset(str(rows), FieldSpec(input="prompt", target="completion", id=item_id)),
            solver=generate(), scorer=includes(), name="bap_v2_dss",
        )  # fmt: skip
        model = get_model("mockllm/answers", custom_outputs=answered)
        eval(task, model=model, log_format=form, log_dir=str(folder / f"{name}_{form}"), display="none", epochs=epochs,
             max_connections=1, max_samples=1, log_realtime=False)  # fmt: skip
        (written,) = (folder / f"{name}_{form}").iterdir()
        shutil.copy(written, HERE / f"{name}.{form}")

    run("inspect", "eval")
    run("inspect", "json")
    run("inspect_two_epochs", "eval", epochs=2)
    run("inspect_numbered", "eval", item_id=None)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        rows = Path(name, "dss.jsonl")
        records = [{"id": item, "prompt": f"Item {item}", "completion": "place red 0 1 0"} for item in ITEMS]
        rows.write_text("".join(json.dumps(record) + "\n" for record in records))
        for make in (with_lm_eval, with_inspect):
            if sys.argv[1:] in ([], [make.__name__]):
                make(rows, Path(name))


if __name__ == "__main__":
    main()
