"""Labels of test items, and the clean test set that they give (BAP v2, 3.1 and 3.2).

An item whose context is unclear is removed. A run of incorrect structures that is followed at once by a correct one
gets that one's structure: the Builder was interrupted, or corrected itself. What is incorrect otherwise is removed.
"""

import codecs
import csv
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

import orjson

from bap_v2_dataset.items import Item
from bap_v2_metric.actions import Action
from bap_v2_metric.errors import UserError

OUR_LABELS = Path(str(files("bap_v2_dataset"))) / "data" / "mdc_test_v2_annotations.jsonl"
CONTEXTS = ("unique", "multiple", "unclear")
STRUCTURES = ("correct", "incorrect")
FIELDS = ("game_id", "item_index", "context", "structure")
_SHOWN = 10  # different complaints that an error lists
_ALIKE = 3  # of one kind


class AnnotationError(UserError):
    """Labels that cannot be read or do not fit the items; the message lists what is wrong."""


@dataclass(frozen=True, slots=True)
class Label:
    """What was said about one item."""

    game_id: str
    item_index: int
    context: str  # one of CONTEXTS
    structure: str | None  # one of STRUCTURES; None if the context is unclear
    state_index: int | None = None  # of the item's first action; only checked

    @property
    def is_whole(self) -> bool:
        """Whether both questions were answered: `bap-v2 annotate` also keeps a first answer without the second."""
        return self.context == "unclear" or self.structure is not None


@dataclass(frozen=True, slots=True)
class CleanTest:
    """The clean test set, and what became of the items."""

    items: tuple[Item, ...]
    unclear: int
    unfixable: int
    fixed: int

    @property
    def unchanged(self) -> int:
        """The items whose board is as it was: a fix may restore it. A Builder can only be wrong there."""
        return sum(set(item.before) == set(item.after) for item in self.items)

    @property
    def multiple(self) -> int:
        """The items with multiple interpretations."""
        return sum(item.interpretations == "multiple" for item in self.items)


def labels_file(name: str | Path) -> Path:
    """The file of labels that a user names; `ours` are this project's."""
    return OUR_LABELS if str(name) == "ours" else Path(name).expanduser()


def read_labels(path: Path = OUR_LABELS, half_answered: bool = False) -> list[Label]:
    """The labels of a file: JSON lines, or CSV by the name's ending (see data/README.md for the fields).

    Args:
        half_answered: accept labels that are not whole: a file that `bap-v2 annotate` has not finished may have some.
    Raises:
        AnnotationError: with the lines that are no labels, or that label an item twice.
    """
    path = Path(path)
    labels: list[Label] = []
    wrong: dict[str, list[int]] = defaultdict(list)  # the lines of each complaint
    half: list[tuple[int, Label]] = []  # with their lines
    seen: dict[tuple[str, int], Label] = {}
    try:
        records = list(_records(path))
    except OSError as error:
        raise AnnotationError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise AnnotationError(f"{path} is not UTF-8: save it as CSV in UTF-8") from None
    except csv.Error as error:
        raise AnnotationError(f"{path} is not CSV: {error}") from None
    for number, record in records:
        label = as_label(record)
        if isinstance(label, str):
            wrong[label].append(number)
            continue
        if not label.is_whole and not half_answered:
            half.append((number, label))
            continue
        key = (label.game_id, label.item_index)
        if key in seen:
            first, second = (" ".join(filter(None, (one.context, one.structure))) for one in (seen[key], label))
            now = f" ({second}, after {first})" if first != second else ""
            wrong[f"a second label for item {label.item_index} of {label.game_id}{now}"].append(number)
        seen[key] = label
        labels.append(label)
    if half:
        first = half[0][1]
        mend = "`bap-v2 annotate` goes on there" if path.suffix == ".jsonl" else "it has no structure"
        complaint = f"item {first.item_index} of {first.game_id} is only half labelled: {mend}"
        wrong[complaint] = [number for number, _ in half]
    if wrong:
        raise AnnotationError(f"{path}: {_listed([f'{_lines(at)}: {complaint}' for complaint, at in wrong.items()])}")
    if not labels:
        raise AnnotationError(f"{path} holds no labels")
    return labels


def labels_name(path: Path = OUR_LABELS) -> str:
    """Whose labels a file holds, said with every score on the clean test set: their name and a digest of the file.

    Raises:
        AnnotationError: if the file cannot be read.
    """
    try:
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:8]
    except OSError as error:
        raise AnnotationError(f"{path}: {error.strerror or error}") from None
    whose = "this project's, by two language-model annotators" if Path(path) == OUR_LABELS else Path(path).name
    return f"{whose} (SHA-256 {digest})"


