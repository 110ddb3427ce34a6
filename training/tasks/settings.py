"""The settings of training that are some task's own. A trainer has them all, and imports no task for them."""

from collections.abc import Sequence
from dataclasses import dataclass

from bap_v2_dataset.chat.system_role import SYSTEM_ROLES
from bap_v2_dataset.items.prompts import REPRESENTATIONS
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.options import option

# Modes of robust training; trainers that know no others fix the items before the training begins.
RANDOM, STATIC, DYNAMIC, FGSM = MODES = ("random", "static", "dynamic", "fgsm")
CHOSEN_ONCE = (RANDOM, STATIC)  # modes that any trainer knows: the items are fixed before the training begins
SLOTS, SLOTS_AND_ITEMS = "slots", "slots_and_items"
REPRESENTATIONS_HELP = (  # those of other tasks by hand: a trainer does not import them
    f"Input: {', '.join(REPRESENTATIONS)}; those of Table 5, and ours. GSU: how blocks are written, plain, set, dict "
    "or text. Architect: structures or ego. Default: n_posb_s; GSU: text; Architect: structures."
)


@dataclass
class RobustArguments:
    """A variant that is learned beside each train item, in the same epoch; none without the first two."""

    robust_families: list[str] | None = None
    robust_rows: str | None = None
    robust_mode: str = option(RANDOM, choices=list(MODES))
    robust_variants: int = 3
    robust_model: str | None = None

    @property
    def robust(self) -> bool:
        """True if variants are learned at all."""
        return self.robust_families is not None or self.robust_rows is not None

    def check_robust(self, modes: Sequence[str] = CHOSEN_ONCE) -> None:
        """Raises: UsageError for settings that do not go together. Args: modes: that the trainer knows."""
        # The mode, and variants for it
        if self.robust_mode not in modes:
            fix = "; train_gru.py knows dynamic and fgsm" if self.robust_mode in MODES else ""
            raise UsageError(f"robust_mode is {self.robust_mode!r} (expected one of {', '.join(modes)}{fix})")
        if not self.robust:
            if self.robust_mode != RANDOM or self.robust_model is not None:
                raise UsageError("robust training needs variants: set robust_families, e.g. [spl], or robust_rows")
            return

        # Where variants come from, and what each mode needs
        if self.robust_families is not None and self.robust_rows is not None:
            raise UsageError("set either robust_families or robust_rows, not both")
        if self.robust_families is not None:
            _check_families(self.robust_families)
        if self.robust_variants < 1:
            raise UsageError(f"robust_variants is {self.robust_variants}: expected a positive number")
        if (self.robust_mode == STATIC) != (self.robust_model is not None):
            raise UsageError("robust_mode: static and robust_model, the trained model that chooses, go together")
        if self.robust_mode == FGSM and self.robust_families != ["spg"]:
            raise UsageError("robust_mode: fgsm moves the pose: set robust_families: [spg]")


def _check_families(families: Sequence[str]) -> None:
    from bap_v2_dataset.tasks.robustness.families import known_family  # here: most trainings do without

    for name in families:
        known_family(name)  # names the families if this is none
    if not families or len(set(families)) < len(families):
        raise UsageError(f"robust_families is {list(families)}: expected different families, at least one")


@dataclass
class GsuArguments:
    """The form of questions in a training."""

    shots: int | None = None
    reasoning: bool | None = None


@dataclass
class DialogueArguments:
    """The learning of dialogues."""

    added_tokens: str | None = option(None, choices=[SLOTS, SLOTS_AND_ITEMS])
    system_role: str | None = option(None, choices=list(SYSTEM_ROLES))
    learn_observations: bool = False

    @property
    def added_texts(self) -> list[str]:
        """The texts that become tokens."""
        if self.added_tokens is None:
            return []
        from bap_v2_simulators.plancraft.recipes import stack_sizes  # here: most trainings do without
        from bap_v2_simulators.plancraft.turns import N_SLOTS, slot_name

        slots = [slot_name(index) for index in range(N_SLOTS)]
        return [*slots, *sorted(stack_sizes())] if self.added_tokens == SLOTS_AND_ITEMS else slots


@dataclass
class TaskArguments(GsuArguments, DialogueArguments):
    """The settings of supervised training that are some task's own."""
