"""The agreement of two annotators: Cohen's kappa, and their answers about the same items (BAP v2, 3.1 and 12)."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from rich.console import Group
from rich.text import Text

from bap_v2_dataset.labels.label import CONTEXTS, STRUCTURES, AnnotationError, Label
from bap_v2_dataset.labels.label_file import OUR_LABELS
from bap_v2_dataset.tables.fitted import WordTable

_DISAGREEMENTS_SHOWN = 10


def cohens_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Return Cohen's kappa of two annotators: agreement beyond what chance alone would give.

        kappa = (p_o - p_e) / (1 - p_e)

    p_o is the share of items with equal answers, and p_e what it would be if each annotator gave the same answers to
    items at random: the sum over answers of the product of the two shares. 1 is full agreement, 0 that of chance.

    Args:
        first, second: the answers of each, item by item.
    Returns:
        At most 1. None if there is nothing to tell agreement from chance (p_e = 1, or no items): both gave one and the
        same answer throughout.

    >>> cohens_kappa("yyynn", "yynnn")
    0.6153846153846154
    """
    n = len(first)
    equal = sum(a == b for a, b in zip(first, second, strict=True))
    one, two = Counter(first), Counter(second)
    by_chance = sum(one[answer] * two[answer] for answer in one)  # whole numbers: n n p_e
    if by_chance == n * n:
        return None
    return (n * equal - by_chance) / (n * n - by_chance)


