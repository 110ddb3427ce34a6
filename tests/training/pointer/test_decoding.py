"""Answers of a pointer transformer, whatever it has learned: as the world turns, so does the answer."""

import pytest
import torch
from small_builders import save_builder
from transformers import set_seed

from bap_v2_dataset.augmentation.transforms import transformed
from bap_v2_dataset.items.frame import Frame
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_metric.actions import execute, net_actions
from bap_v2_metric.alignment import Transform
from bap_v2_metric.blocks import Color
from bap_v2_metric.notation import parse_action, parse_structure
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.simulation import play
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.cells import CELLS, cell_number
from bap_v2_training.learning.net_actions import REMOVE
from bap_v2_training.pointer.decoding import PointerBuilder, _probabilities
from bap_v2_training.pointer.examples import STOP, example_of_row
from bap_v2_training.pointer.features import FeatureSettings, vocabulary_of
from bap_v2_training.pointer.model import PointerConfig, PointerTransformer
from bap_v2_training.pointer.reader import ReaderSettings

SAME = dict(zip(Color, Color))
PLAYED = [play(simulator_of(name), "validation", index, seed=2) for name in SIMULATORS for index in range(4)]
GAMES = [
    transformed(game, 0, SAME) for game in PLAYED
]  # the slips in words of color are gone, as in every form of a game
ROWS = [row(item) for game in GAMES for item in items(game)]
SMALL = {"hidden_size": 32, "intermediate_size": 64, "encoder_layers": 1, "decoder_layers": 1, "attention_heads": 2}


@pytest.fixture(scope="module", params=["alone", "with a reader"])
def folder(request, tiny, tmp_path_factory):
    """A model that has learned nothing: it places and removes at random."""
    folder = tmp_path_factory.mktemp("model")
    words = vocabulary_of(map(example_of_row, ROWS))
    set_seed(6)
    model = PointerTransformer(
        PointerConfig(vocab_size=len(words), max_actions=6, features=vars(FeatureSettings()), **SMALL)
    )
    with torch.no_grad():
        model.kind_head.bias[7] -= 1.0  # it stops late
        model.kind_head.bias[6] += 0.5
    if request.param == "with a reader":
        model.read_with(ReaderSettings(str(tiny), layers=[1, 2], lora_rank=2))
        with torch.no_grad():
            for weight in model.reader.parameters():
                weight += torch.randn_like(weight) / 5
    model.save_pretrained(folder)
    words.save(folder)
    return folder


@pytest.fixture(scope="module")
def builder(folder):
    return PointerBuilder.load(str(folder), "float32", None, False)


def net_of(answer: str, of: dict):
    before = parse_structure(of["before"])
    after, failures = execute(before, map(parse_action, answer.splitlines()))
    assert not failures
    return net_actions(before, after)


@pytest.mark.slow
@pytest.mark.parametrize("quarter_turns", (1, 2, 3))
def test_a_turned_item_gets_the_turned_answer(builder, quarter_turns):
    turn = Transform(quarter_turns, 0, 0)
    turned = [row(item) for game in GAMES for item in items(transformed(game, quarter_turns, SAME))]
    changed = 0
    for (answer, _), (other, _), one, another in zip(builder.answers(ROWS), builder.answers(turned), ROWS, turned):
        net = net_of(answer, one)
        assert net_of(other, another) == {action._replace(cell=turn(action.cell)) for action in net}
        changed += len(net) > 0
    assert changed > len(ROWS) / 2


def test_what_is_answered_can_be_carried_out_and_the_gold_answer_is_not_read(builder):
    answers = builder.answers(ROWS)
    assert {"pick" in answer for answer, _ in answers} == {True, False}
    for (answer, _), one in zip(answers, ROWS):
        net_of(answer, one)
    read = ("id", "history", "dialogue", "pose", "before")
    assert builder.answers([{name: one[name] for name in read} for one in ROWS]) == answers


def test_an_answer_that_is_cut_off_is_not_finished(folder):
    short = PointerBuilder.load(str(folder), "float32", 1, False)
    answers = short.answers(ROWS)
    for (answer, finished), one in zip(answers, ROWS):
        assert len(net_of(answer, one)) <= 1
        assert finished == (not answer)  # the first action was already one too many
    assert not all(finished for _, finished in answers)


def test_a_type_that_no_model_has_and_a_model_of_another_kind_are_named(folder, tmp_path):
    with pytest.raises(UsageError, match="'int64' is not a type of torch that a model can have"):
        PointerBuilder.load(str(folder), "int64", None, False)
    with pytest.raises(UsageError, match="bap_gru, not a bap_pointer"):
        PointerBuilder.load(str(save_builder(tmp_path, "bap_gru")), "float32", None, False)


def test_a_block_that_replaces_another_is_no_more_probable_than_that_this_one_goes():
    blocks = torch.tensor([[[0, 0, 1, 0], [-1, 0, 0, 0]]])  # red stands in the middle
    here, there = cell_number(0, 1, 0), cell_number(1, 1, 0)
    expected = torch.zeros(1, STOP, CELLS)
    expected[0, 0, here], expected[0, 3, here], expected[0, REMOVE, here] = 0.3, 0.17, 0.12
    expected[0, REMOVE, there], expected[0, 1, there] = 0.4, 1.00001
    (found,) = _probabilities(expected, blocks, [Frame(0)])
    assert found == pytest.approx({(REMOVE, 0, 1, 0): 0.17, (3, 0, 1, 0): 0.17, (1, 1, 1, 0): 1.0})
