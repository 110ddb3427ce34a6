"""One item in words: HTML for its parts, and links to it. What people typed is escaped."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from html import escape
from itertools import zip_longest
from urllib.parse import urlencode

from bap_v2_dataset.items.verdict import Verdict
from bap_v2_dataset.pictures.board_figure import HIDDEN_LEGEND, LEGEND
from bap_v2_dataset.pictures.cubes import Cube, Look, legend
from bap_v2_dataset.pictures.terminal_board import builder_in_words, change_in_words
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks.building.paper import COLUMNS
from bap_v2_metric.actions import net_actions
from bap_v2_metric.counts import Counts
from bap_v2_metric.notation import parse_structure, storable
from bap_v2_simulators.pose import Pose

_UTTERANCE = re.compile(r"<(Architect|Builder)> (.*)", re.DOTALL)
_SNIPPET = 55  # characters of a dialogue in a list


def permalink(config: str, split: str, item: str) -> str:
    """Return the part of an address that names an item.

    >>> permalink("dss", "test", "dss-test-12/0")
    '?config=dss&split=test&item=dss-test-12%2F0'
    """
    return "?" + urlencode({"config": config, "split": split, "item": item})


def snippet(words: str) -> str:
    """Return the end of a dialogue on one line: the last utterances matter most.

    >>> snippet("<architect> a red one\\n<builder> here?")
    'a red one · here?'
    """
    line = " · ".join(re.sub(r"^<\w+> ", "", utterance) for utterance in words.split("\n"))
    return line if len(line) <= _SNIPPET else "… " + line[-_SNIPPET:].partition(" ")[2]


def f1_text(counts: Counts) -> str:
    """Format F1 of one item in percent.

    >>> f1_text(Counts(tp=1, fp=1)), f1_text(Counts())
    ('66.7', 'nothing to do')
    """
    if counts == Counts():
        return "nothing to do"
    return f"{100 * counts.f1:.1f}"


def lines_html(lines: Iterable[str], empty: str, changed: Sequence[Collection[int]] = ()) -> str:
    """Format utterances with their speakers in bold, and actions as code; `empty` if there are none.

    Args:
        changed: of each line the numbers of the words that are marked, the speaker's name being the first.
    """
    parts = []
    for line, places in zip_longest(lines, changed, fillvalue=()):
        if utterance := _UTTERANCE.fullmatch(line):
            words = escape(utterance[2])
            if places:
                words = " ".join(
                    f"<mark>{escape(word)}</mark>" if place in places else escape(word)
                    for place, word in enumerate(utterance[2].split(), 1)
                )
            parts.append(f"<p class='utterance'><b>{utterance[1]}:</b> {words}</p>")
        else:
            parts.append(f"<p class='action'><code>{escape(line)}</code></p>")
    return "".join(parts) or f"<p><i>{escape(empty)}</i></p>"


def dialogue_html(row: Mapping, name: str = "Dialogue", changed: Sequence[Collection[int]] = ()) -> str:
    """Format what was said since the last action; what happened before that can be opened above it.

    Args:
        name: for screen readers.
        changed: as for `lines_html`, of the dialogue.
    """
    history = row["history"]
    before = "<p><i>The game starts here.</i></p>"
    if history:
        utterances = sum(line.startswith("<") for line in history)
        title = f"History: {counted(utterances, 'utterance')}, {counted(len(history) - utterances, 'action')}"
        before = f"<details><summary>{title}</summary>{lines_html(history, '')}</details>"
    dialogue = lines_html(row["dialogue"], "no utterances since the last action", changed)
    return f"<div class='talk' tabindex='0' role='region' aria-label='{escape(name)}'>{before}{dialogue}</div>"


def about_html(row: Mapping, place: int, n_places: int) -> str:
    """Format the place of the item in its game, where the Builder stands, and the net actions of the reference."""
    # Facts in one line each.
    before, after = (parse_structure(row[name]) for name in ("before", "after"))
    change = net_actions(before, after)
    facts = [
        f"item {place} of {counted(n_places, 'item')} of its game",
        f"{row['interpretations']} interpretation{'' if row['interpretations'] == 'unique' else 's'}",
        f"{counted(len(before), 'block')} on the board",
    ]
    yaw, side = 0.0, ""
    if row["pose"]:
        pose = Pose(**row["pose"])
        yaw, side = pose.yaw, ", as the Builder sees them"
        facts.append(builder_in_words(pose))
        facts.append(f"position {pose.x:.1f} {pose.y:.1f} {pose.z:.1f}, yaw {yaw:.1f}°, pitch {pose.pitch:.1f}°")
    else:
        facts.append("where the Builder stands is not known: the board is seen along +z")

    # The list of these, and the net actions.
    listed = "".join(f"<li>{escape(fact)}</li>" for fact in facts)
    words = change_in_words(change, yaw) or ["nothing changes"]
    return (
        f"<ul class='facts'>{listed}</ul><p><b>Net actions of the reference{side}</b></p>"
        f"<pre tabindex='0' aria-label='Net actions of the reference'>{escape(chr(10).join(words))}</pre>"
    )


def totals_html(
    n_items: int, n_matching: int, totals: Mapping[str, tuple[tuple[int, float], tuple[int, float]]]
) -> str:
    """Format the scores of models on the whole split, and on the items that match.

    Args:
        n_items: of the split.
        n_matching: those that match the filters.
        totals: by model, of all items and of those that match.
    """
    filtered = n_matching < n_items
    parts = [f"{counted(n_items, 'item')}" + (f", {n_matching:,} match" if filtered else "")]
    if totals:
        parts.append("<b>Overall (fairer F1)</b>")
    for name, (every, matching) in totals.items():
        text = f"{escape(name)} <b>{every[1]:.1f}</b> on {_of(every[0], n_items, 'all')}"
        if filtered:
            score = f"<b>{matching[1]:.1f}</b>" if matching[0] else "–"
            text += f", {score} on {_of(matching[0], n_matching, 'the')} that match"
        parts.append(text)
    return "<p class='totals' role='status'>" + " ".join(f"<span>{part}</span>" for part in parts) + "</p>"


def _of(answered: int, number: int, every: str) -> str:
    return f"{every} {number:,}" if answered == number else f"{answered:,} of {number:,}"


def scores_html(title: str, counts: Mapping[str, Mapping | None]) -> str:
    """Format a table of F1 in percent with right, wrong and missed net actions; a column per system.

    Args:
        counts: by system those of `bap_v2_metric.score_item`, or None without a prediction.
    """
    heads = "".join(f"<th scope='col'>{escape(name)}</th>" for name in counts)
    lines = []
    for row, value in _VALUES.items():
        cells = "".join(f"<td>{'–' if item is None else value(item)}</td>" for item in counts.values())
        lines.append(f"<tr><th scope='row'>{row}</th>{cells}</tr>")
    return table_html(title, f"<td></td>{heads}", lines)


def _f1_of(measure: str) -> Callable[[Mapping], str]:
    return lambda item: f1_text(Counts.of(item, measure))


# The rows of a table of one item. Overall is what counts: it stands first.
_VALUES: Mapping[str, Callable[[Mapping], object]] = {
    "Overall (fairer F1)": _f1_of("fairer"),
    **{title: _f1_of(measure) for measure, title in COLUMNS.items() if measure != "fairer"},
    "right ✓": lambda item: Counts.of(item).tp,
    "wrong ✗": lambda item: Counts.of(item).fp,
    "missed ○": lambda item: Counts.of(item).fn,
    "unparsed lines": lambda item: item["unparsed_lines"],
    "infeasible actions": lambda item: item["infeasible_actions"],
}


def verdict_html(name: str, verdict: Verdict) -> str:
    """List what is wrong and missed in a prediction, action by action, and what was not read or changes nothing.

    Args:
        name: of the model.
        verdict: of its prediction.
    """
    mistakes = [cube for look in (Look.WRONG, Look.MISSED) for cube in verdict.cubes if cube.look is look]
    lines = [f"{cube.mark} {cube.look.value}: {_action(cube)}" for cube in mistakes] or [
        "nothing wrong, nothing missed"
    ]
    if verdict.aligned:
        lines.insert(0, "rotated and moved to fit best: the item has multiple interpretations")
    listed = "".join(f"<li>{escape(line)}</li>" for line in (*lines, *verdict.problems))
    return f"<div class='verdict'><h4>{escape(name)}</h4><ul>{listed}</ul></div>"


def _action(cube: Cube) -> str:
    x, y, z = cube.cell
    return f"pick {x} {y} {z} ({cube.color.value})" if cube.removal else f"place {cube.color.value} {x} {y} {z}"


def table_html(caption: str, heads: str, lines: Iterable[str]) -> str:
    """Format a table of HTML cells, which scrolls where it is too wide."""
    return (
        f"<div class='wide' tabindex='0' role='region' aria-label='{escape(caption)}'>"
        f"<table class='numbers'><caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def problems_html(problems: Sequence[str]) -> str:
    """Format sentences about lines, as a list that screen readers announce."""
    if not problems:
        return status_html("Every line was parsed and executed.")
    return "<ul role='status'>" + "".join(f"<li>{escape(problem)}</li>" for problem in problems) + "</ul>"


def status_html(text: str) -> str:
    """Format a sentence that screen readers announce."""
    return f"<p role='status'>{escape(text)}</p>"


def goal_html(blocks: int, right: int, text: str) -> str:
    """Format how many blocks of a target stand, as a bar, and a sentence."""
    return (
        f"<p><b>Goal:</b> the Architect's structure of {counted(blocks, 'block')}</p>"
        f"<progress max='{blocks}' value='{right}' aria-label='Blocks of the target that stand'></progress>"
        f"{status_html(text)}"
    )


def alert_html(error: object) -> str:
    """Format an error, or its message, that screen readers announce at once."""
    return f"<p role='alert'><b>{escape(storable(str(error)))}</b></p>"


def heading_html(text: str) -> str:
    """Format the heading of the page's part for an item."""
    return f"<h2>{escape(storable(text))}</h2>"


def legend_text() -> str:
    """Return the legend of the pictures of items on one line."""
    looks = [words for look, words in legend().items() if look is not Look.CONSIDERED]
    return "; ".join([*looks, HIDDEN_LEGEND, LEGEND])
