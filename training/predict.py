"""Write what a model answers to every item of a split, as JSON lines.

    python training/predict.py --model runs/smoke --split validation --output runs/smoke/validation.jsonl
    python training/predict.py --model runs/smoke --dataset_config mdc --split test --output test.jsonl --max_items 100
    python training/predict.py --model runs/smoke --dataset_path own_items.jsonl --output own.jsonl --batch_size 32
    python training/predict.py --model meta-llama/Meta-Llama-3-8B --dataset_config mdc --split test --output base.jsonl
    python training/predict.py --model runs/smoke --output test.jsonl --constrained          # nothing but the notation
    python training/predict.py --model runs/smoke --output test.jsonl --backend vllm
    OPENAI_API_KEY=... python training/predict.py --backend openai --base_url https://api.openai.com/v1 \\
        --model MODEL --dataset_config mdc_v2 --split test --shots 5 --retrieval lexical --output chat.jsonl

`--model` is what train_sft.py saved (an adapter or a whole model), or a name on the Hub. What is not given, such as the
dataset, the representation and the longest prompt, is what the model was trained with (its `training_run.json`).
With `--backend openai` it is what the endpoint calls it: any OpenAI-compatible one, which is shown items of the train
split as examples.

Each line is {"id", "prediction", "finished", "history_lines_dropped"}: the model's text as it is, whether it ended by
itself within max_new_tokens, and how much of the oldest history did not fit. Lines come in order of length. Those of an
endpoint come as it answers; they also name the `exemplars` shown, and `prompt_tokens` and `completion_tokens`.

Ctrl-C or a kill leaves a usable file: the same command continues it. `OUTPUT.settings.json` beside it remembers how it
was made, and a file made otherwise is not continued.
"""

import asyncio
import hashlib
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import NamedTuple

import torch
from datasets import Dataset
from tqdm.auto import tqdm
from transformers import AutoConfig, AutoTokenizer, HfArgumentParser, PreTrainedConfig, PreTrainedTokenizerBase

from bap_v2_dataset.prompts import PROMPT_VERSION
from bap_v2_training.decoding.local import Vllm, answers, base_of, loaded_model, notation_table, training_run
from bap_v2_training.in_context import questions as in_context
from bap_v2_training.in_context import retrieval
from bap_v2_training.learning.examples import (
    PromptTooLong,
    UsageError,
    fitting_prompt,
    load_rows,
    prompt_column,
    token_count,
)

_VLLM_ITEMS = 512  # given to vLLM at a time; what a kill can lose


@dataclass(kw_only=True)
class PredictArguments(in_context.ChatArguments):
    """Which model answers which items."""

    model: str = field(metadata={"help": "Folder of an adapter or a model, or its name on the Hub or an endpoint."})
    output: str = field(metadata={"help": "File of JSON lines to write, or to continue."})
    dataset_config: str | None = field(default=None, metadata={"help": "Config of the bap_v2 dataset, e.g. mdc."})
    dataset_path: str | None = field(
        default=None, metadata={"help": "Own data instead: save_to_disk folder, .parquet or .jsonl with our columns."}
    )
    split: str = field(default="test", metadata={"help": "Split to answer."})
    max_items: int | None = field(
        default=None, metadata={"help": "Answer a fixed random subset of this size, the one train_sft.py draws."}
    )
    representation: str | None = field(default=None, metadata={"help": "Input of Table 5: n, n_posb or n_posb_s."})
    max_prompt_tokens: int | None = field(
        default=None,
        metadata={"help": "Longest prompt in tokens; the model's context less max_new_tokens bounds it anyway."},
    )
    max_new_tokens: int = field(
        default=512,
        metadata={"help": "Longest answer in tokens. 100 would cut off 4-7%% of the human answers."},
    )
    batch_size: int = field(
        default=8, metadata={"help": "Items answered together; no matter for the answers, up to rounding."}
    )
    dtype: str | None = field(
        default=None,
        metadata={
            "help": "float32, bfloat16 or float16; by default bfloat16 on an accelerator and float32 without.",
            "choices": ["float32", "bfloat16", "float16"],
        },
    )
    load_in_4bit: bool | None = field(
        default=None, metadata={"help": "Quantise the base model (nf4); by default as it was trained."}
    )
    backend: str = field(
        default="transformers",
        metadata={"help": "What runs the model: transformers or vllm here, or an OpenAI-compatible endpoint.",
                  "choices": ["transformers", "vllm", "openai"]},
    )  # fmt: skip
    constrained: bool = field(
        default=False, metadata={"help": "Permit nothing but lines of the notation, inside the BuildRegion."}
    )
    overwrite: bool = field(default=False, metadata={"help": "Start the output file anew."})


