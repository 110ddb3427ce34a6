"""Let a model play Plancraft: episodes of crafting tasks by the real rules, as JSON lines.

    python training/play.py --model runs/plancraft --out runs/plancraft/test.jsonl
    python training/play.py --policy oracle --out runs/oracle.jsonl    # --help names the other policies
    python training/play.py --backend vllm --model meta-llama/Llama-3.1-8B-Instruct --tools "M S T SE I" \\
        --temperature 0.6 --runs 5 --out runs/llama.jsonl                                       # as in the paper
    OPENAI_API_KEY=... python training/play.py --backend openai --base-url https://api.openai.com/v1 --model MODEL \\
        --tools "M S T SE I" --out runs/chat.jsonl
    bap-v2 score runs/oracle.jsonl runs/plancraft/test.jsonl

Each turn the model sees the system text of the package, two solved tasks (`--few-shot`), and the newest messages of the
dialogue; its answer is one line: a move, a smelt, or another tool of `--tools`. `--config` is a YAML file of these
options. Needs the package plancraft: `pip install --no-deps plancraft==0.4.9`.

Each line is {"id", "run", "prediction": {"turns", "success", "tokens"}, "ended", "prompt_tokens", "completion_tokens",
"finished", "messages_dropped"}: what the model wrote turn by turn, how the episode ended (success, impossible or
max_steps), whether all answers ended by themselves, and how many messages the model's context did not hold.

Ctrl-C or a kill leaves a usable file: the same command resumes it, and begins unfinished episodes again.
`OUTPUT.settings.json` beside it records how it was made, and a file made with other settings is not resumed.
"""

import bap_v2_training.harmless_warnings  # isort: skip # noqa: F401 (before the libraries that warn)

import asyncio
import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tqdm.auto import tqdm

from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_dataset.predictions.answer_files import earlier_lines
from bap_v2_dataset.tasks.plancraft.counts import REFERENCE
from bap_v2_dataset.tasks.plancraft.policies import POLICIES, random_moves
from bap_v2_simulators.plancraft.package import module
from bap_v2_training.decoding.language_model import tokenizer_and_config
from bap_v2_training.decoding.local import loaded_model
from bap_v2_training.decoding.output_file import Appending
from bap_v2_training.decoding.vllm import Vllm
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.dataset_rows import load_rows
from bap_v2_training.playing.games import Answer, Game, Player, play
from bap_v2_training.playing.play_arguments import CONFIG, PlayArguments, parse_arguments, settings_of
from bap_v2_training.playing.players import EndpointGames, LocalPlayer, VllmPlayer, check_template


def main(arguments: PlayArguments) -> Path:
    """Play the episodes that are not in the output file yet; returns its path."""
    module("environment.env")  # without the package nothing is written
    games = remaining_games(arguments)
    if not games:
        return Path(arguments.output)
    with AppendingEpisodes(Path(arguments.output), len(games), "Playing") as appending:
        if arguments.policy is not None:
            for game in games:
                play_policy(game, arguments.policy)
                appending.add_game(game)
        elif arguments.backend == "openai":
            play_at_endpoint(arguments, games, appending.add_game)
        else:
            play(games, player_of(arguments), appending.add_game)
    return Path(arguments.output)


def remaining_games(arguments: PlayArguments) -> list[Game]:
    """The episodes that the output file lacks, in the order of the tasks, all runs of one together."""
    rules = arguments.rules
    config = CONFIG if arguments.dataset_path is None else None
    rows = load_rows(config, arguments.split, arguments.dataset_path, arguments.max_items).to_list()
    if rows and not set(REFERENCE).issubset(rows[0]):
        raise UsageError(f"{arguments.dataset_path or CONFIG} holds no tasks of Plancraft: it has {', '.join(rows[0])}")
    tasks = [row for row in rows if "impossible" in rules.tools or not row["impossible"]]
    sha256 = hashlib.sha256(json.dumps([task["id"] for task in tasks]).encode()).hexdigest()
    fix = "choose another --out, or replace it with --overwrite"
    lines = earlier_lines(
        Path(arguments.output), settings_of(arguments) | {"items_sha256": sha256}, arguments.overwrite, fix,
        ("id", "run"),
    )  # fmt: skip
    done = {(line["id"], line["run"]) for line in lines}
    wanted = [(task, run) for task in tasks for run in range(1, arguments.runs + 1)]
    games = [Game.begun(task, rules, run) for task, run in wanted if (task["id"], run) not in done]
    left_out = len(rows) - len(tasks)
    without = f" ({left_out} impossible ones left out: no tool to give up)" if left_out else ""
    print(f"{len(games)} of {len(wanted)} episodes to play, of {len(tasks)} tasks{without}; tools {arguments.tools}")
    return games


def player_of(arguments: PlayArguments) -> Player:
    """The model that plays on this machine."""
    tokenizer, config = tokenizer_and_config(arguments.model_folder)
    check_template(tokenizer)
    context = config.max_position_embeddings
    if arguments.backend == "vllm":
        model = Vllm(arguments.model_folder, tokenizer, config, arguments.dtype, context)
        return VllmPlayer(model, tokenizer, context, arguments)
    loaded = loaded_model(arguments.model_folder, tokenizer, arguments.dtype, arguments.load_in_4bit)
    return LocalPlayer(loaded, tokenizer, context, arguments)


def play_at_endpoint(arguments: PlayArguments, games: Sequence[Game], write: Callable[[Game], None]) -> None:
    """Play at an endpoint, and say what it used.

    Raises:
        UsageError: episodes failed; the same command plays them.
    """
    run = EndpointGames(arguments)
    try:
        asyncio.run(run.answer_all(games, write))
    finally:
        tqdm.write(run.usage.bill(arguments.price_prompt, arguments.price_completion))
    if run.failures:
        raise UsageError(
            f"{len(run.failures)} episodes got no answer, the same command plays them; first {run.failures[0]}"
        )


class AppendingEpisodes(Appending):
    """Counts turns and successes, too."""

    unit = "episode"
    turns = succeeded = 0

    def add_game(self, game: Game) -> None:
        """Write an episode when it has ended."""
        self.turns += len(game.episode.turns)
        self.succeeded += game.episode.success
        self.add(game.line, success=f"{self.succeeded / (self.answers + 1):.2f}")

    def summary(self, seconds: float) -> str:
        return f" ({self.turns} turns); {self.succeeded} succeeded. Score them: bap-v2 score {self.output}"


def play_policy(game: Game, name: str) -> None:
    """Plays a whole episode. Args: name: of POLICIES; random moves differ from run to run."""
    policy = POLICIES[name].turns
    if policy is random_moves:
        policy = partial(random_moves, seed=game.rules.seed + game.run - 1, max_steps=game.rules.max_steps)
    for turn in policy(game.episode.task):
        if game.episode.ended:
            break
        game.take(Answer(turn))


def command() -> None:
    """Play as the command line says; what the user can fix is printed as a sentence."""
    with sentences_for_the_user(
        Path(sys.argv[0]).name, "stopped; the output file keeps what was played, and the same command resumes"
    ):
        main(parse_arguments())


if __name__ == "__main__":
    command()
