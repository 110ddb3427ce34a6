"""`bap-v2 setup --mdc auto`, against a local repository: what is fetched, what is checked, and what a break leaves."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import small_corpus

from bap_v2_dataset.human import download, game_store
from bap_v2_dataset.human.corpus_files import open_corpus
from bap_v2_dataset.human.download import MANIFEST, DownloadError, downloaded, manifest

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def sums(files: dict[str, bytes]) -> dict[str, tuple[str, int]]:
    return {name: (hashlib.sha256(data).hexdigest(), len(data)) for name, data in files.items()}


@pytest.fixture(scope="module")
def public(tmp_path_factory) -> str:
    return small_corpus.repository(tmp_path_factory.mktemp("public") / "repository")


@pytest.fixture
def fetch(own_home):
    """Downloads the small corpus and returns (its folder, what was announced, the progress)."""

    def call(url: str, files: dict[str, bytes] | None = None):
        announced, seen = [], []
        expected = sums(small_corpus.files() if files is None else files)
        folder = downloaded(url, announce=announced.append, progress=seen.append, expected=expected)
        return folder, announced, seen

    return call


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_only_the_files_of_the_corpus_are_fetched_after_it_was_announced(public, fetch):
    folder, (sentence,), seen = fetch(public)
    assert public in sentence and ": 12 files" in sentence and "license" in sentence
    assert contents(folder) == small_corpus.files()  # no raw observations, no augmented copy
    assert [path.name for path in folder.parent.iterdir()] == ["data"]
    assert seen[0] == 0 and seen[-1] == len(small_corpus.files())
    assert game_store.mdc_games(folder).report.games.total() == 5


def test_whole_files_are_not_downloaded_again(public, fetch, tmp_path):
    first, _, _ = fetch(public)
    before = {path: path.stat().st_mtime_ns for path in first.rglob("*")}
    second, announced, seen = fetch(public)
    assert second == first and announced == [] and seen == []
    assert {path: path.stat().st_mtime_ns for path in first.rglob("*")} == before


def test_a_damaged_file_is_fetched_again_and_only_that_one(public, fetch):
    folder, _, _ = fetch(public)
    (folder / "logs" / "splits.json").write_bytes(b"{")
    folder, (sentence,), _ = fetch(public)
    assert "1 of 12 files" in sentence and contents(folder) == small_corpus.files()


def test_files_that_are_not_those_of_the_manifest_are_an_error(public, fetch):
    other = {**small_corpus.files(), "logs/splits.json": b"something else"}
    with pytest.raises(DownloadError, match=r"1 files are not those of the published corpus, e.g. logs/splits.json"):
        fetch(public, other)
    assert contents(fetch(public)[0]) == small_corpus.files()  # what was right stays, and the next try looks again


def test_a_repository_without_the_corpus_is_an_error(fetch, tmp_path):
    url = small_corpus.repository(tmp_path / "other", {"README.md": b"something else"})
    with pytest.raises(DownloadError, match="lacks 12 files of the corpus"):
        fetch(url)
    subprocess.run(["git", "-C", tmp_path / "other", "rm", "-q", "README.md"], check=True)
    shutil.rmtree(tmp_path / "other")
    small_corpus.repository(tmp_path / "other")  # it was fixed: the next try sees it
    assert contents(fetch(url)[0]) == small_corpus.files()


def test_no_repository_and_no_git_are_sentences(fetch, tmp_path, monkeypatch):
    with pytest.raises(DownloadError, match=r"could not be downloaded: fatal: .* not appear to be a git repository"):
        fetch((tmp_path / "nothing").as_uri())
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DownloadError, match="needs git: install it, or pass the corpus's path"):
        fetch((tmp_path / "nothing").as_uri())


def test_locks_of_a_killed_git_are_not_in_the_way(public, fetch, monkeypatch):
    monkeypatch.setattr(download, "_FILES_AT_ONCE", 3)
    expected = sums(small_corpus.files())

    def stop(files: int) -> None:
        if files >= 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        downloaded(public, announce=print, progress=stop, expected=expected)
    (target,) = (game_store.folder().parent / "bap_v2_corpus").glob("*/")
    assert len(contents(target / "data")) == 6
    (target / ".git" / "index.lock").touch()
    folder, (sentence,), _ = fetch(public)
    assert "6 of 12 files" in sentence and contents(folder) == small_corpus.files()


@pytest.mark.slow
def test_the_published_corpus_is_downloaded_and_set_up(corpus, tmp_path):
    """A download that is killed resumes: tests/test_reliability.py."""
    files = dict(open_corpus(corpus).stream(list(open_corpus(corpus).names)))
    url = small_corpus.repository(tmp_path / "public", {f"data/{name}": data for name, data in files.items()})
    env = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "BAP_V2_"))}
    env |= {"HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "1", "COLUMNS": "200"}
    command = [sys.executable, "-m", "bap_v2_dataset.cli", "setup", "--config", "mdc", "--num-proc", "1"]
    done = subprocess.run([*command, "--mdc", "auto", "--mdc-url", url], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "895 validation_clear / 1,616 test" in said and "not the published one" not in said
    expected = manifest(MANIFEST)
    assert len(expected) == 705 and sums(files) == expected
