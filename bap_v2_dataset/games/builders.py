"""Builders of full games by name, rules and the one of the package: from what a Builder knows to the text of a turn."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random

from bap_v2_dataset.predictions.model_records import COMPACT, packaged_builder
from bap_v2_dataset.tasks.building.baselines.rules import do_nothing, stack
from bap_v2_dataset.tasks.building.baselines.symbolic_moves import symbolic_with_corrections
from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MAX, Y_MIN, Z_MAX, Z_MIN, Color
from bap_v2_metric.errors import UserError

Builder = Callable[[Mapping], str]
ERRORS = 0.25  # of the turns of `symbolic_err25`
_COLORS = tuple(color.value for color in Color)


class BuilderError(UserError):
    """The name of a Builder that does not exist; the message lists those that do."""


def builder_of(name: str, seed: int = 0) -> Builder:
    """Return a Builder for one game.

    Args:
        name: one of `BUILDERS`, or `compact`.
        seed: of what it does at random.
    Raises:
        BuilderError: for another name.
    """
    if packaged_builder(name):
        return lambda row: _loaded_once("--model", name)([row])[0]
    if name not in BUILDERS:
        raise BuilderError(
            f"unknown Builder {name!r} (expected one of {', '.join(BUILDERS)}; to build yourself: bap-v2 play)"
        )
    return BUILDERS[name](Random(f"{name} {seed}"))


def answers_of(*options: str) -> Callable[[Sequence[Mapping]], list[str]]:
    """Load a model. Args: options: of `bap-v2 predict`. Returns: a function from rows to answers."""
    # By name: it is in the layer below, which only commands of models need.
    return import_module("bap_v2_training.commands").answers(options)


_loaded_once = cache(answers_of)  # of the package, whose Builders never change; a folder may be trained on


def usual_builder(told: Callable[[str], object]) -> str:
    """Return `compact`, or `symbolic` where that cannot run. Args: told: is given a sentence that says why."""
    if find_spec("torch") is None:
        told(f'the rule symbolic builds, as {COMPACT} needs torch: pip install "bap-v2[training]"')
    elif packaged_builder(COMPACT) is None:
        own = f"{COMPACT} is a folder of your own here: --model {COMPACT} asks it"
        lacking = f"this copy of the package does not have {COMPACT}"
        told(f"the rule symbolic builds, as {own if Path(COMPACT).is_dir() else lacking}")
    else:
        return COMPACT
    return "symbolic"


def _erring(rng: Random) -> Builder:
    """Return the symbolic Builder, but in a share of its turns each of its placements is one block off."""

    def turn(row: Mapping) -> str:
        text = symbolic_with_corrections(row)
        if rng.random() >= ERRORS:
            return text
        dx, dz = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
        return "\n".join(_shifted(line, dx, dz) for line in text.splitlines())

    return turn


def _shifted(line: str, dx: int, dz: int) -> str:
    *words, x, y, z = line.split()
    return line if words[0] != "place" else " ".join((*words, str(int(x) + dx), y, str(int(z) + dz)))


def _random(rng: Random) -> Builder:
    def turn(row: Mapping) -> str:
        x, y, z = rng.randint(X_MIN, X_MAX), rng.randint(Y_MIN, Y_MAX), rng.randint(Z_MIN, Z_MAX)
        return f"place {rng.choice(_COLORS)} {x} {y} {z}"

    return turn


BUILDERS: Mapping[str, Callable[[Random], Builder]] = {
    "symbolic": lambda rng: symbolic_with_corrections,
    "symbolic_err25": _erring,
    "stack": lambda rng: stack,
    "random": _random,
    "nothing": lambda rng: do_nothing,
}