def clean_test(items: Iterable[Item], labels: Sequence[Label], source: str | None = None) -> CleanTest:
    """The items that can be used for evaluation, in order, with their labels.

    A fixed item gets the `after` of the correct one, and the actions up to it. `metadata["annotation"]` says what the
    label was and whether the item was fixed.

    Args:
        items: all test items, those of a game in order.
        labels: one for each of them.
        source: whose labels they are (`labels_name`); kept in `metadata["annotation"]["labels"]`.
    Raises:
        AnnotationError: with the items that have no label, the labels that have no item, and those that contradict it.
    """
    items = list(items)
    by_key = {(label.game_id, label.item_index): label for label in labels}
    check_fit(items, labels)
    kept: list[Item] = []
    unclear = unfixable = fixed = 0
    for position, item in enumerate(items):
        label = by_key[item.game_id, item.index]
        if label.context == "unclear":
            unclear += 1
            continue
        correct = position
        while _label_of(items, correct, by_key, item.game_id) == "incorrect":
            correct += 1
        if _label_of(items, correct, by_key, item.game_id) != "correct":
            unfixable += 1
            continue
        fixed += correct > position
        run = items[position : correct + 1]
        actions: tuple[Action, ...] = tuple(action for one in run for action in one.actions)
        metadata = dict(item.metadata)
        if unordered := sum(one.metadata.get("unordered_actions", 0) for one in run):
            metadata["unordered_actions"] = unordered
        annotation = {"context": label.context, "structure": label.structure, "fixed": correct > position}
        if source is not None:
            annotation["labels"] = source
        kept.append(
            replace(
                item,
                after=items[correct].after,
                actions=actions,
                interpretations="multiple" if label.context == "multiple" else "unique",
                metadata={**metadata, "annotation": annotation},
            )
        )
    return CleanTest(tuple(kept), unclear, unfixable, fixed)


def _label_of(items: Sequence[Item], position: int, by_key: dict, game_id: str) -> str | None:
    """What was said of the structure of an item; None after the end of the game, and if the context is unclear."""
    if position >= len(items) or items[position].game_id != game_id:
        return None
    return by_key[game_id, items[position].index].structure


def check_fit(items: Sequence[Item], labels: Sequence[Label], complete: bool = True) -> None:
    """Raises an AnnotationError that lists what does not fit: labels without an item, and those that contradict it.

    Args:
        complete: also list the items without a label.
    """
    by_key = {(label.game_id, label.item_index): label for label in labels}
    games = {item.game_id for item in items}
    keys = {(item.game_id, item.index) for item in items}
    unknown = sorted(by_key.keys() - keys)
    strangers = [game_id for game_id, _ in unknown if game_id not in games]
    of_other_games = []
    if strangers:
        label_is = "1 label is" if len(strangers) == 1 else f"{len(strangers):,} labels are"
        games_are = "a game that is" if len(set(strangers)) == 1 else "games that are"
        example = ":" if len(set(strangers)) == 1 else ", e.g."
        of_other_games.append(f"{label_is} of {games_are} not in this split{example} {strangers[0]}")
    no_item = [f"{game_id} has no item {index}" for game_id, index in unknown if game_id in games]
    no_label: list[str] = []
    not_empty: list[str] = []
    other_state: list[str] = []
    for item in items:
        label = by_key.get((item.game_id, item.index))
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
    wrong = [_listed(kind, _ALIKE) for kind in (of_other_games, no_item, no_label, not_empty, other_state) if kind]
    if wrong:
        raise AnnotationError(f"the labels do not fit the corpus: {'; '.join(wrong)}")


def _records(path: Path) -> Iterable[tuple[int, object]]:
    if path.suffix.lower() == ".csv":
        with open(path, encoding="utf-8-sig", newline="") as file:
            header = file.readline()
            file.seek(0)
            delimiter = next((sign for sign in ",;\t" if sign in header), ",")  # spreadsheets write any of them
            table = csv.DictReader(file, delimiter=delimiter, skipinitialspace=True)
            columns = [name.strip() for name in table.fieldnames or ()]
            if columns and (missing := [name for name in FIELDS if name not in columns]):
                has_no = f"{path} has no column{'s' * (len(missing) > 1)} {', '.join(missing)}"
                shown = columns[:_SHOWN] + ["..."] * (len(columns) > _SHOWN)
                raise AnnotationError(f"{has_no}; its columns are {', '.join(shown)}")
            table.fieldnames = columns
            for number, record in enumerate(table, start=2):
                yield number, {key: value.strip() if isinstance(value, str) else value for key, value in record.items()}
        return
    for number, line in enumerate(path.read_bytes().removeprefix(codecs.BOM_UTF8).splitlines(), start=1):
        if line.strip():
            try:
                yield number, orjson.loads(line)
            except ValueError:
                yield number, None


def as_label(record: object) -> "Label | str":
    """The label of a record, which need not be whole, or what is wrong with it."""
    if not isinstance(record, dict) or set(FIELDS) - record.keys():
        return "no JSON object with game_id, item_index, context and structure"
    context, structure = record["context"], record["structure"] or None
    try:
        index = _whole(record["item_index"])
        state = record.get("state_index")
        state = None if state in (None, "") else _whole(state)
    except (TypeError, ValueError):
        return f"item_index={record['item_index']!r}, state_index={record.get('state_index')!r}: expected whole numbers"
    if context not in CONTEXTS:
        return f"context={context!r}: expected one of {', '.join(CONTEXTS)}"
    if context == "unclear" and structure is not None:
        return f"structure={structure!r} of an unclear context: expected none"
    if structure is not None and structure not in STRUCTURES:
        return f"structure={structure!r}: expected one of {', '.join(STRUCTURES)}"
    return Label(str(record["game_id"]), index, context, structure, state)


def _whole(value: object) -> int:
    """Also of 4.0, as which a spreadsheet writes a 4 in a column with gaps."""
    number = float(value)
    if isinstance(value, bool) or not number.is_integer():
        raise ValueError(value)
    return int(number)


def _listed(wrong: Sequence[str], shown: int = _SHOWN) -> str:
    more = f"; and {len(wrong) - shown:,} more" if len(wrong) > shown else ""
    return "; ".join(wrong[:shown]) + more


def _lines(numbers: Sequence[int]) -> str:
    return f"line {numbers[0]}" + (f" and {len(numbers) - 1:,} more" if len(numbers) > 1 else "")
