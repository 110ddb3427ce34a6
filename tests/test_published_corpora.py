"""The configs dr, dsb and dss as users load them: sizes, disjoint targets, executable actions, metadata."""

import os
import subprocess
import sys

import datasets
import pytest

from bap_v2_dataset.symbolic_reader import symbolic
from bap_v2_metric import score_item
from bap_v2_metric.actions import execute
from bap_v2_metric.alignment import Transform
from bap_v2_metric.notation import format_structure, parse_action, parse_structure
from bap_v2_simulators.corpora import SIMULATORS, SIZES

pytestmark = pytest.mark.slow
SEEN = ("dialogue", "history", "pose", "before")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An HF_HOME after `bap-v2 setup` without arguments on a machine without the human corpus."""
    home = tmp_path_factory.mktemp("published")
    env = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "BAP_V2_"))}
    env |= {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, "-m", "bap_v2_dataset.cli", "setup"], env=env, cwd=home, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return home


@pytest.fixture(scope="module", params=SIMULATORS)
def corpus(request, home):
    """(name, its splits), read from the cache that set-up filled, with no import of ours."""
    (folder,) = (home / "datasets" / "bap_v2" / request.param).rglob("dataset_info.json")
    splits = {}
    for split in SIZES[request.param]:
        files = sorted(map(str, folder.parent.glob(f"bap_v2-{split}*.arrow")))
        splits[split] = datasets.concatenate_datasets([datasets.Dataset.from_file(file) for file in files])
    return request.param, splits


def test_the_bare_names_load_offline_with_no_import_of_ours(home, tmp_path):
    code = (
        "import sys, datasets\n"
        "for name in sys.argv[1:]:\n"
        "    rows = datasets.load_dataset('bap_v2', name)\n"
        "    first = next(iter(datasets.load_dataset('bap_v2', name, split='test', streaming=True)))\n"
        "    assert first == rows['test'][0]\n"
        "    print(name, *(len(rows[split]) for split in ('train', 'validation', 'test')))\n"
        "assert not [name for name in sys.modules if name.startswith('bap_v2_')]\n"
    )
    env = {**os.environ, "HF_HOME": str(home), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", code, *SIMULATORS]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:3] == [" ".join(map(str, (name, *SIZES[name].values()))) for name in SIMULATORS]


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
    _, splits = corpus
    for rows in splits.values():
        columns = (rows[name][:] for name in ("before", "after", "actions"))
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
