"""The families of perturbations, and the variants of an item: functions of nothing but version, item and family.

The prefix says what happens to the answer: sp ("semantics preserving") keeps it, sa ("semantics altering") transforms
it in a known way. Names follow Dan et al. (2021), section 2; the acts on the five parts of an item are this project's.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from bap_v2_dataset.items.rows import perturbation_of
from bap_v2_dataset.sentences import unknown_name
from bap_v2_dataset.tasks.robustness import distractors, orders, poses, synonyms, world_symmetries
from bap_v2_dataset.tasks.robustness.parent import Parent, VariantChange
from bap_v2_dataset.tasks.robustness.validity import seen, violation
from bap_v2_dataset.tasks.robustness.variant_rows import variant_row
from bap_v2_dataset.tasks.robustness.versions import PERTURBATION_VERSION
from bap_v2_metric.errors import UserError

_STREAM = "perturbation 1.0.0"  # of random numbers: variants that a new version leaves alone stay what they were
_DRAWS = 24  # at most, for a valid variant


class PerturbationError(UserError):
    """A family or variant that does not exist."""


@dataclass(frozen=True)
class Family:
    """One kind of change.

    Args:
        variants: how many an item has at most.
        title: what is changed, for tables.
        propose: (parent, rng, number of the variant) -> a change to be proved valid, or None where there is none.
    """

    name: str
    variants: int
    title: str
    propose: Callable[[Parent, Random, int], VariantChange | None]


FAMILIES: Mapping[str, Family] = {
    family.name: family
    for family in (
        Family("spl", 3, "synonyms", lambda parent, rng, number: synonyms.propose(parent.row, rng, number)),
        Family("spg", 3, "pose, a little", poses.nearby_pose),
        Family("spp", 3, "order of the blocks", orders.board_in_another_order),
        Family("spp_history", 1, "order of earlier actions", orders.history_in_another_order),
        Family("spc_add", 3, "1, 2, 3 more blocks", distractors.with_more_blocks),
        Family("spc_remove", 3, "1, 2, 3 fewer blocks", distractors.with_fewer_blocks),
        Family("sa_mirror", 1, "mirrored", world_symmetries.mirrored),
        Family("sa_turn", 3, "turned", world_symmetries.in_a_turned_world),
        Family("sa_color", 3, "other colors", world_symmetries.in_other_colors),
        Family("sa_shift", 3, "shifted", world_symmetries.elsewhere),
    )
}


def variants_of(
    row: Mapping[str, Any], family: str, most: int | None = None, config: str | None = None
) -> list[dict[str, Any]]:
    """Return the rows of the variants of an item, in the order of their numbers; [] where there is none that is valid.

    A variant depends on PERTURBATION_VERSION, the row, the family and its number alone: the first ones stay what they
    are when more are asked for.

    Args:
        row: of any config or own data; not of a variant.
        most: numbers of variants, up to that of the family, which is the default.
        config: of the row, for the metadata.
    Raises:
        PerturbationError: for an unknown family, a number below 1, or the row of a variant.
    """
    return list(variants_of_parent(_parent(row), family, most, config))


def variants_in_all(
    row: Mapping[str, Any],
    families: Iterable[str] | None = None,
    most: int | None = None,
    config: str | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield the variants of an item in several families, by default in all: faster than one family after the other."""
    parent = _parent(row)
    for family in FAMILIES if families is None else families:
        yield from variants_of_parent(parent, family, most, config)


def variants_of_parent(
    parent: Parent, family: str, most: int | None = None, config: str | None = None
) -> Iterator[dict[str, Any]]:
    """As `variants_of`, of an item that was read already."""
    kind = known_family(family)
    if most is not None and most < 1:
        raise PerturbationError(f"{most} variants: expected at least 1")
    earlier: list[tuple] = []
    for number in range(1, min(kind.variants, most or kind.variants) + 1):
        rng = Random(f"{_STREAM} {parent.row['id']} {family} {number}")
        for _ in range(_DRAWS):
            change = kind.propose(parent, rng, number)
            if change is None:
                break
            if seen(parent, change) in earlier or violation(parent, change):
                continue
            earlier.append(seen(parent, change))
            yield variant_row(parent, change, family, number, PERTURBATION_VERSION, config)
            break


def known_family(name: str) -> Family:
    """Return the family of a name. Raises: PerturbationError if there is none."""
    if name not in FAMILIES:
        raise PerturbationError(unknown_name("family", name, FAMILIES))
    return FAMILIES[name]


def _parent(row: Mapping[str, Any]) -> Parent:
    if perturbation_of(row):
        raise PerturbationError(f"{row['id']} is a variant itself: pass the row of its parent")
    return Parent(row)
