"""Mixing corpora: the order, the parts, the proportions; and `write_mix`, whose files users train on."""

import json
from pathlib import Path

import datasets
import pytest
from case_tables import cases_of
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.loading import mix
from bap_v2_dataset.loading.mix import MixError, write_mix
from bap_v2_dataset.loading.sampling import matched_sizes, sampled, shuffled
from bap_v2_simulators import corpus_table
from bap_v2_simulators.atomic_files import OutputError

ids = st.lists(st.text(st.characters(codec="ascii"), max_size=5), unique=True, max_size=40)


# --- Laws.
@given(ids, ids, st.integers(0, 3))
def test_shuffling_keeps_every_row_once(a, b, seed):
    order = shuffled({"a": a, "b": b}, seed)
    assert sorted(order) == [("a", n) for n in range(len(a))] + [("b", n) for n in range(len(b))]


@given(ids)
def test_the_order_of_rows_does_not_depend_on_the_others(a):
    order = [position for _, position in shuffled({"a": a})]
    among = [position for name, position in shuffled({"b": ["one", "two more", "others"], "a": a}) if name == "a"]
    assert among == order


def test_the_order_is_fixed_for_ever_and_another_seed_gives_another():
    rows = {"a": [str(n) for n in range(8)]}
    assert [position for _, position in shuffled(rows)] == [1, 0, 4, 3, 5, 2, 7, 6]
    assert shuffled(rows, seed=1) != shuffled(rows)


@given(ids, st.integers(0, 40), st.integers(0, 40))
def test_a_smaller_sample_is_part_of_a_larger_one(a, one, two):
    one, two = sorted((min(one, len(a)), min(two, len(a))))
    small, large = sampled(a, one), sampled(a, two)
    assert len(small) == one and small == sorted(small) and set(small) <= set(large)


sizes = st.dictionaries(st.sampled_from("abcd"), st.tuples(st.integers(1, 20_000), st.integers(1, 2_000)), min_size=1)


@given(sizes)
def test_matched_sizes_keep_the_proportions_fit_and_use_one_source_up(pairs):
    train = {name: items for name, (items, _) in pairs.items()}
    available = {name: items for name, (_, items) in pairs.items()}
    sizes = matched_sizes(train, available)
    assert all(sizes[name] <= available[name] for name in train)
    assert any(sizes[name] == available[name] for name in train)
    scale = min(available[name] / train[name] for name in train)
    assert all(abs(sizes[name] - scale * train[name]) <= 0.5 + 1e-6 for name in train)


def test_matched_sizes_of_the_paper():
    train = {"mdc_v2": 14_836, "dr": 15_825, "dsb": 9_890, "dss": 11_868}
    available = {"mdc_v2": 1_331, "dr": 1_161, "dsb": 1_186, "dss": 1_000}
    assert matched_sizes(train, available) == {"mdc_v2": 1_088, "dr": 1_161, "dsb": 726, "dss": 871}


def test_without_validation_items_of_a_source_there_is_no_matched_set():
    assert matched_sizes({"a": 10, "b": 10}, {"a": 5}) == {"a": 0, "b": 0}
    assert matched_sizes({}, {}) == {}


# --- Files.
@pytest.fixture
def small_sizes(own_home, monkeypatch):
    for name in corpus_table.SIZES:
        monkeypatch.setitem(corpus_table.SIZES, name, {"train": 30, "validation": 7, "test": 5})


def loaded(folder: Path) -> datasets.DatasetDict:
    return datasets.load_dataset(str(folder))


def test_a_mix_is_what_was_requested_and_loads_with_all_columns(small_sizes, tmp_path):
    counts = write_mix(tmp_path / "m", {"dr": 20, "dss": 10, "mdc": 0})
    assert counts == {"train": {"dr": 20, "dss": 10}, "validation": {"dr": 7, "dss": 4}}
    rows = loaded(tmp_path / "m")
    assert rows.num_rows == {"train": 30, "validation": 11}
    assert rows["train"].features == FEATURES
    published = datasets.load_dataset("bap_v2", "dr")["train"].to_list()
    assert sorted((r for r in rows["train"].to_list() if r["metadata"]["simulator"] == "dr"), key=str) == sorted(
        published[:20], key=str
    )
    order = [id_.partition("-")[0] for id_ in rows["train"]["id"]]
    assert order != sorted(order)
    assert json.loads((tmp_path / "m" / "mix.json").read_text())["items"] == counts
    assert [path.name for path in tmp_path.glob("m*")] == ["m"]


@pytest.mark.slow
def test_the_same_mix_has_the_same_bytes_and_another_seed_another_order(small_sizes, tmp_path):
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        write_mix(tmp_path / name, {"dr": 10, "dsb": 10}, seed=seed)
    texts = [(tmp_path / name / "train.parquet").read_bytes() for name in "abc"]
    assert texts[0] == texts[1]
    a, c = (loaded(tmp_path / name)["train"]["id"][:] for name in "ac")
    assert a != c and sorted(a) == sorted(c)


def test_more_than_is_published_begins_with_what_is_published(small_sizes, tmp_path):
    write_mix(tmp_path / "more", {"dsb": 60})
    more = {row["id"]: row for row in loaded(tmp_path / "more")["train"].to_list()}
    assert len(more) == 60
    for row in datasets.load_dataset("bap_v2", "dsb", split="train").to_list():
        assert more[row["id"]] == row


@pytest.mark.parametrize(
    ("amounts", "complaint"),
    cases_of(__file__, "no_sense"),
)
def test_mixes_that_make_no_sense_are_refused(amounts, complaint, tmp_path):
    with pytest.raises(MixError, match=complaint):
        write_mix(tmp_path / "m", amounts)
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(small_sizes, tmp_path):
    (tmp_path / "other").mkdir()
    counts = write_mix(tmp_path / "m", {"dr": 2})
    before = (tmp_path / "m" / "train.parquet").stat().st_mtime_ns
    assert write_mix(tmp_path / "m", {"dr": 2, "dsb": 0}) == counts  # the same
    assert (tmp_path / "m" / "train.parquet").stat().st_mtime_ns == before
    for folder, amount in (("m", 1), ("other", 2)):
        with pytest.raises(MixError, match="exists and is another mix"):
            write_mix(tmp_path / folder, {"dr": amount})
    with pytest.raises(OutputError, match="there is no directory"):
        write_mix(tmp_path / "no" / "m", {"dr": 1})


def test_a_mix_that_failed_leaves_nothing_and_a_killed_one_is_repeated(small_sizes, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(mix, "SIMULATORS", {})  # as if dr could not play on
        with pytest.raises(MixError, match="31 items of dr: it has 30"):
            write_mix(tmp_path / "m", {"dr": 31})
    assert not list(tmp_path.glob("m*"))
    (tmp_path / "m.unfinished").mkdir()
    (tmp_path / "m.unfinished" / "train.parquet").write_bytes(b"half")
    write_mix(tmp_path / "m", {"dr": 3})
    assert len(loaded(tmp_path / "m")["train"]) == 3