class Prompt(NamedTuple):
    """What a model reads of one item."""

    id: str
    text: str
    tokens: int  # length of text
    history_lines_dropped: int  # the oldest ones, that did not fit


def parse_arguments(args: Sequence[str] | None = None) -> PredictArguments:
    """The command line, completed from the model's `training_run.json` where it has one."""
    try:
        (wanted,) = HfArgumentParser(PredictArguments, allow_abbrev=False).parse_args_into_dataclasses(args)
    except ValueError as error:  # an unknown name
        raise UsageError(str(error)) from error
    for name in ("batch_size", "max_new_tokens"):
        if getattr(wanted, name) < 1:
            raise UsageError(f"{name} is {getattr(wanted, name)}: expected a positive number")
    if wanted.backend == "openai":
        return _for_an_endpoint(wanted)
    _only_as_made(wanted, [given.name for given in fields(in_context.ChatArguments)], "is for --backend openai")
    trained = training_run(wanted.model).get("arguments", {"bap": {}, "model": {}})
    names = ["representation", "max_prompt_tokens"]
    if wanted.dataset_config is None and wanted.dataset_path is None:
        names += ["dataset_config", "dataset_path"]
    for name in names:
        if getattr(wanted, name) is None:
            setattr(wanted, name, trained["bap"].get(name))
    if wanted.dataset_path is not None:
        wanted.dataset_config = None  # own data are taken instead; what was not read should not be recorded
    if wanted.load_in_4bit is None:
        wanted.load_in_4bit = trained["model"].get("load_in_4bit", False)
    if wanted.dtype is None:
        wanted.dtype = "bfloat16" if torch.accelerator.is_available() else "float32"
    if wanted.representation is None:
        raise UsageError(f"{wanted.model} does not say what it was trained on: give --representation")
    return wanted


def _for_an_endpoint(wanted: PredictArguments) -> PredictArguments:
    local = ["max_prompt_tokens", "batch_size", "dtype", "load_in_4bit", "constrained"]
    _only_as_made(wanted, local, "is for models that run here, not for --backend openai")
    in_context.checked(wanted)
    wanted.representation = wanted.representation or "n_posb_s"
    if wanted.dataset_path is not None:
        wanted.dataset_config = None
    if wanted.shots_path is not None:
        wanted.shots_config = None
    elif wanted.shots_config is None:
        wanted.shots_config, wanted.shots_path = wanted.dataset_config, wanted.dataset_path
    own, shown = wanted.dataset_path, wanted.shots_path
    if wanted.shots and own and shown and Path(own).is_file() and Path(own).resolve() == Path(shown).resolve():
        raise UsageError(
            f"{own} is one split, so its items cannot also be the examples: name train items with --shots_path or "
            "--shots_config, or give --shots 0"
        )
    return wanted


def _only_as_made(wanted: PredictArguments, names: Iterable[str], why: str) -> None:
    """Raises: UsageError for an option that was given and would do nothing."""
    made = {one.name: one.default for one in fields(wanted)}
    for name in names:
        if getattr(wanted, name) != made[name]:
            raise UsageError(f"--{name} {why}")


def settings_of(wanted: PredictArguments) -> dict:
    """What the answers depend on: two runs with the same settings may share an output file."""
    settings = asdict(wanted)
    no_matter = ["output", "overwrite", "batch_size"]
    chat = [one.name for one in fields(in_context.ChatArguments)]
    if wanted.backend == "openai":
        no_matter += [*in_context.NO_MATTER, "max_prompt_tokens", "dtype", "load_in_4bit", "constrained"]
        settings["chat_version"] = in_context.CHAT_VERSION
    else:
        no_matter += chat
        settings["model_finished"] = training_run(wanted.model).get("finished")
    for name in no_matter:
        del settings[name]
    return settings | {"prompt_version": PROMPT_VERSION}


