"""The `datasets` builder: rows, shards, the name it registers; and what we use of `datasets` beyond its documents."""

import errno
import fcntl
import importlib
import inspect
import json
import os
from pathlib import Path

import datasets
import datasets.inspect
import datasets.load
import pytest
import small_corpus

from bap_v2_dataset.failures import sentence_of
from bap_v2_dataset.human import game_store, mdc
from bap_v2_dataset.human.mdc import read_corpus
from bap_v2_dataset.interface.table import TASKS, all_configs
from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.prompts import render
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.loading import builder, install, shards
from bap_v2_dataset.loading.builder import BapV2
from bap_v2_dataset.registration import register
from bap_v2_dataset.tasks.building import dataset as bap
from bap_v2_metric.notation import parse_action, parse_structure
from bap_v2_simulators.corpus_table import VERSIONS
from bap_v2_simulators.settings import SettingsError

NAMES = ", ".join(all_configs())


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Path:
    return small_corpus.write(tmp_path_factory.mktemp("builder") / "mdc")


# --- The cache.
def test_rows_that_another_user_made_are_read_where_nothing_can_be_written(own_home, small, monkeypatch):
    def of_small() -> datasets.DatasetDict:
        return datasets.load_dataset("bap_v2", "mdc", mdc=str(small))

    def refuse(lock):
        raise PermissionError(errno.EACCES, "Permission denied", str(lock))

    rows = of_small()
    access = os.access
    for module in (builder, game_store):  # datasets gives the builder an `os` of its own
        monkeypatch.setattr(module.os, "access", lambda path, mode: mode != os.W_OK and access(path, mode))
    for module in (datasets.builder, game_store):
        monkeypatch.setattr(module, "FileLock", refuse)
    assert of_small()["test"][:] == rows["test"][:]
    assert datasets.builder.FileLock is refuse
    monkeypatch.setattr(builder.os, "access", access)
    with pytest.raises(PermissionError) as raised:  # where it can, it locks
        of_small()
    assert "HF_DATASETS_CACHE to a writable folder" in sentence_of(raised.value)
    assert "Set HF_HOME, or HF_DATASETS_CACHE" in raised.value.__notes__[0]


def test_rows_are_made_and_read_on_a_disk_without_locks(own_home, small, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    install.install_dataset("mdc", mdc=str(small))
    assert len(datasets.load_dataset("bap_v2", "mdc", mdc=str(small), split="test")) == 4
    assert not list(own_home.rglob("*.held"))


def test_the_splits_of_all_configs_are_known_without_their_rows(own_home, small, monkeypatch):
    monkeypatch.setenv("BAP_V2_MDC", str(small))
    for task in TASKS.values():
        monkeypatch.setattr(type(task), "shards", lambda *args: pytest.fail("rows are made"))
    infos = datasets.get_dataset_infos("bap_v2")
    assert {name: tuple(info.splits) for name, info in infos.items()} == {
        name: config.splits for name, config in all_configs().items()
    }
    assert datasets.get_dataset_split_names("bap_v2", "plancraft_oracle") == ["train", "validation"]


# --- Rows.
@pytest.fixture(scope="module")
def all_items(small):
    return [item for game in read_corpus(small) for item in items(game)]


EXCERPT = (
    "Predict the action sequence (AS) for the Minecraft excerpt:\n"
    "<Builder> Mission has started.\n<Architect> a red block in the middle\nplace red 0 1 0\n"
    "<Architect> put a blue one behind it, floating one up\n"
)
POSE = "Builder's current position is 1.5 1.0 -2.5 and orientation (yaw) is 10.0 degrees\n"


def test_a_row_worked_by_hand(all_items):
    columns = row(next(item for item in all_items if item.item_id == f"{small_corpus.BELL}/1"))
    assert columns == {
        "id": "B1-A1-C1-1000000000001/1",
        "game_id": "B1-A1-C1-1000000000001",
        "history": [
            "<Builder> Mission has started.", "<Architect> a red block in the middle", "place red 0 1 0",
        ],
        "dialogue": ["<Architect> put a blue one behind it, floating one up"],
        "pose": {"x": 1.5, "y": 1.0, "z": -2.5, "yaw": 10.0, "pitch": 25.0},
        "before": ["red 0 1 0"],
        "after": ["red 0 1 0", "blue 0 2 1"],
        "actions": ["place yellow 0 1 1", "place blue 0 2 1", "pick 0 1 1"],
        "target": ["red 0 1 0", "blue 0 2 1"],
        "interpretations": "unique",
        "prompt_n": f"{EXCERPT}### AS:\n",
        "prompt_n_posb": f"{EXCERPT}{POSE}### AS:\n",
        "prompt_n_posb_s": f"{EXCERPT}{POSE}Current built structure is:\nred 0 1 0\n### AS:\n",
        "completion": "place yellow 0 1 1\nplace blue 0 2 1\npick 0 1 1",
        "metadata": {"source": "human", "target_id": "C1", "state_index": 4},
    }  # fmt: skip


def test_the_columns_parse_back_into_the_item(all_items):
    for item in all_items:
        columns = row(item)
        assert parse_structure(columns["before"]) == item.before
        assert parse_structure(columns["after"]) == item.after
        assert tuple(map(parse_action, columns["actions"])) == item.actions
        assert columns["prompt_n"] == render(columns, "n")
        assert columns["completion"].split("\n") == columns["actions"]


def test_rows_have_exactly_the_columns_of_the_features_and_survive_arrow(all_items):
    rows = [row(item) for item in all_items]
    assert {tuple(columns) for columns in rows} == {tuple(FEATURES)}
    assert datasets.Dataset.from_list(rows, features=FEATURES).to_list() == rows


# --- Shards.
@pytest.mark.parametrize("lines", [0, 1, 2, 15, 16, 17, 100])
def test_shards_cover_every_line_once_and_in_order(lines, tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f'{{"game": "{"x" * (n % 7)}"}}\n' for n in range(lines)))
    parts = shards.kept_shards(path)
    assert len(parts) == min(lines, 16)
    data = path.read_bytes()
    assert b"".join(data[start:end] for _, start, end, _ in parts) == data
    assert all(data[start:end].endswith(b"\n") for _, start, end, _ in parts)


