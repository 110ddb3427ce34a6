"""The answers of our systems to the test sets, which come with the package: what one's own predictions are put beside.

`data/systems/systems.json` says how each system was made and what it was given, `NAME.json.xz` has its answers in the
order of the rows. Answers to other rows, labels or prompts than today's are stale: they are never scored.
"""

import lzma
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from bap_v2_dataset.evaluation import test_sets
from bap_v2_dataset.evaluation.results import Result, ScoredSplit, digest
from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.interface.table import all_configs, require_task
from bap_v2_dataset.items.prompts import REPRESENTATIONS
from bap_v2_dataset.loading import install
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.predictions.model_records import TEST_SET, training_record
from bap_v2_dataset.sentences import listed, unknown_name
from bap_v2_dataset.tables.cells import NO_VALUE, Line, ScoreTable, Value
from bap_v2_simulators.atomic_files import atomic_write

FOLDER = Path(__file__).parents[1] / "data" / "systems"
ALL = "all"  # in place of names: each system that answered the test set
TOLD = ("title", "made", "decoding", "learned", "larger_model")  # what a person writes of a system
_SEEN = ("id", "history", "dialogue", "pose", "before")  # the columns of a row that an answer may depend on
_RUN = ("dataset", "seed", "model", "steps", "seconds", "device", "finished")  # of a training, that are kept


@cache
def catalog() -> dict[str, Any]:
    """Return by name what is said of each system: TOLD and, by the config whose test items they are, `test_sets`."""
    return orjson.loads((FOLDER / "systems.json").read_bytes())


def archived(name: str) -> dict[str, Any]:
    """Return by config the `predictions` of a system in the order of the rows, and by row which are `unfinished`."""
    file = FOLDER / f"{name}.json.xz"
    return orjson.loads(lzma.decompress(file.read_bytes())) if file.is_file() else {}