def continued(output: Path, settings: dict, overwrite: bool) -> set[str]:
    """The ids that `output` answers already, after a check that it was made with the same settings.

    A line that a kill left half-written is removed. A new file gets its settings written beside it.

    Raises:
        UsageError: the file was made otherwise, or is not one of ours.
    """
    record = output.with_name(f"{output.name}.settings.json")
    output.parent.mkdir(parents=True, exist_ok=True)
    if overwrite or not output.exists():
        output.write_bytes(b"")  # first: old answers must never stand beside new settings
        record.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
        return set()

    mend = "choose another --output, or start it anew with --overwrite"
    if not record.is_file():
        raise UsageError(f"{output} exists, but not {record.name}, which says how it was made; {mend}")
    earlier = json.loads(record.read_text(encoding="utf-8"))
    differing = [name for name in settings if earlier.get(name) != settings[name]]
    if differing:
        changes = "; ".join(f"{name} was {earlier.get(name)!r}, now {settings[name]!r}" for name in differing)
        raise UsageError(f"{output} was made with other settings ({changes}); {mend}")

    content = output.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        output.write_bytes(whole)
    try:
        return {json.loads(line)["id"] for line in whole.splitlines()}
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise UsageError(f"{output} holds a line that is not a prediction ({error!r}); {mend}") from error


def prompts_of(
    wanted: PredictArguments, rows: Iterable[dict], tokenizer: PreTrainedTokenizerBase, context: int
) -> list[Prompt]:
    """The prompts of `rows`, shortened as in training to `max_prompt_tokens`, the longest first.

    Training leaves out an item that is too long even without its history; here every item gets an answer, as long as
    its prompt without history and `max_new_tokens` more fit the `context` (in tokens).
    """

    def tokens(text: str) -> int:
        return token_count(tokenizer, text)

    longest = context - wanted.max_new_tokens
    preferred = min(longest, wanted.max_prompt_tokens or longest)
    column = f"prompt_{wanted.representation}"
    prompts = []
    for row in rows:
        try:
            text, dropped = fitting_prompt(row[column], row["history"], lambda text: tokens(text) <= preferred)
        except PromptTooLong as error:
            text, dropped = error.shortest, len(row["history"])
            if tokens(text) > longest:
                raise UsageError(
                    f"item {row['id']} has {tokens(text)} tokens even without its history, which leaves no room for "
                    f"{wanted.max_new_tokens} new ones in a context of {context}; lower --max_new_tokens or take a "
                    "model with a longer context"
                ) from error
        prompts.append(Prompt(row["id"], text, tokens(text), dropped))
    # A batch of equally long prompts pads little. The longest come first: if memory is short, that shows at once.
    return sorted(prompts, key=lambda prompt: (-prompt.tokens, prompt.id))


def main(wanted: PredictArguments) -> Path:
    """Answer the items that the output file does not answer yet; returns the path of that file."""
    rows = load_rows(wanted.dataset_config, wanted.split, wanted.dataset_path, wanted.max_items)
    try:
        return (ask_endpoint if wanted.backend == "openai" else run_model)(wanted, rows)
    except KeyboardInterrupt:
        print(f"\nstopped; {wanted.output} keeps what was answered, and the same command continues it")
        raise SystemExit(130) from None


