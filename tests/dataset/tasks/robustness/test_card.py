"""The card of a dataset with variants: tables of their splits, columns, license; and it is well formed."""

import pytest
from datasets import Dataset
from small_cards import assert_well_formed, card_of, code_of

from bap_v2_dataset.tasks.building.features import FEATURES
from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_of


@pytest.fixture(scope="module")
def with_variants(parts):
    """The small build, with variants of the first items of each test set."""
    robust = {}
    for base in ("mdc_v2", "dss"):
        parents = parts[base]["test"].to_list()[:4]
        splits = {name: [row for parent in parents for row in variants_of(parent, name, 1, base)] for name in FAMILIES}
        splits = {"original": parents, **{name: rows for name, rows in splits.items() if rows}, "probe": parents}
        robust[f"robust_{base}"] = {n: Dataset.from_list(rows, features=FEATURES) for n, rows in splits.items()}
    return {**parts, **robust}


@pytest.mark.parametrize(
    "names",
    [("dss", "robust_dss"), ("mdc_v2", "robust_mdc_v2"), ("robust_dss",), ("robust_mdc_v2",),
     ("mdc_v2", "dss", "robust_mdc_v2", "robust_dss")],
    ids="-".join,
)  # fmt: skip
def test_a_card_with_variants_is_well_formed_and_has_their_numbers(with_variants, games, names):
    card = card_of(with_variants, *names, games=games, default=names[0])
    assert_well_formed(card.text)
    robust = [name for name in names if name.startswith("robust")]
    table = {
        line.split("|")[1].strip(): line
        for line in card.text.split("## Robustness")[1].splitlines()
        if line[:3] == "| `"
    }
    for split in {split for name in robust for split in with_variants[name]}:
        numbers = [cell.strip() for cell in table[f"`{split}`"].split("|")[3:-1]]
        assert numbers == [
            f"{len(with_variants[name][split]):,}" if split in with_variants[name] else "–" for name in robust
        ]
    assert "`parent`, `config`" in card.text and "dan2021generalization" in card.text
    assert "() depends on" not in card.text
    compile(code_of(card.text), "card", "exec")


def test_the_license_of_human_variants_is_that_of_the_corpus(with_variants, games):
    assert card_of(with_variants, "robust_mdc_v2", games=games).data["license"] == ["apache-2.0", "ncsa"]
    assert card_of(with_variants, "robust_dss").data["license"] == ["apache-2.0"]
    assert "LICENSE-MDC.txt" in card_of(with_variants, "robust_mdc_v2", games=games).text


def test_a_card_without_variants_has_nothing_of_them_but_how_they_are_made(with_variants):
    text = card_of(with_variants, "dss").text
    assert "## Robustness" not in text and "`metadata.perturbation`" not in text and "dan2021" not in text
    assert "`bap-v2 setup --robust`" in text
