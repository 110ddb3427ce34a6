"""Write what a model answers to every item of a split, as JSON lines.

    python training/predict.py --model runs/smoke --split validation --output runs/smoke/validation.jsonl
    python training/predict.py --model runs/smoke --dataset_config mdc --split test --output test.jsonl --max_items 100
    python training/predict.py --model runs/smoke --dataset_path own_items.jsonl --output own.jsonl --batch_size 32
    python training/predict.py --model meta-llama/Meta-Llama-3-8B --dataset_config mdc --split test --output base.jsonl

`--model` is what train_sft.py saved (an adapter or a whole model), or a name on the Hub. What is not given, such as the
dataset, the representation and the longest prompt, is what the model was trained with (its `training_run.json`).

Each line is {"id", "prediction", "finished", "history_lines_dropped"}: the model's text as it is, whether it ended by
itself within max_new_tokens, and how much of the oldest history did not fit. Lines come in order of length.

Ctrl-C or a kill leaves a usable file: the same command continues it. `OUTPUT.settings.json` beside it remembers how it
was made, and a file made otherwise is not continued.
"""

import hashlib
import json
import sys
import time
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NamedTuple

import torch
from tqdm.auto import tqdm
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    BitsAndBytesConfig,
    GenerationConfig,
    HfArgumentParser,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from bap_v2_dataset.prompts import PROMPT_VERSION
from bap_v2_training.examples import PromptTooLong, UsageError, fitting_prompt, load_rows, prompt_column, token_count


@dataclass
class PredictArguments:
    """Which model answers which items."""

    model: str = field(metadata={"help": "Folder of an adapter or a model, or a name on the Hub."})
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
    if wanted.batch_size < 1:
        raise UsageError(f"batch_size is {wanted.batch_size}: expected a positive number")
    return wanted


def training_run(model: str) -> dict:
    """The `training_run.json` in a model's folder; empty if there is none."""
    record = Path(model) / "training_run.json"
    return json.loads(record.read_text(encoding="utf-8")) if record.is_file() else {}


def base_of(model: str) -> str | None:
    """What the adapter `model` adapts; None if `model` is a whole model.

    Raises:
        UsageError: training began in this folder and did not end, so that its parts may not belong together.
    """
    from peft import PeftConfig

    folder, run = Path(model), training_run(model)
    own_base = folder / "new_model"  # travels with the adapter, whose own path to it may be out of date
    if own_base.is_dir() and not run:
        raise UsageError(f"the training of {model} did not end: it has no training_run.json")
    if folder.is_dir() and not (folder / "adapter_config.json").is_file():
        return None
    if run and not run["arguments"]["model"]["use_peft"]:
        return None  # the adapter is left from an earlier run
    if own_base.is_dir():
        return str(own_base)
    try:
        return PeftConfig.from_pretrained(model).base_model_name_or_path
    except (ValueError, OSError):  # peft's way of saying that it found no adapter_config.json
        return None


def settings_of(wanted: PredictArguments) -> dict:
    """What the answers depend on: two runs with the same settings may share an output file."""
    settings = asdict(wanted)
    for name in ("output", "overwrite", "batch_size"):
        del settings[name]
    record = training_run(wanted.model)
    return settings | {"prompt_version": PROMPT_VERSION, "model_finished": record.get("finished")}


def loaded_model(model: str, dtype: str, load_in_4bit: bool) -> PreTrainedModel:
    """The model, with its adapter if it is one, ready to answer on this machine's accelerator or CPU."""
    base = base_of(model)
    device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device("cpu")
    trained = training_run(model).get("arguments", {}).get("model", {})
    quantization = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_compute_dtype=dtype,
        bnb_4bit_quant_type=trained.get("bnb_4bit_quant_type", "nf4"),
        bnb_4bit_use_double_quant=trained.get("use_bnb_nested_quant", False),
    )
    loaded = AutoModelForCausalLM.from_pretrained(
        base or model,
        revision=trained.get("model_revision", "main"),
        dtype=dtype,
        device_map={"": device},
        quantization_config=quantization if load_in_4bit else None,
    )
    if base is not None:
        from peft import PeftModel

        loaded = PeftModel.from_pretrained(loaded, model)
    return loaded.eval()


