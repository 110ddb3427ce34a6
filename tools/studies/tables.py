"""The results of a study as Markdown, as JSON and, over an axis, as a plot. Scores are percentages."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks.building.paper import COLUMNS
from bap_v2_dataset.tasks.building.plots import COLORS, MARKS, STYLE, image_files
from studies.results import ArmScores, Column, Results
from studies.seeds import Estimate

_BOARDS = {"": "", "eb_": "EB ", "neb_": "NEB "}


def markdown(results: Results, command: str) -> str:
    """`table.md`: what was asked, the tables, and how to read them."""
    study = results.study
    parts = [f"# {study.title}", study.question, f"`{command}`", *_body(results)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _body(results: Results) -> Iterator[str]:
    study, first = results.study, results.study.compared[0].name
    titles = [column.title for column in results.columns]
    bold = [f"**{column.title}**" if column.is_group else column.title for column in results.columns]
    name = measure_title(study.measure)
    yield f"## {name}"
    yield _table(["arm", *bold], _score_lines(results.headline))
    yield f"## {name}: difference from *{first}*"
    yield _table(["arm", *bold], _difference_lines(results, titles))
    yield _reading(results)
    if study.is_f1:
        if study.measure != "fairer":
            yield f"## {measure_title('fairer')}, all items"
            yield _table(["arm", *bold], _score_lines(results.overall))
    else:
        yield "## By group"
        yield _table(["group", *_of_tests(results)], _group_lines(results))
    group = next(column.title for column in results.columns if column.is_group)
    yield f"## {name} of each seed, {group}"
    yield _table(["arm", *map(str, study.seeds), "sd"], _seed_lines(results.headline))
    yield "## What was learned"
    yield _table(
        ["arm", "updates", "items", "different items", "parameters", "loss", "minutes"], _trained_lines(results)
    )
    yield from study.notes


def joint_markdown(results: Sequence[Results], command: str) -> str:
    """`table.md` of a study in several configs: the headline of each, by arm and test set."""
    one = results[0]
    headings = [f"{arm}: {column.title}" for arm in one.headline for column in one.columns if column.is_group]
    lines = [
        [
            str(result.study.config),
            *(
                text
                for (_, *cells) in _score_lines(result.headline)
                for text, column in zip(cells, result.columns)
                if column.is_group
            ),
        ]
        for result in results
    ]
    title = f"# {one.study.title.replace(str(one.study.config), 'all configs')}"
    parts = [title, one.study.question, f"`{command}`", _table(["config", *headings], lines), *one.study.notes]
    return "\n\n".join(part for part in parts if part) + "\n"


def _of_tests(results: Results) -> list[str]:
    """Headings of each arm on each test set."""
    return [f"{arm}: {test.title}" for arm in results.headline for test in results.study.test_sets]


def _group_lines(results: Results) -> list[list[str]]:
    return [
        [group, *(_percent(value) for arm in results.headline for value in by_arm[arm])]
        for group, by_arm in results.groups.items()
    ]


def _percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{100 * value:.1f}"


def measure_title(measure: str) -> str:
    """`neb_fairer` as `NEB fairer F1`, `score` as `Score`."""
    if measure == "score":
        return "Score"
    group, _, name = measure.rpartition("_")
    return _BOARDS[f"{group}_" if group else ""] + (
        "fairer F1" if name == "fairer" else f"{COLUMNS.get(name, name)} F1"
    )


def _reading(results: Results) -> str:
    """How the numbers were made."""
    study = results.study
    sizes = ", ".join(
        f"{test.title} {results.n_items[test.name]:,} (drawn: {results.drawn[test.name]})" for test in study.test_sets
    )
    seeds = (
        "One seed: the intervals are those of items alone and say nothing about other seeds. "
        if len(study.seeds) == 1
        else f"Means over {counted(len(study.seeds), 'seed')}; in brackets 95% intervals for other seeds and other "
        "items (bootstrap over both, Student's t). "
    )
    means = "; a bold column with several test sets is their mean" if len(study.test_sets) > len(study.tests) else ""
    return (
        f"{seeds}Items: {sizes}{means}. "
        f"p-values stand for the bold columns only: {counted(results.comparisons, 'comparison')}, corrected for one "
        f"another after Holm. Other intervals are not corrected. {results.signature}"
    )


def _score_lines(by_arm: Mapping[str, ArmScores]) -> list[list[str]]:
    return [
        [arm, *(f"{100 * one.value:.1f} ({100 * one.low:.1f}–{100 * one.high:.1f})" for one in scores.scores)]
        for arm, scores in by_arm.items()
    ]


def _difference_lines(results: Results, titles: Sequence[str]) -> list[list[str]]:
    lines = []
    for arm, scores in results.headline.items():
        if scores.differences:
            p_values = results.corrected[arm]
            cells = [_difference(one, p_values.get(title)) for one, title in zip(scores.differences, titles)]
            lines.append([arm, *cells])
    return lines


def _difference(one: Estimate, p_value: float | None) -> str:
    text = f"{_signed(one.value)} ({_signed(one.low)} to {_signed(one.high)})"
    if p_value is None:
        return text
    text += f", p {'< 0.001' if p_value < 0.001 else f'= {p_value:.3f}'}"
    return f"**{text}**" if p_value < 0.05 else text


def _signed(value: float) -> str:
    return f"{100 * value:+.1f}".replace("-", "−")


def _seed_lines(by_arm: Mapping[str, ArmScores]) -> list[list[str]]:
    return [
        [arm, *(f"{100 * value:.1f}" for value in scores.scores[0].by_seed), f"{100 * scores.scores[0].deviation:.1f}"]
        for arm, scores in by_arm.items()
    ]


def _trained_lines(results: Results) -> list[list[str]]:
    lines = []
    for arm in results.study.arms:
        one = results.trained[arm.name]
        different = ", ".join(
            f"{name} {'new' if number is None else f'{number:,}'}" for name, number in one.different.items()
        )
        after = f", after *{arm.after}*" if arm.after else ""
        name = f"{arm.name} (stage)" if arm.stage else arm.name
        lines.append([f"{name}{after}", f"{one.steps:,}", f"{one.items:,}", different, f"{one.parameters:,}",
                      f"{one.loss:.2f}", f"{one.minutes:.1f}"])  # fmt: skip
    return lines


def _table(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [list(headings), ["---"] * len(headings), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def as_json(results: Results) -> dict[str, Any]:
    """`table.json`: everything in the tables, unrounded; F1 in 0..1."""
    study = results.study
    return {
        "study": study.name,
        "question": study.question,
        "measure": f"{study.measure}_f1" if study.is_f1 else study.measure,
        "signature": results.signature,
        "seeds": list(study.seeds),
        "items": dict(results.n_items),
        "columns": [asdict(column) | {"tests": [study.test_sets[number].name for number in column.tests]}
                    for column in results.columns],
        "compared_with": study.compared[0].name,
        "comparisons": results.comparisons,
        "arms": {
            arm.name: {
                "settings": dict(arm.settings),
                "after": arm.after,
                "x": arm.x,
                "trained": asdict(results.trained[arm.name]),
                **({} if arm.stage else {
                    "headline": _numbers(results, results.headline[arm.name], results.corrected.get(arm.name, {})),
                    "overall": _numbers(results, results.overall[arm.name], {}),
                }),
            }
            for arm in study.arms
        },
    }  # fmt: skip


def _numbers(results: Results, scores: ArmScores, corrected: Mapping[str, float]) -> dict[str, Any]:
    numbers: dict[str, Any] = {}
    for place, column in enumerate(results.columns):
        numbers[column.title] = _estimate(scores.scores[place])
        if scores.differences:
            difference = _estimate(scores.differences[place])
            if column.title in corrected and column.is_group:
                difference["p_value_holm"] = corrected[column.title]
            numbers[column.title]["difference"] = difference
    return numbers


def _estimate(one: Estimate) -> dict[str, Any]:
    degrees = None if math.isinf(one.degrees) else one.degrees
    return {**asdict(one), "degrees": degrees, "deviation": one.deviation}


def drawn(results: Results) -> dict[str, bytes]:
    """The bytes of the plot by suffix: means with their intervals, and a small dot for each seed.

    Groups of test sets stand in the left panel, single ones in the right.
    """
    groups = [column for column in results.columns if column.is_group]
    single = [column for column in results.columns if not column.is_group]
    panels = [panel for panel in (groups, single) if panel]
    with matplotlib.rc_context({**STYLE, "axes.grid.axis": "both"}):
        figure = Figure(figsize=(3.6 * len(panels) + 0.4, 3.4), layout="constrained")
        figure.suptitle(results.study.title, x=0.01, ha="left", fontsize=11, fontweight="bold")
        for number, panel in enumerate(panels):
            axes = figure.add_subplot(1, len(panels), number + 1)
            for place, column in enumerate(panel):
                _line(axes, results, column, place + (0 if panel is groups else len(groups)))
            axes.set(xscale="log", xlabel=results.study.axis, ylim=(-2, 102))
            if not number:
                axes.set_ylabel(f"{measure_title(results.study.measure)} (percent)")
            places = sorted({arm.x for arm in results.study.compared if arm.x is not None})
            axes.set_xticks(places, [f"{place:,.0f}" for place in places])
            axes.minorticks_off()
            axes.legend(frameon=False, fontsize=8)
        return image_files(figure)


def _line(axes, results: Results, column: Column, place: int) -> None:
    arms = sorted((arm for arm in results.study.compared if arm.x is not None), key=lambda arm: arm.x)
    estimates = [results.headline[arm.name].scores[results.columns.index(column)] for arm in arms]
    x, y = [arm.x for arm in arms], [100 * one.value for one in estimates]
    color, mark = COLORS[place % len(COLORS)], MARKS[place % len(MARKS)]
    low, high = ([100 * getattr(one, side) for one in estimates] for side in ("low", "high"))
    axes.plot(x, y, color=color, marker=mark, markersize=4.5, linewidth=1.3, label=column.title, zorder=3)
    axes.vlines(x, low, high, color=color, linewidth=1.3, zorder=2)
    for arm_x, one in zip(x, estimates):
        seeds = [100 * value for value in one.by_seed]
        axes.plot([arm_x] * len(seeds), seeds, color=color, marker=".", markersize=2.5, linestyle="none", zorder=2)
