"""An episode of Plancraft: one task, played turn by turn in text (Dagan et al. 2025, 3)."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from bap_v2_metric.scoring import InputError
from bap_v2_simulators.plancraft.environment import OUTPUT, State, crafting_environment
from bap_v2_simulators.plancraft.lenient import turn_of
from bap_v2_simulators.plancraft.package import handlers, module
from bap_v2_simulators.plancraft.search import search_reply
from bap_v2_simulators.plancraft.turns import ALWAYS, MAX_STEPS, READINGS, AgentTurn, first_line, tools_of

SUCCESS, IMPOSSIBLE, OUT_OF_TURNS = "success", "impossible", "max_steps"


def observation(target: str, state: Mapping[int, Mapping[str, Any]]) -> str:
    """Return what the player reads: the task and what is in the slots, as the package words it."""
    text: str = module("environment.env").target_and_inventory_to_text_obs(target, state)
    return text


def inventory_of(row: Mapping[str, Any]) -> State:
    """Return the inventory of a row of `plancraft`, by slot."""
    return {item["slot"]: {"type": item["type"], "quantity": item["quantity"]} for item in row["inventory"]}


class Episode:
    """One try at a task.

    Every answer is a turn, whatever it does. The episode ends when the target is in any slot but the output, when the
    player gives up, or after `max_steps` turns. The task itself is never changed.

    Args:
        task: a row of `plancraft`: `id`, `target`, `impossible`, `inventory`.
        tools: that the player has, by name or letter ("M S T"). An impossible task needs `impossible`.
        max_steps: turns.
        seed: of the grids that searches tell.
        reading: "package" or "lenient".
    Raises:
        InputError: unknown tools or reading, an impossible task that cannot be given up.
        InventoryError: an inventory that an episode cannot begin with.
        PlancraftMissing: without the package.
    """

    def __init__(
        self,
        task: Mapping[str, Any],
        tools: str | Sequence[str] = ALWAYS,
        max_steps: int = MAX_STEPS,
        seed: int = 0,
        reading: str = "package",
    ) -> None:
        self.task = task
        self.tools = tools if isinstance(tools, tuple) else tools_of(tools)
        self.max_steps, self.seed, self.reading = max_steps, seed, reading
        if reading not in READINGS:
            raise InputError(f"reading={reading!r} (expected {' or '.join(READINGS)})")
        if task["impossible"] and "impossible" not in self.tools:
            raise InputError(f"{task['id']} is impossible: play it with the tool impossible, or leave it out")
        self.environment = crafting_environment(inventory_of(task))
        self.turns: list[str] = []  # what the player wrote, as it was read
        self.replies = [observation(task["target"], self.environment.state)]  # one more than turns, until the end
        self.ended = ""  # "success", "impossible" or "max_steps"
        self.success = False

    @property
    def state(self) -> State:
        """The content of the slots."""
        state: State = self.environment.state
        return state

    def take(self, text: str) -> str | None:
        """Plays a turn.

        Args:
            text: of the player; any.
        Returns:
            What the player reads next; None if the episode has ended.
        Raises:
            InputError: if it had ended before.
        """
        if self.ended:
            raise InputError(f"the episode of {self.task['id']} has ended ({self.ended}): begin another one")
        # Only the first line counts, unless the reading is lenient.
        line = text if self.reading == "lenient" else first_line(text)
        turn = turn_of(line, self.tools, self.reading)
        self.turns.append(line)
        reply = self._carried_out(turn, line)
        # Three ways to end: give up, craft the target, run out of turns.
        if turn.kind == "impossible":
            self.ended, self.success = IMPOSSIBLE, bool(self.task["impossible"])
        elif turn.kind in ALWAYS and self._has_target():
            self.ended, self.success = SUCCESS, True
        elif len(self.turns) >= self.max_steps:
            self.ended = OUT_OF_TURNS
        if self.ended:
            return None
        self.replies.append(reply)
        return reply

    def play(self, turns: Iterable[str]) -> "Episode":
        """Return the same episode after these turns; what was written after its end is not played."""
        for turn in turns:
            if self.ended:
                break
            self.take(turn)
        return self

    def fork(self) -> "Episode":
        """Return the same episode once more: what is played in one is not seen by the other."""
        other = object.__new__(Episode)
        other.__dict__.update(self.__dict__)
        other.environment = self.environment.fork()
        other.turns, other.replies = self.turns.copy(), self.replies.copy()
        return other

    def dialogue(self) -> list[dict[str, str]]:
        """Return what was read and written, in turn, as the messages of a chat without a system text."""
        messages = []
        for number, reply in enumerate(self.replies):
            messages.append({"role": "user", "content": reply})
            if number < len(self.turns):
                messages.append({"role": "assistant", "content": self.turns[number]})
        return messages

    def _carried_out(self, turn: AgentTurn, line: str) -> str:
        """Carries out a turn; the reply to it."""
        if turn.kind in ALWAYS:
            carry_out = self.environment.move_item if turn.kind == "move" else self.environment.smelt_item
            carry_out(turn.source, turn.target, turn.quantity)
            self.environment.clean_state()
            return observation(self.task["target"], self.environment.state)
        if turn.kind == "search":
            return search_reply(turn.text, Random(f"{self.seed}/{self.task['id']}/{len(self.turns)}"))
        if turn.kind == "impossible":
            return ""
        return _reply_of_package(turn, line, self.tools)

    def _has_target(self) -> bool:
        target = self.task["target"]
        return any(item["type"] == target and slot != OUTPUT for slot, item in self.environment.state.items())


def _reply_of_package(turn: AgentTurn, line: str, tools: Sequence[str]) -> str:
    """Return what the package says to a thought, or to a turn that it cannot carry out."""
    texts = handlers()
    if turn.kind == "think":
        return str(texts["think"].match("think:"))
    for tool in tools:
        if reply := texts[tool].match(line):
            return str(reply)
    return f"Only select actions from the following: {', '.join(tools)}"
