"""Write what a model answers to every item of a split, as JSON lines.

    python training/predict.py --model runs/smoke --split validation --out runs/smoke/validation.jsonl
    python training/predict.py --model runs/smoke --dataset-config mdc --split test --out test.jsonl --limit 100
    python training/predict.py --model Qwen/Qwen2.5-0.5B --data own_items.jsonl --representation n --out base.jsonl
    python training/predict.py --model runs/smoke --out test.jsonl --constrained          # only the notation
    python training/predict.py --model USER/NAME --dataset-config mdc_v2,dr,dsb,dss --out runs/crafts/   # four files
    python training/predict.py --model runs/gru --dataset-config robust_dss --split original+spl --out robust.jsonl
    python training/predict.py --model runs/pointer --dataset-config mdc_v2 --out mdc_v2.jsonl --samples 32
    OPENAI_API_KEY=... python training/predict.py --backend openai --base-url https://api.openai.com/v1 \\
        --model MODEL --dataset-config mdc_v2 --split test --shots 5 --retrieval lexical --out chat.jsonl
    OPENAI_API_KEY=... python training/predict.py --backend openai --base-url https://api.openai.com/v1 \\
        --model MODEL --dataset-config mdc_v2 --split test --prompt reasoning --tools true --out reasoning.jsonl

Each line is {"id", "prediction", "finished", "history_lines_dropped"}: the model's text as it is, whether it ended by
itself within max_new_tokens (or max_actions), and how many of the oldest history lines did not fit. Lines come in order
of length. Those of an endpoint come as it answers; they also have the ids of the `shots`, `prompt_tokens` and
`completion_tokens`, with `--prompt reasoning` over all requests of the item, and then also whether the answer was
`marked`, `reasoning_tokens`, `requests` and `tool_calls`.

Ctrl-C or a kill leaves a usable file: the same command resumes it. `OUTPUT.settings.json` beside it records how it
was made, and a file made with other settings is not resumed.
"""

import bap_v2_training.before_libraries  # isort: skip # noqa: F401 (before the libraries)

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from datasets import Dataset
from tqdm.auto import tqdm

from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_training.decoding.chat import ChatRun
from bap_v2_training.decoding.output_file import Appending, answered_ids, batches, digest_of
from bap_v2_training.decoding.predict_arguments import PredictArguments
from bap_v2_training.decoding.predict_settings import builder_of, of_each_test_set, parse_arguments, settings_of
from bap_v2_training.errors import UsageError
from bap_v2_training.in_context.questions import Question
from bap_v2_training.learning.dataset_rows import complete_rows, load_rows
from bap_v2_training.tasks.table import texts_of, training_task

if TYPE_CHECKING:  # models at an endpoint need no torch: what runs models here is imported where one runs
    from bap_v2_training.decoding.language_model import Prompt
    from bap_v2_training.decoding.learned_builder import Situation


def main(arguments: PredictArguments) -> Path:
    """Answer the items that have no answers yet; returns the path of the output file, or of the folder of files."""
    each = of_each_test_set(arguments)
    data = arguments.dataset_path or arguments.dataset_config
    print(f"reading {data}, split {arguments.split}", file=sys.stderr, flush=True)
    rows = [load_rows(one.dataset_config, one.split, one.dataset_path, one.max_items) for one in each]
    if arguments.backend == "openai":
        failures = [failure for one, own in zip(each, rows, strict=True) for failure in ask_endpoint(one, own)]
        if failures:
            raise UsageError(f"{len(failures)} items got no answer, the same command retries them; first {failures[0]}")
    elif arguments.model_type is not None:
        run_builder(each, rows)
    else:
        run_model(each, rows)
    return Path(arguments.output)


def run_builder(each: Sequence[PredictArguments], rows: Sequence[Dataset]) -> None:
    """Answer with a Builder that is no language model, in batches: it reads the rows themselves, not prompts.

    Args:
        each: the settings of each test set; which model answers is the same in all.
        rows: of each.
    """
    import torch

    from bap_v2_training.decoding.learned_builder import situations_of

    # The items that have no answer yet
    remaining = []
    for one, own in zip(each, rows, strict=True):
        situations = situations_of(own)
        remaining.append(unanswered(one, situations))
        print(f"{_of(each, one)}{len(remaining[-1])} of {len(situations)} items to answer")
    if not any(remaining):
        return

    # Their answers, batch by batch
    print(f"loading {each[0].model}", file=sys.stderr, flush=True)
    builder = builder_of(each[0])

    def answers(batch: "Sequence[Situation]") -> list[tuple[str, bool]]:
        try:
            return builder.answers([situation.row for situation in batch])
        except torch.OutOfMemoryError as error:
            raise UsageError(
                f"the accelerator's memory does not hold {len(batch)} items; lower --batch-size, and the same command "
                "resumes"
            ) from error

    for one, situations in zip(each, remaining, strict=True):
        append_answers(one.output, situations, one.batch_size, answers, "did not stop by themselves")


