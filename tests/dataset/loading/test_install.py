"""After `bap-v2 setup` the bare names work: from any directory, offline, with no import of ours, and whatever happens.

Users meet this in a process of their own, so most of these tests start one, with an empty HF_HOME. They stand for an
install without the training extras: `evaluate` would otherwise import torch, which takes longer than everything else.
"""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import datasets
import pytest
import small_corpus
from processes import children, is_running

import bap_v2_metric
from bap_v2_dataset.human import game_store
from bap_v2_dataset.human.mdc import read_corpus
from bap_v2_dataset.interface.table import all_configs
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.labels.readings import read_items
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.builder import DamagedRowsError

SPLITS = ("train", "validation", "test")


def rows_of(corpus: Path) -> dict[str, list[dict]]:
    """What the config `mdc` must hold."""
    rows: dict[str, list[dict]] = {split: [] for split in SPLITS}
    for game in sorted(read_corpus(corpus), key=lambda game: game.game_id):
        rows[game.split] += map(row, items(game) if game.split == "test" else read_items(game))
    return rows


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Path:
    return small_corpus.write(tmp_path_factory.mktemp("small") / "mdc")


@pytest.fixture(scope="module")
def other(tmp_path_factory) -> Path:
    """The small corpus without one of its games."""
    files = small_corpus.files()
    del files[small_corpus.log_name(small_corpus.ROW)]
    return small_corpus.write(tmp_path_factory.mktemp("other") / "mdc", files)


@pytest.fixture(scope="module")
def core_install(tmp_path_factory) -> Path:
    """Makes a Python path on which the training extras are not installed."""
    folder = tmp_path_factory.mktemp("core")
    (folder / "transformers.py").write_text('raise ImportError("not part of the core install")\n')
    return folder


@pytest.fixture(scope="module")
def environment(core_install):
    """From an HF_HOME to the environment of a process that uses it, offline and without a corpus."""

    def make(home: Path, **variables: str) -> dict[str, str]:
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("HF_", "BAP_V2_")) and "proxy" not in name.lower()
        }
        own = {
            "HF_HOME": str(home),
            "HF_HUB_OFFLINE": "1",
            "HF_EVALUATE_OFFLINE": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
            "PYTHONPATH": str(core_install),
            "COLUMNS": "200",
        }
        return {name: value for name, value in {**inherited, **own, **variables}.items() if value}

    return make


def set_up_command(corpus: "Path | str") -> list[str]:
    options = ["--config", "mdc", "--num-proc", "1", "--mdc", str(corpus)]
    return [sys.executable, "-m", "bap_v2_dataset.cli", "setup", *options]


