"""Streamed rows: each once in every epoch, whoever reads them and wherever a training is resumed."""

import pickle
from collections import Counter
from itertools import islice, pairwise
from pathlib import Path

import datasets
import pyarrow.parquet as pq
import pytest
from torch.utils.data import DataLoader

from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play
from bap_v2_training.errors import UsageError
from bap_v2_training.pointer.augmentation import AugmentationSettings
from bap_v2_training.pointer.examples import centered, example_of_row
from bap_v2_training.pointer.shards import ShardItems, shards_in
from bap_v2_training.pointer.stream import Chunks, Sources, Stream, StreamSettings
from bap_v2_training.tasks.settings import RobustArguments

ROWS_PER_GROUP = 7


@pytest.fixture(scope="module")
def rows() -> list[dict]:
    return [row(item) for index in range(12) for item in items(play(simulator_of("dsb"), "train", index, seed=4))]


@pytest.fixture
def folder(rows, tmp_path) -> Path:
    """Three files of different sizes, in groups of a few rows."""
    table = datasets.Dataset.from_list(rows, features=FEATURES).data.table
    starts = (0, len(rows) // 2, len(rows) // 2 + 9)
    for number, (start, end) in enumerate(zip(starts, (*starts[1:], len(rows)))):
        file = tmp_path / f"dsb-train-{number:05d}.parquet"
        pq.write_table(table.slice(start, end - start), file, row_group_size=ROWS_PER_GROUP)
    return tmp_path


def source_in(folder: Path, seed: int = 1) -> ShardItems:
    return ShardItems("big", seed, shards_in(str(folder)))


def chunks(folder: Path, **settings) -> Chunks:
    defaults = {"mix": {"big": 1.0}, "rows": {"big": str(folder)}, "seed": 1, "batch_size": 3, "chunk_items": 9}
    sources = Sources(StreamSettings(**{**defaults, "streaming": True, **settings}))
    return Chunks(sources, sources.vocabulary(10_000, least=1))


def digests(batches) -> list[bytes]:
    return [b"".join(values.tobytes() for values in batch.values()) for batch in batches]


def batches(number: int, of: Chunks, workers: int = 0, **place) -> list[bytes]:
    loader = DataLoader(Stream(of, **place), batch_size=None, num_workers=workers, collate_fn=lambda batch: batch)
    return digests(islice(loader, number))


def test_every_row_comes_once_in_every_epoch_and_in_another_order(folder, rows):
    source, n = source_in(folder), len(rows)
    assert len(source) == n and n % ROWS_PER_GROUP
    first, second = source.examples(0, n), source.examples(n, n)
    assert Counter(first) == Counter(second) == Counter(centered(example_of_row(row)) for row in rows)
    assert first != second
    assert source.examples(n - 2, 4) == first[-2:] + second[:2]
    assert source_in(folder, seed=2).examples(0, n) != first


def test_a_stretch_of_rows_is_the_same_in_whatever_pieces(folder, rows):
    source = source_in(folder)
    whole = source.examples(0, 2 * len(rows))
    assert [source.examples(place, 1)[0] for place in range(2 * len(rows))] == whole
    assert source_in(folder).examples(5, 20) == whole[5:25]


def test_neighbors_come_from_several_files(folder, rows):
    of_row = {centered(example_of_row(one)): number for number, one in enumerate(rows)}
    places = [of_row[example] for example in source_in(folder).examples(0, len(rows))]
    assert sum(abs(one - other) == 1 for one, other in pairwise(places)) < len(rows) / 2


@pytest.mark.slow
def test_processes_and_workers_share_an_epoch(folder, rows):
    of = chunks(folder, batch_size=1, chunk_items=1)
    each = len(rows) // 4 * 2  # of two processes with two workers
    alone = Counter(batches(2 * each, of))
    shared = [batch for process in (0, 1) for batch in batches(each, of, workers=2, process=process, processes=2)]
    assert Counter(shared) == alone


def test_a_shard_that_is_cut_off_is_named(folder):
    file = folder / "dsb-train-00001.parquet"
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(UsageError, match=r"dsb-train-00001\.parquet is not a whole Parquet file .* delete it"):
        source_in(folder)


def test_a_shard_that_is_damaged_inside_is_named_when_it_is_read(folder, rows):
    source = source_in(folder)
    file = folder / "dsb-train-00000.parquet"
    data = file.read_bytes()
    file.write_bytes(b"\0" * (len(data) // 2) + data[len(data) // 2 :])
    with pytest.raises(UsageError, match=r"dsb-train-00000\.parquet is not a whole Parquet file"):
        source.examples(0, len(rows))


def test_a_shard_that_changed_is_known_by_its_fingerprint(folder, rows):
    before = source_in(folder).sha256
    assert source_in(folder).sha256 == before
    (folder / "dsb-train-00002.parquet").unlink()
    assert source_in(folder).sha256 != before


def test_shards_of_other_items_are_refused(tmp_path):
    datasets.Dataset.from_dict({"id": ["a"], "text": ["b"]}).to_parquet(str(tmp_path / "train.parquet"))
    with pytest.raises(UsageError, match="has no column history, dialogue"):
        source_in(tmp_path)


def test_streaming_asks_for_parquet_files_and_not_for_variants(folder):
    with pytest.raises(UsageError, match=r"none of the rows \(none were named\) is a Parquet file"):
        Sources(StreamSettings({"dss": 1.0}, seed=1, batch_size=2, streaming=True))
    with pytest.raises(UsageError, match="leave out streaming, or robust"):
        StreamSettings({"big": 1.0}, 1, 2, rows={"big": str(folder)}, streaming=True, robust=RobustArguments(["spl"]))


def test_streamed_rows_mix_with_simulated_items_and_are_counted(folder, rows):
    settings = StreamSettings({"big": 0.5, "dr": 0.5}, 1, 4, rows={"big": str(folder)}, chunk_items=8, streaming=True)
    sources = Sources(settings)
    assert sources.counts() == {"big": len(rows), "dr": None}
    assert sum(len(batch["words"]) for batch in Chunks(sources, sources.vocabulary(20, 1)).chunk(0)) == 8


@pytest.mark.parametrize("streaming", [True, False])
def test_sources_can_be_sent_to_another_process(folder, streaming):
    mix = dict.fromkeys(("big", "dr", "dsb", "dss"), 0.25)
    changes = dict.fromkeys(mix, AugmentationSettings())
    sources = Sources(
        StreamSettings(mix, 1, 3, rows={"big": str(folder)}, augmentation=changes, chunk_items=12, streaming=streaming)
    )
    before = [sources[name].examples(0, 9) for name in mix]  # orders and blocks are held now
    again = pickle.loads(pickle.dumps(sources))
    assert [again[name].examples(0, 9) for name in mix] == before
    assert [again[name].examples(9, 9) for name in mix] == [sources[name].examples(9, 9) for name in mix]
