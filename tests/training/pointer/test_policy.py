"""Training a pointer transformer with rewards: exact probabilities, advantages, what is learned, and resuming."""

import json

import numpy as np
import pytest
import torch
from killed_trainings import killed_after
from safetensors.torch import load_file
from small_builders import ROWS, save_builder

from bap_v2_dataset.items.frame import frame_of
from bap_v2_metric import score_item
from bap_v2_metric.actions import execute
from bap_v2_metric.notation import format_action, format_structure, parse_structure
from bap_v2_training import train_pointer
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.net_actions import REMOVE, planned
from bap_v2_training.learning.rewards import fairer_f1, micro_gain
from bap_v2_training.pointer import stream
from bap_v2_training.pointer.answer_rewards import Judged, leave_one_out, scaled
from bap_v2_training.pointer.decoding import PointerBuilder
from bap_v2_training.pointer.examples import STOP, example_of_row
from bap_v2_training.pointer.features import PackedItems, tensors
from bap_v2_training.pointer.generation import generated
from bap_v2_training.pointer.policy_trainer import PolicyTrainer, _worth_learning, log_probabilities
from bap_v2_training.pointer.settings import parse_arguments

SOME = ROWS[::6]
MOST = 4  # actions of an answer of the small Builders


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_builder(tmp_path_factory.mktemp("models") / "pointer", "bap_pointer")


@pytest.fixture(scope="module")
def builder(folder):
    return PointerBuilder.load(str(folder), "float32", MOST, False)


@pytest.fixture(scope="module")
def items(builder):
    return PackedItems([example_of_row(row) for row in SOME], builder.vocabulary, builder.features)


def sampled(model, batch, samples, seed=0):
    generator = torch.Generator().manual_seed(seed)
    uniform = torch.rand(len(batch["last"]), samples, MOST + 1, 2, generator=generator)
    return generated(model, batch, MOST, uniform)


def padded(answers):
    """[n, MOST + 1, 4]"""
    rows = torch.zeros(len(answers), MOST + 1, 4, dtype=torch.long)
    rows[..., 0] = -1
    for row, answer in zip(rows, answers):
        row[: len(answer)] = torch.tensor(answer).reshape(-1, 4)
    return rows


@torch.no_grad()
def test_all_first_steps_that_can_be_sampled_have_probability_one_together(builder, items):
    """Every possible first action as an answer that was cut off after it, and to stop."""
    model, batch = builder.model, tensors(items.batch([3]))
    memory = model.encode(**{name: values for name, values in batch.items() if name != "targets"})
    full = {tuple(cell) for color, *cell in batch["blocks"][0].tolist() if color >= 0}
    assert full
    cells = [(x, y, z) for x in range(-5, 6) for y in range(1, 10) for z in range(-5, 6)]
    first = [[(kind, *cell)] for kind in range(REMOVE) for cell in cells if cell not in full]
    first += [[(REMOVE, *cell)] for cell in full] + [[(STOP, 0, 0, 0)]]
    total = log_probabilities(model, memory, batch["blocks"], batch["last"], padded(first)).exp().sum()
    assert total.item() == pytest.approx(1.0, abs=1e-4)


@torch.no_grad()
def test_answers_are_sampled_as_often_as_they_are_likely(builder, items):
    model, batch = builder.model, tensors(items.batch([1]))
    memory = model.encode(**{name: values for name, values in batch.items() if name != "targets"})
    answers = [tuple(answer) for answer in sampled(model, batch, 4000)[0][1:]]
    different = [answer for answer in dict.fromkeys(answers) if answer[-1][0] == STOP]
    likely = log_probabilities(model, memory, batch["blocks"], batch["last"], padded(different)).exp()
    assert likely.sum() <= 1.0001
    for index in likely.topk(3).indices.tolist():
        share, expected = answers.count(different[index]) / len(answers), likely[index].item()
        assert share == pytest.approx(expected, abs=4 * (expected / len(answers)) ** 0.5)


@torch.no_grad()
def test_the_probability_of_an_answer_depends_neither_on_the_others_nor_on_padding(builder, items):
    model, batch = builder.model, tensors(items.batch(range(len(SOME))))
    memory = model.encode(**{name: values for name, values in batch.items() if name != "targets"})
    answers = [answer for group in sampled(model, batch, 2) for answer in group]
    together = log_probabilities(model, memory, batch["blocks"], batch["last"], padded(answers))
    for index in range(0, len(SOME), 4):
        alone = tensors(items.batch([index]))
        own = model.encode(**{name: values for name, values in alone.items() if name != "targets"})
        for number in range(3):
            rows = padded(answers)[3 * index + number][None]
            rows = rows[:, : max(1, int((rows[..., 0] >= 0).sum()))]
            one = log_probabilities(model, own, alone["blocks"], alone["last"], rows)
            assert one.item() == pytest.approx(together[3 * index + number].item(), abs=1e-3)


