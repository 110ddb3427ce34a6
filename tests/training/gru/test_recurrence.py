"""The recurrence of a GRU, with our own backward pass."""

import pytest
import torch

from bap_v2_training.gru.recurrence import gru_states


@pytest.mark.parametrize(("items", "words"), [(1, 1), (3, 7), (5, 40)])
def test_states_and_gradients_are_those_of_pytorch(items, words):
    torch.manual_seed(words)
    gru = torch.nn.GRU(6, 9, batch_first=True).double()
    inputs, state = torch.randn(items, words, 6).double(), torch.randn(items, 9).double()
    weights = torch.randn(items, words, 9).double()
    results = []
    for states_of in (lambda x, h: gru(x, h[None])[0], lambda x, h: gru_states(gru, x, h)):
        leaves = [inputs.clone().requires_grad_(), state.clone().requires_grad_()]
        states = states_of(*leaves)
        gradients = torch.autograd.grad((states * weights).sum(), [*leaves, *gru.parameters()])
        results.append([states, *gradients])
    for ours, theirs in zip(*results, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-10, atol=1e-12)


def test_without_a_state_it_begins_with_zeros():
    gru, inputs = torch.nn.GRU(3, 4, batch_first=True), torch.randn(2, 5, 3)
    torch.testing.assert_close(gru_states(gru, inputs), gru(inputs)[0])
    with torch.no_grad():
        torch.testing.assert_close(gru_states(gru, inputs), gru(inputs)[0])
