"""`bap-v2` on Plancraft: setup, info, show and generate; what is missing or broken is said in a sentence."""

import json
import sys

import pytest
from in_process import command
from PIL import Image
from plancraft_package import needs_package

from bap_v2_dataset.tasks.plancraft import task_files
from bap_v2_simulators.plancraft import package

needs_package()


@pytest.fixture
def bap(tmp_path, monkeypatch, capsys):
    return command(monkeypatch, capsys, tmp_path / "home", tmp_path, width=200)


@pytest.fixture
def without_package(monkeypatch):
    """As if it were not installed."""
    package.module.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "plancraft"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "plancraft", None)
    yield
    package.module.cache_clear()


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """A copy of the package's files; what is written to one of them is read."""
    folder = tmp_path / "data"
    folder.mkdir()
    for file in task_files.FILES.values():
        (folder / file.name).write_bytes((package.data_folder() / file.name).read_bytes())
    monkeypatch.setattr(task_files, "data_folder", lambda: folder)
    return folder


@pytest.mark.slow
def test_both_configs_are_set_up_and_shown(bap):
    code, out, err = bap("setup", "--plancraft", "--num-proc", "1")
    assert code == 0, err
    assert "Plancraft: 2 configs, about" in out and 'load_dataset("bap_v2", "plancraft_oracle")' in out
    assert "1,145 train / 570 validation / 580 test" in out and "945 train / 470 validation" in out
    shown = bap("info")[1]
    assert "plancraft         1,145 train" in shown and "bap-v2 setup --plancraft" not in shown
    code, out, err = bap(
        "score", "--config", "plancraft", "--split", "test_small", "--baseline", "one-recipe", "--brief"
    )
    assert (code, out.split()[:2]) == (0, ["success", "54.6"]), err
    assert "bap-v2 setup --gsu" in bap("info")[1]


def test_without_the_package_a_sentence_says_how_to_get_it(bap, without_package):
    for arguments in (
        ["setup", "--plancraft"],
        ["show", "TEST0000"],
        ["generate", "plancraft", "tasks.jsonl", "--items", "1", "--num-proc", "1"],
    ):
        code, _, err = bap(*arguments)
        assert code == 1 and "pip install --no-deps plancraft==0.4.9" in err and "Traceback" not in err


@pytest.mark.parametrize(
    "content, message",
    [(b'[{"id": "TEST0', "is not JSON"), (b'{"id": 1}', "is not a list of tasks"), (None, "No such file")],
)
def test_a_file_of_tasks_that_is_broken_is_named(bap, broken, content, message):
    path = broken / "test.json"
    path.unlink() if content is None else path.write_bytes(content)
    code, _, err = bap("setup", "--plancraft", "--num-proc", "1")
    assert code == 1 and str(path) in err and message in err and "install the package again" in err


@pytest.mark.slow
def test_another_version_of_the_tasks_is_used_and_said(bap, broken):
    path = broken / "test_small.json" if (broken / "test_small.json").exists() else broken / "test.small.json"
    path.write_bytes(path.read_bytes() + b"\n")
    code, out, err = bap("setup", "--config", "plancraft", "--num-proc", "1")
    assert code == 0 and "test.small.json is not the one of plancraft 0.4.9" in out + err


@pytest.mark.slow
def test_a_task_is_shown_with_episodes_and_drawn(bap, tmp_path):
    code, out, err = bap("show", "TEST0003", "--baseline", "batched")
    assert code == 0, err
    assert "gold plan of 1 action" in out and "smelt: from [I29] to [I1] with quantity 1" in out
    assert "success after 1 turn" in out
    lines = [
        {
            "id": "TEST0003",
            "run": run,
            "prediction": {"turns": ["think: hm", "impossible: no"], "success": False, "tokens": None},
        }
        for run in (1, 2)
    ]
    (tmp_path / "mine.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    code, out, err = bap("show", "TEST0003", "--predictions", "mine.jsonl")
    assert code == 0 and "mine (run 1)" in out and out.count("wrong, it can be made") == 2, err
    for name in ("strip.png", "play.gif", "play.html"):
        code, out, err = bap("show", "TEST0003", "--predictions", "mine.jsonl", "--out", name)
        assert code == 0, err
    assert Image.open(tmp_path / "play.gif").n_frames == 3
    assert Image.open(tmp_path / "strip.png").info["Title"].startswith("TEST0003")
    page = (tmp_path / "play.html").read_text()
    assert "mine (run 1)" in page and "mine (run 2)" in page and "plotly" not in page
    code, _, err = bap("show", "TEST0003", "--out", "x.mp4")
    assert code and "has to end in" in err
    code, _, err = bap("show", "TEST9999")
    assert code == 1 and "there is no task TEST9999 in test: it has TEST0000 to" in err


def test_tasks_and_dialogues_are_generated_and_played_again(bap, tmp_path):
    easy = ("--items", "6", "--set", "difficulties=easy", "--num-proc", "1")
    for config in ("plancraft", "plancraft_oracle"):
        code, _, err = bap("generate", config, f"{config}.jsonl", *easy)
        assert code == 0, err
    tasks, dialogues = (
        [json.loads(line) for line in (tmp_path / f"{name}.jsonl").read_text().splitlines()]
        for name in ("plancraft", "plancraft_oracle")
    )
    assert [task["id"] for task in tasks] == [one["id"] for one in dialogues] and len(tasks) == 6
    for task, dialogue in zip(tasks, dialogues):
        assert task["difficulty"] == "easy" and task["observation"] == dialogue["messages"][1]["content"]
        assert [message["content"] for message in dialogue["messages"][2::2]] == task["plan"]
        assert task["target"] not in {item["type"] for item in task["inventory"]}
    assert bap("generate", "plancraft_oracle", "told.jsonl", *easy, "--set", "thoughts=true")[0] == 0
    for line, dialogue in zip((tmp_path / "told.jsonl").read_text().splitlines(), dialogues, strict=True):
        turns = [message["content"] for message in json.loads(line)["messages"][2::2]]
        actions = [message["content"] for message in dialogue["messages"][2::2]]
        assert turns[1::2] == actions and json.loads(line)["n_actions"] == len(actions)
        assert all(
            thought.startswith("think: ") and thought.split()[-1] in action
            for thought, action in zip(turns[::2], actions)
        )
    for config, option, value, problem in (
        ("plancraft_oracle", "--set", "thoughts=perhaps", "thoughts is 'perhaps'"),
        ("plancraft", "--set", "difficulties=hardest", "hardest"),
        ("plancraft_oracle", "--split", "test", "no gold dialogues of test"),
    ):
        code, _, err = bap("generate", config, "x.jsonl", "--items", "1", option, value, "--num-proc", "1")
        assert code == 1 and problem in err