def apart(arguments: Iterable[str], beside: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the files among the arguments of a command, and the systems: those among them, and those of `--beside`.

    Raises:
        PredictionError: there is no such system.
    """
    arguments, known = list(arguments), catalog()
    named = [argument for argument in arguments if argument in known and not Path(argument).exists()]
    for name in beside:
        if name not in (*known, ALL):
            files = f" (files are arguments: {name} without --beside)" if Path(name).exists() else ""
            raise PredictionError(unknown_name("system", name, [*known, ALL]) + files)
    return [each for each in arguments if each not in named], list(dict.fromkeys([*named, *beside]))


def answers_of(
    names: Sequence[str], tests: Iterable[tuple[str, str]], files: Sequence[SystemPredictions] = (),
    subset: bool = False, baselines: Sequence[str] = (),
) -> list[SystemPredictions]:  # fmt: skip
    """Return the answers of systems to test sets, as if they had been read from files.

    Args:
        names: as `apart` returns them. One that has no answers to some of the test sets is beside the others alone.
        tests: config and split of each; none: all that the systems answered and that are set up.
        files: that the systems stand beside.
        subset: only answers to the items that the first file of the test set has.
        baselines: that stand beside them, and keep their names.
    Raises:
        PredictionError: a system that answered none of the test sets, or whose answers are stale; of ALL, if all are.
    """
    # The test sets, by the config whose test items they are.
    systems = {name: catalog()[name] for name in (catalog() if ALL in names else names)}
    tests = list(dict.fromkeys(tests))
    if names and not tests:
        answered = dict.fromkeys(config for system in systems.values() for config in system["test_sets"])
        tests = [(config, "test") for config in answered if install.is_set_up(config)]
    if names and any(file.data is not None for file in files):
        raise PredictionError(f"{listed(list(systems))} answered test sets of the package, not data of your own")
    answered_by: dict[str, list[SystemPredictions]] = {name: [] for name in systems}
    stale = []

    # Each with the systems that answered it.
    for config, split in tests:
        key = _config_of(config, split)
        answering = [name for name, system in systems.items() if key in system["test_sets"]]
        if not answering:
            continue
        test = _test(config, split)
        same = [file for file in files if (file.config, file.split) == (config, split)] or files
        ids, today = [row["id"] for row in test.rows], made_on(test)
        for name in answering:
            record = systems[name]["test_sets"][key]
            if differing := stale_in(record, today):
                stale.append(_stale(name, key, differing, record, today))
                continue
            archive = archived(name)[key]
            inside = set(same[0].predictions) if subset and same else set(ids)
            predictions = {row_id: text for row_id, text in zip(ids, archive["predictions"]) if row_id in inside}
            unfinished = {ids[int(row)]: why for row, why in archive.get("unfinished", {}).items()}
            taken = name in {*baselines, *(file.system for file in files)}
            shown = f"{name} (of the package)" if taken else name
            settings = {"model": systems[name]["title"], **record["settings"]}
            answered_by[name].append(SystemPredictions(
                Path(name), shown, config, split, predictions, settings, named=True, unfinished=unfinished, packed=True,
            ))  # fmt: skip

    # Answers that were asked for by name are there.
    found = [file for same in answered_by.values() for file in same]
    missing = [name for name, same in answered_by.items() if not same]
    if stale and (ALL not in names or not found):
        raise PredictionError(stale[0])
    if missing and (ALL not in names or not found):
        sets = ", ".join(dict.fromkeys(key for name in missing for key in systems[name]["test_sets"]))
        asked = " and ".join(f"{config}, {split}" for config, split in tests) or "a test set that is set up"
        raise PredictionError(f"{listed(missing)} has no answers to {asked}, only to the test sets of {sets}")
    if found:
        found[0] = replace(found[0], notes=[f"left out: {why}" for why in stale])
    return found


def _config_of(config: str, split: str) -> str:
    """Return the config whose test items a split has, `dss` of `all, test_dss`; "" if these are no test items."""
    parts = all_configs()[config].made_of if config in all_configs() else ()
    part = config if split == "test" else split.removeprefix("test_")
    return part if part in (config, *parts) else ""


def _test(config: str, split: str) -> ScoredSplit:
    rows = test_sets.scored_rows(test_sets.split_rows(config, split))
    return ScoredSplit(require_task(config), config, split, rows, len(rows))


# --- Which answers are stale.
def made_on(test: ScoredSplit) -> dict[str, str]:
    """Return what answers to a test set depend on: digests of what is seen of its rows, and of their right answers."""
    seen = digest({name: row[name] for name in _SEEN if name in row} for row in test.rows)
    versions = " ".join(test.task.dataset.depends_on(_config_of(test.config, test.split)))
    versions = re.sub(r"\b([0-9a-f]{8})[0-9a-f]{56}\b", r"\1", versions)  # of the corpus
    return {"rows": seen[:16], "labels": test.labels_sha256[:16], "versions": versions}


def stale_in(record: Mapping[str, Any], today: Mapping[str, str]) -> list[str]:
    """Return what of a test set is not as it was when a system answered it: rows, labels, prompts."""
    settings = record["settings"]
    prompts = {*filter(None, [settings.get("prompt_version")]), *settings.get("prompt_versions", {}).values()}
    known = {representation.version for representation in REPRESENTATIONS.values()}
    return [name for name in ("rows", "labels") if record[name] != today[name]] + ["prompts"] * bool(prompts - known)


def _stale(
    name: str, config: str, differing: Sequence[str], record: Mapping[str, Any], today: Mapping[str, str]
) -> str:
    """Return the sentence for stale answers: what changed, of which versions it was and is, and what to do."""
    was, now = record["versions"], today["versions"]
    versions = f" (they were of {was}; today's are {now})" if was != now else ""
    labeled = "labels" in differing and "labels" in all_configs()[config].arguments
    back = f"go back to our labels (`bap-v2 setup --config {config} --labels ours`), " if labeled else ""
    return (
        f"the answers of {name} to {config} are stale, for its {listed(differing)} changed since{versions}: {back}"
        f"leave {name} out, or let it answer again and pack that (docs/how_to/publish.md)"
    )


# --- What there is.
def table_of_systems() -> ScoreTable:
    """Return the systems with their headline scores on the test sets that they answered, in percent."""
    answered = [system["test_sets"] for system in catalog().values()]
    sets = list(dict.fromkeys(config for one in answered for config in one))
    lines = []
    for name, one in zip(catalog(), answered):
        scores = [Value(100 * one[key]["score"]) if key in one else NO_VALUE for key in sets]
        lines.append(Line([name, *scores]))
    versions = [
        f"{key}: {', '.join(dict.fromkeys(one[key]['versions'] for one in answered if key in one))}" for key in sets
    ]
    note = f"In percent. Versions of rows, prompts and what they are made of: {'; '.join(versions)}."
    return ScoreTable("systems", "The systems of the package: overall F1", ("System", *sets), lines, 1, note)


def told_of(name: str) -> str:
    """Return what a system is, how it was made and decoded, what it learned from, and whether from a larger model."""
    title, *told = (catalog()[name][key] for key in TOLD)
    headings = ("made", "answers", "learned", "larger model")
    return "\n".join([f"{name}: {title}", *(f"  {heading}: {text}" for heading, text in zip(headings, told))])


# --- How they come into the package.
def pack(name: str, test: ScoredSplit, results: Sequence[Result], files: Sequence[SystemPredictions]) -> int:
    """Put the answers of a system to a test set into the folder of this package, in place of older ones.

    Args:
        name: of the system; a new one gets an entry in `systems.json`, whose sentences a person writes.
        results: its scores alone.
        files: what was scored; none for a baseline.
    Returns:
        The bytes of its archive.
    Raises:
        PredictionError: answers to anything but whole test sets, or of several systems or runs.
    """
    # One system, and all of a test set.
    config = _config_of(test.config, test.split)
    if len(results) != 1 or results[0].runs or results[0].missing or test.is_subset or test.source or not config:
        raise PredictionError(f"--pack {name}: expected one run of one system, with all answers to a test set")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name == ALL:
        raise PredictionError(f"--pack {name}: expected a name of small letters, digits and _, but for {ALL}")
    (result,), (file,) = results, files or [None]

    # How it answered: what is recorded beside the file, without what says which items, and the paths of a machine.
    settings: dict[str, Any] = {"baseline": result.name} if file is None else {
        key: value for key, value in file.settings.items() if value is not None and key not in (*TEST_SET, "model")
    }  # fmt: skip
    if file and (run := training_record(file.path, file.settings)):
        items = {"train": {"items": run.get("train", {}).get("items")}}
        settings["training_run"] = {key: run[key] for key in _RUN if key in run} | items
    version = re.search(r"version:([\w.]+)", result.signature)
    record = {
        "items": len(test.rows), **made_on(test), "labels_of": test.labels, "metric": version and version[1],
        "score": round(result.scores[test.task.scores.headline], 6), "packed": date.today().isoformat(),
        "settings": settings,
    }  # fmt: skip

    # Its archive, and what is said of it.
    positions = {row["id"]: str(position) for position, row in enumerate(test.rows)}
    unfinished = {positions[row_id]: why for row_id, why in (file.unfinished if file else {}).items()}
    answers = {"predictions": list(result.texts), **({"unfinished": unfinished} if unfinished else {})}
    text = orjson.dumps(archived(name) | {config: answers}, option=orjson.OPT_SORT_KEYS)
    atomic_write(FOLDER / f"{name}.json.xz", lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
    system = catalog().setdefault(name, {**dict.fromkeys(TOLD, ""), "test_sets": {}})
    system["test_sets"][config] = record
    atomic_write(FOLDER / "systems.json", orjson.dumps(catalog(), option=orjson.OPT_INDENT_2) + b"\n")
    return (FOLDER / f"{name}.json.xz").stat().st_size