def test_answers_are_judged_in_the_builders_frame_as_predictions_are_in_the_world(builder, items):
    batch = items.batch(range(len(SOME)))
    judged = Judged(batch)
    found = sampled(builder.model, tensors(batch), 3)
    rewards = judged.rewards(found, {"fairer_f1": 1.0})
    greedy = [text for text, _ in builder.answers(SOME)]
    for row, text, own in zip(SOME, greedy, rewards):
        counts = score_item(text, {**row, "interpretations": "unique" if row["before"] else "multiple"})["fairer"]
        right, size = counts["tp"], 2 * counts["tp"] + counts["fp"] + counts["fn"]
        assert own[0] == pytest.approx(2 * right / size if size else 1.0)
    gold = [[[(*map(int, action),) for action in targets if action[0] >= 0]] for targets in batch["targets"].tolist()]
    assert judged.rewards(gold, {"fairer_f1": 1.0, "clean": 0.5, "ended": 0.5}).tolist() == [[1.0]] * len(SOME)
    cut = [[[action for action in group[0] if action[0] != STOP]] for group in gold]
    assert judged.rewards(cut, {"ended": 0.5}).tolist() == [[-0.5]] * len(SOME)
    assert judged.rewards([[[]]] * len(SOME), {"clean": 1.0}).tolist() == [[-1.0]] * len(SOME)


def test_advantages_of_an_item_sum_to_zero_and_compare_with_the_mean_of_the_others():
    rewards = np.random.default_rng(0).random((50, 8))
    for advantages in (leave_one_out(rewards), scaled(rewards)):
        assert np.abs(advantages.sum(1)).max() < 1e-9
        assert (np.argmax(advantages, 1) == np.argmax(rewards, 1)).all()
    others = (rewards.sum(1) - rewards[:, 0]) / 7
    np.testing.assert_allclose(leave_one_out(rewards)[:, 0], rewards[:, 0] - others)
    assert not leave_one_out(np.full((3, 4), 0.7)).any() and np.abs(scaled(np.full((3, 4), 0.7))).max() < 1e-9


def test_the_gain_of_an_answer_is_the_derivative_of_the_f1_of_the_batch_by_its_weight():
    gold, one, other = ["red 0 1 0", "red 0 2 0"], "place red 0 1 0", "place red 3 1 0\nplace blue 0 1 0"
    references = {"before": [[]] * 4, "after": [gold, gold, ["blue 0 1 0"], []], "interpretations": ["unique"] * 4}
    answers = [one, other, other, ""]
    sizes, right = np.array([3, 4, 3, 0]), np.array([1, 0, 1, 0])
    logged = {}
    assert fairer_f1(answers, **references, log_metric=logged.__setitem__) == [2 / 3, 0.0, 2 / 3, 1.0]
    assert logged == {"micro_fairer_f1": pytest.approx(2 * right.sum() / sizes.sum())}
    gains = np.array(
        micro_gain(answers, **references, log_metric=lambda name, value: logged.update({f"gain/{name}": value}))
    )
    assert logged["gain/micro_fairer_f1"] == logged["micro_fairer_f1"]
    assert gains.sum() == pytest.approx(0.0)
    for index in range(4):
        weight = np.ones(4)
        weight[index] += 1e-6
        change = 2 * (weight @ right) / (weight @ sizes) - 2 * right.sum() / sizes.sum()
        assert gains[index] / 4 == pytest.approx(change / 1e-6, abs=1e-5)
    assert micro_gain([""], [[]], [[]]) == [0.0] and micro_gain([], [], []) == []