def run_model(each: Sequence[PredictArguments], rows: Sequence[Dataset]) -> None:
    """Answer with a language model that runs here, in batches, the longest prompts first; arguments as above."""
    from bap_v2_training.decoding.language_model import loaded_backend, prompts_of, tokenizer_and_config
    from bap_v2_training.decoding.text_builder import TextBuilder

    # The items that have no answer yet, as prompts that fit
    arguments, texts, task = each[0], texts_of(each[0]), training_task(each[0].task)
    tokenizer, config = tokenizer_and_config(arguments.model_folder)
    remaining = []
    for one, own in zip(each, rows, strict=True):
        if arguments.samples is not None:
            complete_rows(own, ["id", "before"])
        shown = tqdm(texts.prompted(own), desc="Fitting prompts", leave=False)
        prompts = prompts_of(one, shown, tokenizer, config.max_position_embeddings)
        remaining.append(unanswered(one, prompts))
        shortened = sum(prompt.history_lines_dropped > 0 for prompt in prompts)
        lost = f"; {shortened} prompts lost some of their oldest history" if task.has_history else ""
        print(f"{_of(each, one)}{len(remaining[-1])} of {len(prompts)} items to answer{lost}")
    if not any(remaining):
        return

    # The model, for greedy answers or for samples
    print(f"loading {arguments.model}", file=sys.stderr, flush=True)
    read_with = dict.fromkeys(["id", *texts.read_with])
    if arguments.samples is None:
        longest = max(prompt.tokens for prompts in remaining for prompt in prompts)
        answer, batch_size = loaded_backend(arguments, tokenizer, config, longest)

        def answered(prompts: "Sequence[Prompt]", rows: Sequence[dict]) -> list[tuple[str, bool]]:
            said = answer([prompt.text for prompt in prompts])
            return [(texts.prediction(text, row), ended) for (text, ended), row in zip(said, rows, strict=True)]
    else:
        builder, batch_size = TextBuilder(arguments, tokenizer, config), arguments.batch_size
        read_with |= {"before": None}

        def answered(prompts: "Sequence[Prompt]", rows: Sequence[dict]) -> list[tuple[str, bool]]:
            return builder.answers(rows, prompts)

    # Their answers, batch by batch, each read with what its row says
    cut_off = f"were cut off at {arguments.max_new_tokens} new tokens"
    for one, own, prompts in zip(each, rows, remaining, strict=True):
        by_id = {row["id"]: row for row in own.select_columns(list(read_with))} if prompts else {}
        append_answers(
            one.output, prompts, batch_size,
            lambda batch, by_id=by_id: answered(batch, [by_id[prompt.id] for prompt in batch]), cut_off,
        )  # fmt: skip


def append_answers(
    output: str, items: "Sequence[Situation] | Sequence[Prompt]", batch_size: int,
    answers: Callable[[Sequence], list[tuple[str, bool]]], unfinished: str,
) -> None:  # fmt: skip
    """Append the answers to items to a file, batch by batch. Args: unfinished: see `Appending`."""
    if not items:
        return
    with Appending(Path(output), len(items), "Answering", unfinished) as appended:
        for batch in batches(items, batch_size):
            for item, (text, finished) in zip(batch, answers(batch), strict=True):
                dropped = getattr(item, "history_lines_dropped", 0)
                appended.add(
                    {"id": item.id, "prediction": text, "finished": finished, "history_lines_dropped": dropped}
                )


def _of(each: Sequence[PredictArguments], one: PredictArguments) -> str:
    """Return the beginning of a line that says how much of a test set is to be answered, where there are several."""
    return f"{one.dataset_config}: " if len(each) > 1 else ""


def ask_endpoint(arguments: PredictArguments, rows: Dataset) -> list[str]:
    """Answer with a chat model behind an endpoint, which is shown train items as shots.

    Returns:
        The items that got no answer, each with the reason.
    Raises:
        EndpointError: no more items can be answered.
    """
    # The questions that have no answer yet
    print(f"choosing shots for {len(rows)} items" if arguments.shots else "composing questions", file=sys.stderr)
    items = training_task(arguments.task).questions(arguments, rows)
    output = Path(arguments.output)
    remaining = unanswered(arguments, items)
    print(f"{len(remaining)} of {len(items)} items to ask, with {_shots_shown(arguments, items)}")
    if not remaining:
        return []

    # All at once, each written when it comes; at the end what it cost
    run = ChatRun(arguments, arguments.model, texts_of(arguments), arguments.max_new_tokens)
    try:
        with Appending(output, len(remaining), "Asking", "were cut off or refused") as appended:
            asyncio.run(run.answer_all(remaining, appended.add))
    finally:
        print(run.usage.bill(arguments.price_prompt, arguments.price_completion))
        if run.unmarked:
            print(f"{run.unmarked} answers had no ANSWER: and were read by their last lines of actions")
    return run.failures


def _shots_shown(arguments: PredictArguments, items: Sequence[Question]) -> str:
    """Say how many shots the items have."""
    if arguments.shots is None:
        return "as many shots as in Table 1"
    if not arguments.shots:
        return "no shots"
    fewer = sum(len(question.shots) < arguments.shots for question in items if question.shots is not None)
    return f"{arguments.shots} shots each; {fewer} have fewer"


def unanswered(
    arguments: PredictArguments, prompts: "Sequence[Prompt] | Sequence[Question] | Sequence[Situation]"
) -> list:
    """Return those that the output file has no answers to yet."""
    name = "prompts_sha256" if arguments.model_type is None else "items_sha256"
    done = answered_ids(
        Path(arguments.output), settings_of(arguments) | {name: digest_of(prompts)}, arguments.overwrite
    )
    return [prompt for prompt in prompts if prompt.id not in done]


def command() -> None:
    """Answer as the command line says; what the user can fix is printed as a sentence."""
    with sentences_for_the_user(
        Path(sys.argv[0]).name, "stopped; the output file keeps what was answered, and the same command resumes it"
    ):
        main(parse_arguments())


if __name__ == "__main__":
    command()
