"""What `bap-v2 push` leaves on the Hub, and that it leaves it whole or not at all; against a Hub in memory, over HTTP.

Configs are set up with few items, so that a push takes a moment. Readers are processes of their own with an empty home.
"""

import json
import re
import resource
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path

import datasets
import huggingface_hub
import pyarrow
import pyarrow.parquet as pq
import pytest
import small_corpus
from case_tables import cases_of
from hub_stand_in import OTHER_TOKEN, READ_TOKEN, TOKEN, Blob, HubStandIn
from in_process import environment, pushing, use_home
from paths import ROOT

import bap_v2_metric
from bap_v2_dataset import cli
from bap_v2_dataset.human import game_store
from bap_v2_dataset.interface.table import TASKS
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.own_data import completed_records, read_data
from bap_v2_dataset.loading.shot_pools import pool_for
from bap_v2_dataset.publishing import dataset
from bap_v2_dataset.publishing.dataset import chosen_configs, staged
from bap_v2_dataset.publishing.hub import File, Hub, Outcome, Publication, PublishError, Repository
from bap_v2_simulators.corpus_table import SIZES
from bap_v2_simulators.gsu import configs as gsu_configs

REPO = "tester/bap_v2"
DATA = ("dataset", REPO)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An HF_HOME in which configs of three tasks and (with the small corpus) mdc are set up, with few items."""
    home = tmp_path_factory.mktemp("publish") / "home"
    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, home)
        for name in ("dss", "dr"):
            patch.setitem(SIZES, name, {"train": 40, "validation": 10, "test": 12})
            install.install_dataset(name)
        for split, size in {"train": 9, "validation": 3, "test": 6}.items():
            patch.setitem(gsu_configs.SIZES, split, size)
        install.install_dataset("gsu_structure")
        install.install_dataset("robust_dss")
        corpus = small_corpus.write(home.parent / "mdc")
        install.install_dataset("mdc", mdc=str(corpus))
        game_store.choose(game_store.mdc_games(corpus))
    return home


@pytest.fixture
def hub(home, monkeypatch):
    """A Hub that this process pushes to."""
    use_home(monkeypatch, home)
    with pushing(monkeypatch) as hub:
        yield hub


@pytest.fixture
def push(hub, capsys):
    """Runs `bap-v2 push` in this process and returns what it prints; errors come as exceptions."""

    def push(*options: str, repo_id: str = REPO) -> str:
        cli.app(["push", "--repo-id", repo_id, *options], standalone_mode=False)
        return capsys.readouterr().out

    return push


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "bap_v2_dataset.cli", "push", "--repo-id", REPO, *options]


# --- What a reader finds.
READER = """
import json, sys
import datasets, evaluate
repo = sys.argv[1]
results = {"configs": datasets.get_dataset_config_names(repo)}
for name in sys.argv[2:]:
    rows = datasets.load_dataset(repo, name)
    streamed = datasets.load_dataset(repo, name, streaming=True)
    results[name] = {split: rows[split].to_list() for split in rows}
    results[name + " streamed"] = {split: list(streamed[split]) for split in streamed}
    results[name + " features"] = repr(rows["test"].features)
