"""Cohen's kappa on cases worked by hand, what two annotators are compared on, and the published figures."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_process import command

from bap_v2_dataset.labels.agreement import annotators_of, cohens_kappa, compared
from bap_v2_dataset.labels.label import CONTEXTS, AnnotationError, Label
from bap_v2_dataset.labels.label_file import OUR_LABELS, read_labels


def answers(**counts: int) -> tuple[str, str]:
    """The answers of two annotators, from counts by pairs: answers(yn=5) is five times yes against no."""
    return tuple("".join(pair[side] * number for pair, number in counts.items()) for side in (0, 1))


@pytest.mark.parametrize(
    ("counts", "kappa", "because"),
    [
        ({"yy": 3, "nn": 2}, 1.0, "all equal"),
        ({"yy": 20, "yn": 5, "ny": 10, "nn": 15}, 0.4, "p_o = 35/50, p_e = .5 x .6 + .5 x .4 = .5"),
        ({"yy": 45, "yn": 15, "ny": 25, "nn": 15}, 0.06 / 0.46, "p_o = .6, p_e = .6 x .7 + .4 x .3 = .54"),
        ({"yy": 25, "yn": 35, "ny": 5, "nn": 35}, 0.14 / 0.54, "the same p_o, p_e = .6 x .3 + .4 x .7 = .46"),
        ({"yy": 4, "yn": 4, "ny": 4, "nn": 4}, 0.0, "p_o = p_e = 1/2: chance"),
        ({"yn": 1, "ny": 1}, -1.0, "never equal, p_e = 1/2"),
        ({"yy": 9, "yn": 1}, 0.0, "the first gives one answer only: p_o = p_e = .9"),
        ({"aa": 2, "bb": 1, "ab": 1, "cc": 1, "bc": 1}, 0.5, "p_o = 4/6, p_e = (3 x 2 + 2 x 2 + 1 x 2)/36 = 1/3"),
        ({"yn": 7}, 0.0, "each gives one answer, another one: p_o = p_e = 0"),
    ],
)
def test_kappa_of_cases_worked_by_hand(counts, kappa, because):
    assert cohens_kappa(*answers(**counts)) == pytest.approx(kappa), because


def test_kappa_is_not_defined_where_chance_alone_agrees_always_and_needs_an_answer_of_both_to_each_item():
    assert {cohens_kappa(same, same) for same in ("", "y", "nnnn")} == {None}
    with pytest.raises(ValueError, match="shorter"):
        cohens_kappa("yyn", "yy")


PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30)


@given(PAIRS, st.permutations("abc"))
def test_kappa_is_symmetric_at_most_one_and_blind_to_names_and_order(pairs, names):
    one, two = zip(*pairs)
    kappa = cohens_kappa(one, two)
    renamed = dict(zip("abc", names))
    assert kappa == cohens_kappa(two, one) == cohens_kappa(one[::-1], two[::-1])
    assert kappa == cohens_kappa([renamed[answer] for answer in one], [renamed[answer] for answer in two])
    assert kappa is None or -1 <= kappa <= 1
    assert (kappa == 1) == (one == two and len(set(one)) > 1)


def label(index: int, context: str, structure: str | None = None) -> Label:
    return Label("g", index, context, structure)


def test_structures_are_compared_where_both_call_the_context_clear():
    first = [label(0, "multiple", "correct"), label(1, "unique", "incorrect"), label(2, "unclear"), label(3, "unclear")]
    second = [label(0, "unique", "correct"), label(1, "unique", "correct"), label(2, "unique", "correct"),
              label(3, "unclear")]  # fmt: skip
    clear, context, structure = compared(first, second).questions
    assert (clear.items, clear.equal, clear.raw) == (4, 3, 0.75)
    assert (context.items, context.equal) == (4, 2)
    assert dict(context.table) == {
        ("multiple", "unique"): 1, ("unique", "unique"): 1, ("unclear", "unique"): 1, ("unclear", "unclear"): 1,
    }  # fmt: skip
    assert dict(structure.table) == {("correct", "correct"): 1, ("incorrect", "correct"): 1}
    assert [one.item_index for one, _ in compared(first, second).disagreements] == [0, 1, 2]


def test_items_that_one_of_them_lacks_are_named_and_not_counted():
    comparison = compared([label(0, "unclear"), label(1, "unclear")], [label(1, "unclear"), label(2, "unclear")])
    assert [question.items for question in comparison.questions] == [1, 1, 0]
    assert [one.item_index for one in comparison.only_first + comparison.only_second] == [0, 2]
    with pytest.raises(AnnotationError, match="no item in common"):
        compared([label(0, "unclear")], [label(1, "unclear")])


def test_the_documented_figures_are_the_measured_ones():
    text = (OUR_LABELS.parent / "README.md").read_text(encoding="utf-8")
    comparison = compared(*annotators_of())
    starts = ("is the context clear?", "context: `unique`, `multiple` or `unclear`", comparison.questions[2].question)
    for start, one in zip(starts, comparison.questions):
        assert f"| {start} | {one.items:,} | {one.equal:,} | {one.raw:.3f} | {one.kappa:.2f} |" in text
    table = comparison.questions[1].table
    for row in CONTEXTS:
        assert f"| `{row}` | {' | '.join(f'{table[row, column]:,}' for column in CONTEXTS)} |" in text
    by_the_second_alone = sum(table[context, "unclear"] for context in ("unique", "multiple"))
    assert f"of the 416 unclear items, {by_the_second_alone} are so" in text


def test_our_labels_follow_from_the_two_annotators():
    labels = {(one.game_id, one.item_index): (one, two) for one, two in zip(*annotators_of())}
    unlike = 0
    for final in read_labels():
        contexts = {one.context for one in labels[final.game_id, final.item_index]}
        expected = next(context for context in ("unclear", "multiple", "unique") if context in contexts)
        unlike += final.context != expected
        structures = {one.structure for one in labels[final.game_id, final.item_index]}
        assert final.context == "unclear" or final.structure in structures
    assert unlike == 1  # an adjudicated one


def test_a_file_without_two_annotators_is_an_error_with_its_line(tmp_path):
    (tmp_path / "l.jsonl").write_text('{"game_id": "g", "item_index": 0, "context": "unclear", "structure": null}\n')
    with pytest.raises(AnnotationError, match=r"l.jsonl, line 1: not a record of two annotators"):
        annotators_of(tmp_path / "l.jsonl")


# --- The command.
@pytest.fixture
def bap(tmp_path, monkeypatch, capsys):
    run = command(monkeypatch, capsys, tmp_path / "home", tmp_path, 200)
    return lambda *args: run("agreement", *args)


def test_the_command_without_files_compares_our_two_annotators(bap):
    code, out, _ = bap()
    cells = [[cell.strip() for cell in line.strip("│┃ ").split("│")] for line in out.splitlines()]
    assert code == 0 and ["incorrect", "4", "177"] in cells
    for one in compared(*annotators_of()).questions:
        assert [one.question, f"{one.items:,}", f"{one.equal:,}", f"{one.raw:.3f}", f"{one.kappa:.2f}"] in cells
    assert "Items on which they differ: 151" in out and "and 141 more: --all lists them" in out
    assert len(bap("--all")[1].splitlines()) == len(out.splitlines()) + 141 - 1


def test_the_command_compares_two_files_and_tells_them_apart(bap, tmp_path):
    for folder, context in (("a", "unclear"), ("b", "unique")):
        (tmp_path / folder).mkdir()
        lines = ["game_id,item_index,context,structure", "g,0,unclear,", f"g,1,{context},{'correct' * (folder == 'b')}"]
        (tmp_path / folder / "l.csv").write_text("\n".join(lines))
    code, out, _ = bap("a/l.csv", "b/l.csv")
    assert code == 0 and "Agreement of a/l.csv and b/l.csv" in out
    assert "not defined" in out  # no item that both call clear
    numbers = json.loads(bap("a/l.csv", "b/l.csv", "--json")[1])
    (pair,) = numbers["disagreements"]
    assert pair["item_index"] == 1 and pair["second"] == {"context": "unique", "structure": "correct"}
    assert numbers["questions"][0]["raw"] == 0.5 and numbers["questions"][2]["kappa"] is None


def test_the_command_compares_one_file_with_our_labels_and_says_what_that_lacks(bap, tmp_path):
    first = read_labels()[0]
    lines = [
        {"game_id": first.game_id, "item_index": first.item_index, "context": "unclear", "structure": None},
        {"game_id": first.game_id, "item_index": 1, "context": "unique", "structure": None},  # half answered
    ]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, lines)))
    code, out, _ = bap("mine.jsonl")
    assert code == 0 and "Left out are 1,615 items of our labels that the other lacks" in " ".join(out.split())
