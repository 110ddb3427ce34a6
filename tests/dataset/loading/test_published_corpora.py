"""The published configs as users load them: sizes, disjoint targets, executable actions, metadata, the joint mix."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import datasets
import pytest
from digests import digest_of
from paths import GOLDEN

from bap_v2_dataset.interface.table import item_configs
from bap_v2_dataset.labels.label_file import OUR_LABELS, labels_name
from bap_v2_dataset.tasks.building.baselines.rules import stack
from bap_v2_dataset.tasks.building.baselines.symbolic_reader import symbolic
from bap_v2_dataset.tasks.building.task import CONFIGS
from bap_v2_metric import aggregate, score_item, score_items
from bap_v2_metric.actions import execute
from bap_v2_metric.alignment import Transform
from bap_v2_metric.notation import format_structure, parse_action, parse_structure
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.corpus_table import PUBLISHED, SIZES

pytestmark = pytest.mark.slow
SEEN = ("dialogue", "history", "pose", "before")


def splits_of(home: Path, name: str) -> dict[str, datasets.Dataset]:
    """The splits of a config, read from the cache that setup filled, with no import of ours."""
    (path,) = (home / "datasets" / "bap_v2" / name).rglob("dataset_info.json")
    splits = {}
    for split in datasets.DatasetInfo.from_directory(str(path.parent)).splits:
        names = re.compile(rf"bap_v2-{split}(-[0-9]+-of-[0-9]+)?\.arrow")  # "validation" is no "validation_matched"
        files = sorted(str(file) for file in path.parent.iterdir() if names.fullmatch(file.name))
        splits[split] = datasets.concatenate_datasets([datasets.Dataset.from_file(file) for file in files])
    return splits


@pytest.fixture(scope="module", params=PUBLISHED)
def corpus(request, published_home):
    """(name, its splits)"""
    return request.param, splits_of(published_home, request.param)


@pytest.fixture(scope="module")
def joint(published_home):
    """The splits of `all`, and of its sources."""
    if not os.environ.get("BAP_V2_MDC"):
        pytest.skip("needs the human corpus: set BAP_V2_MDC to its directory or archive")
    return splits_of(published_home, "all"), {name: splits_of(published_home, name) for name in CONFIGS["all"].made_of}


def test_the_bare_names_load_offline_with_no_import_of_ours(published_home, tmp_path):
    code = (
        "import sys, datasets\n"
        "for name in sys.argv[1:]:\n"
        "    rows = datasets.load_dataset('bap_v2', name)\n"
        "    first = next(iter(datasets.load_dataset('bap_v2', name, split='test', streaming=True)))\n"
        "    assert first == rows['test'][0]\n"
        "    print(name, *(len(rows[split]) for split in ('train', 'validation', 'test')))\n"
        "assert not [name for name in sys.modules if name.startswith('bap_v2_')]\n"
    )
    env = {**os.environ, "HF_HOME": str(published_home), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", code, *PUBLISHED]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:3] == [" ".join(map(str, (name, *SIZES[name].values()))) for name in PUBLISHED]


def test_sizes_are_exact_and_ids_are_unique(corpus):
    name, splits = corpus
    assert {split: len(rows) for split, rows in splits.items()} == SIZES[name]
    ids = [id_ for rows in splits.values() for id_ in rows["id"]]
    assert len(set(ids)) == len(ids)
    assert all(id_.startswith(f"{name}-") for id_ in ids)


def canonical(target: list[str]) -> tuple[str, ...]:
    """The same for all quarter turns and horizontal translations of a target."""
    colors = parse_structure(target).colors()
    forms = []
    for turns in range(4):
        turned = {Transform(turns, 0, 0)(cell): color.value for cell, color in colors.items()}
        x, z = min(cell[0] for cell in turned), min(cell[2] for cell in turned)
        forms.append(tuple(sorted(f"{color} {a - x} {b} {c - z}" for (a, b, c), color in turned.items())))
    return min(forms)


def test_splits_share_no_target_however_it_is_turned_or_moved(corpus):
    _, splits = corpus
    seen: dict[tuple[str, ...], str] = {}
    for split, rows in splits.items():
        targets = dict(zip(rows["game_id"], rows["target"], strict=True))
        for target in targets.values():
            assert seen.setdefault(canonical(target), split) == split
    assert len(seen) > 0.99 * sum(len(set(rows["game_id"])) for rows in splits.values())  # hardly any twice


def test_actions_execute_and_give_after_within_the_inventory(corpus):
    """Of train, those of every fifth item."""
    _, splits = corpus
    for split, rows in splits.items():
        some = rows.select(range(0, len(rows), 5 if split == "train" else 1))
        columns = (some[name][:] for name in ("before", "after", "actions"))
        for before, after, actions in zip(*columns, strict=True):
            board = parse_structure(before)
            for action in actions:
                board, infeasible = execute(board, [parse_action(action)])
                assert not infeasible
                counts = [block.color for block in board]
                assert max((counts.count(color) for color in set(counts)), default=0) <= 20
            assert sorted(format_structure(board)) == sorted(after)


def test_empty_boards_have_multiple_interpretations_and_no_others(corpus):
    _, splits = corpus
    for rows in splits.values():
        for before, label in zip(rows["before"], rows["interpretations"], strict=True):
            assert label == ("unique" if before else "multiple")


def test_every_row_says_what_was_planned_and_done(corpus):
    name, splits = corpus
    for rows in splits.values():
        for metadata, dialogue in zip(rows["metadata"], rows["dialogue"], strict=True):
            assert metadata["simulator"] == name and metadata["simulator_version"] == SIMULATORS[name].version
            assert metadata["seed"] == 0 and metadata["game_index"] >= 0
            assert len(metadata["dialogue_acts"]) == len(dialogue)
            assert {"action", "relation", "reference_rule", "omitted"} <= set(metadata["plan"])
            assert "reference_hidden" not in metadata["difficulty"]
            assert "cut" not in metadata


def test_games_begin_with_the_line_of_human_games(corpus):
    for rows in corpus[1].values():
        for history, dialogue, metadata in zip(rows["history"], rows["dialogue"], rows["metadata"], strict=True):
            assert (history + dialogue)[0] == "<Builder> Mission has started."
            assert (metadata["dialogue_acts"][0] == "mission") == (not history)


def test_the_independent_reader_understands_the_published_items(corpus):
    """It sees dialogue, history, pose and before, and never the plan."""
    for split, rows in corpus[1].items():
        missed = []
        for row in rows.select_columns([*SEEN, "id", "after", "interpretations"]):
            reference = {key: row[key] for key in ("before", "after", "interpretations")}
            counts = score_item(symbolic({key: row[key] for key in SEEN}), reference)["fairer"]
            if counts["fp"] or counts["fn"]:
                missed.append((row["id"], row["dialogue"]))
        assert missed == [], split


# --- The clean human corpus and the joint one.
def test_mdc_v2_has_every_train_item_four_times_and_the_clean_test_set(joint):
    rows = joint[1]["mdc_v2"]
    assert [len(rows[split]) for split in rows] == [14_836, 1_331, 895, 1_161]
    variants = Counter(it.get("augmentation", {}).get("variant", 0) for it in rows["train"]["metadata"])
    assert variants == {0: 3_709, 1: 3_709, 2: 3_709, 3: 3_709}
    assert not any("augmentation" in it for split in ("validation", "test") for it in rows[split]["metadata"])
    assert Counter(rows["test"]["interpretations"]) == {"unique": 1_069, "multiple": 92}
    assert set(rows["validation"]["interpretations"]) == {"unique"}


def test_every_test_item_says_whose_labels_it_has(joint):
    annotations = [it["annotation"] for it in joint[1]["mdc_v2"]["test"]["metadata"]]
    assert {it["labels"] for it in annotations} == {labels_name(OUR_LABELS)}
    assert Counter(it["fixed"] for it in annotations) == {False: 1_021, True: 140}


def source_of(metadata: dict) -> str:
    return metadata.get("simulator", "mdc_v2")


def test_the_joint_corpus_has_the_sizes_of_the_paper(joint):
    rows, _ = joint
    assert {split: len(rows[split]) for split in rows} == {
        "train": 52_419, "validation": 4_678, "validation_matched": 3_846,
        "test_mdc_v2": 1_161, "test_dr": 1_089, "test_dsb": 1_181, "test_dss": 1_000,
    }  # fmt: skip
    assert Counter(map(source_of, rows["train"]["metadata"])) == {
        "mdc_v2": 14_836, "dr": 15_825, "dsb": 9_890, "dss": 11_868,
    }  # fmt: skip


def test_the_joint_corpus_holds_the_rows_of_its_sources(joint):
    rows, sources = joint
    for split in ("train", "validation"):
        positions = {id_: (name, n) for name, splits in sources.items() for n, id_ in enumerate(splits[split]["id"])}
        assert sorted(rows[split]["id"]) == sorted(positions) and len(positions) == len(rows[split])
        for position in range(0, len(rows[split]), 997):
            row = rows[split][position]
            name, n = positions[row["id"]]
            assert row == sources[name][split][n]
    for name, splits in sources.items():
        assert rows[f"test_{name}"].to_list() == splits["test"].to_list()


def test_the_joint_corpus_is_well_shuffled(joint):
    """In every tenth of train each source has its share, give or take four standard deviations."""
    names = list(map(source_of, joint[0]["train"]["metadata"]))
    whole, tenth = Counter(names), len(names) // 10
    for start in range(0, 10 * tenth, tenth):
        part = Counter(names[start : start + tenth])
        for name, items in whole.items():
            share = items / len(names)
            assert abs(part[name] - tenth * share) < 4 * (tenth * share * (1 - share)) ** 0.5


def test_the_matched_validation_set_is_the_largest_in_the_proportions_of_train(joint):
    rows, sources = joint
    found = Counter(map(source_of, rows["validation_matched"]["metadata"]))
    assert found == {"mdc_v2": 1_088, "dr": 1_161, "dsb": 726, "dss": 871}
    assert found["dr"] == len(sources["dr"]["validation"])  # the one that runs out first
    for name, items in found.items():
        assert abs(items - 1_161 * len(sources[name]["train"]) / 15_825) <= 0.5
    assert set(rows["validation_matched"]["id"]) <= set(rows["validation"]["id"])


# --- Nothing moved.
GOLDEN_DIGESTS = json.loads((GOLDEN / "published_digests.json").read_text())


@pytest.mark.parametrize("name", GOLDEN_DIGESTS)
def test_rows_are_byte_for_byte_those_of_this_data_version(name, published_home):
    """If rows were changed on purpose: raise DATA_VERSION, say it in the CHANGELOG, then replace the digests."""
    if name in item_configs("mdc") and not os.environ.get("BAP_V2_MDC"):
        pytest.skip("needs the human corpus: set BAP_V2_MDC to its directory or archive")
    splits = splits_of(published_home, name)
    digests = {split: {"items": len(rows), "rows": digest_of(rows)} for split, rows in splits.items()}
    assert digests == {
        split: {key: golden[key] for key in ("items", "rows")} for split, golden in GOLDEN_DIGESTS[name].items()
    }


@pytest.mark.parametrize("name", [name for name in GOLDEN_DIGESTS if name != "all"])
def test_scores_are_byte_for_byte_those_of_this_metric_version(name, published_home):
    """Of the rule `stack`. If scores were changed on purpose: raise METRIC_VERSION, then replace the digests."""
    if name in item_configs("mdc") and not os.environ.get("BAP_V2_MDC"):
        pytest.skip("needs the human corpus: set BAP_V2_MDC to its directory or archive")
    rows = splits_of(published_home, name)["test"].to_list()
    references = [{key: row[key] for key in ("before", "after", "interpretations")} for row in rows]
    items = score_items([stack(row) for row in rows], references)
    golden = GOLDEN_DIGESTS[name]["test"]
    scores = aggregate(items)
    assert {measure: scores[f"{measure}_f1"] for measure in golden["scores"]} == golden["scores"]
    assert digest_of(items) == golden["counts"]
