"""Answers of the GRU baseline: greedy, feasible if asked, the same whatever the batch."""

import pytest

pytest.importorskip("transformers", reason="the training extra is not installed")

import numpy as np
import torch
from fabricated_items import fabricated_rows
from simulated_rows import row_of
from transformers import BertConfig, BertModel

from bap_v2_metric.actions import execute
from bap_v2_metric.notation import format_action, parse_action, parse_structure
from bap_v2_training.decoding.bayes_risk import Sampling
from bap_v2_training.decoding.learned_builder import COLUMNS, load_builder
from bap_v2_training.errors import UsageError
from bap_v2_training.gru.batches import collated
from bap_v2_training.gru.decoding import GruBuilder
from bap_v2_training.gru.features import STOP, Features, action_index, action_of, vocabulary_of
from bap_v2_training.gru.model import BapGruConfig, BapGruModel

torch.set_num_threads(1)
ROWS = [*fabricated_rows(4), row_of("dss-test-0/1"), row_of("dr-test-2/9")]
SEEN = [{name: row[name] for name in COLUMNS} for row in ROWS]
SIZES = {"embedding": 12, "hidden": 10, "channels": [6, 5, 7], "head": [9, 8], "stop": [6]}


def builder(seed: int = 1, stop: float = 0.0, scale: float = 30.0, **options) -> GruBuilder:
    """One with random weights, scaled so that answers differ; `stop` is added to the logit of stop."""
    torch.manual_seed(seed)
    vocabulary = vocabulary_of(ROWS)
    model = BapGruModel(BapGruConfig(vocab_size=len(vocabulary), **SIZES))
    with torch.no_grad():
        for weight in (model.head1.weight, model.out.weight, model.conv2.weight, model.conv1.weight):
            weight *= scale ** 0.5  # fmt: skip
        model.stop[-1].bias += stop
    return GruBuilder(model, vocabulary, **options)


def actions_in(text: str) -> list:
    return [parse_action(line) for line in text.splitlines()]


def test_an_answer_ends_after_max_actions_or_where_the_model_stops():
    for stop, most, expected in ((-1e9, 20, 20), (-1e9, 3, 3), (1e9, 20, 0)):
        for text, finished in builder(stop=stop, max_actions=most).answers(SEEN):
            assert len(actions_in(text)) == expected
            assert finished == (expected == 0)
    assert builder().max_actions == 20 and builder(max_actions=7).max_actions == 7


def test_an_answer_of_just_max_actions_can_be_finished():
    """Whether the model would stop is asked once more after the last action."""
    learner = builder(stop=-1e9, max_actions=2)
    stop = learner.model.stop[-1]
    calls = []

    def stops_at_the_third(layer, inputs, output):
        calls.append(len(output))
        return output + 2e9 if len(calls) == 3 else output

    stop.register_forward_hook(stops_at_the_third)
    (text, finished), *_ = learner.answers(SEEN[:1])
    assert len(actions_in(text)) == 2 and finished


def test_each_action_is_the_likeliest_after_those_before_it():
    """As in training: teacher forcing with the answer itself gives the answer."""
    learner = builder(stop=-1e9, max_actions=6)
    vocabulary = learner.vocabulary
    for row, (text, _) in zip(SEEN[:6], learner.answers(SEEN[:6])):
        actions = actions_in(text)
        features = Features(vocabulary).of([row | {"actions": [format_action(action) for action in actions]}])
        every = range(len(actions) + 1)
        batch = collated(features, [(0, torch.tensor(every).numpy())])
        del batch["labels"]
        with torch.no_grad():
            logits = learner.model(**batch).logits
        logits[:, STOP] = -torch.inf
        assert [action_of(int(number)) for number in logits.argmax(1)[:-1]] == actions


def test_a_sample_is_drawn_from_what_the_model_says_at_each_step():
    """Even numbers draw each class as often as it is likely; without heat it is the greedy answer."""
    number = 2_000
    learner = builder(scale=1.0, max_actions=1, sampling=Sampling(number))
    row = SEEN[0]
    features = Features(learner.vocabulary).of([row | {"actions": []}])
    batch = collated(features, [(0, torch.tensor([0]).numpy())])
    with torch.no_grad():
        likely = learner.model(**{name: batch[name] for name in batch if name != "labels"}).logits[0].softmax(0)
    uniform = np.zeros((1, number, 2))
    uniform[0, :, 0] = (np.arange(number) + 0.5) / number
    greedy, *samples = learner.actions([row], uniform)[0]
    drawn = torch.zeros(STOP + 1)
    for actions, _ in samples:
        drawn[action_index(actions[0]) if actions else STOP] += 1
    assert (drawn / number - likely).abs().max() < 1.01 / number
    assert greedy == learner.actions([row])[0][0]
    learner.sampling = Sampling(number, temperature=1e-6)
    assert all(sample == greedy for sample in learner.actions([row], uniform[:, ::100])[0])


def test_samples_of_an_item_depend_on_its_id_alone_and_the_answer_can_be_carried_out():
    learner = builder(scale=8.0, stop=2.0, sampling=Sampling(6, seed=1))
    together = learner.answers(SEEN)
    assert together == [learner.answers([row])[0] for row in SEEN]
    assert together != builder(scale=8.0, stop=2.0, sampling=Sampling(6, seed=2)).answers(SEEN)
    for row, (text, _) in zip(SEEN, together):
        assert not execute(parse_structure(row["before"]), actions_in(text)).infeasible
    probable = builder(scale=8.0, stop=2.0, sampling=Sampling(6, min_probability=0.9)).answers(SEEN)
    assert sum(len(text) for text, _ in probable) < sum(len(text) for text, _ in together)


def test_a_loaded_builder_answers_as_before_it_was_saved(tmp_path):
    learner = builder(stop=-2.0)
    learner.model.save_pretrained(tmp_path)
    learner.vocabulary.save(tmp_path)
    loaded = load_builder(str(tmp_path))
    assert isinstance(loaded, GruBuilder)
    assert loaded.answers(SEEN) == learner.answers(SEEN)
    assert load_builder(str(tmp_path), dtype="bfloat16", max_actions=1).max_actions == 1
    assert load_builder(str(tmp_path), samples=4, temperature=0.5).sampling == Sampling(4, 0.5)


def test_what_is_no_such_model_is_named(tmp_path):
    with pytest.raises(UsageError, match="nowhere"):
        GruBuilder.load(str(tmp_path / "nowhere"))
    learner = builder()
    learner.model.save_pretrained(tmp_path / "no_words")
    with pytest.raises(UsageError, match=r"vocabulary\.json"):
        GruBuilder.load(str(tmp_path / "no_words"))
    BertModel(BertConfig(vocab_size=9, hidden_size=8, num_hidden_layers=1, num_attention_heads=1,
                         intermediate_size=8)).save_pretrained(tmp_path / "bert")  # fmt: skip
    with pytest.raises(UsageError, match="bert, not a bap_gru"):
        GruBuilder.load(str(tmp_path / "bert"))
    with pytest.raises(UsageError, match="float9"):
        GruBuilder.load(str(tmp_path / "no_words"), dtype="float9")
