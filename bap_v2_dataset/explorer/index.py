"""What is known of every item of a split, as columns, so that filters and search take milliseconds.

An index is made once, from the rows, and kept beside them in the cache of `datasets`, whose folder is named for what
the rows depend on. The bins of an item (relation, shape, ...) are those of the error analysis.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import datasets
import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from bap_v2_dataset.tasks.building.error_analysis import DIMENSIONS, Dimension, count_net_actions
from bap_v2_metric.errors import UserError
from bap_v2_metric.scoring import INTERPRETATIONS
from bap_v2_simulators.atomic_files import atomic_path

INDEX_VERSION = 2  # raised whenever a column changes
FACETS = (
    Dimension("interpretations", "interpretations", lambda row: (row["interpretations"],), INTERPRETATIONS),
    *DIMENSIONS,
)
_COLUMNS = ("dialogue", "before", "after", "pose", "interpretations", "metadata")  # besides the length of the history
_BATCH = 2_000
_MOST_BINS, _OTHER = 32, "other"  # of a facet: own data may name any number
_NUMBER = r"([0-9]+(?:\.[0-9]+)?)?"
_RANGE = re.compile(rf"{_NUMBER}\s*[-–]\s*{_NUMBER}|{_NUMBER}")
_ITEM_NUMBER = re.compile(r"[0-9]{1,9}")
_WORDS = re.compile(r'"([^"]+)"?|(\S+)')


Range = tuple[float | None, float | None]  # at least and at most; None: no bound


class QueryError(UserError):
    """A filter that cannot be read; the message names it."""


@dataclass(frozen=True)
class Query:
    """Conditions on items: those match for which all of this holds."""

    text: str = ""  # words, and "phrases in quotes", that the dialogue holds; case does not matter
    bins: Mapping[str, frozenset[str]] = field(default_factory=dict)  # by facet: an item is in one of these
    actions: Range = (None, None)  # net actions of the reference


class Index:
    """The items of a split, in the order of its rows.

    Args:
        table: `id` and `game` (text), `number` (of the item in its game), `net_actions`, `words` (the dialogue in lower
            case), and for each facet one unsigned integer: bit i is set if the item is in the facet's i-th bin. The
            names of the bins are in the metadata of the schema.
    """

    def __init__(self, table: pa.Table):
        self.table = table.combine_chunks()
        self.bins: dict[str, list[str]] = orjson.loads(table.schema.metadata[b"bins"])

    def __len__(self) -> int:
        return self.table.num_rows

    def column(self, name: str) -> np.ndarray:
        return self.table[name].to_numpy()

    def mask(self, facet: str, labels: Sequence[str]) -> np.ndarray:
        """Return (items,) bool: the items in one of these bins of the facet; unknown bins hold none."""
        bins = self.bins[facet]
        bits = sum(1 << bins.index(label) for label in set(labels) & set(bins))
        return (self.column(facet) & np.uint32(bits)) != 0

    def sizes(self, facet: str, positions: np.ndarray) -> dict[str, int]:
        """Count these items in each bin of the facet, in the order of the bins."""
        codes = self.column(facet)[positions]
        return {label: int(np.count_nonzero(codes >> bit & 1)) for bit, label in enumerate(self.bins[facet])}

    def matching(self, query: Query) -> np.ndarray:
        """Return the positions of the items that match, ascending."""
        keep = np.ones(len(self), dtype=bool)
        for facet, labels in query.bins.items():
            if labels:
                keep &= self.mask(facet, sorted(labels))
        low, high = query.actions
        if low is not None:
            keep &= self.column("net_actions") >= low
        if high is not None:
            keep &= self.column("net_actions") <= high
        for phrase in phrases(query.text):
            keep &= pc.match_substring(self.table["words"], phrase).to_numpy()
        return np.flatnonzero(keep)

    def position(self, item: str) -> int | None:
        """Return the position of the item with this id; None if there is none."""
        position = pc.index(self.table["id"], item).as_py()
        return None if position < 0 else position

    def game(self, position: int) -> list[int]:
        """Return the positions of the items of this item's game, in the order of the game."""
        inside = np.flatnonzero(pc.equal(self.table["game"], self.table["game"][position]).to_numpy())
        return inside[np.argsort(self.column("number")[inside], kind="stable")].tolist()


def phrases(text: str) -> list[str]:
    """Split a search into words and phrases, in lower case.

    >>> phrases('Red "to the left" row')
    ['red', 'to the left', 'row']
    """
    return [(quoted or word).lower() for quoted, word in _WORDS.findall(text) if (quoted or word).strip('"')]


