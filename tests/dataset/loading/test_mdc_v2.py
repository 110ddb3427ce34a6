"""The configs mdc_v2 and all on a small corpus: labels of one's own, what is remembered, what is left out and said."""

from pathlib import Path

import datasets
import pytest
import small_corpus
from small_corpus import LABELS, write_labels

from bap_v2_dataset.human import game_store
from bap_v2_dataset.labels.label import AnnotationError
from bap_v2_dataset.labels.label_file import OUR_LABELS, labels_name
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.builder import builder_of
from bap_v2_simulators import corpus_table


@pytest.fixture
def small(own_home, tmp_path, monkeypatch) -> Path:
    """The small corpus, in a home of its own, with synthetic corpora of a few items."""
    for name in corpus_table.SIZES:
        monkeypatch.setitem(corpus_table.SIZES, name, {"train": 30, "validation": 7, "test": 5})
    return small_corpus.write(tmp_path / "mdc")


@pytest.fixture
def labels(tmp_path) -> Path:
    return write_labels(tmp_path / "theirs.jsonl")


def load(config: str, **kwargs) -> datasets.DatasetDict:
    return datasets.load_dataset("bap_v2", config, **{name: str(value) for name, value in kwargs.items()})


def test_train_has_each_game_four_times_and_test_the_clean_items(small, labels):
    rows = load("mdc_v2", mdc=small, labels=labels)
    assert rows.num_rows == {"train": 4 * 6, "validation": 2, "test": 3}
    train = rows["train"]
    games = [f"{game}{variant}" for game in (small_corpus.BELL, small_corpus.ROW)
             for variant in ("", "-aug1", "-aug2", "-aug3")]  # fmt: skip
    assert list(dict.fromkeys(train["game_id"])) == games
    assert len(set(train["id"])) == len(train)
    assert [(row["id"], row["interpretations"]) for row in rows["test"]] == [
        (f"{small_corpus.EARLY}/0", "unique"),
        (f"{small_corpus.IDLE}/0", "multiple"),
        (f"{small_corpus.IDLE}/1", "multiple"),
    ]

    fixed = rows["test"][1]  # with the structure and the actions of the correct item after it
    assert fixed["after"] == ["yellow 2 1 2"]
    assert fixed["actions"] == ["place yellow 2 1 2", "pick 2 1 2", "place yellow 2 1 2"]
    assert fixed["metadata"]["annotation"] == {
        "context": "multiple", "structure": "incorrect", "fixed": True, "labels": labels_name(labels),
    }  # fmt: skip

    streamed = datasets.load_dataset("bap_v2", "mdc_v2", mdc=str(small), labels=str(labels), streaming=True)
    assert {split: list(streamed[split]) for split in rows} == {split: rows[split].to_list() for split in rows}


def test_the_joint_corpus_of_small_ones(small, labels):
    rows = load("all", mdc=small, labels=labels)
    assert rows.num_rows == {
        "train": 24 + 3 * 30, "validation": 2 + 3 * 7, "validation_matched": 2 + 3 * 3,
        "test_mdc_v2": 3, "test_dr": 5, "test_dsb": 5, "test_dss": 5,
    }  # fmt: skip
    assert rows["train"].to_list() != sorted(rows["train"].to_list(), key=lambda row: row["id"])


def test_labels_that_do_not_fit_are_an_error_that_lists_them(small, tmp_path):
    unknown = write_labels(tmp_path / "unknown.jsonl", [*LABELS[:3], ("B9-nobody", 0, "unclear", None)])
    with pytest.raises(
        AnnotationError, match=r"1 label is of a game .* split: B9-nobody; no label for item 1 of B3-A2-C5"
    ):
        load("mdc_v2", mdc=small, labels=unknown)
    with pytest.raises(AnnotationError, match=r"none.jsonl: No such file"):
        load("mdc_v2", mdc=small, labels=tmp_path / "none.jsonl")


@pytest.mark.parametrize("config", ["mdc", "dss"])
def test_configs_without_labels_refuse_them(config, small, labels):
    game_store.choose(game_store.mdc_games(small))
    with pytest.raises(ValueError, match=f"the config {config} is made without labels"):
        load(config, labels=labels)


# --- What a setup remembers.
def test_other_labels_or_another_name_of_them_give_other_rows(small, labels, tmp_path):
    games = game_store.mdc_games(small)
    game_store.choose(games)

    def folder(path: Path | None) -> str:
        return builder_of("mdc_v2", labels=path and str(path)).cache_dir

    copy = write_labels(tmp_path / "copy.jsonl")
    assert len({folder(None), folder(labels), folder(copy)}) == 3
    assert folder(None) == folder(OUR_LABELS)


def test_chosen_labels_are_copied_and_used_when_none_are_named(small, labels):
    games = game_store.mdc_games(small)
    game_store.choose(games, labels)
    named = builder_of("mdc_v2", labels=str(labels)).cache_dir
    text = labels.read_bytes()
    labels.unlink()
    assert game_store.chosen_labels().read_bytes() == text
    assert game_store.chosen_labels().name == "theirs.jsonl"
    assert builder_of("mdc_v2").cache_dir == named
    assert install.install_dataset("mdc_v2") == Path(named)
    game_store.choose(games)
    assert game_store.chosen_labels() is None
    assert not list(game_store.folder().glob("labels-*"))


def test_a_corpus_that_no_labels_fit_has_no_clean_test_set_to_be_set_up(small):
    game_store.choose(game_store.mdc_games(small))
    assert not install.is_set_up("mdc_v2")
    with pytest.raises(AnnotationError, match="the labels do not fit the corpus"):
        install.install_dataset("mdc_v2")
