"""The fields of the command line of predict.py. In its help they stand under the `group` of their class."""

from dataclasses import dataclass, field
from typing import ClassVar

from bap_v2_training.decoding.prompt_format import PROMPT_FORMATS
from bap_v2_training.in_context.chat_settings import ChatArguments
from bap_v2_training.learning.data_settings import DatasetArguments
from bap_v2_training.learning.options import option
from bap_v2_training.tasks.settings import REPRESENTATIONS_HELP
from bap_v2_training.tasks.table import USUAL


@dataclass(kw_only=True)
class ModelArguments:
    """The model that answers, and how it runs."""

    group: ClassVar[str] = "model"

    model: str = option(
        help="Folder of an adapter or a model, or its name on the Hub (USER/NAME, USER/NAME@REVISION) or at an "
        "endpoint."
    )
    model_folder: str = field(default="", init=False)  # where the files of the model are on this machine
    model_commit: str | None = field(default=None, init=False)  # of a model on the Hub
    model_type: str | None = field(default=None, init=False)  # of a learned Builder; None: a language model
    gguf_file: str | None = option(
        None, "A file of the model, a folder or a repository on the Hub: its weights as llama.cpp reads them."
    )
    backend: str = option(
        "transformers",
        "What runs the model: transformers or vllm here, or an OpenAI-compatible endpoint.",
        choices=["transformers", "vllm", "openai"],
    )
    dtype: str | None = option(
        None,
        "float32, bfloat16 or float16. Default: bfloat16 on an accelerator, float32 without and for a GRU or a "
        "pointer transformer.",
        choices=["float32", "bfloat16", "float16"],
    )
    load_in_4bit: bool = option(
        False, "Quantize the base model as in QLoRA training and leave the adapter apart: less memory, slower."
    )
    batch_size: int | None = option(
        None,
        "Items answered together. Default: 32 on an accelerator, 8 on a CPU, 64 with a GRU, a pointer transformer or "
        "an ensemble. It does not change the answers, up to rounding.",
    )


@dataclass(kw_only=True)
class ItemArguments(DatasetArguments):
    """The items that are answered."""

    group: ClassVar[str] = "data"

    dataset_config: str | None = option(None, "Config of the bap_v2 dataset, or several: mdc_v2,dr,dsb,dss.")
    split: str = option("test", "Split to answer, or several: original+spl+sa_turn.")
    max_items: int | None = option(
        None, "Answer a fixed random subset of this size, the one train_sft.py draws.", aliases=["--limit"]
    )
    task: str = field(default=USUAL.name, init=False)  # of the items


@dataclass(kw_only=True)
class PromptArguments:
    """The prompt that the model reads."""

    group: ClassVar[str] = "prompt"

    representation: str | None = option(None, f"As in training, if that is known. {REPRESENTATIONS_HELP}")
    reasoning: bool | None = option(
        None,
        "Solved items in a prompt reason before they answer, if they have traces. Default: as in training, or true.",
    )
    max_prompt_tokens: int | None = option(
        None, "Longest prompt in tokens; never more than the model's context less max_new_tokens."
    )
    prompt_format: str = option(
        "bap_v2",
        "bap_v2: prompts as they are. For models that others trained: same_line, the answer follows `### AS:` on its "
        "line; nebula, the same with a space before the excerpt and before `### AS:`; chat, a message in the model's "
        "own template.",
        choices=list(PROMPT_FORMATS),
    )
    bos_tokens: int | None = option(
        None, "BOS tokens at the start of a prompt. Default: as the tokenizer does it.", choices=[0, 1, 2]
    )


@dataclass(kw_only=True)
class DecodingArguments:
    """The answers that the model writes."""

    group: ClassVar[str] = "decoding"

    max_new_tokens: int | None = option(
        None,
        "Longest answer in tokens, thoughts included. Default: 640 (512 would cut off a validation item, 100 4-7%% "
        "of human answers); 32,768 with --prompt reasoning; 2,048 where a task's prompt alone is sent.",
    )
    constrained: bool = option(False, "Permit only lines of the notation, inside the BuildRegion.")
    max_actions: int | None = option(
        None, "GRU, pointer transformer or ensemble: longest answer in actions. Default: as in its configuration."
    )
    feasible_only: bool = option(
        False, "GRU: choose among the actions that can be executed. Others of its actions change nothing."
    )
    samples: int | None = option(
        None,
        "Minimum Bayes risk decoding: of so many samples and the greedy answer, give the one with the highest mean F1 "
        "against the samples. Default, and 0 or 1: the greedy answer. Of an ensemble: samples of each member; by "
        "default as many as it was made with.",
    )
    temperature: float | None = option(None, "Temperature of --samples. Default: 1.")
    seed: int | None = option(None, "Seed of --samples; an item's depend on it and its id alone. Default: 0.")
    min_probability: float | None = option(
        None,
        "Give every net action that is more probable than this, by the --samples, in place of one of them, unless the "
        "board is empty. F1 is highest at about half of the F1 that a system reaches: 0.15 for 0.3. Default of an "
        "ensemble: as it was made.",
    )


@dataclass(kw_only=True)
class OutputArguments:
    """The place of the answers."""

    group: ClassVar[str] = "output"

    output: str = option(
        help="File of JSON lines to write, or to resume; or a folder, with a slash at its end, for a file CONFIG.jsonl "
        "for each config.",
        aliases=["--out"],
    )
    overwrite: bool = option(False, "Replace the output file instead of resuming it.")


@dataclass(kw_only=True)
class PredictArguments(
    OutputArguments, ChatArguments, DecodingArguments, PromptArguments, ItemArguments, ModelArguments
):
    """The settings of `bap-v2 predict`."""

    common: ClassVar[tuple[str, ...]] = (
        "model", "backend", "base_url", "dataset_config", "dataset_path", "split", "max_items", "output", "overwrite",
        "samples",
    )  # fmt: skip # shown first in the help
