"""Builders that need no training: the rule by hand, the bounds against golden values."""

import pytest
import small_corpus
from case_tables import cases_of

import bap_v2_metric
from bap_v2_dataset.human.mdc import read_corpus
from bap_v2_dataset.interface.table import TASKS
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.tasks.building.baselines.rules import do_nothing, first_ten, replay, stack
from bap_v2_metric.notation import format_action, format_structure, read_prediction

GOLDEN = {  # strict F1 on the published corpus
    "replay": {"train": 0.9994, "validation": 0.9991, "test": 0.9998},
    "first-ten": {"train": 0.949, "validation": 0.941, "test": 0.964},
}


@pytest.fixture(scope="module")
def small_rows(tmp_path_factory):
    games = read_corpus(small_corpus.write(tmp_path_factory.mktemp("baselines") / "mdc"))
    return [row(item) for game in games for item in items(game)]


@pytest.fixture(scope="module")
def mdc_references(mdc_items):
    """The published corpus as the columns that baselines and scores need."""

    def columns(item) -> dict:
        actions = [format_action(action) for action in item.actions]
        return {
            "history": item.history,
            "dialogue": item.dialogue,
            "before": format_structure(item.before),
            "after": format_structure(item.after),
            "completion": "\n".join(actions),
            "infeasible": item.infeasible_actions,
        }

    return {split: [columns(item) for item in members] for split, members in mdc_items.items()}


def strict_f1(baseline, rows) -> float:
    return bap_v2_metric.score([baseline(row) for row in rows], rows)["strict_f1"]


# --- Bounds.
def test_doing_nothing_scores_0(small_rows):
    scores = bap_v2_metric.score([do_nothing(row) for row in small_rows], small_rows)
    f1s = [value for key, value in scores.items() if key.endswith("f1")]
    assert f1s == len(f1s) * [0.0]
    assert (scores["unparsed_lines"], scores["infeasible_actions"]) == (0, 0)


def test_replaying_scores_1_where_the_logged_order_is_feasible(small_rows):
    feasible = [row for row in small_rows if "infeasible_actions" not in row["metadata"]]
    scores = bap_v2_metric.score([replay(row) for row in feasible], feasible)
    f1s = [value for key, value in scores.items() if key.endswith("f1")]
    assert f1s == len(f1s) * [1.0]
    assert len(feasible) < len(small_rows) and strict_f1(replay, small_rows) < 1.0


def test_the_first_ten_are_the_first_ten():
    actions = [f"place red {x} 1 0" for x in range(-5, 6)]
    assert first_ten({"completion": "\n".join(actions)}) == "\n".join(actions[:10])
    assert first_ten({"completion": "pick 0 1 0"}) == "pick 0 1 0"


@pytest.mark.slow
@pytest.mark.parametrize("split", ["train", "validation", "test"])
def test_bounds_have_their_golden_scores_on_the_published_corpus(split, mdc_references):
    rows = mdc_references[split]
    assert strict_f1(do_nothing, rows) == 0.0
    assert round(strict_f1(replay, rows), 4) == GOLDEN["replay"][split]
    assert round(strict_f1(first_ten, rows), 3) == GOLDEN["first-ten"][split]
    feasible = [row for row in rows if not row["infeasible"]]
    assert 0 < len(rows) - len(feasible) < 50
    assert strict_f1(replay, feasible) == 1.0


@pytest.mark.parametrize("name", [name for name in TASKS["bap"].baselines if name != "reading"])  # not of test items
def test_no_baseline_writes_a_line_that_is_no_action(name, mdc_references):
    """Not in all of train: in every fifth item of it."""
    for split, rows in mdc_references.items():
        for columns in rows[:: 5 if split == "train" else 1]:
            prediction = read_prediction(TASKS["bap"].baseline(name)(columns))
            assert prediction.unparsed_lines == 0
            assert all(action.cell.in_region for action in prediction.actions)


def test_the_rule_scores_between_nothing_and_everything(mdc_references):
    """Otherwise it shows nothing. No golden: the rule may become better."""
    assert 0.02 < strict_f1(stack, mdc_references["validation"]) < 0.5


# --- The rule.
def listening(*dialogue: str, before: tuple = (), history: tuple = ()) -> list[str]:
    """What the rule does after these words."""
    text = stack({"dialogue": list(dialogue), "before": list(before), "history": list(history)})
    return text.split("\n") if text else []


@pytest.mark.parametrize(
    ("instruction", "done"),
    cases_of(__file__, "empty"),
)
def test_on_an_empty_board_the_rule_stacks_in_the_middle(instruction, done):
    assert listening(f"<Architect> {instruction}") == done


BEFORE = ("red 2 1 3", "blue 2 2 3", "green 4 1 0")
HISTORY = ("place red 2 1 3", "place green 4 1 0", "place blue 2 2 3", "<Architect> now this")
PLACED_AGAIN = (*HISTORY, "place red 0 1 0", "pick 0 1 0", "<Builder> ok")
OUTSIDE = ("place red 0 1 0", "<Architect> one more", "place red 6 1 0", "pick 6 1 0", "<Builder> so")


@pytest.mark.parametrize(
    ("instruction", "before", "history", "done"),
    [*cases_of(__file__, "changed"), ("two red", tuple(f"red 0 {y} 0" for y in range(1, 10)), (), [])],
)
def test_on_a_board_the_rule_stacks_on_the_block_that_changed_last(instruction, before, history, done):
    assert listening(f"<Architect> {instruction}", before=before, history=history) == done


def test_the_rule_listens_to_the_architect_only():
    assert listening("<Architect> a red one", "<Builder> or two blue ones?") == ["place red 0 1 0"]


@pytest.mark.parametrize("word", ["remove", "delete", "destroy", "break", "get rid of", "take away", "undo", "pick up"])
def test_with_a_word_of_removal_the_block_placed_last_is_taken_away(word):
    assert listening(f"<Architect> please {word} that one", before=BEFORE, history=HISTORY) == ["pick 4 1 0"]
