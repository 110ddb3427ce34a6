"""What holds of every variant of every family: the answer is right, the row complete, and made from its id alone."""

import json
import random
from collections import Counter
from itertools import product

import pytest
from robust_items import answer_in

from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.prompts import completion, render
from bap_v2_dataset.items.versions import ROW_REPRESENTATIONS
from bap_v2_dataset.tasks.building.baselines.rules import do_nothing, first_ten, replay, stack
from bap_v2_dataset.tasks.building.baselines.symbolic_reader import symbolic
from bap_v2_dataset.tasks.robustness.families import FAMILIES, PerturbationError, variants_in_all, variants_of
from bap_v2_dataset.tasks.robustness.parent import Parent, newest_block
from bap_v2_dataset.tasks.robustness.variant_rows import VariantName, variant_name
from bap_v2_dataset.tasks.robustness.versions import PERTURBATION_VERSION
from bap_v2_dataset.tasks.robustness.world_symmetries import transformed_pose
from bap_v2_metric import robustness, score_item
from bap_v2_metric.actions import execute
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.notation import read_prediction
from bap_v2_metric.scoring import MEASURES
from bap_v2_metric.symmetry import IDENTITY, Symmetry
from bap_v2_simulators.pose import Pose, perspective_coordinates

SP = [name for name, family in FAMILIES.items() if name.startswith("sp")]
SA = [name for name in FAMILIES if name not in SP]
ALL = list(FAMILIES)


def symmetry_of(variant: dict) -> Symmetry:
    return Symmetry.from_json(variant["metadata"]["perturbation"]["transform"])


def noisy(row: dict) -> str:
    """An answer that is partly right, with blocks anywhere and of other colors."""
    rng = random.Random(row["id"])
    lines = [line for line in row["actions"] if rng.random() < 0.8]
    for _ in range(rng.randint(0, 3)):
        x, z = rng.randint(-5, 5), rng.randint(-5, 5)
        lines.append(
            rng.choice([f"place {rng.choice(['red', 'blue'])} {x} {rng.randint(1, 2)} {z}", f"pick {x} 1 {z}"])
        )
    return "\n".join(lines)


@pytest.mark.parametrize("family", ["spc_add", "spc_remove"])
def test_distractors_do_not_change_the_counts_of_an_answer_that_does_not_touch_them(variants, family):
    compared = 0
    for parent, variant in variants[family]:
        changed = {cell for _, cell in {*Parent(parent).before} ^ {*Parent(variant).before}}
        near = {neighbor for cell in changed for neighbor in (cell, *Cell(*cell).neighbors)}
        prediction = noisy(parent)
        if not near & {action.cell for action in read_prediction(prediction).actions}:
            there, here = score_item(prediction, variant), score_item(prediction, parent)
            assert all(there[measure] == here[measure] for measure in MEASURES)
            compared += 1
    assert compared > 5


@pytest.mark.slow
@pytest.mark.parametrize("family", ALL)
def test_there_are_variants_of_many_items(family, variants):
    assert len({parent["id"] for parent, _ in variants[family]}) >= 20


@pytest.mark.parametrize("family", ALL)
def test_the_right_answer_is_that_of_the_parent_transformed(family, variants):
    for parent, variant in variants[family]:
        old, new, symmetry = Parent(parent), Parent(variant), symmetry_of(variant)
        assert new.net == frozenset(map(symmetry.net_action, old.net)), variant["id"]
        assert (symmetry == IDENTITY) == (family in SP)
        assert (variant["before"] == []) == (parent["before"] == [])
        assert execute(new.before, new.actions).infeasible == execute(old.before, old.actions).infeasible


@pytest.mark.parametrize("family", ALL)
def test_the_history_still_builds_the_board_and_the_newest_block_stays(family, variants):
    for parent, variant in variants[family]:
        old, new, symmetry = Parent(parent), Parent(variant), symmetry_of(variant)
        if old.replayed.after == old.before:
            assert execute(Structure(), new.past).after == new.before, variant["id"]
        newest = old.newest and (symmetry.color(old.newest.color), symmetry.cell(old.newest.cell))
        assert newest_block(new.past, new.before) == newest, variant["id"]


