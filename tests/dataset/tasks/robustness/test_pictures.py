"""An item beside a variant of it: what was changed is said and marked, in figures, pages and the terminal."""

import io
import json
import re

import pytest
from rich.console import Console
from simulated_rows import row_of

from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_of
from bap_v2_dataset.tasks.robustness.pictures.changes import boards, changes, dialogues, histories, new_and_gone
from bap_v2_dataset.tasks.robustness.pictures.columns import variant_columns, variant_text
from bap_v2_metric.blocks import Cell
from bap_v2_metric.notation import parse_action

PARENT = row_of("dsb-test-9/5")  # has a variant in every family


def variant(family: str, **columns: object) -> dict:
    """The first variant of a family, or a hand-made one."""
    row = variants_of(PARENT, family, 1)[0]
    return {**row, **columns}


def marked(lines) -> list[str]:
    """The words that stand out."""
    return [
        word
        for line, places in zip(lines.lines, lines.changed)
        for place, word in enumerate(line.split())
        if place in places
    ]


def printed(row: dict, width: int, **systems: dict[str, str]) -> str:
    text = io.StringIO()
    console = Console(file=text, width=width)
    for part in variant_text(PARENT, row, variant_columns(PARENT, row, **systems), width, None):
        console.print(part, highlight=False)
    return text.getvalue()


# --- What was changed.
def test_the_words_that_a_synonym_replaced_stand_out_on_both_sides():
    dialogue = ["<Architect> you may put 3 blocks", *PARENT["dialogue"][1:]]
    row = variant("spl", dialogue=dialogue, history=PARENT["history"])
    old, new = dialogues(PARENT, row)
    assert (marked(old), marked(new)) == (["can", "place"], ["may", "put"])
    assert changes(PARENT, row) == ["words: can place → may put", "the same answer is right"]


def test_the_transform_of_a_symmetry_is_said_in_coordinates():
    said = {family: changes(PARENT, variant(family)) for family in ("sa_mirror", "sa_turn", "sa_shift", "sa_color")}
    assert said["sa_mirror"][:2] == ["mirrored: x becomes -x, left becomes right", "words: left → right"]
    assert said["sa_turn"] == ["turned by 90°: +x becomes +z", "the right answer changes in the same way"]
    x, _, z = (parse_action(variant("sa_shift")["actions"][0]).cell[axis] for axis in range(3))
    x0, _, z0 = (parse_action(PARENT["actions"][0]).cell[axis] for axis in range(3))
    steps = [f"{axis} {step:+d}" for axis, step in (("x", x - x0), ("z", z - z0)) if step]
    assert said["sa_shift"][0] == f"shifted: {', '.join(steps)}"
    new = variant("sa_color")["actions"][0].split()[1]
    assert f"orange → {new}" in said["sa_color"][0] and not said["sa_color"][1].startswith("words")


def test_blocks_that_only_one_board_has_are_found_and_their_lines_stand_out():
    more, fewer = variant("spc_add"), variant("spc_remove")
    (new,) = set(more["before"]) - set(PARENT["before"])
    (gone,) = set(PARENT["before"]) - set(fewer["before"])
    assert changes(PARENT, more) == [f"1 block more: {new}", "the same answer is right"]
    assert changes(PARENT, fewer)[0] == f"1 block fewer: {gone}"
    assert new_and_gone(PARENT, more) == ({Cell(*map(int, new.split()[1:]))}, set())
    assert new_and_gone(PARENT, fewer) == (set(), {Cell(*map(int, gone.split()[1:]))})
    assert " ".join(marked(histories(PARENT, more)[1])).strip(",") == f"place {new}"
    assert " ".join(marked(histories(PARENT, fewer)[0])).strip(",") == f"place {gone}"


@pytest.mark.parametrize("family", ["sa_mirror", "sa_turn", "sa_color", "sa_shift", "spl", "spg", "spp", "spp_history"])
def test_no_block_is_new_where_the_board_is_only_transformed(family):
    assert new_and_gone(PARENT, variant(family)) == (set(), set())


def test_lists_in_another_order_show_what_moved():
    before = PARENT["before"]
    row = variant("spp", before=[before[1], before[0], *before[2:]])
    old, new = boards(PARENT, row)
    assert (
        " ".join(marked(old)) == f"{before[0]}, {before[1]}," and " ".join(marked(new)) == f"{before[1]}, {before[0]},"
    )
    assert changes(PARENT, row)[0] == "the blocks of the board are listed in another order"
    assert changes(PARENT, variant("spp_history"))[0] == "earlier actions are in another order"
    assert boards(PARENT, variant("sa_turn")) is None and histories(PARENT, variant("sa_turn")) is None