def run(command: list[str], env: dict[str, str], cwd: Path) -> str:
    """The standard output of a process that must succeed."""
    done = subprocess.run(command, env=env, cwd=cwd, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def home(small, environment, tmp_path_factory) -> Path:
    """An HF_HOME after `bap-v2 setup` with the small corpus; tests leave it as it is."""
    home = tmp_path_factory.mktemp("home")
    run(set_up_command(small), environment(home), small.parent)
    return home


# --- With no import of ours.
BARE_NAMES = """
import json, sys
import datasets, evaluate
rows = datasets.load_dataset("bap_v2", "mdc")
streamed = datasets.load_dataset("bap_v2", "mdc", streaming=True)
metric = evaluate.load("bap_v2")
references = [{key: row[key] for key in ("before", "after", "interpretations")} for row in rows["test"]]
print(json.dumps({
    "rows": {split: rows[split].to_list() for split in rows},
    "streamed": {split: list(streamed[split]) for split in streamed},
    "slice": datasets.load_dataset("bap_v2", "mdc", split="train[1:3]").to_list(),
    "half": datasets.load_dataset("bap_v2", "mdc", split="test[:50%]").to_list(),
    "scores": metric.compute(predictions=rows["test"]["completion"][:], references=references),
    "ours": sorted(name for name in sys.modules if name.startswith("bap_v2_")),
}))
"""


def assert_bare_names_work(env: dict[str, str], cwd: Path, corpus: Path) -> None:
    answers = json.loads(run([sys.executable, "-c", BARE_NAMES], env, cwd))
    rows = rows_of(corpus)
    assert answers["rows"] == rows
    assert answers["streamed"] == rows
    assert answers["slice"] == rows["train"][1:3]
    assert answers["half"] == rows["test"][: len(rows["test"]) // 2]
    assert (answers["scores"]["strict_f1"], answers["scores"]["n_items"]) == (1.0, len(rows["test"]))
    assert answers["ours"] == []


@pytest.mark.slow
def test_both_names_work_offline(home, small, environment, tmp_path):
    assert_bare_names_work(environment(home), tmp_path, small)


@pytest.fixture
def hub_without_us():
    """A Hub that knows no repository at all; yields its address and the paths it was asked for."""
    requests = []

    class NotFound(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.path)
            self.send_response(404)
            self.send_header("X-Error-Code", "RepoNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_HEAD = do_POST = do_GET

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), NotFound)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", requests
    server.shutdown()
    server.server_close()


@pytest.mark.slow
def test_both_names_work_where_the_hub_does_not_know_them(home, small, environment, tmp_path, hub_without_us):
    address, requests = hub_without_us
    env = environment(home, HF_ENDPOINT=address, HF_HUB_OFFLINE="", HF_EVALUATE_OFFLINE="", HF_HUB_DISABLE_XET="1")
    assert_bare_names_work(env, tmp_path, small)
    assert any("datasets/bap_v2" in path for path in requests)  # it was requested, and refused


@pytest.mark.slow
def test_both_names_work_among_unrelated_files(home, small, environment, tmp_path):
    unrelated = {
        "train.csv": "a,b\n1,2\n",
        "test.json": '{"a": 1}',
        "mdc.jsonl": '{"a": 1}\n',
        "data/train.parquet": "no parquet",
        "mdc/train.csv": "a,b\n1,2\n",
        "bap_v2.json": "{}",
        "bap_v2.txt": "notes",
        "bap-v2/README.md": "a clone of the project",
        "metrics/bap_v2.md": "notes",
        "README.md": "---\nconfigs: []\n---\n",
        "dataset_infos.json": "{}",
        "prompts.py": "raise SystemExit('imported by mistake')",
        "notation.py": "raise SystemExit('imported by mistake')",
    }
    small_corpus.write(tmp_path / "work", {name: text.encode() for name, text in unrelated.items()})
    assert_bare_names_work(environment(home), tmp_path / "work", small)


@pytest.mark.slow
def test_both_names_work_with_the_published_corpus(corpus, mdc_items, environment, tmp_path):
    env = environment(tmp_path / "home")
    run(set_up_command(corpus), env, tmp_path)
    script = """
import json, datasets, evaluate
rows = datasets.load_dataset("bap_v2", "mdc")
references = [{key: row[key] for key in ("before", "after", "interpretations")} for row in rows["test"]]
scores = evaluate.load("bap_v2").compute(predictions=rows["test"]["completion"][:], references=references)
print(json.dumps([rows.num_rows, scores["strict_f1"], {split: rows[split]["id"][:] for split in rows}]))
"""
    sizes, f1, ids = json.loads(run([sys.executable, "-c", script], env, tmp_path))
    assert sizes == {"train": 3709, "validation": 1331, "validation_clear": 895, "test": 1616}
    assert round(f1, 4) == 0.9998
    assert set(ids.pop("validation_clear")) < set(ids["validation"])
    assert ids == {split: [item.item_id for item in mdc_items[split]] for split in SPLITS}


# --- With `import bap_v2_dataset`.
IMPORTED = """
import json, sys
import datasets, evaluate
import bap_v2_dataset
other = sys.argv[1]

def error(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"

def rows_of(rows):
    return {split: list(rows[split]) for split in rows}

def load(*args, **kwargs):
    return rows_of(datasets.load_dataset("bap_v2", *args, **kwargs))

if __name__ == "__main__":
    print(json.dumps({
        "configs": datasets.get_dataset_config_names("bap_v2"),
        "splits": datasets.get_dataset_split_names("bap_v2", "mdc"),
        "rows": load("mdc"),
        "no config": error(load),
        "streamed": load("mdc", streaming=True),
        "rebuilt": load("mdc", download_mode="force_redownload"),
        "2 processes": load("mdc", num_proc=2, download_mode="force_redownload"),
        "other": load("mdc", mdc=other),
        "other streamed": load("mdc", mdc=other, streaming=True),
        "other, 2 processes": load("mdc", mdc=other, num_proc=2, download_mode="force_redownload"),
        "slice": datasets.load_dataset("bap_v2", "mdc", split="train[1:3]").to_list(),
        "shards": datasets.load_dataset("bap_v2", "mdc", split="train", streaming=True).num_shards,
        "unknown config": error(lambda: load("mdc_v3")),
        "unknown keyword": error(lambda: load("mdc", corpus=other)),
        "missing corpus": error(lambda: load("mdc", mdc="/nowhere/mdc")),
        "metric": evaluate.load("bap_v2").name,
    }))
"""


@pytest.fixture(scope="module")
def imported(home, other, environment, tmp_path_factory):
    """What a script that imports bap_v2_dataset finds, in a copy of the home."""
    copy = tmp_path_factory.mktemp("imported")
    subprocess.run(["cp", "-a", f"{home}/.", copy], check=True)
    script = copy / "script.py"
    script.write_text(IMPORTED)
    return json.loads(run([sys.executable, str(script), str(other)], environment(copy), copy))


@pytest.mark.slow
def test_the_import_tells_the_names_of_configs_and_splits(imported):
    assert imported["configs"] == list(all_configs())
    assert imported["splits"] == list(SPLITS)


@pytest.mark.slow
def test_the_import_loads_the_same_rows_as_the_bare_name(imported, small):
    assert imported["rows"] == rows_of(small)
    assert f"needs a config, one of {', '.join(all_configs())}: load_dataset(" in imported["no config"]
    assert imported["slice"] == rows_of(small)["train"][1:3]


def test_streaming_and_any_number_of_processes_give_the_same_rows(imported, small):
    assert imported["streamed"] == imported["rebuilt"] == imported["2 processes"] == rows_of(small)
    assert imported["shards"] == 2  # games


def test_another_corpus_can_be_named_in_the_call(imported, other):
    assert imported["other"] == imported["other streamed"] == imported["other, 2 processes"] == rows_of(other)


def test_errors_of_the_import_name_the_fix(imported):
    known = "unknown config 'mdc_v3'; did you mean mdc_v2?"
    assert imported["unknown config"] == f"ConfigError: {known}"
    assert "doesn't have a 'corpus' key" in imported["unknown keyword"]
    assert "/nowhere/mdc does not exist: pass the corpus's directory or archive" in imported["missing corpus"]


@pytest.mark.slow
def test_without_a_set_up_the_error_names_the_command(environment, tmp_path):
    script = """
import json, datasets, evaluate
def error(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
answers = {"bare": error(lambda: datasets.load_dataset("bap_v2", "mdc"))}
answers["metric"] = error(lambda: evaluate.load("bap_v2"))
import bap_v2_dataset
answers["imported"] = error(lambda: datasets.load_dataset("bap_v2", "mdc"))
answers["streamed"] = error(lambda: datasets.load_dataset("bap_v2", "mdc", streaming=True))
answers["configs"] = datasets.get_dataset_config_names("bap_v2")
one = {"before": [], "after": ["red 0 1 0"], "interpretations": "unique"}
scores = evaluate.load("bap_v2").compute(predictions=["place red 0 1 0"], references=[one])
answers["imported metric"] = scores["strict_f1"]
answers["other metric"] = error(lambda: evaluate.load("bap_v3"))
print(json.dumps(answers))
"""
    answers = json.loads(run([sys.executable, "-c", script], environment(tmp_path / "home"), tmp_path))
    assert answers["bare"] and answers["metric"]  # in the libraries' words
    for call in ("imported", "streamed"):
        assert answers[call].startswith("CorpusError: the human corpus is not set up: run `bap-v2 setup --mdc PATH`")
        assert "BAP_V2_MDC" in answers[call]
    assert answers["configs"] == list(all_configs())
    assert answers["imported metric"] == 1.0
    assert answers["other metric"].startswith("FileNotFoundError: Couldn't find a module script")


# --- A setup that is killed.
KILLS = '''
"""Forks setups that kill themselves at their n-th change of the file system, and looks at what each leaves behind."""
import contextlib, io, itertools, json, os, shutil, signal, sys
import datasets, evaluate
import bap_v2_dataset.cli, bap_v2_dataset.human.game_store
import bap_v2_dataset.loading.install, bap_v2_dataset.tasks.building.corpus_stats

home, corpora, first, stride = os.environ["HF_HOME"], sys.argv[1:3], int(sys.argv[3]), int(sys.argv[4])
registered = datasets.load.dataset_module_factory
evaluate.loading.evaluation_module_factory = evaluate.loading.evaluation_module_factory.__wrapped__
evaluate.logging.set_verbosity_error()
datasets.logging.set_verbosity_error()

def forked(work):
    """What work() returns in a process of its own, or None if that was killed."""
    reader, writer = os.pipe()
    if not (child := os.fork()):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                result = work()
            except BaseException as error:
                result = f"{type(error).__name__}: {error}"
        os.write(writer, json.dumps(result).encode())
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as file:
        data = file.read()
    os.waitpid(child, 0)
    return json.loads(data) if data else None

def set_up(corpus, kill_at=None):
    changes = itertools.count(1)
    def audit(event, args):
        written = event == "open" and (
            set(args[1]) & set("wax+") if isinstance(args[1], str) else args[2] & (os.O_WRONLY | os.O_RDWR))
        made = event == "os.mkdir" and not os.path.exists(args[0])
        if written or made or event in ("os.rename", "os.remove", "os.rmdir"):
            if next(changes) == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
    if kill_at:
        sys.addaudithook(audit)
    sys.argv = ["bap-v2", "setup", "--config", "mdc", "--num-proc", "1", "--mdc", corpus]
    with contextlib.suppress(SystemExit):
        bap_v2_dataset.cli.app(standalone_mode=False)
    return "finished"

def outcome(load):
    try:
        return load()
    except Exception as error:
        return f"{type(error).__name__}: {error}"

def loaded(factory):
    datasets.load.dataset_module_factory = factory
    return datasets.load_dataset("bap_v2", "mdc", split="train")["id"][:]

def state():
    return forked(lambda: {
        "bare": outcome(lambda: loaded(registered.__wrapped__)),
        "imported": outcome(lambda: loaded(registered)),
        "metric": outcome(lambda: evaluate.load("bap_v2").name),
    })

def clear():
    for entry in os.scandir(home):
        shutil.rmtree(entry.path)

fresh, changed = [], []
for moment in itertools.count(first, stride):  # the first setup
    clear()
    end = forked(lambda: set_up(corpora[0], moment))
    fresh.append({"moment": moment, "end": end, **state()})
    if end is not None:
        break
for moment in itertools.count(first, stride):  # a later one with another corpus, from what all before left behind
    end = forked(lambda: set_up(corpora[len(changed) % 2], moment))
    changed.append({"moment": moment, "end": end, **state()})
    if end is not None:
        break
end = forked(lambda: set_up(corpora[0]))
print(json.dumps({"fresh": fresh, "changed": changed, "last": {"end": end, **state()}}))
'''


@pytest.mark.slow
def test_a_set_up_killed_at_any_moment_breaks_neither_the_names_nor_the_next_set_up(
    small, other, environment, tmp_path
):
    home = tmp_path / "home"
    home.mkdir()
    command = [sys.executable, "-c", KILLS, str(other), str(small), "1", "9"]
    attempts = json.loads(run(command, environment(home), tmp_path))
    ids = [[item["id"] for item in rows_of(corpus)["train"]] for corpus in (small, other)]

    assert len(attempts["fresh"]) > 10 and len(attempts["changed"]) > 10
    for phase in ("fresh", "changed"):
        *killed, last = attempts[phase]
        assert {attempt["end"] for attempt in killed} == {None}
        assert last["end"] == "finished"
    for attempt in attempts["fresh"]:  # it works, or says that it is not set up
        bare, imported, metric = attempt["bare"], attempt["imported"], attempt["metric"]
        assert bare in ids or "Couldn't reach 'bap_v2'" in bare, attempt
        assert imported in ids or "is not set up: run `bap-v2 setup" in imported, attempt
        assert metric == "bap_v2" or "Couldn't find a module script" in metric, attempt
    for attempt in [*attempts["changed"], attempts["last"]]:  # once set up, the names always work
        assert attempt["bare"] in ids, attempt
        assert attempt["imported"] in ids, attempt
        assert attempt["metric"] == "bap_v2", attempt
    assert attempts["last"]["end"] == "finished"
    assert attempts["last"]["bare"] == attempts["last"]["imported"] == ids[1]
    assert_tidy(home)


@pytest.mark.slow
def test_set_ups_at_the_same_time_all_succeed(small, other, environment, tmp_path):
    home = tmp_path / "home"
    processes = [
        subprocess.Popen(
            set_up_command(corpus),
            env=environment(home),
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for corpus in (small, other, small)
    ]
    for process in processes:
        output, _ = process.communicate(timeout=300)
        assert process.returncode == 0, output.decode()
    assert_tidy(home)
    (rows,) = home.glob("datasets/bap_v2/mdc/*/*/dataset_info.json")
    chosen = json.loads((home / "bap_v2_games" / "mdc.json").read_text())["corpus"]
    assert Path(chosen) in (small.resolve(), other.resolve())
    sizes = {split["name"]: split["num_examples"] for split in json.loads(rows.read_text())["splits"].values()}
    assert sizes == {split: len(members) for split, members in rows_of(Path(chosen)).items()}


def assert_tidy(home: Path) -> None:
    """No unfinished work, and no more than one folder of games, of rows and of the metric."""
    leftovers = [path for path in home.rglob("*") if "unfinished" in path.name or path.name.endswith(".incomplete")]
    assert leftovers == []
    metrics = "modules/evaluate_modules/metrics/evaluate-metric--bap_v2/" + 64 * "[0-9a-f]"
    for pattern in ("bap_v2_games/mdc-*/", "datasets/bap_v2/*/*/*/", metrics):
        assert len(list(home.glob(pattern))) <= 1


# --- Changes, in this process, with caches of their own.
def set_up(corpus: Path, **kwargs) -> Path:
    games = game_store.mdc_games(corpus)
    game_store.choose(games)
    return install.install_dataset("mdc", **kwargs)


def bare_ids(monkeypatch) -> list[str]:
    """The rows of train, loaded as without our import."""
    with monkeypatch.context() as patch:
        patch.setattr(datasets.load, "dataset_module_factory", datasets.load.dataset_module_factory.__wrapped__)
        return datasets.load_dataset("bap_v2", "mdc", split="train")["id"][:]


def test_a_new_set_up_with_a_changed_corpus_replaces_the_rows(own_home, monkeypatch, tmp_path):
    corpus = small_corpus.write(tmp_path / "mdc")
    set_up(corpus)
    assert bare_ids(monkeypatch) == [item["id"] for item in rows_of(corpus)["train"]]
    (corpus / small_corpus.log_name(small_corpus.BELL)).unlink()
    set_up(corpus)
    left = [f"{small_corpus.ROW}/0", f"{small_corpus.ROW}/1"]
    assert bare_ids(monkeypatch) == datasets.load_dataset("bap_v2", "mdc", split="train")["id"][:] == left
    assert_tidy(own_home)


def test_a_corpus_that_comes_back_replaces_the_rows_again(own_home, monkeypatch, small, other):
    for corpus in (small, other, small):
        set_up(corpus)
        assert bare_ids(monkeypatch) == [item["id"] for item in rows_of(corpus)["train"]]


def test_the_corpus_of_a_set_up_counts_more_than_the_variable(own_home, monkeypatch, small, other):
    monkeypatch.setenv("BAP_V2_MDC", str(other))
    set_up(small, mdc=str(small))
    assert bare_ids(monkeypatch) == [item["id"] for item in rows_of(small)["train"]]


def test_the_registered_builder_sees_that_the_variable_names_another_corpus(own_home, monkeypatch, small, other):
    set_up(small)
    assert len(datasets.load_dataset("bap_v2", "mdc", split="train")) == 6
    monkeypatch.setenv("BAP_V2_MDC", str(other))
    assert len(datasets.load_dataset("bap_v2", "mdc", split="train")) == 4


def test_an_empty_variable_names_no_corpus(own_home, monkeypatch, tmp_path):
    monkeypatch.setenv("BAP_V2_MDC", "")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(game_store.CorpusError, match="is not set up: run `bap-v2 setup --mdc PATH`"):
        game_store.mdc_games()


@pytest.mark.slow
def test_any_number_of_processes_installs_the_same_rows(own_home, small):
    def train(folder: Path) -> list[dict]:
        parts = [datasets.Dataset.from_file(str(path)) for path in sorted(folder.glob("*train*.arrow"))]
        return [item for part in parts for item in part]

    assert train(set_up(small)) == train(set_up(small, num_proc=2)) == rows_of(small)["train"]


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: next(folder.glob("*train*.arrow")).unlink(),
        lambda folder: cut(next(folder.glob("*train*.arrow"))),
        lambda folder: flip(next(folder.glob("*test*.arrow"))),
        lambda folder: flip(folder / "dataset_info.json"),
        lambda folder: (folder / "dataset_info.json").unlink(),
        lambda folder: (folder / "files.sha256").unlink(),
        lambda folder: (shutil.rmtree(folder), folder.mkdir()),
        lambda folder: (shutil.rmtree(folder), folder.touch()),
    ],
)
def test_rows_that_were_damaged_are_repaired_by_a_new_set_up(damage, own_home, monkeypatch, small):
    folder = set_up(small)
    damage(folder)
    (folder.parent / f"{folder.name}.incomplete").mkdir()  # as a killed load_dataset would leave
    with contextlib.suppress(DamagedRowsError):  # as setup asks
        assert install.installed("mdc", thorough=True) is None
    set_up(small)
    assert bare_ids(monkeypatch) == [item["id"] for item in rows_of(small)["train"]]
    assert install.installed("mdc", thorough=True) == folder