@pytest.mark.parametrize("family", ALL)
def test_every_column_is_that_of_the_variant(family, variants):
    for parent, variant in variants[family]:
        assert list(variant) == list(FEATURES) == list(parent)
        for representation in ROW_REPRESENTATIONS:
            assert variant[f"prompt_{representation}"] == render(variant, representation)
        assert variant["completion"] == completion(variant["actions"])
        assert variant["interpretations"] == parent["interpretations"]
        infeasible = execute(Parent(variant).before, Parent(variant).actions).infeasible
        assert variant["metadata"].get("infeasible_actions", 0) == infeasible
        assert any(variant[name] != parent[name] for name in ("history", "dialogue", "pose", "before"))
        json.dumps(variant["metadata"])


def test_no_color_has_more_blocks_than_there_are(variants):
    for of_family in variants.values():
        for parent, variant in of_family:
            most = max((20, *Parent(parent).most_blocks.values()))
            assert max(Parent(variant).most_blocks.values(), default=0) <= most, variant["id"]


def test_how_hard_a_simulated_variant_is_is_noted_of_the_variant(variants):
    changed = set()
    for family, of_family in variants.items():
        for parent, variant in of_family:
            if parent["metadata"]["source"] != "simulated":
                continue
            difficulty, reference = variant["metadata"]["difficulty"], variant["metadata"]["plan"].get("reference")
            board = {block.cell: block.color for block in Parent(variant).blocks}
            color = board.get(tuple(reference)) if reference else None
            others = sum(other is color for other in board.values()) - 1 if color else 0
            assert difficulty["distractors"] == others, variant["id"]
            assert difficulty["blocks_before"] == len(board)
            if difficulty["distractors"] != parent["metadata"]["difficulty"]["distractors"]:
                changed.add(family)
    assert {"spc_add", "spc_remove"} >= changed >= {"spc_remove"}


def test_directions_of_plans_change_sides_in_the_mirror(variants):
    joined = 0
    for parent, variant in variants["sa_mirror"]:
        plan, other = (row["metadata"].get("plan", {}) for row in (parent, variant))
        for direction, mirrored in zip(plan.get("directions") or (), other.get("directions") or (), strict=True):
            words = [
                "left" if word == "right" else "right" if word == "left" else word for word in direction.split("+")
            ]
            assert mirrored == "+".join(words), variant["id"]
            joined += "+" in direction and mirrored != direction
    assert joined


def test_ids_are_unique_and_say_parent_family_and_number(variants):
    seen = Counter(variant["id"] for pairs in variants.values() for _, variant in pairs)
    assert set(seen.values()) == {1}
    for family, pairs in variants.items():
        for parent, variant in pairs:
            facts = variant["metadata"]["perturbation"]
            assert variant_name(variant["id"]) == VariantName(parent["id"], family, facts["variant"])
            assert variant_name(variant["game_id"]) == VariantName(parent["game_id"], family, facts["variant"])
            assert (facts["parent"], facts["family"], facts["version"]) == (parent["id"], family, PERTURBATION_VERSION)


@pytest.mark.slow
def test_rows_depend_on_nothing_but_the_parent_and_the_family(parents, variants):
    drawn = random.Random(3).sample(parents, 25)
    for parent in drawn:
        known = {family: [v for p, v in pairs if p["id"] == parent["id"]] for family, pairs in variants.items()}
        assert list(variants_in_all(parent)) == [variant for family in FAMILIES for variant in known[family]]
        for family, own in known.items():
            assert variants_of(dict(parent), family, most=1) == [v for v in own if variant_name(v["id"]).number == 1]
            assert list(variants_in_all(parent, (family,), 2)) == [
                variant for variant in own if variant_name(variant["id"]).number <= 2
            ]


