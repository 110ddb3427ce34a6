"""Episodes that a model plays, with what its answers cost."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, Protocol

from bap_v2_dataset.tasks.plancraft.policies import POLICIES, random_moves
from bap_v2_dataset.tasks.plancraft.prompts import WINDOW, Message, chat
from bap_v2_simulators.plancraft.episode import Episode
from bap_v2_simulators.plancraft.turns import MAX_STEPS


class TurnAnswer(NamedTuple):
    """Text of a model's turn, and what it cost."""

    text: str
    prompt_tokens: int | None = None  # None: not known
    completion_tokens: int | None = None
    finished: bool = True  # it ended by itself
    dropped: int = 0  # messages that did not fit into the model's context


class Player(Protocol):
    """Model that answers chats."""

    size: int  # how many episodes it plays at a time

    def answers(self, chats: Sequence[Sequence[Message]], seeds: Sequence[int]) -> list[TurnAnswer]:
        """The answer to each chat; an answer depends on the chat and the seed alone."""


@dataclass(frozen=True)
class Rules:
    """Rules of the episodes of a file."""

    tools: tuple[str, ...]
    few_shot: bool = True
    window: int = WINDOW  # messages that a model sees besides the system text
    max_steps: int = MAX_STEPS
    reading: str = "package"
    seed: int = 0


@dataclass
class PlayedEpisode:
    """An episode in play."""

    episode: Episode
    rules: Rules
    run: int = 1  # of the task, from 1
    answers: list[TurnAnswer] = field(default_factory=list)

    @classmethod
    def begun(cls, task: Mapping[str, Any], rules: Rules, run: int = 1) -> "PlayedEpisode":
        """Begin an episode of a task."""
        return cls(Episode(task, rules.tools, rules.max_steps, rules.seed, rules.reading), rules, run)

    @property
    def chat(self) -> list[Message]:
        """Messages that the model is sent now."""
        rules = self.rules
        return chat(self.episode.dialogue(), rules.tools, rules.few_shot, rules.window, rules.seed)

    @property
    def turn_seed(self) -> int:
        """Seed of the next answer: of this turn of this run of this task, whoever else plays beside it."""
        name = f"{self.rules.seed}/{self.run}/{self.episode.task['id']}/{len(self.episode.turns)}"
        return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") >> 1

    def take(self, answer: TurnAnswer) -> None:
        """Play the model's answer."""
        self.answers.append(answer)
        self.episode.take(answer.text)

    @property
    def line(self) -> dict[str, Any]:
        """Episode as a line of a file."""
        prompt, completion = (
            _total([getattr(answer, name) for answer in self.answers])
            for name in ("prompt_tokens", "completion_tokens")
        )
        tokens = None if prompt is None or completion is None else prompt + completion
        return {
            "id": self.episode.task["id"],
            "run": self.run,
            "prediction": {"turns": self.episode.turns, "success": self.episode.success, "tokens": tokens},
            "ended": self.episode.ended,
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "finished": all(answer.finished for answer in self.answers),
            "messages_dropped": sum(answer.dropped for answer in self.answers),
        }


def _total(numbers: Sequence[int | None]) -> int | None:
    given = [number for number in numbers if number is not None]
    return sum(given) if len(given) == len(numbers) else None


def play(episodes: Iterable[PlayedEpisode], player: Player, write: Callable[[PlayedEpisode], None]) -> None:
    """Play episodes, as many at a time as the player takes; an ended one makes room for the next.

    Args:
        write: is given each episode when it has ended.
    """
    waiting: Iterator[PlayedEpisode] = iter(episodes)
    active = list(islice(waiting, player.size))
    while active:
        answers = player.answers([played.chat for played in active], [played.turn_seed for played in active])
        for played, answer in zip(active, answers, strict=True):
            played.take(answer)
            if played.episode.ended:
                write(played)
        active = [played for played in active if not played.episode.ended]
        active += islice(waiting, player.size - len(active))


def play_policy(played: PlayedEpisode, name: str) -> None:
    """Play a whole episode by a policy of POLICIES; random moves differ from run to run."""
    policy = POLICIES[name].turns
    if policy is random_moves:
        policy = partial(random_moves, seed=played.rules.seed + played.run - 1, max_steps=played.rules.max_steps)
    for turn in policy(played.episode.task):
        if played.episode.ended:
            break
        played.take(TurnAnswer(turn))
