"""The clean test set that labels of the test items give (BAP v2, 3.1 and 3.2).

An item whose context is unclear is removed. A run of incorrect structures that is followed at once by a correct one
gets that one's structure: the Builder was interrupted, or corrected itself. What is incorrect otherwise is removed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bap_v2_dataset.items.item import Item
from bap_v2_dataset.labels.label import Key, Label, check_fit, key_of
from bap_v2_metric.actions import Action


@dataclass(frozen=True, slots=True)
class CleanTest:
    """The clean test set, and how many items were removed or fixed."""

    items: tuple[Item, ...]
    unclear: int
    unfixable: int
    fixed: int

    @property
    def unchanged(self) -> int:
        """Number of items whose board is as it was: a fix may restore it. A Builder can only be wrong there."""
        return sum(set(item.before) == set(item.after) for item in self.items)

    @property
    def multiple(self) -> int:
        """Number of items with multiple interpretations."""
        return sum(item.interpretations == "multiple" for item in self.items)


def clean_test(items: Iterable[Item], labels: Sequence[Label], source: str | None = None) -> CleanTest:
    """Return the items that can be used for evaluation, in order, with their labels.

    A fixed item gets the `after` of the correct one, and the actions up to it. `metadata["annotation"]` holds the
    label and whether the item was fixed.

    Args:
        items: all test items, those of a game in order.
        labels: one for each of them.
        source: whose labels they are (`labels_name`); kept in `metadata["annotation"]["labels"]`.
    Raises:
        AnnotationError: with the items that have no label, the labels that have no item, and those that contradict it.
    """
    items = list(items)
    by_key = {label.key: label for label in labels}
    check_fit(items, labels)
    clean: list[Item] = []
    unclear = unfixable = fixed = 0
    for position, item in enumerate(items):
        # Unclear items go, and incorrect ones that no correct one follows at once.
        label = by_key[key_of(item)]
        if label.context == "unclear":
            unclear += 1
            continue
        correct = position
        while _structure_label(items, correct, by_key, item.game_id) == "incorrect":
            correct += 1
        if _structure_label(items, correct, by_key, item.game_id) != "correct":
            unfixable += 1
            continue
        # The others get the actions up to the correct one, and its board.
        fixed += correct > position
        run = items[position : correct + 1]
        actions: tuple[Action, ...] = tuple(action for one in run for action in one.actions)
        metadata = dict(item.metadata)
        if unordered := sum(one.metadata.get("unordered_actions", 0) for one in run):
            metadata["unordered_actions"] = unordered
        annotation = {"context": label.context, "structure": label.structure, "fixed": correct > position}
        if source is not None:
            annotation["labels"] = source
        clean.append(
            replace(
                item,
                after=items[correct].after,
                actions=actions,
                interpretations="multiple" if label.context == "multiple" else "unique",
                metadata={**metadata, "annotation": annotation},
            )
        )
    return CleanTest(tuple(clean), unclear, unfixable, fixed)


def clean_test_so_far(items: Sequence[Item], labels: Sequence[Label]) -> tuple[int, CleanTest]:
    """Count the games that have all their labels, and return the clean test set of these games."""
    labeled = {label.key for label in labels}
    games = {item.game_id for item in items} - {item.game_id for item in items if key_of(item) not in labeled}
    complete = [label for label in labels if label.game_id in games]
    return len(games), clean_test((item for item in items if item.game_id in games), complete)


def _structure_label(items: Sequence[Item], position: int, by_key: Mapping[Key, Label], game_id: str) -> str | None:
    """Return the label of the structure of an item; None after the end of the game, and if the context is unclear."""
    if position >= len(items) or items[position].game_id != game_id:
        return None
    return by_key[key_of(items[position])].structure
