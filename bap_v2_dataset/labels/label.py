"""What an annotator decided about one item, and whether labels fit the items of a split (BAP v2, 3.1)."""

from collections.abc import Sequence
from dataclasses import dataclass

from bap_v2_dataset.items.item import Item
from bap_v2_metric.errors import UserError

CONTEXTS = ("unique", "multiple", "unclear")
STRUCTURES = ("correct", "incorrect")
FIELDS = ("game_id", "item_index", "context", "structure")
_COMPLAINTS_SHOWN = 10  # different ones
_ALIKE_SHOWN = 3  # of one kind

Key = tuple[str, int]  # game id and index of an item


class AnnotationError(UserError):
    """Labels that cannot be read or do not fit the items; the message lists what is wrong."""


@dataclass(frozen=True, slots=True)
class Label:
    """The label of one item."""

    game_id: str
    item_index: int
    context: str  # one of CONTEXTS
    structure: str | None  # one of STRUCTURES; None if the context is unclear
    state_index: int | None = None  # of the item's first action; only checked

    @property
    def key(self) -> Key:
        """Key of the item that it belongs to."""
        return self.game_id, self.item_index

    @property
    def is_whole(self) -> bool:
        """True if both questions were answered: `bap-v2 annotate` also keeps a first answer without the second."""
        return self.context == "unclear" or self.structure is not None


def key_of(item: Item) -> Key:
    """Return the key by which its label is looked up."""
    return item.game_id, item.index


def label_of(record: object) -> Label:
    """Return the label of a record; it need not be whole.

    Raises:
        AnnotationError: with what is wrong with the record.
    """
    if not isinstance(record, dict) or set(FIELDS) - record.keys():
        raise AnnotationError("not a JSON object with game_id, item_index, context and structure")
    # Which item it is of.
    context, structure = record["context"], record["structure"] or None
    try:
        index = _integer(record["item_index"])
        state = record.get("state_index")
        state = None if state in (None, "") else _integer(state)
    except (TypeError, ValueError):
        raise AnnotationError(
            f"item_index={record['item_index']!r}, state_index={record.get('state_index')!r}: expected whole numbers"
        ) from None
    # The two answers, which must go together.
    if context not in CONTEXTS:
        raise AnnotationError(f"context={context!r}: expected one of {', '.join(CONTEXTS)}")
    if context == "unclear" and structure is not None:
        raise AnnotationError(f"structure={structure!r} of an unclear context: expected none")
    if structure is not None and structure not in STRUCTURES:
        raise AnnotationError(f"structure={structure!r}: expected one of {', '.join(STRUCTURES)}")
    return Label(str(record["game_id"]), index, context, structure, state)


def check_fit(items: Sequence[Item], labels: Sequence[Label], complete: bool = True) -> None:
    """Raise an AnnotationError that lists what does not fit: labels without an item, and those that contradict it.

    Args:
        complete: also list the items without a label.
    """
    # Labels of games and items that are not there.
    by_key = {label.key: label for label in labels}
    games = {item.game_id for item in items}
    unknown = sorted(by_key.keys() - {key_of(item) for item in items})
    unknown_games = [game_id for game_id, _ in unknown if game_id not in games]
    of_other_games = []
    if unknown_games:
        label_is = "1 label is" if len(unknown_games) == 1 else f"{len(unknown_games):,} labels are"
        games_are = "a game that is" if len(set(unknown_games)) == 1 else "games that are"
        example = ":" if len(set(unknown_games)) == 1 else ", e.g."
        of_other_games.append(f"{label_is} of {games_are} not in this split{example} {unknown_games[0]}")
    no_item = [f"{game_id} has no item {index}" for game_id, index in unknown if game_id in games]
    # Items without a label, and those that their label contradicts.
    no_label, not_empty, other_state = [], [], []
    for item in items:
        label = by_key.get(key_of(item))
        if label is None:
            if complete:
                no_label.append(f"no label for item {item.index} of {item.game_id}")
            continue
        if label.context == "multiple" and len(item.before):
            not_empty.append(f"item {item.index} of {item.game_id} is 'multiple', but its board is not empty")
        state = item.metadata.get("state_index")
        if label.state_index is not None and state is not None and label.state_index != state:
            other_state.append(
                f"item {item.index} of {item.game_id} begins in state {state}, its label in {label.state_index}"
            )
    kinds = (of_other_games, no_item, no_label, not_empty, other_state)
    if complaints := [listed(kind, _ALIKE_SHOWN) for kind in kinds if kind]:
        raise AnnotationError(f"the labels do not fit the corpus: {'; '.join(complaints)}")


def listed(complaints: Sequence[str], shown: int = _COMPLAINTS_SHOWN) -> str:
    """Return the first complaints as one text, and how many more there are."""
    more = f"; and {len(complaints) - shown:,} more" if len(complaints) > shown else ""
    return "; ".join(complaints[:shown]) + more


def _integer(value: object) -> int:
    """Return a whole number, also of 4.0, as which a spreadsheet writes a 4 in a column with gaps."""
    number = float(value)
    if isinstance(value, bool) or not number.is_integer():
        raise ValueError(value)
    return int(number)
