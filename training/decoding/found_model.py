"""A model on this machine: in its folder, or downloaded from the Hub."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from huggingface_hub import HfApi, snapshot_download
from huggingface_hub.errors import GatedRepoError, HfHubHTTPError

from bap_v2_training.errors import UsageError

_OWN_BASE = "new_model/"  # the folder of a base model that the run of an adapter made
_SETTINGS = re.compile(
    r"[^/]*\.(json|model|jinja)|(merges|vocab)\.txt"
)  # configs, the tokenizer, the record of training
_NOT_NEEDED = ("trainer_state.json",)
_WEIGHTS = (  # by preference
    re.compile(r"(adapter_)?model(-\d+-of-\d+)?\.safetensors"),
    re.compile(r"(adapter_model|pytorch_model)(-\d+-of-\d+)?\.bin"),
)


class FoundModel(NamedTuple):
    """Where the files of a model are."""

    folder: str
    commit: str | None  # of its repository on the Hub; None: it is a folder of this machine


def found_model(name: str) -> FoundModel:
    """The model of a folder, or of USER/NAME or USER/NAME@REVISION on the Hub, of which what is needed is downloaded.

    Without a connection, what an earlier download left is used.

    Raises:
        UsageError: there is no such model, or it cannot be downloaded.
    """
    if Path(name).is_dir():
        return FoundModel(name, None)
    repo_id, _, revision = name.partition("@")
    try:
        try:
            files = HfApi().list_repo_files(repo_id, revision=revision or None)
        except ConnectionError:  # offline, or the Hub cannot be reached
            folder = snapshot_download(repo_id, revision=revision or None, local_files_only=True)
        else:
            folder = snapshot_download(repo_id, revision=revision or None, allow_patterns=needed_files(files))
    except GatedRepoError as error:
        raise UsageError(
            f"{repo_id} is gated: accept its license on the Hub, and set HF_TOKEN to a token of that account"
        ) from error
    except (HfHubHTTPError, OSError, ValueError) as error:
        raise UsageError(
            f"{name} is neither the folder of a model nor a model available on the Hub: {error}"
        ) from error
    return FoundModel(folder, Path(folder).name)


def needed_files(files: Iterable[str]) -> list[str]:
    """Those files of a repository that a model is loaded from: no checkpoints, no optimizer, weights in one format.

    >>> needed_files(["config.json", "model.safetensors", "pytorch_model.bin", "optimizer.pt", "checkpoint-1/x.json"])
    ['config.json', 'model.safetensors']
    """
    needed = []
    files = sorted(files)
    for folder in ("", _OWN_BASE):
        names = [path.removeprefix(folder) for path in files if path.startswith(folder)]
        weights = [[name for name in names if pattern.fullmatch(name)] for pattern in _WEIGHTS]
        chosen = {*next(filter(None, weights), ())}
        needed += [
            folder + name for name in names if name in chosen or (_SETTINGS.fullmatch(name) and name not in _NOT_NEEDED)
        ]
    return needed