@pytest.mark.parametrize("damage", [lambda games: games.unlink(), lambda games: flip(games), lambda games: cut(games)])
def test_games_that_were_damaged_are_read_again_by_a_new_set_up(damage, own_home, small):
    set_up(small)
    damage(next(own_home.glob("bap_v2_games/mdc-*/train.jsonl")))
    digest = game_store.mdc_games(mend=True).digest  # of the corpus that the last setup chose
    text = b"".join(file.read_bytes() for file in map(game_store.mdc_games().file, SPLITS))
    assert hashlib.sha256(text).hexdigest() == digest


@pytest.mark.parametrize(
    "damage", [Path.unlink, lambda report: report.write_text("{"), lambda report: report.write_text("{}")]
)
def test_damaged_games_are_an_error_with_the_fix_and_it_works(damage, own_home, small):
    set_up(small)
    damage(next(own_home.glob("bap_v2_games/mdc-*/report.json")))
    with pytest.raises(game_store.CorpusError, match=r"damaged .*: run `bap-v2 setup --mdc PATH` again"):
        game_store.mdc_games()
    set_up(small)
    assert game_store.mdc_games().report.logs == 6


def test_others_may_read_what_was_set_up(own_home, small):
    folders = [set_up(small), game_store.mdc_games().folder]
    assert all(folder.stat().st_mode & 0o055 == 0o055 for folder in folders)


