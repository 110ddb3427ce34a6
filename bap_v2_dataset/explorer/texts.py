"""One item in words: HTML for its parts, and links to it. What people typed is escaped."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from urllib.parse import urlencode

from bap_v2_dataset.paper import COLUMNS
from bap_v2_dataset.pictures.terminal_board import builder_in_words, change_in_words
from bap_v2_dataset.sentences import counted
from bap_v2_metric.actions import net_actions
from bap_v2_metric.counts import Counts
from bap_v2_metric.cubes import legend
from bap_v2_metric.notation import parse_structure, storable
from bap_v2_simulators.pose import Pose

_UTTERANCE = re.compile(r"<(Architect|Builder)> (.*)", re.DOTALL)
_SNIPPET = 70  # characters of a dialogue in a list


def permalink(config: str, split: str, item: str) -> str:
    """The part of an address that names an item.

    >>> permalink("dss", "test", "dss-test-12/0")
    '?config=dss&split=test&item=dss-test-12%2F0'
    """
    return "?" + urlencode({"config": config, "split": split, "item": item})


def snippet(words: str) -> str:
    """The end of a dialogue, on one line: the last utterances matter most.

    >>> snippet("<architect> a red one\\n<builder> here?")
    'a red one · here?'
    """
    line = " · ".join(re.sub(r"^<\w+> ", "", utterance) for utterance in words.split("\n"))
    return line if len(line) <= _SNIPPET else "… " + line[-_SNIPPET:].partition(" ")[2]


def f1_text(counts: Counts) -> str:
    """F1 of one item in percent.

    >>> f1_text(Counts(tp=1, fp=1)), f1_text(Counts())
    ('66.7', 'nothing to do')
    """
    if counts == Counts():
        return "nothing to do"
    return f"{100 * counts.f1:.1f}"


def lines_html(lines: Iterable[str], empty: str) -> str:
    """Utterances with their speakers in bold, and actions as code; `empty` if there are none."""
    parts = []
    for line in lines:
        if utterance := _UTTERANCE.fullmatch(line):
            parts.append(f"<p class='utterance'><b>{utterance[1]}:</b> {escape(utterance[2])}</p>")
        else:
            parts.append(f"<p class='action'><code>{escape(line)}</code></p>")
    return "".join(parts) or f"<p><i>{escape(empty)}</i></p>"


def about_html(row: Mapping, place: int, n_places: int) -> str:
    """The place of the item in its game, where the Builder stands, and the net actions of the reference."""
    pose = Pose(**row["pose"])
    before, after = (parse_structure(row[name]) for name in ("before", "after"))
    change = net_actions(before, after)
    facts = [
        f"item {place} of {counted(n_places, 'item')} of its game",
        f"{row['interpretations']} interpretation{'' if row['interpretations'] == 'unique' else 's'}",
        f"{counted(len(before), 'block')} on the board",
        builder_in_words(pose),
        f"position {pose.x:.1f} {pose.y:.1f} {pose.z:.1f}, yaw {pose.yaw:.1f}°, pitch {pose.pitch:.1f}°",
    ]
    listed = "".join(f"<li>{escape(fact)}</li>" for fact in facts)
    words = change_in_words(change, pose.yaw) or ["nothing changes"]
    return (
        f"<ul>{listed}</ul><p><b>Net actions of the reference, as the Builder sees them</b></p>"
        f"<pre tabindex='0' aria-label='Net actions of the reference'>{escape(chr(10).join(words))}</pre>"
    )


def scores_html(title: str, counts: Mapping[str, Mapping | None]) -> str:
    """A table of F1 in percent with correct, wrong and missed net actions; a row per system.

    Args:
        counts: by system those of `bap_v2_metric.score_item`, or None without a prediction.
    """
    names = ("system", *COLUMNS.values(), "✓ ✗ ○", "unparsed", "infeasible")
    heads = "".join(f"<th scope='col'>{name}</th>" for name in names)
    return table_html(title, heads, [_scores_row(name, item) for name, item in counts.items()])


def _scores_row(name: str, item: Mapping | None) -> str:
    head = f"<th scope='row'>{escape(name)}</th>"
    if item is None:
        return f"<tr>{head}<td colspan='{len(COLUMNS) + 3}'>no prediction</td></tr>"
    cells = [f1_text(Counts.of(item, measure)) for measure in COLUMNS]
    overall = Counts.of(item)
    cells.append(f"{overall.tp} {overall.fp} {overall.fn}")
    cells += [str(item["unparsed_lines"]), str(item["infeasible_actions"])]
    return f"<tr>{head}{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def table_html(caption: str, heads: str, lines: Iterable[str]) -> str:
    """A table of HTML cells, which scrolls where it is too wide."""
    return (
        f"<div class='wide' tabindex='0' role='region' aria-label='{escape(caption)}'>"
        f"<table class='numbers'><caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def problems_html(problems: Sequence[str]) -> str:
    """Sentences about lines, as a list that screen readers announce."""
    if not problems:
        return status_html("Every line was parsed and executed.")
    return "<ul role='status'>" + "".join(f"<li>{escape(problem)}</li>" for problem in problems) + "</ul>"


def status_html(text: str) -> str:
    """A sentence that screen readers announce."""
    return f"<p role='status'>{escape(text)}</p>"


def alert_html(error: object) -> str:
    """An error, or its message, that screen readers announce at once."""
    return f"<p role='alert'><b>{escape(storable(str(error)))}</b></p>"


def legend_text() -> str:
    """What the styles of the cubes mean, on one line."""
    return "; ".join(legend().values())
