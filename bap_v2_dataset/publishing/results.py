"""The results of a leaderboard as a dataset: a record per submission, its predictions, and which of them are checked.

datasets/USER/bap_v2_results     records/dss/my-model.json, predictions/dss/my-model.jsonl, checked.json, README.md
"""

from pathlib import Path

from bap_v2_dataset.leaderboard.record import CHECKED, PREDICTIONS, RECORDS, Record
from bap_v2_dataset.publishing.hub import File, Publication, Repository
from bap_v2_dataset.publishing.template import rendered

_CARD = "results_card.md"


def submission_of(repository: Repository, record: Record, predictions: bytes) -> Publication:
    """One submission: its two files, and the card where there is none. Everything else in the repository stays."""

    def files(card: str | None) -> list[File]:
        cards = [_card(repository)] if card is None or "bap_v2" not in card else []
        return [*cards, File(record.predictions_path, predictions), File(record.path, record.to_json())]

    return Publication(repository, files, lambda path: False)


def results_of(repository: Repository, folder: Path) -> Publication:
    """A folder of results as it is: records that it has no more are deleted in the repository."""
    paths = [
        *sorted((folder / RECORDS).rglob("*.json")), *sorted((folder / PREDICTIONS).rglob("*.jsonl")), folder / CHECKED
    ]  # fmt: skip
    contents = [_card(repository), *(File(path.relative_to(folder).as_posix(), path) for path in paths)]
    ours = (f"{RECORDS}/", f"{PREDICTIONS}/")
    return Publication(repository, lambda card: contents, lambda path: path.startswith(ours))


def _card(repository: Repository) -> File:
    return File("README.md", rendered(_CARD, {"repo_id": repository.repo_id}).encode())
