"""A small build of every config, and the facts of a model."""

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
import small_corpus
from datasets import Dataset
from gsu_items import gsu_rows
from hub_stand_in import HubStandIn
from in_process import pushing
from small_cards import Parts, joined, simulated

import bap_v2_metric
from bap_v2_dataset.evaluation.scoring import baseline_predictions
from bap_v2_dataset.evaluation.test_sets import scored_rows
from bap_v2_dataset.human import game_store
from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.loading.builder import builder_of
from bap_v2_dataset.publishing.facts import ModelFacts, SplitResult
from bap_v2_dataset.publishing.model_facts import training_task
from bap_v2_dataset.tasks.building.task import BUILDING, CONFIGS
from bap_v2_dataset.tasks.gsu.dataset import GSU_FEATURES
from bap_v2_dataset.tasks.plancraft.dataset import ORACLE_FEATURES, TASK_FEATURES
from bap_v2_dataset.tasks.plancraft.rows import oracle_row, task_row
from bap_v2_dataset.tasks.plancraft.task_files import records
from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_of
from bap_v2_simulators.corpora import SIMULATORS


@pytest.fixture
def hub(tmp_path, monkeypatch) -> Iterator[HubStandIn]:
    """A Hub that this process pushes to and reads from."""
    with pushing(monkeypatch, HF_HUB_CACHE=str(tmp_path / "reader")) as hub:
        yield hub


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
        **{f"test_{name}": parts[name]["test"] for name in CONFIGS["all"].made_of},
    }
    for base in ("mdc_v2", "dss"):
        parents = parts[base]["test"].to_list()[:4]
        splits = {name: [row for parent in parents for row in variants_of(parent, name, 1, base)] for name in FAMILIES}
        splits = {"original": parents, **{name: rows for name, rows in splits.items() if rows}, "probe": parents}
        parts[f"robust_{base}"] = {name: Dataset.from_list(rows, FEATURES) for name, rows in splits.items()}
    for name in ("gsu_card2ego_2d", "gsu_combined", "gsu_structure"):
        parts[name] = {
            split: Dataset.from_list(gsu_rows(name, size, split), GSU_FEATURES)
            for split, size in (("train", 9), ("validation", 3), ("test", 4))
        }
    parts["gsu"] = {"train": parts["gsu_structure"]["train"], "test_gsu_structure": parts["gsu_structure"]["test"]}
    if find_spec("plancraft"):
        tasks = {"train": "train", "validation": "validation_small", "test": "test_small"}
        parts["plancraft"] = {
            split: Dataset.from_list([task_row(one) for one in records(of)[:80]], TASK_FEATURES)
            for split, of in tasks.items()
        }
        parts["plancraft_oracle"] = {
            split: Dataset.from_list(
                [oracle_row(row) for row in parts["plancraft"][split] if not row["impossible"]][:3], ORACLE_FEATURES
            )
            for split in ("train", "validation")
        }
    return parts


@pytest.fixture(scope="session")
def measured() -> SplitResult:
    """A rule's scores on some items of dss, with intervals."""
    rows = scored_rows(simulated("dss", "test"))
    references = [{key: row[key] for key in ("before", "after", "interpretations")} for row in rows]
    counts = bap_v2_metric.score_items(baseline_predictions("stack", rows, BUILDING), references)
    intervals = bap_v2_metric.bootstrap(20 * counts, 50)  # of so few items there is none
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
        prompt_version="1.1",
        dataset_repo="USER/bap_v2",
        hardware="one GPU",
        seconds=90.0,
        limits=["It was stopped early."],
    )


# Of each task that models learn: what a run records besides, and of which configs there are results.
LEARNED = {
    "bap": ({}, ("dss", "mdc_v2")),
    "gsu": ({"representation": "text", "data": {"gsu_card2ego_2d": 3000},
             "hyperparameters": {"shots": 0, "reasoning": True}}, ("gsu_card2ego_2d", "gsu_structure")),
    "chat": ({"representation": None, "data": {"plancraft_oracle": 900}, "hyperparameters": {}}, ("plancraft",)),
}  # fmt: skip


@pytest.fixture(params=LEARNED)
def learned(request, facts, parts) -> ModelFacts:
    """A model of each task, with the scores of right answers and of one that is wrong."""
    recorded, configs = LEARNED[request.param]
    facts = replace(facts, task=request.param, results=[], **recorded)
    if missing := set(configs) - parts.keys():
        pytest.skip(f"{min(missing)} needs its package")
    scorer = training_task(facts).scorer
    for config in configs:
        rows = parts[config]["test"].to_list()
        answers = [{"turns": row["plan"], "success": True, "tokens": None} if "plan" in row else row["completion"]
                   for row in rows if not row.get("impossible")]  # fmt: skip
        rows = [row for row in rows if not row.get("impossible")]
        answers[-1] = {"turns": ["hm"], "success": False, "tokens": None} if "plan" in rows[0] else "no idea"
        fields = [
            {name: value for name, value in scorer.reference_of(row).items() if value is not None} for row in rows
        ]
        counts = scorer.score_items(answers, [{**scorer.defaults, **reference} for reference in fields])
        result = SplitResult(config, "test", scorer.aggregate(counts), "none", len(rows), scorer.bootstrap(counts, 20))
        facts = replace(facts, results=[*facts.results, result])
    return facts
