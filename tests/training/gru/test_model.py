"""The network of the GRU baseline: its size, and that nothing but the item itself changes an item's logits."""

import pytest

pytest.importorskip("transformers", reason="the training extra is not installed")

import torch
from fabricated_items import fabricated_rows
from simulated_rows import row_of
from torch.nn import functional as F

from bap_v2_training.gru.batches import collated
from bap_v2_training.gru.features import STOP, Features, Steps, action_index, vocabulary_of
from bap_v2_training.gru.model import BapGruConfig, BapGruModel

torch.set_num_threads(1)
SMALL = {"embedding": 12, "hidden": 10, "channels": [6, 5, 7], "head": [9, 8], "stop": [6]}
ROWS = [*fabricated_rows(2), row_of("dss-test-0/1"), row_of("dr-test-2/1")]


@pytest.fixture(scope="module")
def steps() -> Steps:
    return Features(vocabulary_of(ROWS)).of(ROWS)


def model_of(**changes) -> BapGruModel:
    torch.manual_seed(1)
    return BapGruModel(BapGruConfig(vocab_size=len(vocabulary_of(ROWS)), **(SMALL | changes))).eval()


def batch_of(steps: Steps, items) -> dict[str, torch.Tensor]:
    every = [torch.arange(size).numpy() for size in (steps.starts[1:] - steps.starts[:-1])]
    return collated(steps, [(item, every[item]) for item in items])


@torch.no_grad()
def logits_of(model: BapGruModel, batch: dict, **changes) -> torch.Tensor:
    inputs = {name: value for name, value in batch.items() if name != "labels"} | changes
    return model(**inputs).logits


def test_the_papers_model_has_2378592_parameters_besides_the_word_vectors():
    model = BapGruModel(BapGruConfig(vocab_size=7))
    sizes = {name: weight.numel() for name, weight in model.named_parameters()}
    assert sizes.pop("words.weight") == 7 * 300
    assert sum(sizes.values()) == 2_378_592
    parts = {}
    for name, size in sizes.items():
        parts[name.partition(".")[0]] = parts.get(name.partition(".")[0], 0) + size
    assert parts == {"encoder": 541_800, "action": 120, "decoder": 280_800, "conv1": 59_600, "mid": 20_100,
                     "conv2": 540_200, "head1": 125_250, "head2": 31_375, "out": 882, "stop": 778_465}  # fmt: skip


