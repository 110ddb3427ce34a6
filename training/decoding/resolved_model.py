"""A model on this machine: in its folder, or downloaded from the Hub."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from huggingface_hub import HfApi, snapshot_download
from huggingface_hub.errors import GatedRepoError, HfHubHTTPError, HTTPError, LocalEntryNotFoundError

from bap_v2_dataset.predictions.model_records import DIGESTS, MEMBER, NEW_MODEL, is_gguf, packaged_builder
from bap_v2_training.errors import UsageError
from bap_v2_training.models.gguf import model_folder

_INNER = re.compile(rf"(?:({NEW_MODEL}|{MEMBER}\d+)/)?[^/]+")
_SETTINGS = re.compile(r"[^/]*\.(json|model|jinja)|(merges|vocab)\.txt")  # the tokenizer and the record among them
_REFUSED = (401, 403, 404)
_NOT_NEEDED = ("trainer_state.json",)
_WEIGHTS = (  # by preference
    re.compile(r"(adapter_)?model(-\d+-of-\d+)?\.safetensors"),
    re.compile(r"(adapter_model|pytorch_model)(-\d+-of-\d+)?\.bin"),
)


class ResolvedModel(NamedTuple):
    """The place of the files of a model."""

    folder: str
    commit: str | None  # on the Hub; of a GGUF file or a packaged Builder a digest; None: a folder of this machine


def resolve_model(name: str) -> ResolvedModel:
    """The model of a folder, or of USER/NAME or USER/NAME@REVISION on the Hub, of which what is needed is downloaded.

    `compact` comes with the package.

    One whose weights are a GGUF file is the folder that this became.

    Without a connection, what an earlier download left is used.

    Raises:
        UsageError: there is no such model, or it cannot be downloaded.
    """
    # A Builder of the package, a folder, or a file that becomes one
    if packaged := packaged_builder(name):
        return ResolvedModel(str(packaged), (packaged / DIGESTS).read_text()[:12])
    if Path(name).is_dir():
        return ResolvedModel(name, None)
    if is_gguf(name):
        folder = model_folder(name)
        return ResolvedModel(folder, folder.rpartition("-")[2])
    # A repository
    repo_id, _, revision = name.partition("@")
    try:
        return _on_the_hub(repo_id, revision or None)
    except GatedRepoError as error:
        raise UsageError(
            f"{repo_id} is gated: accept its license on the Hub, and set HF_TOKEN to a token of that account"
        ) from error
    except (HTTPError, OSError, ValueError) as error:
        absent = isinstance(error, LocalEntryNotFoundError)
        reason = "the Hub does not answer, and it was not downloaded before" if absent else error
        raise UsageError(
            f"{name} is neither the folder of a model nor a model available on the Hub: {reason}"
        ) from error


def _on_the_hub(repo_id: str, revision: str | None) -> ResolvedModel:
    try:
        info = HfApi().model_info(repo_id, revision=revision)
    except (HTTPError, ConnectionError) as error:
        if isinstance(error, HfHubHTTPError) and error.response.status_code in _REFUSED:
            raise
        try:
            folder = _downloaded(repo_id, revision)  # offline, or the Hub cannot answer now
        except OSError:
            if isinstance(error, HfHubHTTPError):
                raise error from None
            raise
    else:
        files = needed_files(file.rfilename for file in info.siblings or ())
        folder = snapshot_download(repo_id, revision=revision, allow_patterns=files)
    return ResolvedModel(folder, Path(folder).name)


def _downloaded(repo_id: str, revision: str | None) -> str:
    """Return the folder of an earlier download. Raises: OSError if there is none, or it has no weights."""
    try:
        return snapshot_download(repo_id, revision=revision, local_files_only=True)
    except OSError as error:  # also where it lacks files that nothing is loaded from, such as the card
        folder = getattr(error, "snapshot_path", None)
        if folder is None or not any(_are_weights(path.name) for path in Path(folder).rglob("*.*")):
            raise
        return str(folder)


def _are_weights(name: str) -> bool:
    return any(pattern.fullmatch(name) for pattern in _WEIGHTS)


def needed_files(files: Iterable[str]) -> list[str]:
    """Those files of a repository that a model is loaded from: no checkpoints, no optimizer, weights in one format.

    >>> needed_files(["config.json", "model.safetensors", "pytorch_model.bin", "optimizer.pt", "checkpoint-1/x.json"])
    ['config.json', 'model.safetensors']
    """
    needed = []
    names_in: dict[str, list[str]] = {}
    for path in sorted(files):
        if inner := _INNER.fullmatch(path):
            names_in.setdefault(f"{inner[1]}/" if inner[1] else "", []).append(path.rpartition("/")[2])
    for folder, names in sorted(names_in.items()):
        weights = [[name for name in names if pattern.fullmatch(name)] for pattern in _WEIGHTS]
        chosen = {*next(filter(None, weights), ())}
        needed += [
            folder + name for name in names if name in chosen or (_SETTINGS.fullmatch(name) and name not in _NOT_NEEDED)
        ]
    return needed
