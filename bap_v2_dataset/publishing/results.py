"""The results of a leaderboard as a dataset: a record per submission, its predictions, and which of them are checked.

datasets/USER/bap_v2_results     records/dss/my-model.json, predictions/dss/my-model.jsonl, checked.json, README.md
"""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from bap_v2_dataset.leaderboard.record import CHECKED, PREDICTIONS, RECORDS, Record
from bap_v2_dataset.publishing.hub import File, Hub, Publication, Repository
from bap_v2_dataset.publishing.template import rendered

_CARD = "results_card.md"


def submission_of(repository: Repository, record: Record, predictions: bytes) -> Publication:
    """One submission: its two files, and the card where there is none. Everything else in the repository stays."""

    def files(card: str | None) -> list[File]:
        cards = [_card(repository)] if card is None or "bap_v2" not in card else []
        return [*cards, File(record.predictions_path, predictions), File(record.path, record.to_json())]

    return Publication(repository, files, lambda path: False)


def results_of(repository: Repository, folder: Path, deleted: Collection[str] = ()) -> Publication:
    """A folder of results. Records that only the repository has are those of others, and stay.

    Args:
        deleted: paths in the repository that are deleted (see `only_there`).
    """
    paths = [
        *sorted((folder / RECORDS).rglob("*.json")), *sorted((folder / PREDICTIONS).rglob("*.jsonl")), folder / CHECKED
    ]  # fmt: skip
    contents = [_card(repository), *(File(path.relative_to(folder).as_posix(), path) for path in paths)]
    return Publication(repository, lambda card: contents, lambda path: path in deleted)


def only_there(hub: Hub, repository: Repository, folder: Path) -> list[str]:
    """The records and predictions that a repository has and the folder has not; none while the Hub is out of reach."""
    ours = (f"{RECORDS}/", f"{PREDICTIONS}/")
    everything = replace(results_of(repository, folder), owns=lambda path: path.startswith(ours))
    return sorted(change.path for change in hub.preview(everything).changes if change.state == "old")


def _card(repository: Repository) -> File:
    return File("README.md", rendered(_CARD, {"repo_id": repository.repo_id}).encode())