def answers(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, prompts: Sequence[str], max_new_tokens: int
) -> list[tuple[str, bool]]:
    """The most likely answer to each prompt, step by step, and whether it ended by itself; as one batch."""
    ends = model.generation_config.eos_token_id or []
    ends = {tokenizer.eos_token_id, *(ends if isinstance(ends, list) else [ends])}
    # All that a model's own generation config could say about sampling is overruled: no answer is left to chance.
    greedy = GenerationConfig(
        do_sample=False,
        num_beams=1,
        max_new_tokens=max_new_tokens,
        eos_token_id=sorted(ends),
        bos_token_id=tokenizer.bos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    inputs = tokenizer(list(prompts), return_tensors="pt", padding=True).to(model.device)
    with torch.inference_mode():
        outputs = model.generate(
            input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], generation_config=greedy
        )
    new_tokens = outputs[:, inputs["input_ids"].shape[1] :].tolist()
    texts = tokenizer.batch_decode(new_tokens, skip_special_tokens=True)
    return [(text, not ends.isdisjoint(tokens)) for text, tokens in zip(texts, new_tokens, strict=True)]


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
    rows = rows.select_columns(["id", "history", prompt_column(rows, wanted.representation)])
    try:
        tokenizer = AutoTokenizer.from_pretrained(wanted.model, padding_side="left")
        context = AutoConfig.from_pretrained(base_of(wanted.model) or wanted.model).max_position_embeddings
    except (OSError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{wanted.model} is no folder of a model, nor a model the Hub gives: {error}") from error
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    prompts = prompts_of(wanted, tqdm(rows, desc="Fitting prompts", leave=False), tokenizer, context)

    output = Path(wanted.output)
    digest = hashlib.sha256(json.dumps([(prompt.id, prompt.text) for prompt in prompts]).encode()).hexdigest()
    done = continued(output, settings_of(wanted) | {"prompts_sha256": digest}, wanted.overwrite)
    left = [prompt for prompt in prompts if prompt.id not in done]
    shortened = sum(prompt.history_lines_dropped > 0 for prompt in prompts)
    print(f"{len(left)} of {len(prompts)} items to answer; {shortened} prompts lost some of their oldest history")
    if not left:
        return output

    model = loaded_model(wanted.model, wanted.dtype, wanted.load_in_4bit)
    unfinished = 0
    started = time.perf_counter()
    try:
        with output.open("a", encoding="utf-8") as file, tqdm(total=len(left), desc="Answering", unit="item") as bar:
            for start in range(0, len(left), wanted.batch_size):
                batch = left[start : start + wanted.batch_size]
                texts = [prompt.text for prompt in batch]
                lines = []
                for prompt, (text, finished) in zip(batch, answers(model, tokenizer, texts, wanted.max_new_tokens)):
                    unfinished += not finished
                    lines.append(
                        {
                            "id": prompt.id,
                            "prediction": text,
                            "finished": finished,
                            "history_lines_dropped": prompt.history_lines_dropped,
                        }
                    )
                file.write("".join(json.dumps(line) + "\n" for line in lines))
                file.flush()
                bar.update(len(batch))
    except KeyboardInterrupt:
        print(f"\nstopped; {output} keeps what was answered, and the same command continues it")
        raise SystemExit(130) from None
    seconds = time.perf_counter() - started
    print(
        f"{output}: {len(left)} items in {seconds:.1f} s, {len(left) / seconds:.2f} items per second; "
        f"{unfinished} were cut off at {wanted.max_new_tokens} new tokens"
    )
    return output


if __name__ == "__main__":
    # peft asks transformers for the older name; nobody who runs this can mend it.
    warnings.filterwarnings("ignore", message=".*is_gradient_checkpointing.*", category=FutureWarning)
    try:
        main(parse_arguments())
    except UsageError as error:
        sys.exit(f"predict.py: {error}")