def number_range(text: str) -> Range:
    """Read a range as people type it; an empty text sets no bounds.

    Raises:
        QueryError: for anything else.

    >>> number_range("3"), number_range("2 - 5"), number_range("10-"), number_range("-50"), number_range("")
    ((3.0, 3.0), (2.0, 5.0), (10.0, None), (None, 50.0), (None, None))
    """
    match = _RANGE.fullmatch(text.strip())
    if match is None or text.strip() in ("-", "–"):
        raise QueryError(f"{text.strip()!r} is not a valid range: write e.g. 3, 2-5, 10- or -50")
    low, high = (float(bound) if bound else None for bound in (match[1] or match[3], match[2] or match[3]))
    return low, high


def index_of(rows: datasets.Dataset, keep: bool = True) -> Index:
    """Read the index of a split from the file beside its rows; without one, make it and, if possible, write it there.

    Args:
        rows: the split as `load_dataset` returns it, or other rows.
        keep: whether there may be such a file: not beside data of the user's own.
    """
    # A file that is damaged, or of another version of the facets, is as good as none.
    file = _file_of(rows) if keep else None
    if file is not None:
        with suppress(OSError, pa.ArrowInvalid, KeyError, ValueError), pa.OSFile(str(file)) as source:
            index = Index(pa.ipc.open_file(source).read_all())
            if len(index) == len(rows) and list(index.bins) == [facet.name for facet in FACETS]:
                return index

    # Make it, and keep it for the next time.
    table = index_table(rows)
    if file is not None:
        with (
            suppress(OSError),  # a cache may be read-only
            atomic_path(file) as unfinished,
            pa.OSFile(str(unfinished), "wb") as sink,
            pa.ipc.new_file(sink, table.schema) as writer,
        ):
            writer.write_table(table)
    return Index(table)


def index_table(rows: datasets.Dataset) -> pa.Table:
    """Make the columns of an index: see `Index`."""
    if rows._indices is not None:  # rows that were selected or shuffled: their table holds others, in another order
        rows = rows.flatten_indices()

    # The bins of each item, by facet.
    labels: dict[str, list[Sequence[str]]] = {facet.name: [] for facet in FACETS}
    actions: list[int] = []
    for row in _rows(rows):
        actions.append(count_net_actions(row))
        for facet in FACETS:
            labels[facet.name].append(facet.bins(row))
    orders = {facet.name: _order(labels[facet.name], facet.order) for facet in FACETS}
    codes = {name: [_code(item_labels, orders[name]) for item_labels in labels[name]] for name in orders}

    # One column each; a facet that no item is in has no bins.
    ids = rows.data.table["id"]
    columns = {
        "id": ids,
        "game": rows.data.table["game_id"],
        "number": pa.array(_numbers(ids.to_pylist()), pa.int32()),
        "net_actions": pa.array(actions, pa.int32()),
        "words": pa.array(["\n".join(lines).lower() for lines in rows.data.table["dialogue"].to_pylist()], pa.string()),
        **{name: pa.array(values, pa.uint32()) for name, values in codes.items()},
    }
    bins = {name: order if any(codes[name]) else [] for name, order in orders.items()}
    return pa.table(columns).replace_schema_metadata({"bins": orjson.dumps(bins)})


def _order(labels: Sequence[Sequence[str]], order: Sequence[str]) -> list[str]:
    """Return the bins of a facet: those of `order`, then others that items are in; if too many, the largest."""
    others = Counter(label for item_labels in labels for label in item_labels if label not in order)
    room = _MOST_BINS - len(order)
    if len(others) <= room:
        return [*order, *others]
    return [*order, *(label for label, _ in others.most_common(room - 1)), _OTHER]


def _code(labels: Sequence[str], order: Sequence[str]) -> int:
    code = 0
    for label in labels:
        code |= 1 << order.index(label if label in order else _OTHER)
    return code


def _numbers(ids: Sequence[str]) -> list[int]:
    """Return the number of each item in its game; where ids do not end with one, the order of the rows."""
    numbers = [item.rpartition("/")[2] for item in ids]
    if all(_ITEM_NUMBER.fullmatch(number) for number in numbers):
        return list(map(int, numbers))
    return list(range(len(ids)))


def _rows(rows: datasets.Dataset) -> Iterator[dict]:
    """Yield the columns that facets need. Of the history that is its length: to read it takes longer than all else."""
    table = rows.data.table.select([*_COLUMNS, "history"])
    for batch in table.to_batches(_BATCH):
        columns = {name: batch[name].to_pylist() for name in _COLUMNS}
        columns["metadata"] = [orjson.loads(text) for text in columns["metadata"]]
        columns["history"] = [range(length) for length in pc.list_value_length(batch["history"]).to_pylist()]
        yield from (dict(zip(columns, values)) for values in zip(*columns.values()))


def _file_of(rows: datasets.Dataset) -> Path | None:
    """Return the file of the index of these rows; None if the rows are in no file."""
    if not rows.cache_files:
        return None
    return Path(rows.cache_files[0]["filename"]).parent / f"explorer-{rows.split}-{INDEX_VERSION}.arrow"
