"""The scorer "robust": answers to items and to their variants, counted and compared with each other.

What comes of the counts is in `robust_scores`, and how sure that is in `robust_resampling`. The transform that leads
from an original to its variant is a `symmetry.Symmetry`; where the right answer is kept, the identity.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache

from .actions import execute, net_actions
from .counts import Counts
from .errors import InputError, shortened
from .robust_resampling import degradation_test, in_common
from .robust_scores import (
    ALL,
    FAMILIES,
    ROBUST_VERSION,
    MissingParentError,
    numbers,
    rank,
    signature,
    signed_facts,
    statistics,
    worst,
)
from .scorer import Scorer
from .scoring import Attempt, attempt_at, check_lists
from .scoring import check_items as check_plain_items
from .symmetry import IDENTITY, Symmetry, SymmetryError

# As documented: all that users call of robust scores is called here.
__all__ = [
    "ALL", "FAMILIES", "REFERENCE", "ROBUST_VERSION", "MissingParentError", "aggregate", "bootstrap", "check_items",
    "degradation_test", "paired_bootstrap", "rank", "reference_of", "score_items",
    "signature", "signed_facts", "worst",
]  # fmt: skip
REFERENCE = {
    "id": "string",
    "before": ["string"],
    "after": ["string"],
    "interpretations": "string",
    "parent": "string",  # the id of the original; of an original its own
    "family": "string",  # of perturbations; "" for an original
    "variant": "int64",  # its number in the family, from 1; 0 for an original
    "transform": "string",  # JSON of `Symmetry.to_json`; "" for an original
}
_FAMILY = re.compile(r"[a-z][a-z0-9_]*")
_VARIANT = re.compile(rf"~({'|'.join(FAMILIES)})-[1-9][0-9]*(?:/|$)")  # in the ids of variants
_IDENTITY = json.dumps(IDENTITY.to_json())


def reference_of(row: Mapping) -> dict:
    """Return the reference of a dataset row, of an original or of a variant; of a reference the same one.

    Args:
        row: with `metadata`, in which `perturbation` says of what the row is a variant; or with the fields of
            REFERENCE. A row without a family is an original, and a missing transform is the identity.
    Raises:
        InputError: something else than a mapping, and metadata or a perturbation that are none.

    >>> row = {"id": "g/1", "before": [], "after": ["red 0 1 0"], "interpretations": "unique", "metadata": {}}
    >>> reference = reference_of(row)
    >>> reference["parent"], reference["family"], reference["variant"]
    ('g/1', '', 0)
    """
    if not isinstance(row, Mapping):
        raise InputError(f"the reference is {shortened(row)} (expected a row of the dataset)")
    origin = row if "parent" in row else _perturbation(row)
    family, transform = origin.get("family") or "", origin.get("transform") or ""
    if family:
        transform = json.dumps(transform) if isinstance(transform, Mapping) else transform or _IDENTITY
    parent = origin.get("parent")
    return {
        **{name: row.get(name) for name in ("id", "before", "after")},
        "interpretations": row.get("interpretations") or "unique",
        "parent": row.get("id") if parent is None and not family else parent,
        "family": family,
        "variant": origin.get("variant") or 0,
        "transform": transform,
    }


def _perturbation(row: Mapping) -> Mapping:
    """Return the part of a row's metadata about a variant; empty for an original."""
    metadata = row.get("metadata") or {}
    if isinstance(metadata, str):  # as parquet files hold it
        with suppress(ValueError):
            metadata = json.loads(metadata)
    if not isinstance(metadata, Mapping):
        raise InputError(f"the metadata of {shortened(row.get('id'))} are {shortened(metadata)} (expected an object)")
    perturbation = metadata.get("perturbation") or {}
    if not isinstance(perturbation, Mapping):
        raise InputError(
            f"the perturbation of {shortened(row.get('id'))} is {shortened(perturbation)} (expected an object)"
        )
    return perturbation


def check_items(predictions: Sequence[str], references: Sequence[Mapping]) -> None:
    """Raises: InputError for predictions and references that cannot be scored, each taken alone."""
    check_plain_items(predictions, references)
    for index, reference in enumerate(references):
        _read_origin(_reference_at(reference, index), index)


