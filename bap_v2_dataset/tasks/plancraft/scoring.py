"""How systems played Plancraft: their episodes, played once more by the rules, and scored with the tools that they had.

Tools, reading and number of turns are those in the settings beside the predictions. A system without the tool
`impossible` does not play impossible tasks: they are left out for it. Several runs of a system are scored together, as
the metric does it; the spread is that of the runs.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.evaluation import test_sets
from bap_v2_dataset.evaluation.results import Answers, Result, ScoredSplit, mean_of_runs
from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.evaluation.test_sets import scored_rows
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.predictions.answered_rows import matched
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks.plancraft.policies import POLICIES
from bap_v2_dataset.tasks.plancraft.scorer import SCORER
from bap_v2_metric.scoring import InputError
from bap_v2_simulators.plancraft.episode import Episode
from bap_v2_simulators.plancraft.package import INSTALL, PlancraftMissing, module
from bap_v2_simulators.plancraft.turns import MAX_STEPS, READINGS, TOOLS, tools_of

if TYPE_CHECKING:
    from bap_v2_dataset.loading.own_splits import OwnData

TASKS_CONFIG = "plancraft"
_EMPTY: dict[str, Any] = {"turns": [], "success": False, "tokens": None}
_SHOWN_FACTS = ("few_shot", "window", "temperature", "top_p", "seed")  # of the settings, besides the scorer's options


@dataclass(frozen=True)
class _Play:
    """The settings of a system's episodes."""

    file: SystemPredictions
    tools: tuple[str, ...]
    reading: str
    max_steps: int

    @property
    def options(self) -> dict[str, Any]:
        """Of the scorer."""
        return {"tools": self.tools, "reading": self.reading, "max_steps": self.max_steps}

    @property
    def facts(self) -> dict[str, Any]:
        """The facts for tables."""
        settings = self.file.settings
        return self.options | {name: settings[name] for name in _SHOWN_FACTS if settings.get(name) is not None}

    def plays(self, row: Mapping[str, Any]) -> bool:
        """Return whether the system plays such a task."""
        return "impossible" in self.tools or not row["impossible"]


def join_predictions(
    task: Task, config: str, split: str, files: Sequence[SystemPredictions], *, subset: bool, partial: bool, hint: str,
    data: "OwnData | None",
) -> tuple[ScoredSplit, list[Answers], list[str]]:  # fmt: skip
    """Return the tasks of a split that are scored, and the episodes of files; as `scoring.join_predictions`.

    Raises:
        PredictionError: as there; an episode that is not one, or that the rules play otherwise than it says; settings
            that are none.
    """
    # The tasks, of which a part may be scored.
    if data is None and config != TASKS_CONFIG:
        raise PredictionError(f"{config} holds dialogues to learn from: score on --config {TASKS_CONFIG}")
    rows: Sequence[Mapping] = scored_rows(data.splits[split] if data else test_sets.split_rows(config, split, hint))
    n_rows, notes = len(rows), []
    plays = [_play(file, rows) for file in files]
    if subset and plays:
        rows = _answered(rows, plays)
    # Without the package nothing can be played once more.
    replays = _rules_are_there()
    if plays and not replays:
        notes.append(f"episodes were taken as they are told, not played once more: {INSTALL}")
    # The episodes of each file, checked by the rules.
    answers = []
    for play in plays:
        file = play.file
        played = [row["id"] for row in rows if play.plays(row)]
        answered = _of_split(file, rows, notes) if subset else file.predictions
        texts = dict(zip(played, matched(answered, played, file.source, partial, f"{config}, {split}", file.missing)))
        shown = [texts.get(row["id"], "") for row in rows]
        episodes = [_episode(text, row, file.source) for row, text in zip(rows, shown)]
        if replays:
            for row, episode in zip(rows, episodes):
                _check_replay(row, episode, play)
        missing = len(played) - sum(map(bool, texts.values()))
        left_out = tasks_left_out(rows, play.tools)
        answers.append(
            Answers(file.system, shown, episodes, play.options, file.label, missing, left_out, play.facts)
        )  # fmt: skip
    return ScoredSplit(task, config, split, rows, n_rows, data.source if data else ""), answers, notes


def answers_of_policy(rows: Sequence[Mapping], texts: Sequence[str], name: str) -> Answers:
    """Return the episodes of a baseline."""
    options = {"tools": POLICIES[name].tools, "reading": READINGS[0], "max_steps": MAX_STEPS}
    left_out = tasks_left_out(rows, options["tools"])
    return Answers(name, texts, list(map(json.loads, texts)), options, left_out=left_out, facts=options)


def pooled(system: str, runs: Sequence[Result]) -> Result:
    """Return several runs as one result: the scores are those of all episodes, the deviations those between runs."""
    facts = [{name: value for name, value in run.facts.items() if name != "seed"} for run in runs]
    if other := [
        name for one in facts[1:] for name in facts[0].keys() | one.keys() if one.get(name) != facts[0].get(name)
    ]:
        raise PredictionError(
            f"the runs of {system} were played with different {other[0]}: {facts[0].get(other[0])} and others; name "
            "them as systems of their own, NAME=FILE"
        )
    mean = mean_of_runs(system, runs)
    return replace(mean, scores=SCORER.aggregate([item for run in runs for item in run.counted_items]))


