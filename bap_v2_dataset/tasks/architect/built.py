"""What a Builder does on the words of an Architect: what is scored, item by item, and files of other Builders."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bap_v2_dataset.evaluation.results import Result, ScoredSplit
from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks.architect.rows import builder_item, spoken
from bap_v2_dataset.tasks.building.baselines.by_name import BASELINES
from bap_v2_metric.answers import read_prediction

READER = "symbolic"  # who reads where nobody else is named
_ACTION = re.compile(r"<Architect> (?:place \w+|pick)(?: -?\d+){3}")


def built(row: Mapping[str, Any], text: str, reader: str = READER) -> str:
    """Return the actions of a Builder that reads a text in place of a row's utterances, one per line.

    Args:
        reader: a baseline of Builder Action Prediction; `replay` does what was done in the game, whatever it reads.

    >>> row = {"id": "mine/0", "history": ["<Architect> a red block", "place red 0 1 0"], "before": ["red 0 1 0"]}
    >>> built(row, "two blue blocks on top")
    'place blue 0 2 0\\nplace blue 0 3 0'
    """
    item = builder_item(row, text)
    return BASELINES[reader](item | {"completion": "\n".join(item.get("actions", ()))})


class Built(NamedTuple):
    """The Builder that reads the words of a system, and its actions."""

    reader: str  # its name in signatures
    actions: Mapping[str, str] | None = None  # by row id; None: it is a baseline, which is asked


def scored_predictions(
    rows: Sequence[Mapping], texts: Sequence[str], system: str, built_by: Mapping[str, Built] | None = None
) -> tuple[list[str], dict[str, Any]]:
    """Return the actions of the Builder that reads the words of a system, and who that is, for the signature.

    Args:
        rows: of the dataset, with `texts` in their order.
        built_by: by system, who reads its words; the symbolic reader reads those of others.
    Raises:
        PredictionError: texts that are nothing but actions, and items that the other Builder did not answer.
    """
    lines = [line for text in texts for line in spoken(text)]
    if lines and all(_ACTION.fullmatch(line) for line in lines):
        raise PredictionError(
            f"{system} holds actions, not words: it has to say what the Architect says; what a Builder built is for "
            "--built, and for `bap-v2 score --data` with the items that it answers"
        )
    reader, answers = (built_by or {}).get(system, Built(READER))
    if answers is None:
        return [built(row, text, reader) for row, text in zip(rows, texts, strict=True)], {"reader": reader}
    if missing := [row["id"] for row in rows if row["id"] not in answers]:
        raise PredictionError(
            f"what was built for {system} lacks {len(missing):,} of {counted(len(rows), 'item')}, e.g. {missing[0]!r}: "
            "a Builder has to answer all items of --builder-items"
        )
    return [answers[row["id"]] for row in rows], {"reader": reader}


def builder_items(test: ScoredSplit, result: Result) -> bytes:
    """Return the items in which a Builder reads the words of a system, as JSON lines: own data for any Builder."""
    items = (builder_item(row, text) for row, text in zip(test.rows, result.texts, strict=True))
    return "".join(json.dumps(item) + "\n" for item in items).encode()


def read_built(
    arguments: Iterable[str], systems: Sequence[str], read: Callable[[Sequence[str]], Sequence[SystemPredictions]]
) -> dict[str, Built]:
    """Read what a Builder did on the words of systems: `FILE` or `SYSTEM=FILE`; or name a baseline, for all systems.

    A Builder has the name of its model, if that stands in the settings beside the file, else that of the file.

    Args:
        systems: that are scored, each as often as it has runs; without a name a file is of the only one.
        read: reads files.
    Raises:
        PredictionError: a file that cannot be read, one of no system, one of a system with several runs, and one that
            holds words.
    """
    n_runs = Counter(systems)
    files: dict[str, Built] = {}
    for argument in arguments:
        # A baseline builds for all systems that have no file of their own.
        if argument in BASELINES and not Path(argument).exists():
            files |= {system: Built(argument) for system in n_runs if system not in files}
            continue
        # A file is for a system that is named, or for the only one.
        name, equals, path = argument.partition("=")
        if not equals or Path(argument).exists():
            name, path = (systems[0] if len(n_runs) == 1 else ""), argument
        if name not in n_runs or name in files:
            known = ", ".join(n_runs)
            raise PredictionError(
                f"--built {argument}: write SYSTEM=FILE, once for each, with a system of {known}; or, for all of them, "
                f"one of {', '.join(BASELINES)}"
            )
        if n_runs[name] > 1:
            raise PredictionError(
                f"--built {argument}: {name} has {n_runs[name]} runs with words of their own, and one file cannot be "
                f"what was built on all: score each run separately, or pass a baseline, one of {', '.join(BASELINES)}"
            )
        # It has to hold actions.
        (file, *_) = read([path])
        actions, settings = file.predictions, file.settings
        if any(text.strip() for text in actions.values()) and not any(map(_has_actions, actions.values())):
            raise PredictionError(
                f"--built {argument}: {path} holds words, not actions: it has to be what a Builder did on the words, "
                "`place COLOR X Y Z` or `pick X Y Z` per line, in the items of --builder-items"
            )
        reader = Path(settings.get("model") or Path(path).name.split(".")[0]).name
        files[name] = Built(re.sub(r"[^\w.+-]+", "_", reader), actions)
    return files


def _has_actions(text: str) -> bool:
    return bool(read_prediction(text).actions)
