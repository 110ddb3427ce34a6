"""Files that are made in chunks: the same for any number of processes, resumed after a kill, never overwritten unasked.

What holds of these made-up rows holds of games, items and variants: they are all written by this one function.
"""

import json
from functools import partial
from pathlib import Path

import pytest
from filelock import FileLock

from bap_v2_dataset.generation import resumable_chunks
from bap_v2_dataset.generation.resumable_chunks import write_chunks
from bap_v2_dataset.generation.workers import GenerationError
from bap_v2_metric.errors import UserError
from bap_v2_simulators.atomic_files import OutputError


def made(seed: int, numbers: range) -> tuple[list[dict], dict[str, int]]:
    return [{"n": n, "seed": seed} for n in numbers], {"rows": len(numbers)}


def written(output: Path, seed: int = 0, make=made, **options) -> dict:
    jobs = [range(0, 3), range(3, 6), range(6, 8)]
    return write_chunks(output, {"seed": seed}, partial(make, seed), jobs, kind="numbers", **options)


def rows_in(path: Path) -> list[tuple[int, int]]:
    return [(row["n"], row["seed"]) for row in map(json.loads, path.read_text().splitlines())]


class Stop(Exception):
    pass


def stop(*_):
    raise Stop


@pytest.fixture
def output(tmp_path) -> Path:
    return tmp_path / "a.jsonl"


def assert_whole(output: Path, seed: int = 0) -> None:
    assert rows_in(output) == [(n, seed) for n in range(8)]
    settings = json.loads(output.with_name("a.jsonl.settings.json").read_text())
    assert settings == {"request": {"seed": seed, "suffix": ".jsonl"}, "rows": 8}
    assert sorted(path.name for path in output.parent.iterdir()) == ["a.jsonl", "a.jsonl.settings.json"]


def test_a_file_and_its_settings_are_written(output):
    progress = []
    settings = written(output, progress=lambda counts: progress.append(counts["rows"]))
    assert settings["rows"] == 8 and progress == [3, 3, 2]
    assert_whole(output)


def test_any_number_of_processes_writes_the_same_bytes(tmp_path):
    for processes in (1, 2):
        written(tmp_path / f"{processes}.jsonl", num_proc=processes)
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


def test_a_run_that_was_stopped_resumes_where_it_stopped(output):
    seen = []

    def stopping(seed, numbers):
        seen.append(numbers.start)
        return stop() if seen == [0, 3] else made(seed, numbers)

    with pytest.raises(Stop):
        written(output, make=stopping)
    assert not output.exists()
    written(output, make=stopping)
    assert seen == [0, 3, 3, 6]
    assert_whole(output)


def test_another_request_starts_over(output, monkeypatch):
    with monkeypatch.context() as patch, pytest.raises(Stop):
        patch.setattr(resumable_chunks, "_join", stop)
        written(output, seed=1)
    written(output, seed=2)
    assert_whole(output, seed=2)


def test_a_file_that_is_there_is_neither_made_again_nor_overwritten_unasked(output, tmp_path):
    settings = written(output)
    assert written(output, make=stop) == settings
    with pytest.raises(GenerationError, match=r"a\.jsonl holds other numbers \(seed 0, not 3\)"):
        written(output, seed=3)
    (tmp_path / "notes.jsonl").write_text("mine")
    with pytest.raises(GenerationError, match="nothing says what it holds"):
        written(tmp_path / "notes.jsonl")
    assert (tmp_path / "notes.jsonl").read_text() == "mine"
    (tmp_path / "notes.jsonl").unlink()
    assert_whole(output)
    written(output, seed=3, overwrite=True)
    assert_whole(output, seed=3)


@pytest.mark.parametrize("step", ["put", "_finish"])
def test_a_run_killed_between_its_last_steps_is_whole_after_the_next(step, output, monkeypatch):
    output.write_text("old")
    with monkeypatch.context() as patch, pytest.raises(Stop):
        patch.setattr(resumable_chunks, step, stop)
        written(output, overwrite=True)
    if step == "put":  # the settings are there, the file is not yet
        with pytest.raises(GenerationError, match="nothing says what it holds"):
            written(output)
        assert output.read_text() == "old"
    written(output, overwrite=step == "put")
    assert_whole(output)


def test_two_runs_never_write_the_same_file(output):
    with FileLock(f"{output}.lock"), pytest.raises(OutputError, match="another process is writing"):
        written(output)
    written(output)
    assert_whole(output)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("a.csv", "the name must end in .jsonl or .parquet"),
        ("nowhere/a.jsonl", "there is no directory"),
        (".", "the name must end in"),
    ],
)
def test_a_file_that_cannot_be_written_is_named(name, complaint, tmp_path):
    with pytest.raises(UserError, match=complaint):
        written(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "a.jsonl").mkdir()
    with pytest.raises(OutputError, match="is a directory"):
        written(tmp_path / "a.jsonl")


def test_a_request_that_gives_nothing_leaves_nothing(output):
    def nothing(counts):
        raise GenerationError(f"no rows, but {counts['rows']} numbers")

    with pytest.raises(GenerationError, match="no rows, but 8 numbers"):
        written(output, facts=nothing)
    assert list(output.parent.iterdir()) == []