def _play(file: SystemPredictions, rows: Sequence[Mapping]) -> _Play:
    """Return what the settings of a file say; without settings all tools, and no impossible tasks where it has none."""
    # The settings of the run, with the usual ones where they are silent.
    settings = file.settings
    tools, reading = settings.get("tools"), settings.get("reading") or READINGS[0]
    max_steps = settings.get("max_steps") or MAX_STEPS
    try:
        used = tools_of(tools) if tools else TOOLS
    except (InputError, TypeError, AttributeError):
        raise PredictionError(f"{file.path}.settings.json: tools is {tools!r} (expected e.g. 'M S T')") from None
    if reading not in READINGS:
        raise PredictionError(f"{file.path}.settings.json: reading is {reading!r} (expected {' or '.join(READINGS)})")
    if isinstance(max_steps, bool) or not isinstance(max_steps, int) or max_steps < 1:
        raise PredictionError(f"{file.path}.settings.json: max_steps is {max_steps!r} (expected a number of turns)")
    # Impossible tasks are played only with the tool that gives up.
    impossible = {row["id"] for row in rows if row["impossible"]} & file.predictions.keys()
    if not tools and not impossible:
        used = tuple(name for name in TOOLS if name != "impossible")
    if impossible and "impossible" not in used:
        raise PredictionError(
            f"{file.source} has an episode of {min(impossible)}, which is impossible, and its tools "
            f"({', '.join(used)}) cannot give it up: leave it out, or name the tools that were used"
        )
    return _Play(file, used, reading, max_steps)


def _answered(rows: Sequence[Mapping], plays: Sequence[_Play]) -> list[Mapping]:
    """Return the rows that all files answer whose tools allow it."""
    # Systems are compared on the same tasks: files must agree on each kind.
    for kind, members in (
        ("tasks", [row["id"] for row in rows if not row["impossible"]]),
        ("impossible tasks", [row["id"] for row in rows if row["impossible"]]),
    ):
        inside = set(members)
        answered = [
            (play.file.source, play.file.predictions.keys() & inside)
            for play in plays
            if kind == "tasks" or "impossible" in play.tools
        ]
        for source, ids in answered[1:]:
            if ids != answered[0][1]:
                raise PredictionError(
                    f"{source} and {answered[0][0]} answer different {kind}: score them separately, or with --partial"
                )
    # The rows of any file.
    kept = [row for row in rows if any(row["id"] in play.file.predictions for play in plays)]
    if not kept:
        raise PredictionError(
            f"no id of {plays[0].file.source} is in this split: choose the config and split it was made for"
        )
    return kept


def _of_split(file: SystemPredictions, rows: Sequence[Mapping], notes: list[str]) -> dict[str, str]:
    """Return the answers of a file to these rows; what is left out is noted."""
    ids = {row["id"] for row in rows}
    kept = {row_id: text for row_id, text in file.predictions.items() if row_id in ids}
    if left_out := len(file.predictions) - len(kept):
        notes.append(f"{file.source}: left out {counted(left_out, 'episode')} of tasks that the split lacks")
    return kept


def tasks_left_out(rows: Sequence[Mapping], tools: Sequence[str]) -> frozenset[int]:
    if "impossible" in tools:
        return frozenset()
    return frozenset(place for place, row in enumerate(rows) if row["impossible"])


def _episode(text: str, row: Mapping, source: str) -> dict[str, Any]:
    """Return the episode of a text; without a text one without turns. Raises: PredictionError: it is no episode."""
    if not text:
        return dict(_EMPTY)
    try:
        episode = json.loads(text)
    except ValueError:
        episode = None
    if not isinstance(episode, dict) or "turns" not in episode:
        raise PredictionError(
            f"{source}: the prediction for {row['id']} is no episode (expected "
            '{"turns": [...], "success": true or false, "tokens": a number or null}, as play.py writes it)'
        )
    return episode


def _check_replay(row: Mapping, told: Mapping[str, Any], play: _Play) -> None:
    """Raises: PredictionError: by the rules the turns end elsewhere, or with another success, than it is told."""
    # Play the turns by the rules.
    turns = told.get("turns")
    if not isinstance(turns, list) or not all(isinstance(turn, str) for turn in turns) or not play.plays(row):
        return  # which the scorer refuses, or leaves out
    episode = Episode(row, play.tools, play.max_steps, reading=play.reading)
    where = f"{play.file.source}: the episode of {row['id']}"
    for number, turn in enumerate(turns, start=1):
        if episode.ended:
            raise PredictionError(
                f"{where} goes on after turn {number - 1}, which ends it ({episode.ended}): was it played with other "
                "tools, reading or max_steps? They belong into its settings"
            )
        episode.take(turn)
    # The end must be the one that the file tells.
    if bool(told.get("success")) != episode.success:
        raise PredictionError(
            f"{where}: success is {bool(told.get('success'))}, but played by the rules it is {episode.success}: was it "
            "played with other tools, reading or max_steps? They belong into its settings"
        )


def _rules_are_there() -> bool:
    try:
        module("environment.env")
    except PlancraftMissing:
        return False
    return True
