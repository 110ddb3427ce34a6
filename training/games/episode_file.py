"""The file of episodes: which of them it lacks, and lines at its end."""

import hashlib
import json
from pathlib import Path

from bap_v2_dataset.predictions.answer_files import earlier_lines
from bap_v2_dataset.tasks.plancraft.counts import REFERENCE
from bap_v2_training.decoding.output_file import Appending
from bap_v2_training.errors import UsageError
from bap_v2_training.games.episode_arguments import CONFIG, PlayArguments, settings_of
from bap_v2_training.games.episodes import PlayedEpisode
from bap_v2_training.learning.dataset_rows import load_rows


def remaining_episodes(arguments: PlayArguments) -> list[PlayedEpisode]:
    """Return the episodes that the output file lacks, in the order of the tasks, all runs of one together."""
    rules = arguments.rules
    config = CONFIG if arguments.dataset_path is None else None
    rows = load_rows(config, arguments.split, arguments.dataset_path, arguments.max_items).to_list()
    if rows and not set(REFERENCE).issubset(rows[0]):
        raise UsageError(f"{arguments.dataset_path or CONFIG} holds no tasks of Plancraft: it has {', '.join(rows[0])}")
    tasks = [row for row in rows if "impossible" in rules.tools or not row["impossible"]]

    # A file is resumed only by the same tasks and settings.
    sha256 = hashlib.sha256(json.dumps([task["id"] for task in tasks]).encode()).hexdigest()
    settings = settings_of(arguments) | {"items_sha256": sha256}
    fix = "choose another --out, or replace it with --overwrite"
    lines = earlier_lines(Path(arguments.output), settings, arguments.overwrite, fix, ("id", "run"))
    done = {(line["id"], line["run"]) for line in lines}

    # Say what is left, and which tasks cannot be played.
    runs = [(task, run) for task in tasks for run in range(1, arguments.runs + 1)]
    episodes = [PlayedEpisode.begun(task, rules, run) for task, run in runs if (task["id"], run) not in done]
    left_out = len(rows) - len(tasks)
    without = f" ({left_out} impossible ones left out: no tool to give up)" if left_out else ""
    print(f"{len(episodes)} of {len(runs)} episodes to play, of {len(tasks)} tasks{without}; tools {arguments.tools}")
    return episodes


class AppendingEpisodes(Appending):
    """Counts turns and successes, too."""

    unit = "episode"
    turns = succeeded = 0

    def add_episode(self, played: PlayedEpisode) -> None:
        """Write an episode when it has ended."""
        self.turns += len(played.episode.turns)
        self.succeeded += played.episode.success
        self.add(played.line, success=f"{self.succeeded / (self.answers + 1):.2f}")

    def summary(self, seconds: float) -> str:
        return f" ({self.turns} turns); {self.succeeded} succeeded. Score them: bap-v2 score {self.output}"
