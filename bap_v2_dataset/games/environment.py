"""The environment `bap_v2/BuildGame-v0` of gymnasium: full games, for agents that read and write text.

import gymnasium
import bap_v2_dataset.games.environment
env = gymnasium.make("bap_v2/BuildGame-v0", simulator="dsb")
observation, info = env.reset(seed=0)
observation, reward, terminated, truncated, info = env.step("place red 0 1 0")
"""

import string
from typing import Any

import gymnasium
from gymnasium.spaces import Dict, Text

from bap_v2_metric.errors import UserError
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.full_games.build_game import MOST_TURNS, PATIENCE, BuildGame

NAME = "bap_v2/BuildGame-v0"
LONGEST = 100_000  # characters of a text
_CHARACTERS = frozenset(string.printable)


class ActionError(UserError):
    """An action that is not a text."""


class BuildGameEnv(gymnasium.Env):
    """One full game at a time.

    An observation is a dict of texts, of one line for each utterance, action or block: `dialogue`, `history`, `before`,
    and `pose` (x, y, z, yaw, pitch). An action is a text: see `BuildGame.play`. The reward is 1 at the end of a game
    whose structure is the target, else 0. At the end, `info["result"]` has the counts of the game.

    Args:
        simulator: dr, dsb or dss.
        split: of the targets.
        patience: see `BuildGame`.
    Raises:
        SettingsError: for an unknown simulator or split.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self, simulator: str = "dr", split: str = "test", patience: int = PATIENCE, render_mode: str | None = None
    ):
        self.render_mode = render_mode
        self._simulator, self._split, self._patience = simulator_of(simulator), split, patience
        text = Text(LONGEST, min_length=0, charset=_CHARACTERS)
        self.observation_space = Dict({"before": text, "dialogue": text, "history": text, "pose": text})
        self.action_space = Text(LONGEST, min_length=0, charset=_CHARACTERS)
        self.game = self._new(0)

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[dict[str, str], dict[str, Any]]:
        """Begin a game.

        Args:
            seed: of the game and of those that follow it; without one, the next game.
            options: not used.
        """
        super().reset(seed=seed)
        self.game = self._new(seed if seed is not None else int(self.np_random.integers(2**31)))
        return self._observation(), {}

    def step(self, action: str) -> tuple[dict[str, str], float, bool, bool, dict[str, Any]]:
        """Play one turn of the Builder.

        Returns: observation, reward, terminated, truncated (too many turns), info.
        Raises:
            ActionError: for an action that is not a text.
        """
        if not isinstance(action, str):
            raise ActionError(f"{action!r} is not an action: pass a text, such as 'place red 0 1 0'")
        self.game.play(action)
        over = self.game.is_over
        result = self.game.result() if over else None
        truncated = over and result.turns >= MOST_TURNS and not result.completed
        info = {"result": result.to_dict()} if over else {}
        return self._observation(), float(over and result.completed), over and not truncated, truncated, info

    def render(self) -> str | None:
        """Return what was said since the last action, as text."""
        return "\n".join(self.game.dialogue) if self.render_mode == "ansi" else None

    def _new(self, seed: int) -> BuildGame:
        return BuildGame(self._simulator, seed, split=self._split, patience=self._patience)

    def _observation(self) -> dict[str, str]:
        row = self.game.row
        texts = {name: "\n".join(row[name]) for name in ("before", "dialogue", "history")}
        texts = {name: _observed(text[-LONGEST:]) for name, text in texts.items()}
        return {**texts, "pose": " ".join(f"{number:.2f}" for number in row["pose"].values())}


def _observed(text: str) -> str:
    """Replace what is not ASCII, such as in a Builder's chat: the observation space has no other characters."""
    return text if text.isascii() else text.encode("ascii", "replace").decode()


def row_of(observation: dict[str, str]) -> dict[str, Any]:
    """Return an observation as the row that Builders read: see `BuildGame.row`."""
    row: dict[str, Any] = {name: observation[name].splitlines() for name in ("before", "dialogue", "history")}
    names = ("x", "y", "z", "yaw", "pitch")
    row["pose"] = dict(zip(names, map(float, observation["pose"].split()), strict=True))
    return row


if NAME not in gymnasium.registry:
    gymnasium.register(NAME, entry_point="bap_v2_dataset.games.environment:BuildGameEnv")
