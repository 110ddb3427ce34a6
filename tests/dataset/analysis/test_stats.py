"""What `bap-v2 stats` counts besides the golden figures of tests/golden/mdc_counts.json."""

from bap_v2_dataset.analysis.stats import corpus_counts


def test_each_split_has_targets_of_its_own(mdc_games):
    counts = corpus_counts(mdc_games)
    assert {split: count["targets"] for split, count in counts.items()} == {"train": 85, "validation": 29, "test": 39}
    assert {split: count["games"] for split, count in counts.items()} == {"train": 281, "validation": 101, "test": 137}