metric = evaluate.load(repo)
reference = {"before": [], "after": ["red 0 1 0"], "interpretations": "multiple"}
results["score"] = metric.compute(predictions=["place red 3 1 -2"], references=[reference])["fairer_f1"]
results["ours"] = sorted(name for name in sys.modules if name.startswith("bap_v2_"))
row = results["gsu_structure"]["train"][0]
reference = {key: row[key] for key in ("task", "frame", "dims", "group", "answer")}
scores = evaluate.load(repo, "gsu").compute(predictions=[row["completion"]], references=[reference])
results["score of a structure"] = scores["score"]
print(json.dumps(results))
"""


@pytest.mark.slow
def test_what_was_pushed_loads_as_it_does_where_it_was_made(home, tmp_path, monkeypatch):
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", home / "datasets")
    names = ("dss", "mdc", "gsu_structure")
    absent = tmp_path / "not_installed"
    absent.mkdir()
    for name in ("gradio", "transformers"):  # not needed to load the metric
        (absent / f"{name}.py").write_text('raise ImportError("not installed")\n')
    with HubStandIn() as hub:
        env = environment(home, hub)
        options = ("--config=dss", "--config=mdc", "--config=gsu_structure", "--human", "--metric-space", REPO)
        done = subprocess.run(command(*options), env=env, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        env = environment(tmp_path / "reader", hub, HF_TOKEN="", PYTHONPATH=str(absent))
        done = subprocess.run(
            [sys.executable, "-c", READER, REPO, *names], env=env, cwd=tmp_path, capture_output=True, text=True
        )
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    assert sorted(results["configs"]) == sorted(names)
    for name in names:
        folder = next((home / "datasets" / "bap_v2" / name).rglob("dataset_info.json")).parent
        local = {
            split: datasets.concatenate_datasets(
                [datasets.Dataset.from_file(str(file)) for file in sorted(folder.glob(f"bap_v2-{split}*.arrow"))]
            )
            for split in ("train", "validation", "test")
        }
        rows = {split: own_rows.to_list() for split, own_rows in local.items()}
        assert results[name] == results[f"{name} streamed"]
        for row in (row for split in results[name].values() for row in split):
            row["metadata"] = json.loads(row["metadata"])
        assert results[name] == rows
        assert results[f"{name} features"] == repr(local["test"].features | {"metadata": datasets.Value("string")})
    assert results["score"] == results["score of a structure"] == 1.0
    assert results["ours"] == []


@pytest.mark.slow
def test_a_repository_holds_the_data_the_card_and_the_licences_and_nothing_else(push, hub):
    push("--config", "dss")
    data = {f"data/dss/{split}-00000-of-00001.parquet" for split in ("train", "validation", "test")}
    assert set(hub.files(*DATA)) == {".gitattributes", "README.md", "LICENSE", *data}
    assert hub.files(*DATA)["LICENSE"] == (ROOT / "LICENSE").read_bytes()
    card = huggingface_hub.DatasetCard(hub.files(*DATA)["README.md"].decode()).data
    (config,) = card["configs"]
    assert config["config_name"] == "dss" and config["default"] is True
    assert {entry["split"]: entry["path"] for entry in config["data_files"]} == {
        split: f"data/dss/{split}-*.parquet" for split in ("train", "validation", "test")
    }


def test_the_files_have_types_that_every_reader_knows(push, hub, tmp_path):
    push("--config", "dss")
    content = hub.files(*DATA)["data/dss/test-00000-of-00001.parquet"]
    schema = pq.read_schema(BytesIO(content))
    assert schema.metadata is None and schema.field("metadata").type == pyarrow.string()
    card = huggingface_hub.DatasetCard(hub.files(*DATA)["README.md"].decode())
    types = {entry["name"]: entry.get("dtype") for entry in card.data["dataset_info"]["features"]}
    assert types["metadata"] == "string" and 'json.loads(row["metadata"])' in card.text
    # What we read of them is what was pushed
    rows = install.rows_of("dss")["test"]
    (tmp_path / "test.parquet").write_bytes(content)
    read = read_data(str(tmp_path / "test.parquet")).splits["test"]
    assert read.features == rows.features and read.to_list() == rows.to_list()
    texts = pq.read_table(BytesIO(content)).to_pylist()
    assert [json.loads(row["metadata"]) for row in texts] == rows["metadata"][:]
    assert completed_records(texts, "texts") == rows.to_list()
    assert pool_for(texts[0]) is pool_for(rows[0])


def test_the_space_is_the_folder_of_the_metric(push, hub):
    push("--config", "dss", "--metric-space", "tester/metric")
    folder = Path(bap_v2_metric.__file__).parent
    files = hub.files("space", "tester/metric")
    assert hub.repos["space", "tester/metric"].sdk == "gradio"
    assert files.keys() - {".gitattributes"} == {path.name for path in folder.iterdir() if path.is_file()}
    assert all(files[name] == (folder / name).read_bytes() for name in files.keys() - {".gitattributes", "README.md"})
    own = (folder / "README.md").read_text()
    assert files["README.md"].decode() == own.replace('evaluate.load("bap_v2"', 'evaluate.load("tester/metric"') != own


@pytest.mark.parametrize("options", [("--config", "mdc"), ("--config", "all", "--config", "dss")])
def test_human_dialogues_are_published_only_if_that_is_said(push, hub, options):
    with pytest.raises(PublishError, match="holds dialogues of the human corpus: pass --human"):
        push(*options)
    assert hub.requests == []


def test_human_dialogues_come_with_the_licence_of_the_corpus(push, hub):
    push("--config", "mdc", "--human")
    assert b"University of Illinois/NCSA" in hub.files(*DATA)["LICENSE-MDC.txt"]


_ROBUST, _GSU, _PLANCRAFT = (TASKS[name] for name in ("robust", "gsu", "plancraft"))


@pytest.mark.parametrize(
    ("configs", "human", "tasks", "chosen"),
    [
        ([], False, [], ["dr", "dsb", "dss"]),
        ([], True, [], ["mdc_v2", "mdc", "dr", "dsb", "dss", "all"]),
        (["gsu_structure", "dr"], False, [], ["dr", "gsu_structure"]),
        # What is made of items goes with them.
        ([], False, [_ROBUST], ["dr", "dsb", "dss", "robust_dr", "robust_dsb", "robust_dss"]),
        (["dss", "mdc"], True, [_ROBUST], ["mdc", "dss", "robust_dss"]),
        (["mdc_v2"], True, [_ROBUST], ["mdc_v2", "robust_mdc_v2"]),
        (["robust_dr"], False, [], ["robust_dr"]),
        # Others stand for themselves.
        ([], False, [_GSU], [*_GSU.configs]),
        ([], False, [_GSU, _PLANCRAFT], [*_GSU.configs, *_PLANCRAFT.configs]),
        (["dss"], False, [_PLANCRAFT], ["dss", *_PLANCRAFT.configs]),
        ([], True, [_PLANCRAFT], ["mdc_v2", "mdc", "dr", "dsb", "dss", "all", *_PLANCRAFT.configs]),
        ([], False, [_ROBUST, _PLANCRAFT],
         ["dr", "dsb", "dss", "robust_dr", "robust_dsb", "robust_dss", *_PLANCRAFT.configs]),
    ],
)  # fmt: skip
def test_the_configs_that_are_published_are_those_that_options_name(configs, human, tasks, chosen):
    assert chosen_configs(configs, human, tasks) == chosen


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("gsu_structures", r"did you mean gsu_structure\?"),
        ("architect_dss", "unknown config 'architect_dss'"),
        ("robust_mdc_v2", "robust_mdc_v2 holds dialogues of the human corpus: pass --human"),
    ],
)
def test_what_cannot_be_published_is_said(config, message):
    with pytest.raises(PublishError, match=message):
        chosen_configs([config], human=False)


@pytest.mark.slow
def test_tasks_share_a_repository_whatever_comes_first(push, hub):
    push("--config", "gsu_structure")
    alone = huggingface_hub.DatasetCard(hub.files(*DATA)["README.md"].decode())
    assert alone.data["pretty_name"] == "Grid Spatial Understanding (GSU)"
    push("--config", "dss", "--robust")
    files = hub.files(*DATA)
    card = huggingface_hub.DatasetCard(files["README.md"].decode())
    assert [entry["config_name"] for entry in card.data["configs"]] == ["dss", "gsu_structure", "robust_dss"]
    variants = install.rows_of("robust_dss")
    assert "| `gsu_structure` | what blocks form | yes | 9 | 3 | 6 |" in card.text
    assert f"| `sa_turn` | turned | {len(variants['sa_turn']):,} |" in card.text and "spc_remove" not in variants
    assert card.data["license"] == ["apache-2.0"] and "LICENSE-MDC.txt" not in files
    for name in ("dss", "gsu_structure", "robust_dss"):
        assert "nothing to do" in push("--config", name)
    assert hub.files(*DATA) == files


# --- Pushing again.
def test_an_equal_push_changes_nothing(push, hub):
    push("--config", "dss", "--metric-space", REPO)
    before = hub.state()
    printed = push("--config", "dss", "--metric-space", REPO)
    assert printed.count("nothing to do") == 2
    assert hub.state() == before


@pytest.mark.slow
def test_a_push_keeps_the_other_configs_and_describes_them(push, hub):
    push("--config", "dss")
    first = hub.files(*DATA)
    push("--config", "dr")
    both = hub.files(*DATA)
    push("--config", "dr", "--config", "dss")
    assert hub.files(*DATA) == both  # however it came about
    assert all(both[path] == data for path, data in first.items() if path.startswith("data/"))
    card = huggingface_hub.DatasetCard(both["README.md"].decode()).data
    assert [entry["config_name"] for entry in card["configs"]] == ["dr", "dss"]
    assert [entry["config_name"] for entry in card["dataset_info"]] == ["dr", "dss"]


@pytest.mark.slow
def test_old_shards_go_in_the_commit_that_brings_the_new_ones(push, hub, monkeypatch):
    push("--config", "dr")
    with monkeypatch.context() as patch:
        patch.setattr(dataset, "_SHARD_BYTES", 30_000)
        push("--config", "dss")
    assert len([path for path in hub.files(*DATA) if path.startswith("data/dss/train-")]) > 1
    commits = len(hub.repos[DATA].commits)
    assert "old files deleted" in push("--config", "dss")
    assert len(hub.repos[DATA].commits) == commits + 1
    files = [path for path in hub.files(*DATA) if path.startswith("data/dss/")]
    assert len(files) == 3 and all(path.endswith("-00000-of-00001.parquet") for path in files)
    assert any(path.startswith("data/dr/") for path in hub.files(*DATA))


@pytest.mark.slow
def test_a_branch_is_made_and_the_main_one_stays(push, hub):
    push("--config", "dss")
    main = hub.files(*DATA)
    push("--config", "dss", "--revision", "next")
    assert hub.files(*DATA, branch="next") == main
    push("--config", "dr", "--revision", "next")
    assert hub.files(*DATA) == main
    assert any(path.startswith("data/dr/") for path in hub.files(*DATA, branch="next"))


def test_a_repository_that_holds_something_else_is_left_alone(push, hub):
    card = b"---\nconfigs:\n- config_name: recipes\n  data_files: cakes.csv\n---\n# Cakes\n"
    hub.create(*DATA).commit("main", {"README.md": Blob(card, large=False)})
    with pytest.raises(PublishError, match="holds something else, the config 'recipes': name another"):
        push("--config", "dss")
    assert hub.files(*DATA) == {"README.md": card}


def test_a_card_that_cannot_be_read_is_named(push, hub):
    hub.create(*DATA).commit("main", {"README.md": Blob(b"---\nconfigs: [\n---\n", large=False)})
    with pytest.raises(PublishError, match=r"the card of the dataset tester/bap_v2 cannot be read .*fix"):
        push("--config", "dss")


def test_human_rows_that_are_not_set_up_here_cannot_be_described(push, hub, monkeypatch, tmp_path):
    push("--config", "mdc", "--human")
    use_home(monkeypatch, tmp_path / "home")
    monkeypatch.setitem(SIZES, "dss", {"train": 5, "validation": 5, "test": 5})
    with pytest.raises(PublishError, match="also holds the config mdc, and the same rows are not set up"):
        push("--config", "dss")


def test_private_repositories_are_private_and_public_ones_are_not_taken_for_private(push, hub):
    push("--config", "dss", "--private", repo_id="tester/secret")
    assert hub.repos["dataset", "tester/secret"].private
    push("--config", "dss")
    with pytest.raises(PublishError, match="exists and is public: make it private in its settings"):
        push("--config", "dr", "--private")


# --- Dry runs.
@pytest.mark.slow
def test_a_dry_run_says_what_would_be_sent_and_sends_nothing(push, hub, monkeypatch):
    assert "There is no dataset tester/bap_v2 that you can see: it would be created." in push(
        "--config", "dss", "--dry-run"
    )
    push("--config", "dss")
    state = hub.state()
    hub.requests.clear()
    monkeypatch.setattr(dataset, "_SHARD_BYTES", 30_000)
    printed = push("--config", "dss", "--config", "dr", "--metric-space", REPO, "--dry-run")
    assert {method for method, *_ in hub.requests} <= {"GET", "HEAD"}
    assert hub.state() == state
    sizes = dict(re.findall(r"│ (\S+)\s+│ +[\d,]* │ +([\d,]+|deleted) ", printed))
    assert sizes["data/dss/train-00000-of-00001.parquet"] == "deleted"  # there are more of them now
    assert "deleted" not in {size for path, size in sizes.items() if path.startswith("data/dr/")} != set()
    assert {"README.md", "LICENSE", "scoring.py"} <= sizes.keys()


def test_a_dry_run_needs_neither_token_nor_hub(push, hub, monkeypatch, capsys):
    monkeypatch.delenv("HF_TOKEN")
    push("--config", "dss", "--dry-run")
    monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", "http://127.0.0.1:9")
    cli.app(["push", "--repo-id", REPO, "--config", "dss", "--dry-run"], standalone_mode=False)
    printed = capsys.readouterr()
    assert "data/dss/" in printed.out and "Nothing was sent" in printed.out
    assert "http://127.0.0.1:9 cannot be reached" in printed.err


# --- What goes wrong.
def push_two_files() -> Outcome:
    """As the command does, with a card and a large file."""
    files = [File("README.md", b"---\na: 1\n---\n"), File("rows.parquet", bytes(5_000))]
    hub = Hub()
    hub.log_in()
    return hub.push(Publication(Repository(REPO, "dataset"), lambda card: files, lambda path: False))


TWO_FILES = {".gitattributes", "README.md", "rows.parquet"}


@pytest.mark.parametrize("repo_id", ["bap_v2", "a/b/c", "/bap_v2", "tester/", "tester/bap v2", "tester/..", ""])
def test_a_name_that_is_no_repository_is_refused(push, hub, repo_id):
    with pytest.raises(PublishError, match=re.escape(f"{repo_id!r} is not the name of a repository")):
        push("--config", "dss", repo_id=repo_id)
    assert hub.requests == []


@pytest.mark.parametrize(
    ("token", "message"),
    [
        ("", "no token: run `hf auth login`, or set HF_TOKEN"),
        ("hf_unknown", r"the token is not valid \(401\): make one with write access"),
        ("hf_ünknown", "the token holds a character that no token has"),
        (READ_TOKEN, r"the dataset tester/bap_v2: this token may not do that \(403\)"),
        (OTHER_TOKEN, r"the dataset tester/bap_v2: this token may not do that \(403\)"),
    ],
)
def test_a_token_that_does_not_do_is_an_error_that_does_not_show_it(hub, monkeypatch, token, message):
    monkeypatch.setenv("HF_TOKEN", token)
    with pytest.raises(PublishError, match=message) as raised:
        push_two_files()
    assert not token or token not in str(raised.value)
    assert hub.repos == {}


@pytest.mark.parametrize(
    ("pattern", "status", "message"),
    cases_of(__file__, "refusals"),
)
def test_a_refusal_is_a_sentence_without_the_token_and_the_next_push_succeeds(hub, pattern, status, message):
    hub.fail(pattern, status, times=9, message=f"no, {TOKEN} and")
    with pytest.raises(PublishError, match=message) as raised:
        push_two_files()
    assert TOKEN not in str(raised.value)
    assert not hub.repos or set(hub.files(*DATA)) == {".gitattributes"}
    hub.faults.clear()
    push_two_files()
    assert hub.files(*DATA).keys() == TWO_FILES


def test_a_commit_whose_answer_is_lost_is_not_made_twice(hub):
    hub.fail("/commit/", is_answered=False)
    with pytest.raises(PublishError, match="push again; uploaded files are not sent again"):
        push_two_files()
    assert not push_two_files().is_changed
    assert hub.files(*DATA).keys() == TWO_FILES and hub.count_requests("POST .*/commit/") == 1


def test_what_others_commit_in_the_meantime_stays(hub):
    repository = Repository(REPO, "dataset")
    repo = hub.create(*DATA)

    def files_beside(card):
        if len(repo.commits) == 1:  # after the repository was looked at, before it is committed to
            repo.commit("main", {**repo.commits[repo.branches["main"]], "theirs.txt": Blob(b"theirs", large=False)})
        return [File("ours.txt", b"ours")]

    with pytest.raises(PublishError, match=r"somebody else changed it just now \(412\): push again"):
        Hub().push(Publication(repository, files_beside, lambda path: False))
    assert Hub().push(Publication(repository, files_beside, lambda path: False)).is_changed
    assert hub.files(*DATA).keys() == {".gitattributes", "theirs.txt", "ours.txt"}


@pytest.mark.slow
def test_a_killed_push_leaves_the_old_state_and_the_next_one_is_whole(home, tmp_path):
    with HubStandIn() as hub:
        env = environment(home, hub)
        hub.fail("PUT /lfs-store", delay=60)
        push = subprocess.Popen(command("--config", "dss"), env=env, cwd=tmp_path, stderr=subprocess.DEVNULL)
        try:
            while push.poll() is None and hub.faults:
                time.sleep(0.02)
            time.sleep(0.3)  # into the request
        finally:
            push.kill()
            push.wait()
        assert set(hub.files(*DATA)) == {".gitattributes"}
        done = subprocess.run(command("--config", "dss"), env=env, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert len(hub.files(*DATA)) == 6
    assert [path.name for path in (home / "bap_v2_push").iterdir()] == [".lock"]


@pytest.mark.slow
def test_the_token_is_neither_printed_nor_written(home, tmp_path):
    with HubStandIn() as hub:
        hub.fail("/commit/", 403, message=f"{TOKEN} may not")
        env = environment(home, hub, HF_DEBUG="1", HF_HUB_VERBOSITY="debug", BAP_V2_TRACEBACK="1")
        done = [
            subprocess.run(command("--config", "dss"), env=env, cwd=tmp_path, capture_output=True, text=True)
            for _ in range(2)
        ]
    assert [one.returncode for one in done] == [1, 0]
    assert "<token> may not" in done[0].stderr and "curl" in done[0].stderr
    for one in done:
        assert TOKEN not in one.stdout + one.stderr
    for folder in (home, tmp_path):
        for path in folder.rglob("*"):
            assert not path.is_file() or TOKEN.encode() not in path.read_bytes(), path


@pytest.mark.slow
def test_a_full_disk_is_a_sentence_and_nothing_is_left(home, tmp_path):
    def small_disk():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, 8_000))

    with HubStandIn() as hub:
        done = subprocess.run(
            command("--config", "dss"), env=environment(home, hub), cwd=tmp_path, capture_output=True, text=True,
            preexec_fn=small_disk,
        )  # fmt: skip
        assert hub.repos == {}
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: cannot write the Parquet files to {home}/bap_v2_push")
    assert "make room there, or name another place with HF_HOME" in done.stderr
    assert [path.name for path in (home / "bap_v2_push").iterdir()] == [".lock"]


def test_two_pushes_at_once_do_not_share_a_folder(push, hub):
    with (
        staged(["dss"]),
        pytest.raises(PublishError, match=r"another push is running \(it holds .*bap_v2_push/.lock\)"),
    ):
        push("--config", "dr")
    push("--config", "dr")
