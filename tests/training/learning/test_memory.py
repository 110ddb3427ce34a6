"""About how much memory a run takes; test_train_sft.py compares it with real models."""

from bap_v2_training.learning import memory


def test_precision_and_kind_of_the_optimizer_count():
    assert [memory._optimizer_bytes(name, 2) for name in ("paged_adamw_32bit", "adamw_torch", "adamw_bnb_8bit")] == [
        8,
        4,
        2,
    ]