def run_model(wanted: PredictArguments, rows: Dataset) -> Path:
    """Answer with a model that runs here, in batches, the longest prompts first."""
    rows = rows.select_columns(["id", "history", prompt_column(rows, wanted.representation)])
    try:
        tokenizer = AutoTokenizer.from_pretrained(wanted.model, padding_side="left")
        config = AutoConfig.from_pretrained(base_of(wanted.model) or wanted.model).get_text_config()
    except (OSError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{wanted.model} is no folder of a model, nor a model the Hub gives: {error}") from error
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    rows = tqdm(rows, desc="Fitting prompts", leave=False)
    prompts = prompts_of(wanted, rows, tokenizer, config.max_position_embeddings)

    output = Path(wanted.output)
    done = continued(output, settings_of(wanted) | {"prompts_sha256": _sha256(prompts)}, wanted.overwrite)
    left = [prompt for prompt in prompts if prompt.id not in done]
    shortened = sum(prompt.history_lines_dropped > 0 for prompt in prompts)
    print(f"{len(left)} of {len(prompts)} items to answer; {shortened} prompts lost some of their oldest history")
    if not left:
        return output

    answered, size = loaded_backend(wanted, tokenizer, config)
    unfinished = 0
    started = time.perf_counter()
    with output.open("a", encoding="utf-8") as file, tqdm(total=len(left), desc="Answering", unit="item") as bar:
        for start in range(0, len(left), size):
            batch = left[start : start + size]
            lines = []
            for prompt, (text, finished) in zip(batch, answered([prompt.text for prompt in batch]), strict=True):
                unfinished += not finished
                dropped = prompt.history_lines_dropped
                lines.append(
                    {"id": prompt.id, "prediction": text, "finished": finished, "history_lines_dropped": dropped}
                )
            file.write("".join(json.dumps(line) + "\n" for line in lines))
            file.flush()
            bar.update(len(batch))
    seconds = time.perf_counter() - started
    print(
        f"{output}: {len(left)} items in {seconds:.1f} s, {len(left) / seconds:.2f} items per second; "
        f"{unfinished} were cut off at {wanted.max_new_tokens} new tokens"
    )
    return output


def loaded_backend(
    wanted: PredictArguments, tokenizer: PreTrainedTokenizerBase, config: PreTrainedConfig
) -> tuple[Callable[[list[str]], list[tuple[str, bool]]], int]:
    """The loaded model as a function from prompts to answers, and how many prompts it is to be given at a time."""
    if wanted.backend == "vllm":
        model = Vllm(wanted.model, tokenizer, config, wanted.dtype, wanted.load_in_4bit, wanted.constrained)
        return lambda texts: model.answers(texts, wanted.max_new_tokens), max(wanted.batch_size, _VLLM_ITEMS)
    model = loaded_model(wanted.model, wanted.dtype, wanted.load_in_4bit)
    table = notation_table(model, tokenizer) if wanted.constrained else None
    return lambda texts: answers(model, tokenizer, texts, wanted.max_new_tokens, table), wanted.batch_size


def ask_endpoint(wanted: PredictArguments, rows: Dataset) -> Path:
    """Answer with a chat model behind an endpoint, which is shown train items as examples."""
    asked_rows = _chat_rows(rows, [])
    pool = []
    if wanted.shots:
        pool = _chat_rows(load_rows(wanted.shots_config, "train", wanted.shots_path), ["completion"])
    asked = asyncio.run(in_context.questions(wanted, wanted.representation, asked_rows, pool))

    output = Path(wanted.output)
    done = continued(output, settings_of(wanted) | {"prompts_sha256": _sha256(asked)}, wanted.overwrite)
    left = [question for question in asked if question.id not in done]
    fewer = sum(len(question.exemplars) < wanted.shots for question in asked)
    print(f"{len(left)} of {len(asked)} items to ask, with {wanted.shots} examples each; {fewer} have fewer")
    if not left:
        return output

    unfinished = written = 0
    started = time.perf_counter()
    with output.open("a", encoding="utf-8") as file, tqdm(total=len(left), desc="Asking", unit="item") as bar:

        def write(line: dict) -> None:
            nonlocal unfinished, written
            unfinished += not line["finished"]
            written += 1
            file.write(json.dumps(line) + "\n")
            file.flush()
            bar.update()

        took, failures = in_context.Accounts(), []
        try:
            asyncio.run(in_context.answered(wanted, wanted.model, wanted.max_new_tokens, left, write, took, failures))
        finally:
            bar.close()
            seconds = time.perf_counter() - started
            print(
                f"{output}: {written} items in {seconds:.1f} s, {written / seconds:.2f} items per second; "
                f"{unfinished} were cut off or refused"
            )
            print(in_context.bill(wanted, took))
    if failures:
        raise UsageError(f"{len(failures)} items got no answer, the same command asks again; first {failures[0]}")
    return output


def _chat_rows(rows: Dataset, others: Sequence[str]) -> list[dict]:
    """The rows with what examples are found by and messages are made of, the prompts aside: they are rendered anew."""
    needed = [*retrieval.COLUMNS, "pose", *others]
    if missing := [name for name in needed if name not in rows.column_names]:
        raise UsageError(f"the data have no column {', '.join(missing)}; they have {', '.join(rows.column_names)}")
    return rows.select_columns(needed).to_list()


def _sha256(prompts: Iterable[Prompt | in_context.Question]) -> str:
    return hashlib.sha256(json.dumps([prompt[:2] for prompt in prompts]).encode()).hexdigest()


if __name__ == "__main__":
    # peft asks transformers for the older name; nobody who runs this can mend it.
    warnings.filterwarnings("ignore", message=".*is_gradient_checkpointing.*", category=FutureWarning)
    try:
        main(parse_arguments())
    except UsageError as error:
        sys.exit(f"predict.py: {error}")
