"""`bap-v2 merge`: an adapter and its base model as one plain model."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import torch
from transformers import GenerationConfig

from bap_v2_dataset.predictions.model_records import TRAINING_RUN
from bap_v2_simulators.atomic_files import check_parent
from bap_v2_training.decoding.language_model import tokenizer_and_config
from bap_v2_training.decoding.learned_builder import builder_kind
from bap_v2_training.decoding.local import end_tokens, loaded_model
from bap_v2_training.decoding.networks import floating_type
from bap_v2_training.decoding.resolved_model import resolve_model
from bap_v2_training.decoding.trained_model import base_of, training_run
from bap_v2_training.errors import UsageError


def merge(run: str, output: Path, dtype: str = "bfloat16", report: Callable[[str], object] = print) -> None:
    """Write the model of an adapter as a folder that needs neither PEFT nor the base model.

    It has the tokenizer, a generation config for greedy answers and the record of the training, so that predict.py has
    the same defaults as with the adapter. It is computed on the CPU, and the folder appears whole or not at all.

    Args:
        run: the folder of an adapter, or its name on the Hub.
        output: a folder that does not exist yet.
        dtype: of the weights.
        report: is told what is being done.
    Raises:
        UsageError: `run` is no adapter, or there is something at `output`.
        OutputError: no folder can be made there.
    """
    # Nothing is written for what cannot be merged
    if output.exists():
        raise UsageError(f"{output} exists: choose another name for the merged model")
    check_parent(output)
    floating_type(dtype)
    folder, commit = resolve_model(run)
    base = base_of(folder)
    if base is None:
        kind = builder_kind(folder)
        name = kind.with_article if kind else "a whole model"
        raise UsageError(f"{run} is {name}, not an adapter: there is nothing to merge")

    # The merged model, which answers greedily
    report(f"loading {base} in {dtype} and merging the adapter")
    tokenizer, _ = tokenizer_and_config(folder)
    model = loaded_model(folder, tokenizer, dtype, load_in_4bit=False, device=torch.device("cpu"), plain=True)
    model.generation_config = GenerationConfig(
        do_sample=False,
        num_beams=1,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=sorted(end_tokens(model.generation_config, tokenizer)),
        pad_token_id=tokenizer.pad_token_id,
    )
    # The folder, aside until it is whole
    unfinished = output.absolute().with_name(f".{output.name}.{uuid4().hex[:12]}.unfinished")
    try:
        report(f"writing {output}")
        model.save_pretrained(unfinished)
        tokenizer.save_pretrained(unfinished)
        if record := training_run(folder):
            merged_from = {"model": run, "commit": commit, "base_model": base, "dtype": dtype}
            text = json.dumps(record | {"merged_from": merged_from}, indent=2) + "\n"
            (unfinished / TRAINING_RUN).write_text(text, encoding="utf-8")
        unfinished.rename(output)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
