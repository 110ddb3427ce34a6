"""The settings of robust training: which perturbations are learned beside the train items (Dan et al., 2021, 2.2)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bap_v2_training.errors import UsageError

RANDOM, STATIC, DYNAMIC, FGSM = MODES = ("random", "static", "dynamic", "fgsm")
CHOSEN_ONCE = (RANDOM, STATIC)  # modes that any trainer knows: the items are fixed before the training begins


@dataclass
class RobustArguments:
    """What is learned beside each train item: one variant of it, in the same epoch. Nothing, without the first two."""

    robust_families: list[str] | None = field(
        default=None,
        metadata={
            "help": "Learn with each train item one variant of it of one of these families of perturbations, e.g. spl, "
            "or sa_mirror sa_turn. An item without a valid variant stays alone."
        },
    )
    robust_rows: str | None = field(
        default=None,
        metadata={"help": "Take the variants from this file instead, of `bap-v2 perturb` or of hardest.py."},
    )
    robust_mode: str = field(
        default=RANDOM,
        metadata={
            "help": "Which variant: random, the first of a family; static, the one with the highest loss under "
            "robust_model; dynamic, under the model that learns, chosen before each epoch; fgsm, a step of the pose "
            "up the gradient of that loss, for spg. The last two are for train_gru.py.",
            "choices": list(MODES),
        },
    )
    robust_variants: int = field(
        default=3, metadata={"help": "Of how many variants of a family the one with the highest loss is chosen."}
    )
    robust_model: str | None = field(
        default=None, metadata={"help": "Trained model whose losses choose the variants, for robust_mode: static."}
    )

    @property
    def robust(self) -> bool:
        """Whether variants are learned at all."""
        return self.robust_families is not None or self.robust_rows is not None

    def check_robust(self, modes: Sequence[str] = CHOSEN_ONCE) -> None:
        """Raises: UsageError for settings that do not go together. Args: modes: that the trainer knows."""
        if self.robust_mode not in modes:
            fix = "; train_gru.py knows dynamic and fgsm" if self.robust_mode in MODES else ""
            raise UsageError(f"robust_mode is {self.robust_mode!r} (expected one of {', '.join(modes)}{fix})")
        if not self.robust:
            if self.robust_mode != RANDOM or self.robust_model is not None:
                raise UsageError("robust training needs variants: set robust_families, e.g. [spl], or robust_rows")
            return
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
