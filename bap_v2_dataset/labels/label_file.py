"""Files of labels: read whole, or written answer by answer by `bap-v2 annotate`.

The file is replaced after every answer, so a process that is killed loses nothing and resumes where it stopped.
"""

import codecs
import csv
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import orjson

from bap_v2_dataset.human.game_store import chosen_labels
from bap_v2_dataset.items.item import Item
from bap_v2_dataset.labels.label import FIELDS, AnnotationError, Key, Label, check_fit, key_of, label_of, listed
from bap_v2_dataset.sentences import counted
from bap_v2_simulators.atomic_files import atomic_write, check_file, only_writer

OUR_LABELS = Path(str(files("bap_v2_dataset"))) / "data" / "mdc_test_v2_annotations.jsonl"
_COLUMNS_SHOWN = 10


def labels_file(name: str | Path) -> Path:
    """Return the file of labels that a user names; `ours` are this project's."""
    return OUR_LABELS if str(name) == "ours" else Path(name).expanduser()


def labels_path(name: str | None = None) -> Path:
    """Return the file of labels of the test items: the one named, else that of the last setup, else ours."""
    return labels_file(name) if name else chosen_labels() or OUR_LABELS


def labels_name(path: Path = OUR_LABELS) -> str:
    """Name the labels of a file, as every score on the clean test set does: whose they are, and a digest of the file.

    Raises:
        AnnotationError: if the file cannot be read.
    """
    try:
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:8]
    except OSError as error:
        raise AnnotationError(f"{path}: {error.strerror or error}") from None
    whose = "this project's, by two language-model annotators" if Path(path) == OUR_LABELS else Path(path).name
    return f"{whose} (SHA-256 {digest})"


def read_labels(path: Path = OUR_LABELS, half_answered: bool = False) -> list[Label]:
    """Read the labels of a file: JSON lines, or CSV by the name's ending (see data/README.md for the fields).

    Args:
        half_answered: accept labels that are not whole: a file that `bap-v2 annotate` has not finished may have some.
    Raises:
        AnnotationError: with the lines that are not labels, or that label an item twice.
    """
    # Read all records; a file that is none is an error at once.
    path = Path(path)
    labels: list[Label] = []
    complaints: dict[str, list[int]] = defaultdict(list)  # with their lines
    half: list[tuple[int, Label]] = []  # with their lines
    seen: dict[Key, Label] = {}
    try:
        records = list(_records(path))
    except OSError as error:
        raise AnnotationError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise AnnotationError(f"{path} is not UTF-8: save it as CSV in UTF-8") from None
    except csv.Error as error:
        raise AnnotationError(f"{path} is not CSV: {error}") from None
    # Of each line the label, or what is wrong with it.
    for number, record in records:
        try:
            label = label_of(record)
        except AnnotationError as error:
            complaints[str(error)].append(number)
            continue
        if not label.is_whole and not half_answered:
            half.append((number, label))
            continue
        if label.key in seen:
            first, second = (" ".join(filter(None, (one.context, one.structure))) for one in (seen[label.key], label))
            change = f" ({second}, after {first})" if first != second else ""
            complaints[f"a second label for item {label.item_index} of {label.game_id}{change}"].append(number)
        seen[label.key] = label
        labels.append(label)
    # All complaints are one error; those of one kind are named once.
    if half:
        first = half[0][1]
        fix = "`bap-v2 annotate` resumes there" if path.suffix == ".jsonl" else "it has no structure"
        complaint = f"item {first.item_index} of {first.game_id} is labeled incompletely: {fix}"
        complaints[complaint] = [number for number, _ in half]
    if complaints:
        shown = listed([f"{_lines(numbers)}: {complaint}" for complaint, numbers in complaints.items()])
        raise AnnotationError(f"{path}: {shown}")
    if not labels:
        raise AnnotationError(f"{path} holds no labels")
    return labels


def whole_labels(path: Path, notify: Callable[[str], None]) -> list[Label]:
    """Read the whole labels of a file that need not be finished.

    Args:
        notify: called with a sentence if some are left out.
    Raises:
        AnnotationError: as `read_labels`.
    """
    labels = read_labels(path, half_answered=True)
    whole = [label for label in labels if label.is_whole]
    if half := len(labels) - len(whole):
        notify(f"Skipped {counted(half, 'incompletely labeled item')} in {path.name}.")
    return whole


