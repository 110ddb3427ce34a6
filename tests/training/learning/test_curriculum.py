"""Stages and the order of what is learned in them."""

from hypothesis import given
from hypothesis import strategies as st

from bap_v2_training.learning import curriculum


@given(
    st.lists(st.sampled_from(["dr", "human", "dss"]), min_size=1), st.integers(1, 3), st.integers(0, 9), st.booleans()
)
def test_every_stage_has_all_its_items_in_every_epoch_and_no_others(sources, epochs, seed, grouped):
    stages = curriculum.stages_of(",".join(sorted(set(sources))), sources)
    lengths = [len(source) for source in sources] if grouped else None
    order = curriculum.order_of(stages, epochs, seed, lengths, group=2)
    assert order == curriculum.order_of(stages, epochs, seed, lengths, group=2)
    for stage in stages:
        for _ in range(epochs):
            epoch, order = order[: len(stage)], order[len(stage) :]
            assert sorted(epoch) == sorted(stage)
    assert not order


def test_epochs_and_seeds_shuffle_differently():
    stages = [list(range(50))]
    first, second = (curriculum.order_of(stages, 2, 1)[n : n + 50] for n in (0, 50))
    assert first != second and first != curriculum.order_of(stages, 1, 2)