def test_the_network_is_that_of_the_paper(steps):
    """The same numbers from plain convolutions over [conv2, state at every cell]: the split head changes nothing."""
    model, batch = model_of(height_crop=False), batch_of(steps, range(4))

    def unit(layer, x):
        return F.conv3d(x, layer.weight[..., None, None, None], layer.bias)

    with torch.no_grad():
        last = F.relu(model.action(batch["actions"]))
        packed = torch.nn.utils.rnn.pack_padded_sequence(
            model.words(batch["tokens"]), batch["lengths"], batch_first=True, enforce_sorted=False
        )
        states = model.decoder(last, model.encoder(packed)[1])[0][batch["item"], batch["position"]]
        grid = model.grid(batch["boards"], batch["recent"], batch["poses"][batch["item"]], 9).permute(0, 4, 1, 2, 3)
        x = F.relu(unit(model.mid, F.relu(model.conv1(grid))))
        x = F.relu(model.conv2(x))
        x = torch.cat([x, states[..., None, None, None].expand(-1, -1, 11, 9, 11)], 1)
        x = F.relu(unit(model.head2, F.relu(unit(model.head1, x))))
        cells = unit(model.out, x).permute(0, 2, 3, 4, 1).reshape(len(x), STOP)
        stop = x.amax(1).reshape(len(x), 1089)
        for layer in model.stop[:-1]:
            stop = F.relu(layer(stop))
        expected = torch.cat([cells, model.stop[-1](stop)], 1)
    torch.testing.assert_close(logits_of(model, batch), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("height_crop", [True, False])
def test_a_batch_gives_the_logits_of_its_items_one_by_one(steps, height_crop):
    model, everything = model_of(height_crop=height_crop), range(len(steps))
    together = logits_of(model, batch_of(steps, everything))
    alone = torch.cat([logits_of(model, batch_of(steps, [item])) for item in everything])
    torch.testing.assert_close(together, alone, rtol=1e-5, atol=1e-5)
    assert len({int(level) for level in steps.levels}) > 3, "boards of one height show nothing"


def test_padding_does_not_matter(steps):
    model, batch = model_of(), batch_of(steps, range(5))
    expected = logits_of(model, batch)
    longer = F.pad(batch["tokens"], (0, 6), value=3)
    behind = torch.arange(longer.shape[1]) >= batch["lengths"][:, None]
    longer[behind] = 3  # other words behind the end
    actions = F.pad(batch["actions"], (0, 0, 0, 3), value=1.0)
    torch.testing.assert_close(logits_of(model, batch, tokens=longer, actions=actions), expected)


def test_the_loss_is_the_mean_over_items_of_the_mean_over_their_steps(steps):
    model, items = model_of(), range(6)
    batch = batch_of(steps, items)
    output = model(**batch)
    each = F.cross_entropy(output.logits, batch["labels"], reduction="none")
    by_item = [each[batch["item"] == item] for item in items]
    torch.testing.assert_close(output.loss, torch.stack([own.mean() for own in by_item]).mean())
    torch.testing.assert_close(output.item_losses, torch.stack([own.sum() for own in by_item]))


def test_levels_above_the_board_are_never_chosen_and_never_matter(steps):
    model, batch = model_of(), batch_of(steps, range(len(steps)))
    logits = logits_of(model, batch)
    levels = torch.from_numpy(steps.levels)
    cells = logits[:, :STOP].view(-1, 11, 9, 11, 7)
    above = (torch.arange(9) >= levels[:, None])[:, None, :, None, None].expand_as(cells)
    assert torch.isinf(cells[above]).all() and torch.isfinite(cells[~above]).all()
    assert torch.isfinite(logits[:, STOP]).all()
    assert torch.equal(model.levels_of(batch["boards"], batch["labels"]), levels)


def test_a_logged_action_above_the_board_can_be_learned():
    row = ROWS[0] | {"before": [], "actions": ["place red 0 7 0"]}
    features = Features(vocabulary_of(ROWS)).of([row])
    assert features.targets[0] == action_index(features_action(row))
    assert torch.isfinite(model_of()(**batch_of(features, [0])).loss)


def features_action(row):
    from bap_v2_metric.notation import parse_action

    return parse_action(row["actions"][0])


def test_convolutions_in_bfloat16_give_about_the_same(steps):
    model, batch = model_of(), batch_of(steps, range(5))
    exact = logits_of(model, batch)
    with torch.autocast("cpu", torch.bfloat16):
        rounded = logits_of(model, batch)
    assert rounded.dtype == torch.float32 and not torch.equal(exact, rounded)
    torch.testing.assert_close(rounded, exact, rtol=0.05, atol=0.05)


def test_weights_begin_as_those_of_2020():
    model = BapGruModel(BapGruConfig(vocab_size=400))
    assert float(model.words.weight.detach().std()) == pytest.approx(0.3, rel=0.02)
    assert not model.action.bias.any() and not any(layer.bias.any() for layer in model.stop)
    bound = (6 / (1089 + 544)) ** 0.5  # Xavier's, uniform
    assert bound * 0.99 < float(model.stop[0].weight.detach().abs().max()) <= bound
    assert 0.99 / 500**0.5 < float(model.head1.weight.detach().abs().max()) <= 1 / 500**0.5  # PyTorch's own
    assert model.head1.bias.any() and model.conv2.bias.any()
