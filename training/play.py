"""Let a model play Plancraft: episodes of crafting tasks by the real rules, as JSON lines.

    python training/play.py --model runs/plancraft --out runs/plancraft/test.jsonl
    python training/play.py --policy oracle --out runs/oracle.jsonl    # --help names the other policies
    python training/play.py --backend vllm --model meta-llama/Llama-3.1-8B-Instruct --tools "M S T SE I" \\
        --temperature 0.6 --runs 5 --out runs/llama.jsonl                                       # as in the paper
    OPENAI_API_KEY=... python training/play.py --backend openai --base-url https://api.openai.com/v1 --model MODEL \\
        --tools "M S T SE I" --out runs/chat.jsonl
    bap-v2 score runs/oracle.jsonl runs/plancraft/test.jsonl

Each line is {"id", "run", "prediction": {"turns", "success", "tokens"}, "ended", "prompt_tokens", "completion_tokens",
"finished", "messages_dropped"}: what the model wrote turn by turn, how the episode ended (success, impossible or
max_steps), whether all answers ended by themselves, and how many messages the model's context did not hold.

Ctrl-C or a kill leaves a usable file: the same command resumes it, and begins unfinished episodes again.
`OUTPUT.settings.json` beside it records how it was made, and a file made with other settings is not resumed.
"""

import bap_v2_training.before_libraries  # isort: skip # noqa: F401 (before the libraries)

import sys
from pathlib import Path

from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_simulators.plancraft.package import module
from bap_v2_training.games.episode_arguments import PlayArguments, parse_arguments
from bap_v2_training.games.episode_file import AppendingEpisodes, remaining_episodes
from bap_v2_training.games.episode_players import loaded_player, play_at_endpoint
from bap_v2_training.games.episodes import play, play_policy


def main(arguments: PlayArguments) -> Path:
    """Play the episodes that are not in the output file yet; returns its path."""
    module("environment.env")  # without the package nothing is written
    output, episodes = Path(arguments.output), remaining_episodes(arguments)
    if not episodes:
        return output
    with AppendingEpisodes(output, len(episodes), "Playing") as appending:
        if arguments.policy is not None:
            for episode in episodes:
                play_policy(episode, arguments.policy)
                appending.add_episode(episode)
        elif arguments.backend == "openai":
            play_at_endpoint(arguments, episodes, appending.add_episode)
        else:
            play(episodes, loaded_player(arguments), appending.add_episode)
    return output


def command() -> None:
    """Play as the command line says; what the user can fix is printed as a sentence."""
    with sentences_for_the_user(
        Path(sys.argv[0]).name, "stopped; the output file keeps what was played, and the same command resumes"
    ):
        main(parse_arguments())


if __name__ == "__main__":
    command()
