"""Submissions and leaderboards on a Hub stand-in: what arrives, as commits and as pull requests."""

import runpy
from pathlib import Path

import orjson
import pytest
from click.testing import Result
from hub_stand_in import OTHER_TOKEN, TOKEN
from small_test_sets import use_small_test_sets, write
from typer.testing import CliRunner

from bap_v2_dataset.cli import app
from bap_v2_dataset.leaderboard.record import SubmissionError
from bap_v2_dataset.publishing.hub import PublishError, Repository
from bap_v2_dataset.publishing.spaces import leaderboard_of

ROOT = Path(__file__).parents[3]
RESULTS, SPACE = "tester/bap_v2_results", "tester/bap_v2_leaderboard"


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    use_small_test_sets(monkeypatch)
    monkeypatch.chdir(tmp_path)


def bap(*arguments: object) -> Result:
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert TOKEN not in result.output and OTHER_TOKEN not in result.output
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def submit(tmp_path, name: str, *options: object, wrong: int = 1) -> str:
    return bap("submit", write(tmp_path / "dss.jsonl", "dss", wrong), "--name", name, *options).output


def test_a_submission_is_a_commit_of_its_two_files_and_others_stay(hub, tmp_path):
    assert RESULTS in submit(tmp_path, "One", "--push", RESULTS)
    first = hub.files("dataset", RESULTS)
    assert {"README.md", "records/dss/one.json", "predictions/dss/one.jsonl"} <= first.keys()
    assert b"--push tester/bap_v2_results" in first["README.md"]
    submit(tmp_path, "Two", "--push", RESULTS, wrong=2)
    assert hub.files("dataset", RESULTS).items() >= first.items()


@pytest.mark.slow
def test_a_stranger_opens_a_pull_request(hub, tmp_path, monkeypatch):
    submit(tmp_path, "One", "--push", RESULTS)
    before = hub.files("dataset", RESULTS)
    monkeypatch.setenv("HF_TOKEN", OTHER_TOKEN)
    with pytest.raises(PublishError, match="this token may not do that"):
        submit(tmp_path, "Mine", "--push", RESULTS, wrong=2)
    said = submit(tmp_path, "Mine", "--push", RESULTS, "--pull-request", wrong=2)
    assert "a pull request with 2 files" in said and "/discussions/1" in said
    (request,) = hub.repos["dataset", RESULTS].pull_requests
    assert set(request) - set(before) == {"records/dss/mine.json", "predictions/dss/mine.jsonl"}
    assert hub.files("dataset", RESULTS) == before
    with pytest.raises(PublishError, match="a pull request needs one"):
        submit(tmp_path, "Mine", "--push", "tester/nothing", "--pull-request", wrong=2)


@pytest.mark.slow
def test_a_leaderboard_is_checked_results_and_a_space(hub, tmp_path):
    submit(tmp_path, "One")
    submit(tmp_path, "Two", wrong=2)
    assert "Nothing was sent" in bap("push-leaderboard", "results", "--repo-id", RESULTS, "--dry-run").output
    bap("push-leaderboard", "results", "--repo-id", RESULTS, "--space", SPACE)
    files = hub.files("dataset", RESULTS)
    assert set(orjson.loads(files["checked.json"])["records"]) == {"records/dss/one.json", "records/dss/two.json"}
    space = hub.files("space", SPACE)
    assert {"README.md", "app.py", "board.py", "requirements.txt", "results.txt"} <= space.keys()
    assert space["results.txt"] == b"tester/bap_v2_results\n" and b"{{" not in space["README.md"]
    assert "up to date" in bap("push-leaderboard", "results", "--repo-id", RESULTS, "--space", SPACE).output


@pytest.mark.slow
def test_records_of_others_are_deleted_only_on_demand_and_named(hub, tmp_path):
    submit(tmp_path, "Theirs", "--out", "elsewhere", "--push", RESULTS, wrong=2)
    theirs = {path: data for path, data in hub.files("dataset", RESULTS).items() if "theirs" in path}
    assert len(theirs) == 2
    submit(tmp_path, "Mine")
    push = ("push-leaderboard", "results", "--repo-id", RESULTS)
    for options in (["--dry-run"], []):
        said = bap(*push, *options).output
        assert "has 2 files that results has not: they stay there, unchecked" in said and min(theirs) in said
    assert hub.files("dataset", RESULTS).items() >= theirs.items()
    said = bap(*push, "--delete-missing", "--dry-run").output
    assert "they would be deleted" in said and hub.files("dataset", RESULTS).items() >= theirs.items()
    assert "2 old ones deleted" in bap(*push, "--delete-missing").output
    assert not hub.files("dataset", RESULTS).keys() & theirs.keys()
    assert "records/dss/mine.json" in hub.files("dataset", RESULTS)


def test_nothing_is_sent_while_a_record_is_refused(hub, tmp_path):
    submit(tmp_path, "One")
    file = tmp_path / "results" / "records" / "dss" / "one.json"
    file.write_bytes(file.read_bytes().replace(b'"items":6', b'"items":7'))
    with pytest.raises(SubmissionError, match="some records were refused"):
        bap("push-leaderboard", "results", "--repo-id", RESULTS)
    assert not hub.repos


def test_the_space_needs_nothing_of_the_project():
    files = {file.path: file for file in leaderboard_of(Repository(SPACE, "space"), RESULTS).files_beside(None)}
    assert files["requirements.txt"].content.read_text().split() == ["gradio>=6,<7", "huggingface_hub>=1.0"]
    imports = [
        line for line in files["board.py"].content.read_text().splitlines() if line.startswith(("import", "from"))
    ]
    assert imports and not any("bap_v2" in line for line in imports)


def test_the_space_keeps_the_older_board_while_the_hub_is_out_of_reach(tmp_path):
    pytest.importorskip("gradio", reason="the explore extra is not installed")
    space = runpy.run_path(str(ROOT / "hub_cards" / "leaderboard" / "app.py"))

    class Reachable(space["Results"]):
        is_up = False

        def _folder(self) -> Path:
            if not self.is_up:
                raise ConnectionError("the Hub does not answer")
            return super()._folder()

    submit(tmp_path, "One")
    bap("leaderboard", "check")
    results = Reachable("results")
    with pytest.raises(ConnectionError):  # nothing is held yet
        results.board  # noqa: B018
    results.is_up = True
    board = results.board
    assert [record["name"] for record in board.records] == ["One"]
    results.is_up, results._read = False, float("-inf")
    assert results.board is board
