"""The next turn of a gold dialogue, in the middle of it: what is asked, and what an answer is worth.

Of each task that can be solved one place of its gold plan is asked, drawn by the task's id. The environment is played
up to there, and takes the answer. Many answers are right, so they are not compared with the gold turn alone:

- `valid`: a tool reads it, and it changes what is in the slots;
- `on_plan`: it brings the end a turn nearer. After it there is a plan that makes the target in fewer turns than the
  gold plan had left, moving one item at a time as the gold plan does (`remaining_plans`); or the shortest plan that may
  move several at a time (`short_plans`) has become shorter by a turn. Such a plan is played: 1 is proven. Both plans
  carry out the recipes of the gold plan; an answer that begins other recipes for the same target has 0;
- `exact`: it is the gold turn.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from bap_v2_dataset.tasks.plancraft.plans import PlanStep, ends_a_step, steps_of
from bap_v2_dataset.tasks.plancraft.prompts import system_text
from bap_v2_dataset.tasks.plancraft.remaining_plans import remaining_plans, steps_left
from bap_v2_dataset.tasks.plancraft.short_plans import short_plan
from bap_v2_simulators.plancraft.environment import OUTPUT, State
from bap_v2_simulators.plancraft.episode import Episode, observation
from bap_v2_simulators.plancraft.turns import ALWAYS, first_line, read_turn

SCORES = ("on_plan", "valid", "exact")
_COLUMNS = ("target", "impossible", "inventory", "recipes", "plan", "difficulty")


def next_turn_row(task: Mapping[str, Any]) -> dict[str, Any]:
    """The question about a task: its columns, the number of `turns_before`, `prompt` and `completion`, the gold turn.

    The prompt has the package's system text for moves and smelts, the turns so far, and what the player reads now, from
    which alone the next turn can be decided.

    Args:
        task: a row of `plancraft` that can be solved.
    """
    n = Random(f"next turn/{task['id']}").randrange(len(task["plan"]))
    episode = _after(task, n)
    before = "".join(f"{turn}\n" for turn in episode.turns) or "none\n"
    now = observation(task["target"], episode.state)
    return {
        "id": task["id"],
        **{name: task[name] for name in _COLUMNS},
        "turns_before": n,
        "prompt": f"{system_text(ALWAYS)}\n\nActions so far:\n{before}\n{now}\n\nNext action:\n",
        "completion": task["plan"][n],
    }


def next_turn_counts(row: Mapping[str, Any], answer: str) -> dict[str, int]:
    """Return each of SCORES of an answer, 0 or 1.

    Args:
        row: of `next_turn_row`.
        answer: any text; its first line counts, as in an episode.
    Raises:
        PlancraftMissing: without the package.
    """
    n = row["turns_before"]
    episode = _after(row, n)
    played = episode.fork()
    played.take(answer)
    valid = played.success or played.state != episode.state
    return {
        "on_plan": int(valid and (played.success or _nearer(row, episode, played))),
        "valid": int(valid),
        "exact": int(read_turn(first_line(answer), ALWAYS) == read_turn(row["plan"][n], ALWAYS)),
    }


def _after(task: Mapping[str, Any], n: int) -> Episode:
    """Return the episode after the first turns of the gold plan."""
    return Episode(task, ALWAYS).play(task["plan"][:n])


def _nearer(row: Mapping[str, Any], before: Episode, after: Episode) -> bool:
    """Return whether a turn brings the end a turn nearer."""
    n = row["turns_before"]
    steps = steps_of(row)[sum(map(ends_a_step, row["plan"][:n])) :]
    left = steps_left(steps, before.state, after.state)
    most = len(row["plan"]) - n - 1
    plans = [row["plan"][n + 1 :], *remaining_plans(left, after.state)]
    if any(len(plan) <= most and after.fork().play(plan).success for plan in plans):
        return True
    now, then = _short(left, after.state), _short(steps, before.state)
    if now is None or (then is not None and len(now) >= len(then)):
        return False
    return len(now) <= most and after.fork().play(now).success


def _short(steps: Sequence[PlanStep], state: State) -> list[str] | None:
    """Return the shortest plan found; None if none is."""
    try:
        return short_plan(steps, {slot: item for slot, item in state.items() if slot != OUTPUT})
    except (KeyError, ValueError):  # no partial plan reaches the end
        return None