def score_items(predictions: Sequence[str], references: Sequence[Mapping]) -> list[dict]:
    """Return the counts of every item, in order.

    Args:
        predictions: one text per item, of originals and variants in any order.
        references: dataset rows, or what `reference_of` makes of them.
    Returns:
        For each item the counts of `scoring.score_item`, and its `id`, `parent`, `family` and `variant`. For variants
        also `consistent`, whether the answer changes the board as the transformed answer to the original would, and
        `agreement`, the counts of the net actions of the first that are among those of the second. None for originals.
    Raises:
        InputError: as for `scoring.score_items`; an id, or a variant, that is there twice; a variant whose transform
            does not lead from the net actions of the original to its own.
        MissingParentError: a variant whose original is not among the items.
    """
    # References that can be read, each with how it was made.
    check_lists(predictions, references)
    references = [_reference_at(reference, index) for index, reference in enumerate(references)]
    symmetries = [_read_origin(reference, index) for index, reference in enumerate(references)]
    _check_unique(references)
    # Originals come first, so that each variant finds its own.
    items: list[dict | None] = [None] * len(references)
    originals: dict[str, Attempt] = {}
    order = sorted(range(len(references)), key=lambda index: references[index]["family"] != "")  # originals first
    for index in order:
        reference, symmetry = references[index], symmetries[index]
        attempt = attempt_at(predictions[index], reference, index)
        names = {name: reference[name] for name in ("id", "parent", "family", "variant")}
        item: dict = {**attempt.counts(), **names, "consistent": None, "agreement": None}
        # A variant is compared with its original: the labels must agree, and then the answers are counted.
        if symmetry is None:
            originals[reference["id"]] = attempt
        else:
            parent = originals.get(reference["parent"])
            if parent is None:
                raise MissingParentError(reference["id"], reference["parent"])
            if frozenset(map(symmetry.net_action, parent.gold)) != attempt.gold:
                raise InputError(
                    f"item {index}: the transform of {reference['id']} does not lead from the net actions of "
                    f"{reference['parent']} to its own: pass both rows as they are in the dataset, or the same config "
                    "and labels"
                )
            agreement = _agreement(attempt, parent, symmetry)
            item["consistent"] = not agreement.fp and not agreement.fn
            item["agreement"] = {"tp": agreement.tp, "fp": agreement.fp, "fn": agreement.fn}
        items[index] = item
    return items


def _agreement(variant: Attempt, original: Attempt, symmetry: Symmetry) -> Counts:
    """Return the net actions of an answer to a variant among those that follow from the answer to the original.

    Both answers are carried out on the board of the variant. In items with multiple interpretations the first is
    aligned with the second.
    """
    expected = [symmetry.action(action) for action in original.actions]
    if expected == list(variant.actions):
        return Counts(tp=len(variant.predicted))
    after, _ = execute(variant.before, expected)
    changes = net_actions(variant.before, after)
    fair = variant._replace(after=after, gold=changes).fair
    shared = len(fair & changes)
    return Counts(shared, len(fair) - shared, len(changes) - shared)


def _reference_at(row: Mapping, index: int) -> dict:
    try:
        return reference_of(row)
    except InputError as error:
        raise InputError(f"item {index}: {error}") from None


def _read_origin(reference: Mapping, index: int) -> Symmetry | None:
    """Return the transform of a variant, None for an original. Raises: InputError, naming the item and the field."""
    # The ids and the number of the variant.
    where = f"item {index}, field"
    for name in ("id", "parent"):
        if not isinstance(reference[name], str) or not reference[name]:
            raise InputError(f"{where} '{name}': {shortened(reference[name])} (expected the id of an item)")
    family, variant = reference["family"], reference["variant"]
    if not isinstance(variant, int) or isinstance(variant, bool):
        raise InputError(f"{where} 'variant': {shortened(variant)} (expected a whole number)")
    # An original.
    if family == "":
        if variant or reference["transform"] or reference["parent"] != reference["id"]:
            raise InputError(
                f"{where} 'family': '' (expected the family of {reference['id']}, which has the number of a variant, a "
                "transform or another parent)"
            )
        if named := _VARIANT.search(reference["id"]):
            raise InputError(
                f"{where} 'family': '' (expected {named[1]!r}, for the id {reference['id']} names a variant: pass its "
                "metadata too)"
            )
        return None
    # A variant: a known form of family, another parent, and a transform that can be read.
    if not isinstance(family, str) or not _FAMILY.fullmatch(family) or family == ALL:
        raise InputError(f"{where} 'family': {shortened(family)} (expected a name such as {FAMILIES[0]}, not '{ALL}')")
    if variant < 1:
        raise InputError(f"{where} 'variant': {variant} (expected 1 or more for a variant)")
    if reference["parent"] == reference["id"]:
        raise InputError(f"{where} 'parent': {reference['id']} (expected the id of the original of this variant)")
    try:
        return _symmetry(reference["transform"])
    except (SymmetryError, TypeError, ValueError) as error:
        raise InputError(f"{where} 'transform': {error}") from None


@lru_cache(maxsize=16_384)
def _symmetry(text: str) -> Symmetry:
    try:
        record = json.loads(text)
    except ValueError:
        raise SymmetryError(f"{shortened(text)} (expected JSON as of Symmetry.to_json)") from None
    return Symmetry.from_json(record)


def _check_unique(references: Sequence[Mapping]) -> None:
    """Raises: InputError for an id, or for a variant of an original, that is there twice."""
    first: dict[object, int] = {}
    for index, reference in enumerate(references):
        variant = reference["parent"], reference["family"], reference["variant"]
        for key in (reference["id"], variant):
            if (other := first.setdefault(key, index)) != index:
                raise InputError(
                    f"item {index} is {reference['id']}, which item {other} is already: pass every original and every "
                    "variant once"
                )


SCORER = Scorer(
    prediction="string",
    reference=REFERENCE,
    check_items=check_items,
    score_items=score_items,
    statistics=statistics,
    further=numbers,
    signature=signature,
    comparable=in_common,
    is_tested=lambda key: not key.endswith("consistency"),
    read_row=reference_of,
    signed_facts=signed_facts,
)
aggregate, bootstrap, paired_bootstrap = SCORER.aggregate, SCORER.bootstrap, SCORER.paired_bootstrap
