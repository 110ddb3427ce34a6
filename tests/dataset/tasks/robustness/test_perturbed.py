"""`bap-v2 perturb`: variants of any items as a file."""

import json
from pathlib import Path

import datasets
import pytest

from bap_v2_dataset.generation.resumable_chunks import table_of
from bap_v2_dataset.generation.workers import GenerationError
from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_of
from bap_v2_dataset.tasks.robustness.perturbed import write_perturbed
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play

SOURCE = {"config": "dss", "split": "test", "rows": "0"}


@pytest.fixture(scope="module")
def parents() -> list[dict]:
    return [row(item) for index in range(4) for item in items(play(simulator_of("dss"), "test", index))]


def lines_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def expected(parents: list[dict], families: tuple[str, ...], most: int | None = None) -> list[dict]:
    return [each for parent in parents for name in families for each in variants_of(parent, name, most, "dss")]


def test_the_file_holds_the_variants_of_each_item_in_the_order_of_the_families(parents, tmp_path):
    counts = write_perturbed(parents, tmp_path / "a.jsonl", source=SOURCE)
    rows = expected(parents, tuple(FAMILIES))
    assert lines_of(tmp_path / "a.jsonl") == rows
    assert counts == {name: sum(r["metadata"]["perturbation"]["family"] == name for r in rows) for name in FAMILIES}
    assert counts["spc_remove"] == 0 < counts["spl"]


def test_some_families_and_fewer_variants_are_a_part_of_all(parents, tmp_path):
    write_perturbed(parents, tmp_path / "a.jsonl", source=SOURCE, families=["sa_turn", "spl"], most=1)
    assert lines_of(tmp_path / "a.jsonl") == expected(parents, ("spl", "sa_turn"), 1)
    settings = json.loads((tmp_path / "a.jsonl.settings.json").read_text(encoding="utf-8"))
    assert settings["request"]["families"] == ["spl", "sa_turn"] and settings["parents"] == len(parents)


def test_a_split_of_datasets_gives_the_rows_of_a_list_and_parquet_loads_like_a_config(parents, tmp_path):
    split = datasets.Dataset(table_of(parents), info=datasets.DatasetInfo(features=FEATURES))
    write_perturbed(split, tmp_path / "a.parquet", source=SOURCE, families=["sa_color"])
    loaded = datasets.Dataset.from_parquet(str(tmp_path / "a.parquet"), cache_dir=str(tmp_path / "cache"))
    assert loaded.features == FEATURES
    assert loaded.to_list() == expected(parents, ("sa_color",))


def test_what_cannot_be_made_is_named_with_what_to_change(parents, tmp_path):
    with pytest.raises(
        GenerationError, match=r"none of the \d+ items of dss, test has a variant of spc_remove: choose"
    ):
        write_perturbed(parents, tmp_path / "a.jsonl", source=SOURCE, families=["spc_remove"])
    with pytest.raises(GenerationError, match="0 variants of an item: request at least 1"):
        write_perturbed(parents, tmp_path / "a.jsonl", source=SOURCE, most=0)
    assert not list(tmp_path.glob("a.jsonl"))