def test_one_family_does_not_repeat_itself(variants):
    for pairs in variants.values():
        by_parent = {}
        for parent, variant in pairs:
            by_parent.setdefault(parent["id"], []).append(variant)
        for own in by_parent.values():
            seen = [json.dumps([own_one[n] for n in ("history", "dialogue", "pose", "before")]) for own_one in own]
            assert len(set(seen)) == len(seen), own[0]["id"]


# --- what each family leaves alone

KEPT = {  # columns that no variant of a family changes
    "spl": ("pose", "before", "after", "actions", "target"),
    "spg": ("history", "dialogue", "before", "after", "actions", "target"),
    "spp": ("history", "dialogue", "pose", "actions", "target"),
    "spp_history": ("dialogue", "pose", "before", "after", "actions", "target"),
    "spc_add": ("dialogue", "pose", "actions", "target"),
    "spc_remove": ("dialogue", "pose", "actions", "target"),
    "sa_mirror": (),
    "sa_turn": ("dialogue",),
    "sa_color": ("pose",),
    "sa_shift": ("dialogue",),
}


@pytest.mark.parametrize("family", ALL)
def test_a_family_changes_its_own_parts_alone(family, variants):
    for parent, variant in variants[family]:
        for column in KEPT[family]:
            assert variant[column] == parent[column], (variant["id"], column)
        if family in ("spl", "sa_turn", "sa_shift", "spc_add", "spc_remove", "spp_history"):
            said = [[line for line in one["history"] if line.startswith("<")] for one in (parent, variant)]
            assert family == "spl" or said[0] == said[1]


def test_blocks_are_added_and_removed_by_the_number_of_the_variant(variants):
    for family, sign in (("spc_add", 1), ("spc_remove", -1)):
        for parent, variant in variants[family]:
            facts = variant["metadata"]["perturbation"]
            more, fewer = (variant, parent) if sign > 0 else (parent, variant)
            assert len(more["before"]) - len(fewer["before"]) == facts["variant"] == len(facts["blocks"])
            assert set(more["before"]) - set(fewer["before"]) == set(facts["blocks"])
            assert set(more["after"]) - set(fewer["after"]) == set(facts["blocks"])
            assert Counter(more["history"]) - Counter(fewer["history"]) == Counter(
                f"place {block}" for block in facts["blocks"]
            )


def test_orders_are_permutations(variants):
    for parent, variant in variants["spp"]:
        assert sorted(variant["before"]) == sorted(parent["before"]) and variant["before"] != parent["before"]
        assert sorted(variant["after"]) == sorted(parent["after"])
        kept = [line for line in variant["before"] if line in set(variant["after"])]
        assert variant["after"][: len(kept)] == kept
    for parent, variant in variants["spp_history"]:
        assert Counter(variant["history"]) == Counter(parent["history"]) and variant["history"] != parent["history"]
        for run in Parent(parent).runs:
            assert variant["history"][run[-1]] == parent["history"][run[-1]]


# --- symmetries

_SEEN_AS = {"sa_mirror": -1, "sa_turn": 1, "sa_shift": 1}


@pytest.mark.parametrize("family", _SEEN_AS)
def test_blocks_look_to_the_builder_as_they_did(family, variants):
    for parent, variant in variants[family]:
        old, new, symmetry = Pose(**parent["pose"]), Pose(**variant["pose"]), symmetry_of(variant)
        for block in Parent(parent).blocks[:6]:
            middle, moved = ([v + 0.5 for v in cell] for cell in (block.cell, symmetry.cell(block.cell)))
            left, up, away = perspective_coordinates(middle, old)
            seen = perspective_coordinates(moved, new)
            assert seen == pytest.approx((_SEEN_AS[family] * left, up, away), abs=1e-9), variant["id"]