@pytest.mark.parametrize("log", [None, small_corpus.log("<Architect> hello\n<Builder> hello")])
def test_a_split_without_items_is_left_out(log, own_home, tmp_path):
    """As when somebody sets up a part of the corpus: datasets cannot load an empty split."""
    files = small_corpus.files()
    del files[small_corpus.log_name(small_corpus.EDGE)]
    if log:
        files[small_corpus.log_name(small_corpus.EDGE)] = json.dumps(log).encode()
    rows = datasets.load_dataset("bap_v2", "mdc", mdc=str(small_corpus.write(tmp_path / "mdc", files)))
    assert rows.num_rows == {"train": 6, "test": 4}


# --- The name.
def test_registering_twice_wraps_once():
    before = datasets.load.dataset_module_factory
    register()
    register()
    assert datasets.load.dataset_module_factory is datasets.inspect.dataset_module_factory is before
    assert not hasattr(before.__wrapped__, "_serves_bap_v2")


@pytest.fixture
def calls(monkeypatch):
    """A fresh registration over a factory that records what reaches it."""
    recorded = []

    def factory(path, *args, **kwargs):
        recorded.append((path, args, kwargs))
        return "from datasets itself"

    monkeypatch.setattr(datasets.load, "dataset_module_factory", factory)
    monkeypatch.setattr(datasets.inspect, "dataset_module_factory", factory)
    register()
    return recorded


@pytest.mark.parametrize("name", ["bap_v2_other", "user/bap_v2", "./bap_v2", "BAP_V2", "csv", "hf://datasets/bap_v2"])
def test_other_names_pass_through_untouched(name, calls):
    factory = datasets.load.dataset_module_factory
    assert factory(name, "main", cache_dir="here") == "from datasets itself"
    assert calls == [(name, ("main",), {"cache_dir": "here"})]


@pytest.mark.parametrize("kwargs", [{"data_files": "a.csv"}, {"data_dir": "folder"}])
def test_our_name_with_the_user_s_own_files_passes_through(kwargs, calls):
    assert datasets.load.dataset_module_factory("bap_v2", **kwargs) == "from datasets itself"
    assert calls == [("bap_v2", (), kwargs)]


def test_our_name_is_served_without_asking_anybody(calls):
    module = datasets.load.dataset_module_factory("bap_v2", data_files=None, data_dir=None)
    assert isinstance(module, datasets.load.DatasetModule)
    assert datasets.load.get_dataset_builder_class(module) is BapV2
    assert calls == []


def test_other_datasets_still_load(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    rows = datasets.load_dataset("csv", data_files=str(tmp_path / "a.csv"), cache_dir=str(tmp_path / "cache"))
    assert rows["train"].to_list() == [{"a": 1, "b": 2}]


# --- The cache folder.
def test_rows_of_another_corpus_or_version_lie_in_another_folder(own_home, small, monkeypatch):
    monkeypatch.setenv("BAP_V2_MDC", str(small))

    def folder():
        return BapV2(config_name="mdc", dataset_name="bap_v2").cache_dir

    first = folder()
    assert folder() == first
    for module, name in ((bap, "DATA_VERSION"), (mdc, "PARSER_VERSION"), (bap, "PROMPT_VERSION")):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, "another")
            assert folder() != first, name
    (small / small_corpus.log_name(small_corpus.BELL)).touch()
    assert folder() == first  # the same games, though the files' times have changed


