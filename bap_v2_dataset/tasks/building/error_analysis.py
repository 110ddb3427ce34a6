"""Where a system is wrong: its F1 on the items of a test set in bins (BAP v2, 7.2 and 7.3 by numbers).

What decides an item's bins is computed from its row, human or synthetic, where that is possible; relation, shape and
dialogue acts stand in the `metadata` of synthetic items only, the annotation in that of human ones.
"""

from collections.abc import Hashable, Mapping, Sequence

from bap_v2_dataset.evaluation.results import Bin, Dimension, Labels, Report
from bap_v2_dataset.items.rows import metadata_of, noted, perturbation_of
from bap_v2_dataset.labels.readings import NEXT_TURNS
from bap_v2_dataset.tasks.building.kinds_of_instruction import KINDS, kinds_of_instruction
from bap_v2_metric.actions import is_supported
from bap_v2_metric.counts import Counts
from bap_v2_metric.notation import parse_block
from bap_v2_metric.robust_scores import FAMILIES
from bap_v2_metric.scoring import SEED, bootstrap_f1
from bap_v2_simulators.view import off_cardinal


def _range_labels(edges: Sequence[int], last: str) -> Labels:
    """Names of the ranges that end at the edges.

    >>> _range_labels([0, 1, 3], "4 or more")
    ('0', '1', '2–3', '4 or more')
    """
    starts = [0, *(edge + 1 for edge in edges)]
    return (*(str(edge) if start == edge else f"{start}–{edge}" for start, edge in zip(starts, edges)), last)


def _in_ranges(edges: Sequence[int], labels: Labels, number: float) -> Labels:
    return (labels[sum(number > edge for edge in edges)],)


_ACTIONS = (0, 1, 2, 3, 5, 10)
_ACTION_LABELS = _range_labels(_ACTIONS, "11 or more")
_HISTORY = (0, 10, 25, 50, 100)
_HISTORY_LABELS = _range_labels(_HISTORY, "101 or more")
_DEGREES = (10, 20, 30)
_DEGREE_LABELS = ("at most 10°", "10° to 20°", "20° to 30°", "30° to 45°")
_DIRECTIONS = ("left", "right", "front", "behind", "top", "bottom")
_ACTS = {
    "instruction": "instruction",
    "clarification question": "clarification",
    "answer": None,  # follows a question
    "mission": None,  # with which games begin
    "confirmation": "confirmation",
    "verification question": "verification",
    "approval": None,  # follows a verification question
    "praise": "praise",
    "greeting": None,
    "acknowledgment": None,
    "comment": None,  # on an instruction
}


def count_net_actions(row: Mapping) -> int:
    """Count the net actions of the reference, as F1 does.

    >>> count_net_actions({"before": ["red 0 1 0"], "after": ["blue 0 1 0", "red 1 1 0"]})
    3
    """
    return len(set(row["before"]) ^ set(row["after"]))


def needs_supports(row: Mapping) -> bool:
    """Tell if a block that the reference adds cannot be reached without temporary supports.

    >>> needs_supports({"before": [], "after": ["red 0 1 0", "red 0 2 0"]})
    False
    >>> needs_supports({"before": [], "after": ["red 0 2 0"]})
    True
    """
    board = {parse_block(line).cell for line in row["before"]}
    left = {parse_block(line).cell for line in row["after"]} - board
    while reached := {cell for cell in left if is_supported(cell, board)}:
        board |= reached
        left -= reached
    return bool(left)


def _plan(row: Mapping, field: str, none: str = "") -> Labels:
    """Return a field of a synthetic plan; where it is none, `none` or no bin."""
    plan = noted(row, "plan")
    if field not in plan:
        return ()
    return (str(plan[field]),) if plan[field] is not None else (none,) if none else ()


def _kind_of_change(row: Mapping) -> Labels:
    before, after = set(row["before"]), set(row["after"])
    label = {(True, False): "places", (False, True): "removes", (True, True): "both"}
    return (label.get((bool(after - before), bool(before - after)), "no change"),)


def _floating(row: Mapping) -> Labels:
    """Return the bin of items by their need of supports; for `dr` and `dsb` it is the plan's own `floating`."""
    if not set(row["after"]) - set(row["before"]):
        return ()
    return ("needed" if needs_supports(row) else "not needed",)


def _directions(row: Mapping) -> Labels:
    return tuple(part for label in _plan(row, "relation") for part in label.split("+"))


def _dialogue_acts(row: Mapping) -> Labels:
    acts = metadata_of(row).get("dialogue_acts", ())
    if not isinstance(acts, (list, tuple)) or not all(isinstance(act, str) for act in acts):
        return ()
    named = {_ACTS.get(act, act) for act in acts} - {None}
    if acts.count("instruction") > 1:
        named = named - {"instruction"} | {"several lines"}
    return ("instruction only",) if named == {"instruction"} else tuple(sorted(named - {"instruction"}))


def _annotation(row: Mapping, field: str, names: Mapping) -> Labels:
    annotation = noted(row, "annotation")
    value = annotation.get(field)
    return (names.get(value, str(value)),) if isinstance(value, (str, bool)) else ()


_CONTEXTS = {"unique": "one reading", "multiple": "several readings"}
_FIXED = {False: "as it was", True: "fixed"}
_CLEAR = {True: "clear", False: "unclear"}