# --- What we rely on in `evaluate` beyond its documentation.
def test_canary_evaluate_makes_its_modules_folder(tmp_path, monkeypatch):
    evaluate = pytest.importorskip("evaluate")
    monkeypatch.setattr(sys, "path", list(sys.path))  # to which it adds the folder
    where = "install_metric lays out the modules cache as evaluate.loading.init_dynamic_modules does"
    assert evaluate.config.HF_MODULES_CACHE == datasets.config.HF_MODULES_CACHE, where
    folder = Path(evaluate.loading.init_dynamic_modules(hf_modules_cache=tmp_path))
    assert folder == tmp_path / "evaluate_modules", where
    assert (folder / "__init__.py").is_file() and (tmp_path / "__init__.py").is_file(), where


def test_canary_evaluate_looks_for_cached_metrics_where_we_put_ours(tmp_path):
    """The newest folder with a name of 64 characters below metrics/evaluate-metric--<name>, with <name>.py in it."""
    evaluate_loading = pytest.importorskip("evaluate.loading")
    where = (
        "evaluate.load('bap_v2') finds the metric of bap_v2_dataset.loading.install.install_metric through "
        "evaluate.loading.CachedEvaluationModuleFactory, which now looks elsewhere"
    )
    folder = tmp_path / "canary_modules" / "metrics" / "evaluate-metric--bap_v2"
    for name in ("0" * 64, "f" * 64, "not-a-hash"):
        (folder / name).mkdir(parents=True)
        (folder / name / "bap_v2.py").touch()
    os.utime(folder / ("0" * 64) / "bap_v2.py", (10**9, 10**9))
    factory = evaluate_loading.CachedEvaluationModuleFactory(
        "evaluate-metric--bap_v2", module_type="metrics", dynamic_modules_path=str(tmp_path / "canary_modules")
    )
    module = factory.get_module()
    assert module.hash == "f" * 64, where
    assert module.module_path == f"canary_modules.metrics.evaluate-metric--bap_v2.{'f' * 64}.bap_v2", where


def test_the_installed_metric_is_the_package_s_own(home):
    (folder,) = home.glob("modules/evaluate_modules/metrics/evaluate-metric--bap_v2/*/")
    assert len(folder.name) == 64
    source = Path(bap_v2_metric.__file__).parent
    names = {path.name for path in folder.glob("*.py")}
    assert {"bap_v2.py", "scoring.py", "notation.py", "__init__.py"} <= names
    assert all((folder / name).read_bytes() == (source / name).read_bytes() for name in names - {"__init__.py"})


@pytest.mark.slow
def test_workers_of_a_killed_set_up_end_with_it(environment, tmp_path):
    command = [sys.executable, "-m", "bap_v2_dataset.cli", "setup", "--config", "dss", "--num-proc", "2"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, env=environment(tmp_path / "home"), cwd=tmp_path, **quiet)
    try:
        while not any((tmp_path / "home").rglob("*.arrow")):
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.01)
        workers = children(process)
    finally:
        process.kill()
        process.wait()
    assert len(workers) >= 2
    for _ in range(600):
        if not any(map(is_running, workers)):
            break
        time.sleep(0.1)
    assert not any(map(is_running, workers))