def test_equal_samples_are_learned_once_and_those_that_are_no_better_than_others_not_at_all():
    one, other = [(3, 0, 1, 0), (STOP, 0, 0, 0)], [(STOP, 0, 0, 0)]
    answers = [[one, one, one, other], [one, one, other, other], [one, one, one, one]]
    advantages = np.array([[0.5, 0.5, -1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    items, rows, weights = _worth_learning(answers, advantages)
    assert items.tolist() == [0] and weights.tolist() == [1.0, -1.0]
    assert rows.tolist() == [[[3, 0, 1, 0], [STOP, 0, 0, 0]], [[STOP, 0, 0, 0], [-1, 0, 0, 0]]]
    nothing, _, _ = _worth_learning(answers[2:], advantages[2:])
    assert len(nothing) == 0


# --- the training itself, on two items: a bandit with as many arms as there are answers


@pytest.fixture(scope="module")
def two(folder):
    """Two items whose right answer is one that the model samples now and then, and not its greedy one."""
    builder = PointerBuilder.load(str(folder), "float32", None, False)
    rows = []
    for row in (row for row in ROWS if row["before"]):
        batch = tensors(PackedItems([example_of_row(row)], builder.vocabulary, builder.features).batch([0]))
        greedy, *samples = sampled(builder.model, batch, 64)[0]
        once = [answer for answer in samples if len(answer) == 2 and answer[-1][0] == STOP and answer != greedy]
        if len(once) < 4:
            continue
        board, frame = parse_structure(row["before"]), frame_of(row["pose"]["yaw"])
        (kind, *cell), _ = max(once, key=once.count)
        actions = planned(board, [(kind, *frame.in_world(cell))])
        after, _ = execute(board, actions)
        rows.append({**row, "actions": [format_action(action) for action in actions], "after": format_structure(after)})
        if len(rows) == 2:
            return rows


def arguments(start, output_dir, **settings):
    usual = {
        "init_from": start, "output_dir": output_dir, "mix": "two=1", "rows": "two=mdc", "rewards": "fairer_f1=1",
        "samples": 16, "chunk_items": 2, "per_device_train_batch_size": 2, "max_steps": 6, "learning_rate": 3e-3,
        "save_steps": 3, "logging_steps": 1, "eval_strategy": "no", "bf16": "false", "seed": 5, "report_to": "none",
        "disable_tqdm": "true", "lr_scheduler_type": "constant",
    }  # fmt: skip
    return [
        part for name, value in {**usual, **settings}.items() if value is not None for part in (f"--{name}", str(value))
    ]


def trained(*places, **settings):
    return train_pointer.main(*parse_arguments(arguments(*places, **settings)))


@pytest.fixture(autouse=True)
def two_items(monkeypatch, two):
    monkeypatch.setattr(stream, "rows_of", lambda name, split: two)


@pytest.mark.slow
def test_what_is_rewarded_becomes_likelier_and_greedy_answers_follow(folder, two, tmp_path):
    run = trained(folder, tmp_path, max_steps=40, save_strategy="no", samples=32, learning_rate=1e-3)
    log = [entry for entry in run["log"] if "reward" in entry]
    first, last = (np.mean([entry["reward"] for entry in part]) for part in (log[:5], log[-5:]))
    assert last > first + 0.3
    assert log[-1]["greedy/reward"] > log[0]["greedy/reward"]
    assert {
        "rewards/fairer_f1/mean",
        "micro_fairer_f1",
        "frac_reward_zero_std",
        "actions/mean",
        "actions/empty",
    } <= set(log[0])
    assert run["rewards"] == {"fairer_f1": 1.0} and run["model_type"] == "bap_pointer"
    before, after = (PointerBuilder.load(str(model), "float32", None, False) for model in (folder, tmp_path))
    columns = {name: [row[name] for row in two] for name in ("before", "after")}
    assert sum(fairer_f1([text for text, _ in after.answers(two)], **columns)) > sum(
        fairer_f1([text for text, _ in before.answers(two)], **columns)
    )
    batch = tensors(PackedItems([example_of_row(row) for row in two], before.vocabulary, before.features).batch([0, 1]))
    right = [probability_of_targets(one.model, batch) for one in (before, after)]
    assert (right[1] > 2 * right[0]).all() and right[1].mean() > 0.5


@torch.no_grad()
def probability_of_targets(model, batch):
    memory = model.encode(**{name: values for name, values in batch.items() if name != "targets"})
    return log_probabilities(model, memory, batch["blocks"], batch["last"], batch["targets"]).exp()


@pytest.mark.slow
def test_a_killed_training_ends_with_equal_weights(folder, tmp_path):
    whole = trained(folder, tmp_path / "whole", supervised_weight=0.1, gradient_accumulation_steps=2)
    with killed_after(4, PolicyTrainer):
        trained(folder, tmp_path / "parts", supervised_weight=0.1, gradient_accumulation_steps=2)
    resume = {"supervised_weight": 0.1, "gradient_accumulation_steps": 2, "resume_from_checkpoint": "auto"}
    resumed = trained(folder, tmp_path / "parts", **resume)
    assert resumed["resumed_from"].endswith("checkpoint-3")
    last, other = (load_file(tmp_path / name / "model.safetensors") for name in ("parts", "whole"))
    assert all(torch.equal(last[name], other[name]) for name in other)
    curve = [[entry["reward"] for entry in run["log"] if "reward" in entry] for run in (resumed, whole)]
    assert curve[0] == curve[1] and len(curve[0]) == 6
    json.dumps(resumed)
    with pytest.raises(UsageError, match="with other settings \\(the rewards\\)"):
        trained(folder, tmp_path / "parts", **{**resume, "supervised_weight": 0.2})


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"rewards": "f1"}, "rewards: 'f1'"),
        ({"samples": 1}, "samples is 1: expected at least 2"),
        ({"supervised_weight": -1}, "supervised_weight is -1.0"),
        ({"rewards": None, "samples": 4}, "set rewards"),
    ],
)
def test_mistakes_in_the_settings_are_named(tmp_path, settings, message):
    with pytest.raises(UsageError, match=message):
        parse_arguments(arguments("x", tmp_path, **settings))
