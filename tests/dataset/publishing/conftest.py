"""A small build of every config, and the facts of a model."""

from pathlib import Path

import pytest
import small_corpus
from small_cards import (
    Parts,
    joined,
    simulated,
)

import bap_v2_metric
from bap_v2_dataset.evaluation.scoring import baseline_predictions
from bap_v2_dataset.evaluation.test_sets import scored_rows
from bap_v2_dataset.human import game_store
from bap_v2_dataset.loading.builder import builder_of
from bap_v2_dataset.loading.sampling import SOURCES
from bap_v2_dataset.publishing.model_facts import ModelFacts, SplitResult
from bap_v2_simulators.corpora import SIMULATORS


@pytest.fixture(scope="session")
def corpus_path(tmp_path_factory) -> Path:
    return small_corpus.write(tmp_path_factory.mktemp("corpus") / "mdc")


@pytest.fixture(scope="session")
def games(corpus_path) -> game_store.KeptGames:
    return game_store.mdc_games(corpus_path)


@pytest.fixture(scope="session")
def parts(corpus_path, tmp_path_factory) -> Parts:
    folder = tmp_path_factory.mktemp("build")
    labels = folder / "mine.csv"
    lines = ["game_id,item_index,context,structure"]
    for game_id, context in ((small_corpus.EARLY, "unique"), (small_corpus.IDLE, "multiple")):
        lines += [
            f"{game_id},0,{context},correct",
            f"{game_id},1,{'unclear,' if context == 'unique' else 'unique,correct'}",
        ]
    labels.write_text("\n".join(lines))
    parts: Parts = {}
    for name in ("mdc_v2", "mdc"):
        own = str(labels) if name == "mdc_v2" else None
        builder = builder_of(name, str(corpus_path), own, cache_dir=str(folder))
        builder.download_and_prepare()
        parts[name] = dict(builder.as_dataset())
    for name in SIMULATORS:
        parts[name] = {split: simulated(name, split) for split in ("train", "validation", "test")}
    parts["all"] = {
        **{split: joined(parts, split) for split in ("train", "validation")},
        "validation_matched": parts["dr"]["validation"],
        **{f"test_{name}": parts[name]["test"] for name in SOURCES},
    }
    return parts


@pytest.fixture(scope="session")
def measured() -> SplitResult:
    """A rule's scores on some items of dss, with intervals."""
    rows = scored_rows(simulated("dss", "test"))
    references = [{key: row[key] for key in ("before", "after", "interpretations")} for row in rows]
    counts = bap_v2_metric.score_items(baseline_predictions("stack", rows), references)
    intervals = bap_v2_metric.bootstrap(counts, 50)
    return SplitResult("dss", "test", bap_v2_metric.aggregate(counts), "none needed (synthetic)", 1000, intervals)


@pytest.fixture(scope="session")
def facts(measured) -> ModelFacts:
    return ModelFacts(
        repo_id="USER/builder",
        kind="adapter",
        base_model="meta-llama/Meta-Llama-3-8B",
        data={"dr": 300, "dss": 11_868},
        representation="n_posb_s",
        hyperparameters={"use_peft": True, "lora_r": 16, "learning_rate": 2e-4, "max_prompt_tokens": 2048},
        results=[measured],
        seed=20,
        versions={"torch": "2.13.0", "peft": "0.21.2"},
        dataset_repo="USER/bap_v2",
        hardware="one GPU",
        seconds=90.0,
        limits=["It was stopped early."],
    )
