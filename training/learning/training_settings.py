"""The settings of a training run: a YAML file, overridden by the command line, checked and made to fit the machine."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from trl import ModelConfig, SFTConfig

from bap_v2_training.errors import UsageError
from bap_v2_training.learning.data_settings import TextArguments
from bap_v2_training.learning.dataset_rows import BUILT, LEARNED_ANSWERS
from bap_v2_training.learning.options import check_choices, check_least, mapping_of, option, parse_options
from bap_v2_training.models.gguf import gguf_name
from bap_v2_training.tasks.settings import TaskArguments

WORDS, SENTENCES = "words", "sentences"  # what a token of a new tokenizer is at most


@dataclass
class BapArguments(TaskArguments, TextArguments):
    """The items that are learned, their text, and their order."""

    learned_answers: str = option(BUILT, choices=list(LEARNED_ANSWERS))
    curriculum: str | None = None
    new_model: dict | str | None = None
    gguf_file: str | None = None
    tokenizer_pieces: str = option(WORDS, choices=[WORDS, SENTENCES])
    tokenizer_configs: str | None = None
    frozen_layers: int = 0
    compile_layers: bool = False
    adapter_dtype: str = option("bfloat16", choices=["bfloat16", "float32"])
    frozen_dtype: str | None = option(None, choices=["float32", "bfloat16", "float16"])
    installed_kernels: bool = False
    dry_run: bool = False

    def __post_init__(self):
        if isinstance(self.new_model, str):
            self.new_model = mapping_of("new_model", self.new_model)


def parse_arguments(args: Sequence[str] | None = None) -> tuple[BapArguments, SFTConfig, ModelConfig]:
    """Return the settings of `--config FILE.yaml`, overridden by the command line, made to fit this machine."""
    bap, training, model = settings_of((BapArguments, SFTConfig, ModelConfig), args, cpu=("--bf16", "--fp16"))
    _check(bap, training, model)
    return bap, training, model


def settings_of(classes: Sequence[type], args: Sequence[str] | None = None, cpu: Sequence[str] = ()) -> tuple:
    """An object of each of these dataclasses, filled from `--config FILE.yaml` and overridden by the command line.

    Args:
        classes: one of them has the setting `use_cpu`, which is set on a machine without an accelerator.
        args: by default those of the command line.
        cpu: options that become false there, but for `--bf16` where the file asks for it and the CPU can do it.

    Raises:
        UsageError: no such file or setting, or values that do not go together.
    """

    def adapted(args: list[str], settings: dict) -> list[str]:
        if torch.accelerator.is_available():
            return args
        # In front, so that they override the YAML (a GPU recipe runs unchanged), and the command line overrides them.
        # A dry run is about a GPU: its precision stays.
        given = [part.replace("-", "_") for arg in args for part in arg.split("=", 1)]
        dry = "__dry_run" in given and given[given.index("__dry_run") + 1 :][:1] not in (["false"], ["False"])
        kept = {"--bf16"} - {*settings_left_out()} if settings.get("bf16") else set()
        if settings.get("bf16") and not kept and not dry and "__bf16" not in given:
            print("bf16: this CPU has no instructions for it, so the training computes in float32", file=sys.stderr)
        false = [] if dry else [part for name in cpu if name not in kept for part in (name, "false")]
        return ["--use_cpu", "true", *false, *args]

    return parse_options(classes, list(sys.argv[1:] if args is None else args), adapted)


# Settings of TRL about what of an item is learned, which is decided here, with the values that say the same, and why.
DECIDED_HERE = {
    "completion_only_loss": ((None, True), "answers are learned, and prompts never"),
    "assistant_only_loss": ((False,), "of dialogues only the answers are learned anyway"),
    "dataset_text_field": (("text",), "items have columns of their own"),
    "dataset_kwargs": ((None,), "items are in tokens before TRL sees them"),
    "chat_template_path": ((None,), "dialogues are learned in the chat template of the model's tokenizer"),
    "truncation_mode": (("keep_start",), "items that are too long lose their oldest lines"),
    "shuffle_dataset": ((False,), "items are in another order in each epoch anyway, but for a curriculum"),
    "length_column_name": (("length",), "the lengths of items are in the column length"),
}


def _check(bap: BapArguments, training: SFTConfig, model: ModelConfig) -> None:
    """Raises: UsageError for settings that do not go together."""
    # What of an item is learned
    check_choices(bap)
    task = bap.find_task()
    task.complete_training(bap)
    task.check_training(bap, training)
    for name, (values, why) in DECIDED_HERE.items():
        if (value := getattr(training, name)) not in values:
            raise UsageError(f"{name} is {value!r}, but {why}: leave it out")

    # How the model learns
    if training.torch_compile and training.use_cpu:
        raise UsageError("torch_compile is True, but on a CPU only learned positions are scored: use compile_layers")
    if training.eval_packing and not training.packing:
        raise UsageError("eval_packing is True: items to evaluate are packed as those to learn are, with packing: true")
    if bap.added_tokens is not None and (model.load_in_4bit or model.load_in_8bit):
        raise UsageError("added_tokens needs embeddings that can grow: leave load_in_4bit and load_in_8bit out")
    if bap.frozen_layers and (model.use_peft or bap.new_model is not None or bap.frozen_layers < 0):
        raise UsageError(
            f"frozen_layers is {bap.frozen_layers}: expected 0 or more, and 0 with LoRA (use_peft) and with new_model"
        )

    # Which model, and what it reads
    if bap.new_model is None and (bap.tokenizer_configs is not None or bap.tokenizer_pieces != WORDS):
        raise UsageError("tokenizer_pieces and tokenizer_configs are for new_model: other models have their tokenizers")
    check_least(bap, {"max_prompt_tokens": 1, "history_lines": 0})
    if bap.new_model is None and model.model_name_or_path is None:
        raise UsageError("set model_name_or_path or new_model, or take a config that does: --config smollm2")
    if bap.new_model is not None and model.model_name_or_path is not None:
        raise UsageError("set either model_name_or_path or new_model, not both")
    if bap.gguf_file is not None:
        if model.model_name_or_path is None:
            raise UsageError(f"gguf_file is {bap.gguf_file}: set model_name_or_path to the folder that holds it")
        name, revision = model.model_name_or_path, model.model_revision
        if revision not in (None, "main") and not Path(name).is_dir() and "@" not in name:
            name = f"{name}@{revision}"
        model.model_name_or_path = gguf_name(name, bap.gguf_file)

    # The types of its weights
    if not (model.load_in_4bit or model.load_in_8bit):
        bap.frozen_dtype = None  # so that a recipe for 4-bit weights also runs with --load_in_4bit false
    if model.load_in_4bit and model.dtype == "auto":
        raise UsageError("dtype: auto does not work with load_in_4bit; set dtype: bfloat16")
    if training.use_cpu and model.load_in_4bit and training.eval_strategy != "no":
        # On some CPUs bitsandbytes repacks 4-bit weights in a forward pass without gradients, and every gradient after
        # that is silently wrong.
        raise UsageError("4-bit weights cannot be evaluated during training on a CPU; set eval_strategy: no")

    # Which items, and in which order
    if training.max_length is None and bap.max_prompt_tokens is None:
        raise UsageError("set max_length or max_prompt_tokens: a corpus game can outgrow any context")
    bap.check()
    if bap.curriculum is not None and training.packing:
        raise UsageError("packing puts items of all stages together; with a curriculum set packing: false")
    if bap.curriculum is not None and training.num_train_epochs != int(training.num_train_epochs):
        raise UsageError(f"num_train_epochs is {training.num_train_epochs}: a stage of a curriculum takes whole epochs")


def settings_left_out() -> tuple[str, ...]:
    """Return the options that a config file sets in vain on this CPU: `--bf16` where it has no instructions for it.

    Measured on a CPU with AVX2 alone: 640 updates of a small GRU take 6 times as long in bfloat16 as in float32,
    a matrix product of 4,000 x 256 x 1,024 with its gradients 60 times as long.
    """
    capabilities = getattr(torch.cpu, "get_capabilities", dict)()  # older versions of PyTorch do not say
    return () if any(map(capabilities.get, ("avx512_bf16", "amx_bf16", "bf16"))) else ("--bf16",)