@dataclass(frozen=True)
class Agreement:
    """The answers of two annotators to one question."""

    question: str
    answers: tuple[str, ...]  # that the question has
    table: Counter  # number of items by (first annotator's answer, second's)

    @property
    def items(self) -> int:
        """Number of items that both answered."""
        return self.table.total()

    @property
    def equal(self) -> int:
        """Number of items with the same answer."""
        return sum(number for (one, two), number in self.table.items() if one == two)

    @property
    def raw(self) -> float | None:
        """Share of equal answers; None without items."""
        return self.equal / self.items if self.items else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where it is not defined."""
        pairs = list(self.table.elements())
        return cohens_kappa([one for one, _ in pairs], [two for _, two in pairs])

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        table = [{"first": one, "second": two, "items": n} for (one, two), n in sorted(self.table.items())]
        return {
            "question": self.question, "items": self.items, "equal": self.equal, "raw": self.raw, "kappa": self.kappa,
            "table": table,
        }  # fmt: skip


@dataclass(frozen=True)
class LabelComparison:
    """The labels of two annotators side by side."""

    questions: tuple[Agreement, ...]
    disagreements: tuple[tuple[Label, Label], ...]  # in the order of the first annotator's labels
    only_first: tuple[Label, ...]  # items that the second did not label
    only_second: tuple[Label, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "questions": [question.to_dict() for question in self.questions],
            "disagreements": [
                {
                    "game_id": one.game_id,
                    "item_index": one.item_index,
                    **{name: {"context": label.context, "structure": label.structure}
                       for name, label in (("first", one), ("second", two))},
                }
                for one, two in self.disagreements
            ],
            "only_first": len(self.only_first),
            "only_second": len(self.only_second),
        }  # fmt: skip


def compared(first: Sequence[Label], second: Sequence[Label]) -> LabelComparison:
    """Compare the labels of two annotators on the items that both labeled.

    Raises:
        AnnotationError: if there is no such item.
    """
    # The items that both labeled, and those that both call clear.
    of_first, of_second = ({label.key: label for label in labels} for labels in (first, second))
    pairs = [(label, of_second[label.key]) for label in first if label.key in of_second]
    if not pairs:
        raise AnnotationError("the two annotators have no item in common")
    both_clear = [(one, two) for one, two in pairs if "unclear" not in (one.context, two.context)]
    # Three questions: of the structure only where both were asked.
    clear = Counter((_clear(one), _clear(two)) for one, two in pairs)
    contexts = Counter((one.context, two.context) for one, two in pairs)
    structures = Counter((one.structure, two.structure) for one, two in both_clear)
    return LabelComparison(
        questions=(
            Agreement("is the context clear?", ("clear", "unclear"), clear),
            Agreement("context", CONTEXTS, contexts),
            Agreement("structure, where both call the context clear", STRUCTURES, structures),
        ),
        disagreements=tuple(
            (one, two) for one, two in pairs if (one.context, one.structure) != (two.context, two.structure)
        ),
        only_first=tuple(label for label in first if label.key not in of_second),
        only_second=tuple(label for label in second if label.key not in of_first),
    )


def annotators_of(path: Path = OUR_LABELS, unclear: int = 3) -> tuple[list[Label], list[Label]]:
    """Read the labels of each of the two annotators that a file like this project's records (`data/README.md`).

    The second one graded: its context is unclear if the result is determined to `unclear` of 5 or less, else multiple
    if the placement on an empty board was left open; its structure is correct if it matches to 4 of 5 or more.

    Raises:
        AnnotationError: with the line that does not record two annotators.
    """
    first, second = [], []
    for number, line in enumerate(Path(path).read_bytes().splitlines(), start=1):
        try:
            record = orjson.loads(line)
            game_id, index, a, b = (record[name] for name in ("game_id", "item_index", "annotator_a", "annotator_b"))
            first.append(Label(game_id, index, a["context"], a["structure"]))
            if b["determinacy"] <= unclear:
                second.append(Label(game_id, index, "unclear", None))
            else:
                context = "multiple" if b["placement_open"] else "unique"
                second.append(Label(game_id, index, context, "correct" if b["match"] >= 4 else "incorrect"))
        except (ValueError, KeyError, TypeError):
            raise AnnotationError(f"{path}, line {number}: not a record of two annotators") from None
    return first, second


def agreement_report(comparison: LabelComparison, names: tuple[str, str], all_disagreements: bool = False) -> Group:
    """Show the agreement as tables, and the items on which the two differ.

    Args:
        names: what to call the two annotators.
        all_disagreements: list all of them.
    """
    # One row for each question.
    first, second = names
    summary = WordTable(title=f"Agreement of {first} and {second}")
    for heading in ("question", "items", "equal", "raw", "Cohen's kappa"):
        summary.add_column(heading, justify="left" if heading == "question" else "right")
    for one in comparison.questions:
        kappa = "not defined" if one.kappa is None else f"{one.kappa:.2f}"
        raw = "-" if one.raw is None else f"{one.raw:.3f}"
        summary.add_row(one.question, f"{one.items:,}", f"{one.equal:,}", raw, kappa)
    # The answers to each, the items on which they differ, and those that only one labeled.
    parts: list = [summary]
    if any(one.kappa is None for one in comparison.questions):
        parts.append(Text("Kappa is not defined where both gave one and the same answer to every item.", "dim"))
    for one in comparison.questions[1:]:
        if one.items:
            parts.append(_confusion(one, names))
    if comparison.disagreements:
        parts.append(_disagreements(comparison, names, all_disagreements))
    for name, labels in zip(names, (comparison.only_first, comparison.only_second)):
        if labels:
            shown = ", ".join(f"{label.game_id}/{label.item_index}" for label in labels[:3])
            more = ", ..." if len(labels) > 3 else ""
            parts.append(
                Text(f"Left out are {len(labels):,} items of {name} that the other lacks: {shown}{more}", "yellow")
            )
    return Group(*parts)


def _confusion(agreement: Agreement, names: tuple[str, str]) -> Group:
    title = f"{agreement.question}: rows {names[0]}, columns {names[1]}"  # longer than the table is wide
    table = WordTable()
    table.add_column("")
    for answer in agreement.answers:
        table.add_column(answer, justify="right")
    for row in agreement.answers:
        table.add_row(row, *(f"{agreement.table[row, column]:,}" for column in agreement.answers))
    return Group(Text(title, "italic"), table)


def _disagreements(comparison: LabelComparison, names: tuple[str, str], everything: bool) -> Group:
    pairs = comparison.disagreements
    shown = pairs if everything else pairs[:_DISAGREEMENTS_SHOWN]
    table = WordTable(title=f"Items on which they differ: {len(pairs):,}")
    table.add_column("game")
    table.add_column("item", justify="right")
    for name in names:
        table.add_column(name)
    for pair in shown:
        answers = (", ".join(filter(None, (label.context, label.structure))) for label in pair)
        table.add_row(pair[0].game_id, str(pair[0].item_index), *answers)
    if len(shown) == len(pairs):
        return Group(table)
    return Group(table, Text(f"and {len(pairs) - len(shown):,} more: --all lists them", "dim"))


def _clear(label: Label) -> str:
    return "unclear" if label.context == "unclear" else "clear"