def test_rows_of_another_simulator_version_lie_in_another_folder(own_home, monkeypatch):
    def folder(name, **settings):
        return BapV2(config_name=name, dataset_name="bap_v2", **settings).cache_dir

    folders = {folder(name) for name in VERSIONS} | {folder("dr", seed=1), folder("dr", settings={"removal": 0.3})}
    assert len(folders) == len(VERSIONS) + 2
    monkeypatch.setitem(VERSIONS, "dr", "another")
    assert folder("dr") not in folders and folder("dss") in folders


def test_a_synthetic_config_takes_settings_of_its_simulator(own_home):
    def rows(**arguments):
        return datasets.load_dataset("bap_v2", split="test", streaming=True, **arguments)

    row = next(iter(rows(name="dss", settings={"preset": "paper", "talk.clarification": 0.5})))
    settings = row["metadata"]["settings"]
    assert (settings["talk.chat"], settings["talk.clarification"]) == (0.0, 0.5)
    with pytest.raises(SettingsError, match="unknown preset 'papers' of dss"):
        rows(name="dss", settings={"preset": "papers"})
    with pytest.raises(builder.ConfigError, match="the config written has no settings"):
        rows(name="written", settings={"preset": "paper"})


def test_installing_leaves_the_builder_s_configs_alone(own_home, small):
    game_store.choose(game_store.mdc_games(small))
    install.install_dataset("mdc", mdc=str(small))
    assert {config.mdc for config in BapV2.builder_configs.values()} == {None}


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ((), rf"needs a config, one of {NAMES}: load_dataset\("),
        (("mcd",), r"unknown config 'mcd'; did you mean mdc"),
        (("nothing",), r"unknown config 'nothing' \(expected one of mdc_v2, mdc, .* or \d+ others\)$"),
    ],
)
def test_a_config_that_is_missing_or_unknown_is_named(own_home, config, sentence):
    with pytest.raises(builder.ConfigError, match=sentence):
        datasets.load_dataset("bap_v2", *config)


# --- Canaries: each says what broke, and where it is used.
USED_BY_REGISTER = "bap_v2_dataset.registration.register relies on it to serve load_dataset('bap_v2', ...)"


def test_canary_the_module_factory_can_be_wrapped():
    original = inspect.unwrap(datasets.load.dataset_module_factory)
    parameters = inspect.signature(original).parameters
    assert next(iter(parameters)) == "path", f"dataset_module_factory's first argument changed: {USED_BY_REGISTER}"
    assert {"data_dir", "data_files"} <= set(parameters), f"dataset_module_factory lost arguments: {USED_BY_REGISTER}"
    for function in (datasets.load.load_dataset_builder, datasets.inspect.get_dataset_config_names):
        assert "dataset_module_factory(" in inspect.getsource(function), (
            f"{function.__name__} finds datasets another way: {USED_BY_REGISTER}"
        )
        assert "dataset_module_factory" in function.__globals__, USED_BY_REGISTER
    assert "dataset_module_factory" in vars(datasets.inspect), (
        f"datasets.inspect no longer imports dataset_module_factory by name: {USED_BY_REGISTER}"
    )


SEARCH = "datasets.packaged_modules.cache.cache"


def find_hash_in_cache(name: str, config: str, cache: Path) -> tuple[str, str, str]:
    module = importlib.import_module(SEARCH)
    assert hasattr(module, "_find_hash_in_cache"), (
        f"{SEARCH}._find_hash_in_cache is gone: see how datasets now finds cached rows; bap_v2_dataset.loading.install."
        "install_dataset puts ours there for load_dataset('bap_v2', ...) without our import"
    )
    return module._find_hash_in_cache(name, config, str(cache), {}, None)


def test_canary_the_cache_is_searched_where_we_install(tmp_path):
    """<name>/<config>/<version>/<hash>/dataset_info.json, whose config_name is the folder's; the newest wins."""
    where = (
        f"datasets looks for cached rows elsewhere ({SEARCH}._find_hash_in_cache): "
        "install_dataset puts them there for load_dataset('bap_v2', ...) without our import"
    )
    for name, modified in (("0" * 16, 2 * 10**9), ("f" * 16, 10**9)):
        folder = tmp_path / "bap_v2" / "mdc" / "0.1.0" / name
        folder.mkdir(parents=True)
        (folder / "dataset_info.json").write_text(json.dumps({"config_name": "mdc"}))
        os.utime(folder, (modified, modified))
    assert find_hash_in_cache("bap_v2", "mdc", tmp_path) == ("mdc", "0.1.0", "0" * 16), where


def test_canary_half_a_folder_in_the_cache_breaks_the_search(tmp_path):
    """Why `loading.install` takes old folders away in one step. If this fails, that is no longer needed."""
    (tmp_path / "bap_v2" / "mdc" / "0.1.0" / "half").mkdir(parents=True)
    with pytest.raises(FileNotFoundError):
        find_hash_in_cache("bap_v2", "mdc", tmp_path)
