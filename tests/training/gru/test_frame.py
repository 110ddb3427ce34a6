"""frame: builder: items are read turned by quarters, so that the Builder looks along +z; answers are turned back."""

import os
import random

import numpy as np
import pytest
import torch
from datasets import Dataset
from paths import ROOT
from simulated_rows import published_rows, row_of

from bap_v2_dataset.items.frame import frame_of
from bap_v2_dataset.tasks.robustness.families import variants_of
from bap_v2_metric.answers import read_prediction
from bap_v2_metric.notation import format_action, parse_action, parse_structure
from bap_v2_metric.symmetry import Symmetry
from bap_v2_training import predict, train_gru
from bap_v2_training.errors import UsageError
from bap_v2_training.gru.decoding import GruBuilder
from bap_v2_training.gru.features import EMPTY, Features, action_of, vocabulary_of
from bap_v2_training.gru.model import BapGruConfig, BapGruModel
from bap_v2_training.learning.cells import coordinates

SMOKE = str(ROOT / "training" / "configs" / "gru_smoke.yaml")
ROWS = [row_of("dss-test-0/1"), row_of("dsb-test-1/3"), row_of("dr-test-2/9"), row_of("dss-test-4/1")]

torch.set_num_threads(1)


@pytest.mark.slow
@pytest.mark.parametrize("base", ["mdc_v2", "dr", "dsb", "dss"])
def test_turned_and_turned_back_every_test_item_is_as_it_was(base):
    if base == "mdc_v2" and not os.environ.get("BAP_V2_MDC"):
        pytest.skip("needs the human corpus: set BAP_V2_MDC to its directory or archive")
    rows = list(published_rows(base))
    steps = Features(vocabulary_of(rows), frame="builder").of(rows)
    turned = 0
    for row, first, end, pose in zip(rows, steps.starts, steps.starts[1:], steps.poses):
        frame = frame_of(row["pose"]["yaw"])
        actions = [action_of(target) for target in steps.targets[first : end - 1]]
        back = [action._replace(cell=frame.in_world(action.cell)) for action in actions]
        assert back == [parse_action(line) for line in row["actions"]], row["id"]
        assert abs(np.degrees(pose[3])) < 45.01
        blocks = np.flatnonzero(steps.boards[first] != EMPTY)
        cells = {frame.in_world(coordinates(int(block))) for block in blocks}
        assert cells == {block.cell for block in parse_structure(row["before"])}
        turned += frame.quarter_turns > 0
    assert turned > len(rows) / 5


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_turned_item_is_read_as_the_item(row):
    own = Features(vocabulary_of(ROWS), frame="builder").of([row])
    for variant in variants_of(row, "sa_turn"):
        other = Features(vocabulary_of(ROWS), frame="builder").of([variant])
        for name in ("tokens", "boards", "recent", "actions", "targets"):
            assert (getattr(own, name) == getattr(other, name)).all(), name
        assert other.poses == pytest.approx(own.poses, abs=1e-5)


def test_the_answer_to_a_turned_item_is_the_answer_turned():
    vocabulary = vocabulary_of(ROWS)
    torch.manual_seed(1)
    sizes = {"embedding": 12, "hidden": 10, "channels": [6, 5, 7], "head": [9, 8], "stop": [6]}
    network = BapGruModel(BapGruConfig(vocab_size=len(vocabulary), frame="builder", **sizes))
    learned = GruBuilder(network, vocabulary, max_actions=5)
    for row in ROWS:
        ((answer, _),) = learned.answers([row])
        for variant in variants_of(row, "sa_turn"):
            transform = Symmetry.from_json(variant["metadata"]["perturbation"]["transform"])
            turned = [format_action(transform.action(action)) for action in read_prediction(answer).actions]
            assert learned.answers([variant])[0][0] == "\n".join(turned) != answer


def left_of_a_block(number: int, rng: random.Random) -> dict:
    """An item whose Builder may look anywhere: a red block to the left of the blue one."""
    pose = {"x": rng.uniform(-6, 6), "y": 1.0, "z": rng.uniform(-6, 6), "yaw": rng.uniform(-180, 180), "pitch": 20.0}
    frame, blue = frame_of(pose["yaw"]), (rng.randint(-4, 4), 1, rng.randint(-4, 4))
    x, y, z = frame.cell(blue)
    red = frame.in_world((x + 1, y, z))
    return {
        "id": f"left-{number}", "history": [], "dialogue": ["<Architect> one red to the left of it"], "pose": pose,
        "before": ["blue {} {} {}".format(*blue)], "actions": ["place red {} {} {}".format(*red)],
    }  # fmt: skip


@pytest.mark.slow
def test_a_tiny_training_learns_what_left_is_and_its_frame_is_saved(tmp_path):
    rng = random.Random(1)
    rows, others = ([left_of_a_block(number, rng) for number in range(size)] for size in (400, 40))
    Dataset.from_list(rows).to_json(tmp_path / "rows.jsonl")
    Dataset.from_list(others).to_json(tmp_path / "others.jsonl")
    small = ["--channels", "8", "6", "8", "--head", "10", "9", "--num_train_epochs", "6", "--learning_rate", "3e-3"]
    quick = ["--eval_strategy", "no", "--save_strategy", "no", "--load_best_model_at_end", "false", "--bf16", "false"]
    place = ["--data", str(tmp_path / "rows.jsonl"), "--output_dir", str(tmp_path / "run"), "--disable_tqdm", "true"]
    arguments = train_gru.parse_arguments(["--config", SMOKE, *place, *small, *quick, "--frame", "builder"])
    train_gru.main(*arguments)
    learned = GruBuilder.load(str(tmp_path / "run"))
    assert learned.model.config.frame == "builder"
    right = [answer == row["actions"][0] for row, (answer, _) in zip(others, learned.answers(others))]
    assert sum(right) > 36 and len({row["actions"][0] for row in others}) > 25
    output = tmp_path / "answers.jsonl"
    data = ["--data", str(tmp_path / "others.jsonl"), "--split", "train", "--output", str(output)]
    predict.main(predict.parse_arguments(["--model", str(tmp_path / "run"), *data]))
    assert output.read_text().count(others[0]["actions"][0]) >= 1

    fgsm = ["--init_from", str(tmp_path / "run"), "--robust_families", "spg", "--robust_mode", "fgsm"]
    with pytest.raises(UsageError, match="robust_mode is fgsm, which moves the pose in the world"):
        train_gru.prepared(*train_gru.parse_arguments(["--config", SMOKE, *place, *quick, *fgsm]))