class LabelFile:
    """The labels of a file that is being written; made by `open_labels`."""

    def __init__(self, path: Path, items: Sequence[Item], annotator: str | None):
        self._path = path
        self._annotator = annotator
        self._items = {key_of(item): item for item in items}
        self._records, self.cut_off = _read_records(path)  # cut_off: the last line, which was dropped
        check_fit(items, list(map(label_of, self._records.values())), complete=False)
        if self.cut_off:
            self._save({})

    def get(self, key: Key) -> Label | None:
        """Return the label of an item; it is not whole if only the first question was answered."""
        return label_of(self._records[key]) if key in self._records else None

    def is_labeled(self, key: Key) -> bool:
        """Return whether all questions about the item were answered."""
        label = self.get(key)
        return label is not None and label.is_whole

    def put(self, key: Key, context: str, structure: str | None) -> None:
        """Keep an answer: when this returns, it is on disk."""
        by = {"annotator": self._annotator} if self._annotator else {}
        self._save({key: {**self._record(key, context, structure), **by}})

    def take_over(self, labels: Sequence[Label]) -> None:
        """Keep labels that were given elsewhere."""
        self._save({label.key: self._record(label.key, label.context, label.structure) for label in labels})

    def labels(self) -> list[Label]:
        """Return the whole labels, in the order of the items."""
        return [label for key in self._items if (label := self.get(key)) is not None and label.is_whole]

    def _record(self, key: Key, context: str, structure: str | None) -> dict:
        state = self._items[key].metadata.get("state_index")
        position = {} if state is None else {"state_index": state}
        return {"game_id": key[0], "item_index": key[1], **position, "context": context, "structure": structure}

    def _save(self, changed: Mapping[Key, dict]) -> None:
        records = {**self._records, **changed}
        lines = (orjson.dumps(records[key]) + b"\n" for key in self._items if key in records)
        atomic_write(self._path, b"".join(lines))
        self._records = records


@contextmanager
def open_labels(path: Path, items: Sequence[Item], annotator: str | None = None) -> Iterator[LabelFile]:
    """Open the labels of a file, to be read and written by this process only.

    Args:
        path: .jsonl; made with the first answer if it does not exist.
        items: all that may have labels.
        annotator: a name to write with every answer.
    Raises:
        AnnotationError: a name that does not end in .jsonl, or labels that cannot be read or do not fit the items.
        bap_v2_simulators.atomic_files.OutputError: a file that cannot be made, or that another process writes.
    """
    path = Path(path).resolve()  # a link stays one
    if path.suffix != ".jsonl":
        raise AnnotationError(f"{path}: the name must end in .jsonl")
    check_file(path)
    with only_writer(path):
        try:
            file = LabelFile(path, items, annotator)
        except AnnotationError as error:
            raise AnnotationError(f"{path}: {error}") from None
        yield file


def _records(path: Path) -> Iterator[tuple[int, object]]:
    """Yield (line number, record) of all lines; the record of a line that is not JSON is None."""
    if path.suffix.lower() == ".csv":
        yield from _csv_records(path)
        return
    for number, line in enumerate(path.read_bytes().removeprefix(codecs.BOM_UTF8).splitlines(), start=1):
        if line.strip():
            try:
                yield number, orjson.loads(line)
            except ValueError:
                yield number, None


def _csv_records(path: Path) -> Iterator[tuple[int, dict]]:
    with open(path, encoding="utf-8-sig", newline="") as file:
        header = file.readline()
        file.seek(0)
        delimiter = next((sign for sign in ",;\t" if sign in header), ",")  # spreadsheets write any of them
        table = csv.DictReader(file, delimiter=delimiter, skipinitialspace=True)
        columns = [name.strip() for name in table.fieldnames or ()]
        if columns and (missing := [name for name in FIELDS if name not in columns]):
            has_no = f"{path} has no column{'s' * (len(missing) > 1)} {', '.join(missing)}"
            shown = columns[:_COLUMNS_SHOWN] + ["..."] * (len(columns) > _COLUMNS_SHOWN)
            raise AnnotationError(f"{has_no}; its columns are {', '.join(shown)}")
        table.fieldnames = columns
        for number, record in enumerate(table, start=2):
            yield number, {key: value.strip() if isinstance(value, str) else value for key, value in record.items()}


def _read_records(path: Path) -> tuple[dict[Key, dict], bool]:
    """Return the records of a file by item, and whether its last line was cut off and dropped."""
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    records: dict[Key, dict] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        # The last line may be cut off, if a process was killed; any other must be a label.
        try:
            record = orjson.loads(line)
            label = label_of(record)
        except orjson.JSONDecodeError:
            if number == len(lines) and not line.endswith(b"\n"):
                return records, True
            raise AnnotationError(f"line {number} is not JSON: {line[:60]!r}") from None
        except AnnotationError as error:
            raise AnnotationError(f"line {number}: {error}") from None
        # An item has one label.
        if label.key in records:
            raise AnnotationError(f"line {number}: a second label for item {label.item_index} of {label.game_id}")
        records[label.key] = record
    return records, False


def _lines(numbers: Sequence[int]) -> str:
    return f"line {numbers[0]}" + (f" and {len(numbers) - 1:,} more" if len(numbers) > 1 else "")
