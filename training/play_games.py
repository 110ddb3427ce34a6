"""Let a model build whole games with the simulated Architect, which sees the board and corrects.

    python training/play_games.py --model runs/pointer --dataset-config dsb --out runs/pointer/games.jsonl
    python training/play_games.py --model runs/pointer --dataset-config dr,dsb,dss --out runs/pointer/games/
    python training/play_games.py --model runs/ego_small --dataset-config dsb --games 20 --out ego.jsonl
    OPENAI_API_KEY=... python training/play_games.py --backend openai --base-url https://api.openai.com/v1 \\
        --model MODEL --dataset-config dss --games 20 --shots 5 --out chat.jsonl
    bap-v2 score runs/pointer/games.jsonl ego.jsonl
    bap-v2 show --played runs/pointer/games.jsonl --game dsb-full-test-3 --out game.html

The options are those of predict.py; `--dataset-config` names the simulators. More: docs/full_games.md.

Each line is a whole game (`bap_v2_dataset.games.play`). Ctrl-C or a kill leaves a usable file: the same command
resumes it. `OUTPUT.settings.json` beside it records how it was made, and a file made with other settings is not
resumed.
"""

import bap_v2_training.before_libraries  # isort: skip # noqa: F401 (before the libraries)

import sys
from dataclasses import dataclass
from pathlib import Path

from tqdm.auto import tqdm

from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_dataset.games.play import Answers, Games
from bap_v2_dataset.predictions.answer_files import earlier_lines
from bap_v2_simulators.corpus_table import PUBLISHED
from bap_v2_simulators.full_games.build_game import GAME_VERSION
from bap_v2_training.decoding.predict_arguments import PredictArguments
from bap_v2_training.decoding.predict_settings import of_each_test_set, parse_arguments, settings_of
from bap_v2_training.errors import UsageError
from bap_v2_training.games.game_builders import ChatBuilder, load_builder
from bap_v2_training.learning.options import check_least

_NOT_OF_GAMES = ("split", "max_items", "dataset_path", "games")  # in no settings: more games can be added


@dataclass(kw_only=True)
class GameArguments(PredictArguments):
    """All options of play_games.py."""

    games: int = 100
    first_seed: int = 0


def main(arguments: GameArguments) -> Path:
    """Play the games that are not in the output yet; returns the path of the file, or of the folder of files."""
    each = of_each_test_set(arguments)
    check(each)

    # One simulator after the other, by a model that is loaded once, when a game remains.
    player: Answers | None = None
    try:
        for one in each:
            games = Games(one.dataset_config, one.model, one.games, one.first_seed)
            done = already_played(one)
            print(f"{one.dataset_config}: {max(one.games - done, 0)} of {one.games} games to play")
            if done >= one.games:
                continue
            player = player or load_builder(one)
            play(games, Path(one.output), player, one)
    # An endpoint costs money, whatever ended the run.
    finally:
        if isinstance(player, ChatBuilder):
            print(player.run.usage.bill(arguments.price_prompt, arguments.price_completion))
    return Path(arguments.output)


def check(each: list[GameArguments]) -> None:
    """Raises: UsageError for what is not for games."""
    for one in each:
        if one.dataset_path is not None or one.max_items is not None or one.split != "test":
            raise UsageError("--data, --limit and --split are for items: games have --dataset-config and --games")
        if one.dataset_config not in PUBLISHED:
            raise UsageError(f"--dataset-config {one.dataset_config}: games are those of {', '.join(PUBLISHED)}")
        check_least(one, {"games": 1})


def already_played(arguments: GameArguments) -> int:
    """Count the games of the output file. Raises: PredictionError: they were played with other settings."""
    settings = {name: value for name, value in settings_of(arguments).items() if name not in _NOT_OF_GAMES}
    settings["game_version"] = GAME_VERSION
    fix = "choose another --out, or replace it with --overwrite"
    return len(earlier_lines(Path(arguments.output), settings, arguments.overwrite, fix, ("game_id",)))


def play(games: Games, output: Path, player: Answers, arguments: GameArguments) -> None:
    """Play games under a bar, which counts turns until games end; they are written in the order of their seeds."""
    completed = turns = 0
    with tqdm(total=games.games, desc="Playing", unit="game") as bar:

        def counted(rows: list[dict]) -> list[str]:
            nonlocal turns
            turns += len(rows)
            bar.set_postfix(turns=turns, completed=completed)
            return player(rows)

        at_once = arguments.concurrency if arguments.backend == "openai" else arguments.batch_size
        for game in games.records(output, counted, at_once):
            completed += game.metadata["result"]["completed"]
            bar.update()
        bar.set_postfix(turns=turns, completed=completed)
    print(f"{output}: {games.games} games, {completed} completed. All measures: bap-v2 score {output}")


def command() -> None:
    """Play as the command line says; what the user can fix is printed as a sentence."""
    with sentences_for_the_user(
        Path(sys.argv[0]).name, "stopped; the output file keeps the games that ended, and the same command resumes"
    ):
        main(parse_arguments(of=GameArguments))


if __name__ == "__main__":
    command()
