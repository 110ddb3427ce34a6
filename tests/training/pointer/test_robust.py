"""Robust training of a pointer transformer: rows and their variants in pairs, in every epoch."""

import pytest
from datasets import Dataset
from small_test_sets import SPLITS

from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.tasks.robustness.families import variants_of
from bap_v2_training.errors import UsageError
from bap_v2_training.pointer import sources, stream
from bap_v2_training.pointer.examples import centered, example_of_row
from bap_v2_training.pointer.settings import parse_arguments
from bap_v2_training.pointer.sources import RowItems
from bap_v2_training.pointer.stream import Sources, StreamSettings
from bap_v2_training.tasks.settings import RobustArguments

ROWS = SPLITS["dsb", "test"]
SPP = [next(iter(variants_of(row, "spp", 1)), None) for row in ROWS]


@pytest.fixture(autouse=True)
def rows_of_dsb(monkeypatch):
    monkeypatch.setattr(sources, "load_rows", lambda *place: Dataset.from_list(ROWS, features=FEATURES))
    monkeypatch.setattr(stream, "rows_of", lambda name, split: ROWS)


def settings(**changes) -> StreamSettings:
    usual = {"mix": {"items": 1.0}, "seed": 1, "batch_size": 4, "rows": {"items": "dsb"}, "chunk_items": 16}
    return StreamSettings(**{**usual, **changes})


def test_a_variant_comes_right_after_its_parent_in_every_epoch():
    items = RowItems("items", 1, ROWS, variants=SPP)
    size = len(ROWS) + sum(variant is not None for variant in SPP)
    assert len(items.originals) == size
    parents = {variant["id"]: row["id"] for row, variant in zip(ROWS, SPP) if variant is not None}
    orders = [[items.ids[number] for number in items._order(epoch)] for epoch in range(2)]
    for ids in orders:
        assert sorted(ids) == sorted([*(row["id"] for row in ROWS), *parents])
        assert all(ids[place - 1] == parents[name] for place, name in enumerate(ids) if name in parents)
    assert orders[0] != orders[1]
    assert items.examples(0, size) == [centered(example_of_row(by_id(name))) for name in orders[0]]


def by_id(name: str) -> dict:
    return next(row for row in (*ROWS, *filter(None, SPP)) if row["id"] == name)


def test_without_variants_the_order_is_what_it_was():
    plain = RowItems("items", 1, ROWS)
    from random import Random

    order = list(range(len(ROWS)))
    Random("pointer 1 order items 0").shuffle(order)
    assert plain._order(0) == order


def test_the_variants_of_the_settings_are_learned_and_recorded():
    made = Sources(settings(robust=RobustArguments(robust_families=["spp"])))
    number = sum(variant is not None for variant in SPP)
    assert made.rows["items"].ids == [row["id"] for row in (*ROWS, *filter(None, SPP))]
    assert made.variants == {"items": {"parents": len(ROWS), "variants": number, "families": {"spp": number}}}
    assert Sources(settings()).variants == {}


def test_rows_outside_the_mix_get_no_variants_and_simulators_alone_are_refused():
    robust = RobustArguments(robust_families=["spp"])
    with pytest.raises(UsageError, match="new items of simulators are none"):
        settings(mix={"dsb": 1.0}, rows={}, robust=robust)
    both = Sources(settings(rows={"items": "dsb", "words": "dsb"}, robust=robust))
    assert len(both.rows["words"].originals) == len(ROWS) < len(both.rows["items"].originals)


def test_modes_that_choose_while_the_model_learns_are_for_the_gru(tmp_path):
    usual = ["--output_dir", str(tmp_path), "--max_steps", "1", "--rows", "items=dsb", "--mix", "items=1"]
    pointer, _ = parse_arguments([*usual, "--robust_families", "spl"])
    assert pointer.robust_families == ["spl"]
    for mode in ("dynamic", "fgsm"):
        with pytest.raises(UsageError, match=r"train_gru\.py knows dynamic and fgsm"):
            parse_arguments([*usual, "--robust_families", "spg", "--robust_mode", mode])
