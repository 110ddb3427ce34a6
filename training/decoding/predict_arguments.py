"""The fields of the command line of predict.py. Their help is in options.toml."""

from dataclasses import dataclass, field

from bap_v2_training.decoding.prompt_format import PROMPT_FORMATS
from bap_v2_training.in_context.chat_settings import ChatArguments
from bap_v2_training.learning.data_settings import DatasetArguments
from bap_v2_training.learning.options import option
from bap_v2_training.tasks.settings import REPRESENTATIONS_HELP
from bap_v2_training.tasks.table import USUAL


@dataclass(kw_only=True)
class ModelArguments:
    """The model that answers, and how it runs."""

    model: str
    model_folder: str = field(default="", init=False)  # where the files of the model are on this machine
    model_commit: str | None = field(default=None, init=False)  # of a model on the Hub
    model_type: str | None = field(default=None, init=False)  # of a learned Builder; None: a language model
    gguf_file: str | None = None
    backend: str = option("transformers", choices=["transformers", "vllm", "openai"])
    dtype: str | None = option(None, choices=["float32", "bfloat16", "float16"])
    load_in_4bit: bool = False
    batch_size: int | None = None


@dataclass(kw_only=True)
class ItemArguments(DatasetArguments):
    """The items that are answered."""

    dataset_config: str | None = None
    split: str = "test"
    max_items: int | None = option(None, aliases=["--limit"])
    task: str = field(default=USUAL.name, init=False)  # of the items


@dataclass(kw_only=True)
class PromptArguments:
    """The prompt that the model reads."""

    representation: str | None = option(None, f"As in training, if that is known. {REPRESENTATIONS_HELP}")
    reasoning: bool | None = None
    max_prompt_tokens: int | None = None
    prompt_format: str = option("bap_v2", choices=list(PROMPT_FORMATS))
    bos_tokens: int | None = option(None, choices=[0, 1, 2])


@dataclass(kw_only=True)
class DecodingArguments:
    """The answers that the model writes."""

    max_new_tokens: int | None = None
    constrained: bool = False
    max_actions: int | None = None
    feasible_only: bool = False
    samples: int | None = None
    temperature: float | None = None
    seed: int | None = None
    min_probability: float | None = None
    whole_answers: bool = False


@dataclass(kw_only=True)
class OutputArguments:
    """The place of the answers."""

    output: str = option(aliases=["--out"])
    overwrite: bool = False


@dataclass(kw_only=True)
class PredictArguments(
    OutputArguments, ChatArguments, DecodingArguments, PromptArguments, ItemArguments, ModelArguments
):
    """The settings of `bap-v2 predict`."""