def test_the_inverse_leads_a_pose_back():
    pose = Pose(1.3, 1.0, -2.6, yaw=37.0, pitch=12.0)
    shifts = [Symmetry(dx=dx, dz=dz) for dx, dz in product((-2, 0, 3), repeat=2)]
    every = [Symmetry(m, q, s.dx, s.dz) for m, q, s in product((False, True), range(4), shifts)]
    for one in every:
        there = transformed_pose(pose, one)
        back = transformed_pose(there, one.inverse)
        assert [*astuple(back)] == pytest.approx([*astuple(pose)])


def astuple(pose: Pose) -> tuple[float, ...]:
    return pose.x, pose.y, pose.z, pose.yaw, pose.pitch


def test_colors_are_all_exchanged(variants):
    for _, variant in variants["sa_color"]:
        colors = symmetry_of(variant).colors
        assert set(colors) == set(Color) and all(old is not new for old, new in zip(Color, colors))


# --- oracles: what baselines score on variants


def counts(row: dict, prediction: str) -> list:
    scored = score_item(prediction, row)
    return [scored[measure] for measure in MEASURES]


@pytest.mark.parametrize("family", ALL)
def test_replay_and_the_first_ten_score_on_every_variant_as_on_the_parent(family, variants):
    for parent, variant in variants[family]:
        for baseline in (replay, first_ten, do_nothing):
            assert counts(variant, baseline(variant)) == counts(parent, baseline(parent)), variant["id"]


@pytest.mark.parametrize("family", [name for name in ALL if name not in ("spp", "spc_add", "spc_remove")])
def test_the_rule_stack_gives_the_transformed_answer(family, variants):
    """It looks at colors, numbers and the column of the newest block alone."""
    for parent, variant in variants[family]:
        assert stack(variant) == answer_in(symmetry_of(variant), stack(parent)), variant["id"]


@pytest.mark.parametrize("family", ALL)
def test_the_symbolic_reader_is_right_in_every_simulated_variant(family, variants):
    simulated = [variant for _, variant in variants[family] if variant["metadata"]["source"] == "simulated"]
    for variant in simulated:
        f1 = score_item(symbolic(variant), variant)["fairer"]
        assert (f1["fp"], f1["fn"]) == (0, 0), variant["id"]


def test_the_metric_and_the_families_have_one_order():
    assert list(robustness.FAMILIES) == list(FAMILIES)


def scores_of(baseline, variants):
    rows = {row["id"]: row for pairs in variants.values() for pair in pairs for row in pair}
    return robustness.aggregate(robustness.score_items(list(map(baseline, rows.values())), list(rows.values())))


def test_who_knows_the_answer_is_robust_and_so_is_who_does_nothing(variants):
    replayed, nothing = scores_of(replay, variants), scores_of(do_nothing, variants)
    for family in (*FAMILIES, "all"):
        scores = {replayed[f"{family}_{kind}_f1"] for kind in ("standard", "perturbed", "robust")}
        assert len(scores) == 1 and min(scores) > 0.99  # the logged order is not always feasible
        assert replayed[f"{family}_consistency"] == replayed[f"{family}_soft_consistency"] == 1
        assert nothing[f"{family}_robust_f1"] == nothing[f"{family}_standard_f1"] == 0
        assert nothing[f"{family}_consistency"] == 1
        assert (nothing[f"{family}_degradation"], nothing[f"{family}_rank"]) == (0, None)


# --- errors


def test_a_variant_has_no_variants(variants):
    _, variant = variants["sa_turn"][0]
    with pytest.raises(PerturbationError, match="is a variant itself: pass the row of its parent"):
        variants_of(variant, "spl")


def test_an_unknown_family_is_named_with_the_near_one(parents):
    with pytest.raises(PerturbationError, match=r"unknown family 'sa_turns'; did you mean sa_turn\?"):
        variants_of(parents[0], "sa_turns")
    with pytest.raises(PerturbationError, match="0 variants: expected at least 1"):
        variants_of(parents[0], "sa_turn", most=0)