def _perturbation(row: Mapping) -> Labels:
    """Return the family of a variant. Without variants all rows are in one bin, so that the dimension is left out."""
    return (str(perturbation_of(row).get("family", _ORIGINAL)),)


_ORIGINAL = "none (original)"

DIMENSIONS = (
    Dimension(
        "actions", "net actions of the reference",
        lambda row: _in_ranges(_ACTIONS, _ACTION_LABELS, count_net_actions(row)), _ACTION_LABELS,
    ),
    Dimension("perturbation", "perturbation", _perturbation, (_ORIGINAL, *FAMILIES)),
    Dimension("change", "what the reference does", _kind_of_change, ("places", "removes", "both", "no change")),
    Dimension("board", "board", lambda row: ("not empty" if row["before"] else "empty",), ("empty", "not empty")),
    Dimension(
        "history", "lines of history", lambda row: _in_ranges(_HISTORY, _HISTORY_LABELS, len(row["history"])),
        _HISTORY_LABELS,
    ),
    Dimension(
        "yaw", "Builder's yaw off the grid",
        lambda row: _in_ranges(_DEGREES, _DEGREE_LABELS, off_cardinal(row["pose"]["yaw"])) if row["pose"] else (),
        _DEGREE_LABELS,
    ),
    Dimension("floating", "supports for floating blocks", _floating, ("not needed", "needed")),
    Dimension(
        "instruction", "instruction of people",
        lambda row: kinds_of_instruction(row) if metadata_of(row).get("source") == "human" else (), KINDS,
        overlapping=True,
    ),

    Dimension(
        "relation_type", "axes of the relation", lambda row: _plan(row, "relation_type", "no relation"),
        ("1D", "2D", "3D", "no relation"),
    ),
    Dimension("relation", "directions in the relation", _directions, _DIRECTIONS, overlapping=True),
    Dimension(
        "reference", "how the reference is named", lambda row: _plan(row, "reference_rule"),
        ("last", "ellipsis", "unique", "superlative", "landmark", "none"),
    ),
    Dimension(
        "shape", "shape being built", lambda row: _plan(row, "shape"),
        ("row", "diagonal", "plane", "l-shape", "t-shape", "u-shape"),
    ),
    Dimension(
        "dialogue_acts", "dialogue acts", _dialogue_acts,
        ("instruction only", "several lines", "clarification", "confirmation", "verification", "praise"),
        overlapping=True,
    ),
    Dimension(
        "context", "context, as annotated", lambda row: _annotation(row, "context", _CONTEXTS),
        tuple(_CONTEXTS.values()),
    ),
    Dimension(
        "structure", "structure, as annotated", lambda row: _annotation(row, "fixed", _FIXED), tuple(_FIXED.values())
    ),
    Dimension(
        "clear", "words, to a language model", lambda row: _annotation(row, "clear", _CLEAR), tuple(_CLEAR.values())
    ),
    Dimension("next_turn", "what the next turn does to it", lambda row: _annotation(row, "next_turn", {}), NEXT_TURNS),
)  # fmt: skip


def binned(
    rows: Sequence[Mapping],
    systems: Sequence[Sequence[Mapping]],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    clusters: Sequence[Hashable] | None = None,
) -> list[Bin]:
    """The scores in every bin that has items, with intervals if they are enough; a dimension with one bin is left out.

    Args:
        rows: of the dataset.
        systems: for each system its counts (`bap_v2_metric.score_items`), in the order of the rows.
        n_resamples: of the items of a bin, for intervals as `bap_v2_metric.bootstrap_f1` computes them; 0
            for none.
        confidence: the share of resampled scores inside the intervals.
        seed: equal seeds give equal intervals.
        clusters: for each row what it is drawn with, e.g. its target.
    """
    counts = [[Counts.of(item) for item in items] for items in systems]
    bins = []
    for dimension in DIMENSIONS:
        # Which items are in which bin
        members: dict[str, list[int]] = {}
        for index, row in enumerate(rows):
            for label in dimension.bins(row):
                members.setdefault(label, []).append(index)
        if len(members) < 2:
            continue

        # The score of each system in each bin
        ordered = [label for label in dimension.order if label in members]
        for label in [*ordered, *sorted(set(members) - set(ordered))]:
            inside = [[system[index] for index in members[label]] for system in counts]
            f1 = tuple(sum(system, Counts()).f1 for system in inside)
            names = None if clusters is None else [clusters[index] for index in members[label]]
            bounds_of = [bootstrap_f1(system, n_resamples, confidence, seed, names) for system in inside if n_resamples]
            intervals = tuple(bounds for bounds in bounds_of if bounds is not None)  # all, or of too few items none
            bins.append(Bin(dimension, label, len(members[label]), f1, intervals))
    return bins


def error_bins(report: Report) -> dict[tuple[str, str], list[Bin]]:
    """Return the error analysis of every test set of Builder Action Prediction, by its key; the legacy one has none."""
    resampling = report.resampling
    return {
        test.key: binned(
            test.rows, [result.items for _, result in report.on(test)], resampling.n, resampling.confidence,
            resampling.seed, next((result.clusters for _, result in report.on(test)), None),
        )
        for test in report.tests
        if test.config != "mdc"
    }  # fmt: skip
