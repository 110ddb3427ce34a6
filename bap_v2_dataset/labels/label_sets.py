"""Test sets that different labels give of the same test items: to see what a score owes to its labels.

`published` are the labels that scores are printed with; `a` and `b` are those of each annotator alone; `intersection`
has the items that both keep with the same structure, those of several interpretations only where both say so; `all` has
all items as they were recorded, as before labels (`mdc`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bap_v2_dataset.labels.agreement import annotators_of
from bap_v2_dataset.labels.clean_test import clean_test
from bap_v2_dataset.labels.label import AnnotationError, Label, key_of
from bap_v2_dataset.labels.label_file import OUR_LABELS, labels_file, read_labels
from bap_v2_dataset.tasks.building.items import Item

LABEL_SETS = ("published", "a", "b", "intersection", "all")


def label_sets(items: Sequence[Item], names: Sequence[str] = LABEL_SETS) -> Mapping[str, tuple[Item, ...]]:
    """The items of each test set, in order.

    Args:
        items: all test items, those of a game in order.
        names: of LABEL_SETS, or files of labels.
    Raises:
        AnnotationError: for a name that is neither, and labels that do not fit the items.
    """
    made: dict[str, tuple[Item, ...]] = {}
    for name in names:
        if name not in made:
            made[name] = _items_of(name, items)
    return made


def _items_of(name: str, items: Sequence[Item]) -> tuple[Item, ...]:
    if name == "all":
        return tuple(items)
    if name in ("a", "b", "intersection"):
        first, second = (clean_test(items, _fitting(labels, items)).items for labels in annotators_of(OUR_LABELS))
        return {"a": first, "b": second}.get(name) or _shared(first, second)
    path = OUR_LABELS if name == "published" else labels_file(name)
    if not Path(path).is_file():
        raise AnnotationError(f"labels {name!r}: expected one of {', '.join(LABEL_SETS)}, or a file of labels")
    return clean_test(items, read_labels(path)).items


def _fitting(labels: Sequence[Label], items: Sequence[Item]) -> list[Label]:
    """The labels of one annotator, with several interpretations only on empty boards, as `check_fit` asks."""
    empty = {key_of(item) for item in items if not item.before}
    return [
        replace(label, context="unique") if label.context == "multiple" and label.key not in empty else label
        for label in labels
    ]


def _shared(first: Sequence[Item], second: Sequence[Item]) -> tuple[Item, ...]:
    """The items of both that end with the same structure."""
    others = {item.item_id: item for item in second}
    shared = []
    for item in first:
        other = others.get(item.item_id)
        if other is not None and set(other.after) == set(item.after):
            both = item.interpretations == other.interpretations
            shared.append(item if both else replace(item, interpretations="unique"))
    return tuple(shared)