def test_a_pose_that_moved_is_said_in_cells_and_degrees():
    pose = {**PARENT["pose"], "x": PARENT["pose"]["x"] + 0.25, "yaw": PARENT["pose"]["yaw"] - 4.0}
    assert changes(PARENT, variant("spg", pose=pose))[0] == "the Builder: x +0.25, yaw -4.0°"


@pytest.mark.parametrize("family", FAMILIES)
def test_something_is_said_of_every_family(family):
    said = changes(PARENT, variant(family))
    answers = ("the same answer is right", "the right answer changes in the same way")
    assert len(said) > 1 and said[-1] == answers[not family.startswith("sp")]


# --- In the terminal.
def test_there_is_room_side_by_side_in_100_columns_and_one_below_the_other_in_80():
    beside, below = (printed(variant("sa_mirror"), width) for width in (100, 80))
    (line,) = [line for line in beside.splitlines() if line.startswith("parent  dsb-test-9/5")]
    assert line.rstrip().endswith("sa_mirror, variant 1")
    assert below.index("parent  dsb-test-9/5") < below.index("\nsa_mirror, variant 1")
    assert all(len(line.rstrip()) <= 80 for line in below.splitlines())
    for text in (beside, below):
        assert "to the left of the block" in text and "to the right of the block" in text
        assert "- mirrored: x becomes -x, left becomes right\n- words: left → right" in text


def test_models_are_shown_on_the_variant_and_where_they_answered_it_on_the_parent():
    text = printed(variant("sa_turn"), 80, predictions={"A": "place red 0 1 0", "B": ""}, of_parent={"A": ""})
    assert re.findall(r"^(\S.*?)   F1:", text, re.MULTILINE) == ["A, parent", "A", "B"]


# --- In figures and pages.
def test_a_figure_is_seen_from_one_side_and_marks_words_blocks_and_the_builder():
    pytest.importorskip("matplotlib", reason="the extra `pictures` is not installed")
    from bap_v2_dataset.tasks.building.pictures.figure import figure

    drawing = figure([variant_columns(PARENT, variant("spc_add"))], "t", "", PARENT["pose"]["yaw"])
    boxes = [text for text in drawing.texts if text.get_bbox_patch() is not None]
    assert [text.get_text() for text in boxes] == [", ".join(_new_lines()) + ","]
    words = " ".join(text.get_text() for text in drawing.texts)
    assert "magenta edges" in words and "faint figure" not in words and "S, D: boards" not in words
    turned = figure([variant_columns(PARENT, variant("sa_turn"))], "t", "", PARENT["pose"]["yaw"])
    assert "faint figure" in " ".join(text.get_text() for text in turned.texts)


def _new_lines() -> list[str]:
    (new,) = set(variant("spc_add")["before"]) - set(PARENT["before"])
    return [f"place {new}"]


@pytest.mark.parametrize("dpi", [90, 160])
def test_what_is_marked_lies_under_its_words(dpi):
    figures = pytest.importorskip("bap_v2_dataset.pictures.figures", reason="needs the extra `pictures`")
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.font_manager import FontProperties

    words = ["to", "the", "left", "of", "the", "block", "you", "just", "placed,", "going", "to", "the"]
    renderer, font = RendererAgg(1, 1, dpi), FontProperties(figures.FONT, size=7.5)
    for place in range(1, len(words)):
        before = " ".join([*words[:place], ""])
        drawn = renderer.get_text_width_height_descent(f"{before}.", font, False)[0]
        drawn -= renderer.get_text_width_height_descent(".", font, False)[0]
        assert abs(dpi * figures.place_of(words[place], before, 7.5, dpi) - drawn) < 1.5  # pixels


def test_a_page_marks_the_words(tmp_path):
    page = pytest.importorskip(
        "bap_v2_dataset.tasks.building.pictures.page", reason="the extra `pictures` is not installed"
    )
    row = variant("sa_mirror", dialogue=[line.replace("left", "<b>right") for line in PARENT["dialogue"]])
    text = page.page(variant_columns(PARENT, row), row["id"], yaw=PARENT["pose"]["yaw"])
    assert text.count("<mark>left</mark>") == 2 and text.count("<mark>&lt;b&gt;right</mark>") == 2
    assert page.MARKED_LEGEND in text
    (figures,) = re.findall(r"<script id='data' type='application/json'>(.*?)</script>", text, re.DOTALL)
    assert len(json.loads(figures)) == 2
