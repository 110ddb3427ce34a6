"""Games kept as JSON lines beside the Hugging Face caches, so that a corpus is read only once.

    $HF_HOME/bap_v2_games/mdc-<fingerprint>/{train,validation,test}.jsonl, report.json
    $HF_HOME/bap_v2_games/labels-<digest>/<name>   labels of the test items, if they are not ours
    $HF_HOME/bap_v2_games/mdc.json                 which of these the last setup chose

A folder appears only when it is complete: a setup that is killed leaves nothing that is taken for games.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson
from filelock import FileLock

from bap_v2_dataset.human.corpus_files import PUBLIC_SOURCE, CorpusError
from bap_v2_dataset.human.mdc import PARSER_VERSION, SPLITS, ReadingReport, read_corpus
from bap_v2_dataset.items.item import Item, Skipped, items
from bap_v2_simulators.atomic_files import acquired, atomic_write, discard_unfinished
from bap_v2_simulators.game import read_games

CORPUS_VARIABLE = "BAP_V2_MDC"


@dataclass(frozen=True)
class KeptGames:
    """The games of the human corpus on disk."""

    folder: Path
    corpus: str  # where they were read from
    report: ReadingReport
    skipped: dict[str, list[Skipped]]  # by split: runs of actions that are no items
    digest: str  # SHA-256 of the games: equal corpora give equal digests, wherever they lie

    def file(self, split: str) -> Path:
        """Return the file of JSON lines of one split."""
        return self.folder / f"{split}.jsonl"

    def items(self, split: str) -> Iterator[Item]:
        """Return the items of one split, game by game."""
        return (item for game in read_games(self.file(split)) for item in items(game))


def folder() -> Path:
    """Return the folder of all that is kept."""
    import datasets

    return Path(datasets.config.HF_CACHE_HOME).expanduser() / "bap_v2_games"


def mdc_games(
    corpus: "str | os.PathLike[str] | None" = None,
    progress: Callable[[int], None] | None = None,
    mend: bool = False,
) -> KeptGames:
    """Return the games of the human corpus; the corpus is read if they are not kept yet.

    Args:
        corpus: directory or archive; by default what the environment variable BAP_V2_MDC names, else what the last
            `bap-v2 setup` chose.
        progress: called with the number of bytes of each log that is read.
        mend: damaged games of the last setup are read again, if the corpus is still there.
    Raises:
        CorpusError: with the command that fixes it, if no corpus was named; if it cannot be read; or if it holds no
            game at all.
    """
    # Without a path, those of the last setup.
    from_variable = not corpus
    corpus = corpus or os.environ.get(CORPUS_VARIABLE) or None  # an empty variable is none
    if corpus is None:
        if not (chosen := _chosen()):
            raise CorpusError(
                "the human corpus is not set up: run `bap-v2 setup --mdc PATH` with the Minecraft Dialogue Corpus "
                f"(a directory or an archive, from {PUBLIC_SOURCE}), or `bap-v2 setup --mdc auto` to download it, or "
                f"set {CORPUS_VARIABLE} to its path"
            )
        corpus = chosen["corpus"]
        try:
            return _load(folder() / chosen["folder"])
        except CorpusError:
            if not mend or not Path(corpus).exists():
                raise
    # With one, the games of that corpus, as it is now.
    path = Path(corpus).expanduser().resolve()
    if not path.exists():
        named = f" (named by {CORPUS_VARIABLE}: unset it to use the corpus that was set up)" if from_variable else ""
        raise CorpusError(
            f"{corpus} does not exist{named}: pass the corpus's directory or archive (from {PUBLIC_SOURCE})"
        )
    final = folder() / f"mdc-{_fingerprint(path)}"
    folder().mkdir(parents=True, exist_ok=True)
    if not os.access(folder(), os.W_OK) and final.is_dir():  # of another user, who made them
        return _load(final)
    # They are read once, into a folder that gets its name when it is complete.
    with acquired(FileLock(folder() / ".lock")):
        for leftover in folder().glob(".unfinished-*"):  # of a setup that was killed
            shutil.rmtree(leftover, ignore_errors=True)
        with suppress(CorpusError):
            return _load(final)
        unfinished = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=folder()))
        try:
            (unfinished / "games").mkdir()  # others may read it, unlike what mkdtemp makes
            _write(path, unfinished / "games", progress)
            shutil.rmtree(final, ignore_errors=True)  # damaged, if it is there
            os.replace(unfinished / "games", final)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        return _load(final)


@contextmanager
def only_set_up() -> Iterator[None]:
    """Make setups wait for each other: one must not delete the games that another builds its rows from."""
    folder().mkdir(parents=True, exist_ok=True)
    with acquired(FileLock(folder() / ".set-up.lock")):
        yield


def choose(games: KeptGames, labels: Path | None = None) -> None:
    """Make these the games that are used when no corpus is named, and deletes those of other setups.

    Args:
        labels: of the test items, if they are not ours; they are copied.
    """
    record: dict[str, Any] = {"folder": games.folder.name, "corpus": games.corpus}
    if labels is not None:
        # In a folder named by the digest: the name of the file stays, it tells whose labels they are.
        data = labels.read_bytes()
        copy = folder() / f"labels-{hashlib.sha256(data).hexdigest()[:16]}" / labels.name
        copy.parent.mkdir(exist_ok=True)
        _write_alone(copy, data)
        record["labels"] = str(copy.relative_to(folder()))
    _write_alone(folder() / "mdc.json", orjson.dumps(record))
    used = {games.folder.name, record.get("labels", "").partition("/")[0]}
    for other in (*folder().glob("mdc-*"), *folder().glob("labels-*")):
        if other.name not in used:
            # In one step: half a folder would be in the way of games that are read again.
            doomed = other.with_name(f".unfinished-{other.name}")
            shutil.rmtree(doomed, ignore_errors=True)
            os.replace(other, doomed)
            shutil.rmtree(doomed, ignore_errors=True)


def chosen_labels() -> Path | None:
    """Return the labels that the last setup chose; None if it took ours, or if there was none."""
    chosen = _chosen().get("labels")
    if chosen and not (folder() / chosen).is_file():
        raise CorpusError(
            f"the labels of the last setup are gone ({folder() / chosen}): run `bap-v2 setup` with --labels FILE, or "
            "with --labels ours"
        )
    return folder() / chosen if chosen else None


def _write_alone(path: Path, data: bytes) -> None:
    """Write a file that no other process writes: setups wait for each other."""
    discard_unfinished(path)
    atomic_write(path, data)


def _write(path: Path, target: Path, progress: Callable[[int], None] | None) -> None:
    # Read everything, by split.
    report = ReadingReport()
    skipped: dict[str, list[Skipped]] = {split: [] for split in SPLITS.values()}
    lines: dict[str, list[tuple[str, bytes]]] = {split: [] for split in SPLITS.values()}  # a tenth of the games' size
    for game in read_corpus(path, report, progress):
        lines[game.split].append((game.game_id, game.to_json()))
        for _ in items(game, skipped[game.split]):
            pass
    if not report.games:
        cause = f"the first problem: {': '.join(report.problems[0])}" if report.problems else "all are warm-up games"
        raise CorpusError(f"{path}: no game could be read of {report.logs:,}; {cause}")
    # Write the games in the order of their ids, with a digest, and what was left out.
    digest = hashlib.sha256()
    for split, members in lines.items():
        members.sort()  # by game id: an archive may hold the logs in any order
        text = b"".join(line + b"\n" for _, line in members)
        (target / f"{split}.jsonl").write_bytes(text)
        digest.update(text)
    record: dict[str, Any] = {
        "corpus": str(path),
        "report": report.to_dict(),
        "skipped": {split: [asdict(run) for run in sorted(runs, key=lambda r: (r.game_id, r.run))]
                    for split, runs in skipped.items()},
        "digest": digest.hexdigest(),
    }  # fmt: skip
    (target / "report.json").write_bytes(orjson.dumps(record, option=orjson.OPT_INDENT_2))


def _chosen() -> dict[str, str]:
    """Return what the last setup chose; nothing if there was none."""
    path = folder() / "mdc.json"
    try:
        record = orjson.loads(path.read_bytes())
        return {"folder": record["folder"], "corpus": record["corpus"], "labels": record.get("labels", "")}
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(path, error) from None


def _load(path: Path) -> KeptGames:
    try:
        record = orjson.loads((path / "report.json").read_bytes())
        text = b"".join((path / f"{split}.jsonl").read_bytes() for split in SPLITS.values())
        if hashlib.sha256(text).hexdigest() != record["digest"]:
            raise ValueError("they have changed")
        return KeptGames(
            folder=path,
            corpus=record["corpus"],
            report=ReadingReport.from_dict(record["report"]),
            skipped={split: [Skipped(**run) for run in runs] for split, runs in record["skipped"].items()},
            digest=record["digest"],
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, cause: Exception) -> CorpusError:
    return CorpusError(f"the games in {path} are damaged ({cause}): run `bap-v2 setup --mdc PATH` again")


def _fingerprint(path: Path) -> str:
    """Return a name that changes with the corpus's files and the parser (by path, size and time, not by content)."""
    digest = hashlib.sha256(f"{PARSER_VERSION} {path}".encode())
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    for file in files:
        if file.is_file():
            status = file.stat()
            digest.update(f"{file.relative_to(path)} {status.st_size} {status.st_mtime_ns}".encode())
    return digest.hexdigest()[:16]
