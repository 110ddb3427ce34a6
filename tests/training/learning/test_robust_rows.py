"""Train items and their variants: which variant is learned, and that it comes right after its parent."""

import dataclasses
import math

import pytest
from case_tables import cases_of
from datasets import Dataset
from small_test_sets import SPLITS

from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.rows import perturbation_of
from bap_v2_dataset.tasks.robustness import families
from bap_v2_dataset.tasks.robustness.families import variants_of
from bap_v2_metric.errors import UserError
from bap_v2_training.errors import UsageError
from bap_v2_training.learning import gold_losses, options
from bap_v2_training.learning.options import config_settings
from bap_v2_training.tasks.robustness import candidates_of, variants_chosen_once, with_variants
from bap_v2_training.tasks.settings import MODES, RobustArguments

ROWS = SPLITS["dsb", "test"]


def test_random_takes_the_first_variant_and_leaves_rows_without_any_alone():
    chosen = variants_chosen_once(ROWS, RobustArguments(robust_families=["spp"]))
    first = [variants_of(row, "spp", 1) for row in ROWS]
    assert chosen == [variants[0] if variants else None for variants in first]
    assert None in chosen and any(chosen)  # an empty board has one order


def test_random_takes_the_next_variant_where_the_first_is_not_valid(monkeypatch):
    family = families.FAMILIES["sa_turn"]
    second = dataclasses.replace(
        family, propose=lambda parent, rng, number: family.propose(parent, rng, number) if number > 1 else None
    )
    monkeypatch.setattr(families, "FAMILIES", {**families.FAMILIES, "sa_turn": second})
    (chosen,) = variants_chosen_once(ROWS[:1], RobustArguments(robust_families=["sa_turn"]))
    assert perturbation_of(chosen)["variant"] == 2


def test_random_draws_one_of_several_families_by_the_id_of_the_row():
    robust = RobustArguments(robust_families=["sa_mirror", "sa_turn"])
    chosen = variants_chosen_once(ROWS, robust)
    families = [perturbation_of(variant)["family"] for variant in chosen]
    assert set(families) == {"sa_mirror", "sa_turn"} and chosen == variants_chosen_once(ROWS, robust)
    backwards = RobustArguments(robust_families=["sa_mirror"])
    assert {perturbation_of(one)["family"] for one in variants_chosen_once(ROWS, backwards)} == {"sa_mirror"}


def test_static_takes_the_variant_with_the_highest_loss(monkeypatch):
    monkeypatch.setattr(
        gold_losses, "gold_losses", lambda model, rows: [float(perturbation_of(row)["variant"] % 3) for row in rows]
    )
    robust = RobustArguments(robust_families=["sa_turn"], robust_mode="static", robust_model="runs/standard")
    chosen = variants_chosen_once(ROWS, robust)
    assert [perturbation_of(variant)["variant"] for variant in chosen] == [2] * len(ROWS)  # 2 % 3 is the highest


def test_a_file_of_variants_takes_the_place_of_families(tmp_path):
    turned = [variants_of(row, "sa_turn")[1] for row in ROWS[1:]]
    path = tmp_path / "hardest.parquet"
    Dataset.from_list(turned, features=FEATURES).to_parquet(path)
    chosen = variants_chosen_once(ROWS, RobustArguments(robust_rows=str(path)))
    assert chosen[0] is None and [one["id"] for one in chosen[1:]] == [one["id"] for one in turned]
    others = SPLITS["dss", "test"]
    with pytest.raises(UsageError, match=f"none of the {len(others)} train items has a variant"):
        candidates_of(others, RobustArguments(robust_rows=str(path)))


def test_a_variant_follows_its_parent_and_nothing_else_is_added():
    rows = Dataset.from_list(ROWS, features=FEATURES)
    union, record = with_variants(rows, RobustArguments(robust_families=["spc_add"]))
    parents, variants = [], {}
    for row in union.to_list():
        facts = perturbation_of(row)
        if facts:
            assert facts["parent"] == parents[-1]["id"]  # right after it
            variants[facts["parent"]] = row
        else:
            parents.append(row)
    assert parents == rows.to_list()
    assert record == {"parents": len(ROWS), "variants": len(variants), "families": {"spc_add": len(variants)}}
    assert 0 < len(variants) < len(ROWS) and union.features == rows.features


@pytest.mark.parametrize(
    ("settings", "said"),
    cases_of(__file__, "refused_settings"),
)
def test_settings_that_do_not_go_together_are_refused(settings, said):
    with pytest.raises(UserError, match=said):
        RobustArguments(**settings).check_robust(MODES)


def test_a_trainer_that_chooses_once_names_the_one_that_does_not():
    with pytest.raises(UsageError, match=r"random, static; train_gru\.py knows dynamic"):
        RobustArguments(robust_families=["spl"], robust_mode="dynamic").check_robust()


def test_families_that_no_row_has_are_an_error():
    empty = [row for row in ROWS if not row["before"]]
    with pytest.raises(UsageError, match="families spp"):
        candidates_of(empty, RobustArguments(robust_families=["spp"]))


def test_every_robust_config_is_one_that_its_trainer_takes():
    from bap_v2_training.gru.settings import parse_arguments as gru
    from bap_v2_training.pointer.settings import parse_arguments as pointer

    folder = options.__file__.rsplit("/", 2)[0] + "/configs"
    from pathlib import Path

    files = sorted(Path(folder).glob("robust_*.yaml"))
    assert files
    for file in files:
        parse = pointer if "mix" in config_settings(file) else gru
        ours, training = parse(["--config", str(file)])
        assert ours.robust and training.output_dir.startswith("runs/"), file
        assert {one.name for one in dataclasses.fields(RobustArguments)} <= set(vars(ours))


def test_a_language_model_learns_the_pairs_and_a_dry_run_counts_them(tiny, tmp_path, capsys):
    from datasets import DatasetDict
    from tiny_runs import arguments

    from bap_v2_training import train_sft

    folder = tmp_path / "items"
    DatasetDict(train=Dataset.from_list(ROWS, features=FEATURES)).save_to_disk(folder)
    robust = ["--robust_families", "spl", "--representation", "n", "--history_lines", "1", "--eval_strategy", "no"]
    settings = arguments(folder, tiny, tmp_path / "run", *robust, "--max_length", "500")
    trainer, data = train_sft.prepared(*settings)
    pairs = sum(bool(variants_of(row, "spl", 1)) for row in ROWS)
    assert data["robust"] == {"parents": len(ROWS), "variants": pairs, "families": {"spl": pairs}}
    learned = data["train"]["items"] + data["train"]["too_long_left_out"]
    assert learned == len(ROWS) + pairs and len(trainer.train_dataset) == data["train"]["items"]
    with pytest.raises(UsageError, match="train_gru"):
        arguments(folder, tiny, tmp_path / "run", *robust, "--robust_mode", "dynamic")
    report = train_sft.main(*arguments(folder, tiny, tmp_path / "run", *robust, "--dry_run", "true"))
    assert str(len(ROWS) + pairs) in capsys.readouterr().out.replace(",", "") and report


def test_static_training_whose_variants_are_all_too_long_is_an_error(monkeypatch):
    monkeypatch.setattr(gold_losses, "gold_losses", lambda model, rows: [math.nan] * len(rows))
    robust = RobustArguments(robust_families=["sa_turn"], robust_mode="static", robust_model="runs/m")
    with pytest.raises(UsageError, match=r"none of the \d+ variants fits the context of runs/m"):
        with_variants(Dataset.from_list(ROWS, features=FEATURES), robust)
