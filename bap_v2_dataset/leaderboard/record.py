"""What is recorded of a submission: who, on which test set, with which scores, and of what these were computed.

results/records/dss/my-model.json            a record, one line of JSON
results/predictions/dss/my-model.jsonl       the predictions that its scores are of
results/checked.json                         which records a check has found right, by their SHA-256
"""

import hashlib
import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from datetime import date as day
from pathlib import Path
from typing import Any

import orjson

from bap_v2_metric.errors import UserError

FORM = 1  # of records: raised when their fields change
RECORDS, PREDICTIONS, CHECKED = "records", "predictions", "checked.json"
_LONGEST = {"name": 80, "submitter": 80, "link": 200}  # characters
_LONGEST_VERSION = 40
VERSIONS = ("bap-v2", "data", "prompts", "metric")
_KINDS = {str: "a text", int: "a whole number", float: "a number", dict: "an object", list: "a list"}


class SubmissionError(UserError):
    """A submission that cannot be recorded, or a record that is not one; the message says what to change."""


@dataclass(frozen=True)
class Record:
    """A submission. It holds no text of any item."""

    form: int
    name: str  # of the system
    submitter: str  # "" if nobody is named
    link: str  # to the model or a paper; "" for none
    date: str  # YYYY-MM-DD; as the submitter says: no verdict depends on it
    task: str
    config: str
    split: str
    items: int
    score: str  # the key of the score by which systems are sorted
    value: float  # in 0..1
    low: float | None  # the interval, if that score has one
    high: float | None
    scores: list  # of {"score", "value", "low", "high"}: all numbers of the metric
    signature: str  # of the metric: how scores and intervals were made
    confidence: float  # of the intervals
    labels: str  # whose labels say which items count
    labels_sha256: str  # of the right answers
    items_sha256: str  # of the rows, in their order
    predictions_sha256: str  # of the file of predictions beside it
    versions: dict  # of the package, the data, the prompts and the metric: VERSIONS

    def __post_init__(self) -> None:
        for name, longest in _LONGEST.items():
            text = getattr(self, name)
            if len(text) > longest or not text.isprintable():
                raise SubmissionError(f"{name} {text[:longest]!r}: expected at most {longest} printable characters")
        if not self.name.strip() or not slug(self.name):
            raise SubmissionError(f"the name {self.name!r} has no Latin letter or digit: name the system with some")
        if self.link and not re.fullmatch(r"https?://[^\s<>\"']+", self.link):
            raise SubmissionError(f"the link {self.link!r} is not an address: expected https://...")
        if not _is_past_day(self.date):
            raise SubmissionError(f"the date {self.date[:20]!r} is not one until today: expected YYYY-MM-DD")
        if self.versions.keys() != set(VERSIONS):
            raise SubmissionError(f"versions has {', '.join(map(repr, self.versions))}: expected {', '.join(VERSIONS)}")
        for name, version in self.versions.items():
            if not isinstance(version, str) or len(version) > _LONGEST_VERSION or not version.isprintable():
                raise SubmissionError(f"the version of {name} is {version!r}: expected a short text")

    @property
    def place(self) -> str:
        """Its path below a folder of results, without a suffix: `dss/my-model`."""
        return f"{self.test_set}/{slug(self.name)}"

    @property
    def test_set(self) -> str:
        """`dss`; `all-test_dss` of a split that is not called test."""
        return self.config if self.split == "test" else f"{self.config}-{self.split}"

    @property
    def path(self) -> str:
        return f"{RECORDS}/{self.place}.json"

    @property
    def predictions_path(self) -> str:
        return f"{PREDICTIONS}/{self.place}.jsonl"

    def to_json(self) -> bytes:
        """One line: equal records are equal bytes, and `datasets` reads many of them as a table."""
        return orjson.dumps(asdict(self), option=orjson.OPT_APPEND_NEWLINE)

    @staticmethod
    def from_json(data: bytes) -> "Record":
        """The record that the bytes hold. Raises: SubmissionError for anything else."""
        try:
            record = orjson.loads(data)
        except ValueError as error:
            raise SubmissionError(f"this is not JSON ({error})") from None
        if not isinstance(record, dict) or record.get("form") != FORM:
            form = record.get("form") if isinstance(record, dict) else None
            raise SubmissionError(f"its form is {form!r} (expected {FORM}): submit it with this version")
        kinds = {field.name: field.type for field in fields(Record)}
        if wrong := sorted(kinds.keys() ^ record.keys()):
            what = "lacks the field" if wrong[0] in kinds else "has the unknown field"
            raise SubmissionError(f"the record {what} {wrong[0]!r}")
        for name, value in record.items():
            if not isinstance(value, kinds[name]) or isinstance(value, bool):
                if kinds[name] is float and isinstance(value, int) and not isinstance(value, bool):
                    continue  # 1 is a number, too
                raise SubmissionError(f"{name} is {value!r}: expected {_KINDS.get(kinds[name], 'a number')}")
        for score in record["scores"]:
            if not _is_score(score):
                raise SubmissionError(
                    f'scores has {str(score)[:80]}: expected {{"score": a text, "value", "low" and "high": numbers}}'
                )
        return Record(**record)


def _is_score(score: object) -> bool:
    """Whether it is one of the scores of a record; bounds may be missing, both."""
    if not isinstance(score, dict) or score.keys() != {"score", "value", "low", "high"}:
        return False
    bounds = (score["low"], score["high"])
    numbers = [score["value"], *(bounds if bounds != (None, None) else ())]
    return isinstance(score["score"], str) and all(type(number) in (int, float) for number in numbers)


def _is_past_day(text: str) -> bool:
    """Whether it is a day, as YYYY-MM-DD, and not a future one."""
    try:
        return day.fromisoformat(text).isoformat() == text <= datetime.now(UTC).date().isoformat()
    except ValueError:
        return False


def numbers(scores: Mapping[str, Any], intervals: Mapping[str, Any], start: str = "") -> list[dict[str, Any]]:
    """All numbers among scores, and those inside them, in the order of their keys, each with its interval."""
    found = []
    for key in sorted(scores):
        value, name = scores[key], f"{start}{key}"
        if isinstance(value, Mapping):
            found += numbers(value, {}, f"{name}.")
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            low, high = intervals.get(key, (None, None))
            found.append({"score": name, "value": float(value), "low": low, "high": high})
    return found


def slug(name: str) -> str:
    """The name of a file for a system.

    >>> slug("Llama-3 8B (crafts, seed 1)"), slug("Ünal/builder")
    ('llama-3-8b-crafts-seed-1', 'unal-builder')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9._]+", "-", plain).strip("-._")


def sha256_of(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
