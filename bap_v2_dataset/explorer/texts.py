"""One item in words: HTML for its parts, and links to it. What people typed is escaped."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from urllib.parse import urlencode

from bap_v2_dataset.evaluation.score_tables import COLUMNS, counted
from bap_v2_dataset.pictures.terminal_board import builder_in_words, change_in_words
from bap_v2_metric.actions import net_actions
from bap_v2_metric.cubes import legend
from bap_v2_metric.notation import parse_structure
from bap_v2_metric.scoring import precision_recall_f1
from bap_v2_simulators.pose import Pose

_SPEAKER = re.compile(r"<(Architect|Builder)> (.*)", re.DOTALL)
_SNIPPET = 70  # characters of a dialogue in a list


def permalink(config: str, split: str, item: str) -> str:
    """The part of an address that names an item.

    >>> permalink("dss", "test", "dss-test-12/0")
    '?config=dss&split=test&item=dss-test-12%2F0'
    """
    return "?" + urlencode({"config": config, "split": split, "item": item})


def snippet(words: str) -> str:
    """The end of a dialogue, on one line: what was said last matters most.

    >>> snippet("<architect> a red one\\n<builder> here?")
    'a red one · here?'
    """
    said = " · ".join(re.sub(r"^<\w+> ", "", line) for line in words.split("\n"))
    return said if len(said) <= _SNIPPET else "… " + said[-_SNIPPET:].partition(" ")[2]


def f1_text(counts: Mapping) -> str:
    """F1 of one item in per cent.

    >>> f1_text({"tp": 1, "fp": 1, "fn": 0}), f1_text({"tp": 0, "fp": 0, "fn": 0})
    ('66.7', 'nothing to do')
    """
    tp, fp, fn = (counts[name] for name in ("tp", "fp", "fn"))
    return f"{100 * precision_recall_f1(tp, tp + fp, tp + fn)[2]:.1f}" if tp + fp + fn else "nothing to do"


def storable(text: str) -> str:
    """The text without lone surrogates, which models write and nobody can send."""
    return text.encode("utf-8", "replace").decode("utf-8")


def lines_html(lines: Iterable[str], empty: str) -> str:
    """Utterances with their speakers in bold, and actions in the type of code."""
    parts = []
    for line in lines:
        if said := _SPEAKER.fullmatch(line):
            parts.append(f"<p class='said'><b>{said[1]}:</b> {escape(said[2])}</p>")
        else:
            parts.append(f"<p class='done'><code>{escape(line)}</code></p>")
    return "".join(parts) or f"<p><i>{escape(empty)}</i></p>"


def about_html(row: Mapping, place: int, n_places: int) -> str:
    """Where the item is from, where the Builder stands, and what the reference does."""
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
        f"<ul>{listed}</ul><p><b>What the reference does, as the Builder sees it</b></p>"
        f"<pre tabindex='0' aria-label='What the reference does'>{escape(chr(10).join(words))}</pre>"
    )


def scores_html(title: str, counted_by: Mapping[str, Mapping | None]) -> str:
    """A table of F1 in per cent with correct, wrong and missed net actions; a row a model.

    Args:
        counted_by: by model the counts of `bap_v2_metric.score_item`, or None without an answer.
    """
    heads = "".join(
        f"<th scope='col'>{name}</th>" for name in ("system", *COLUMNS.values(), "✓ ✗ ○", "unread", "infeasible")
    )
    lines = []
    for name, counts in counted_by.items():
        cells = [escape(name)]
        if counts is None:
            lines.append(f"<tr><th scope='row'>{cells[0]}</th><td colspan='{len(COLUMNS) + 3}'>no prediction</td></tr>")
            continue
        cells += [f1_text(counts[measure]) for measure in COLUMNS]
        cells.append(" ".join(str(counts["fairer"][key]) for key in ("tp", "fp", "fn")))
        cells += [str(counts["unparsed_lines"]), str(counts["infeasible_actions"])]
        lines.append(
            f"<tr><th scope='row'>{cells[0]}</th>" + "".join(f"<td>{cell}</td>" for cell in cells[1:]) + "</tr>"
        )
    return table_html(title, heads, lines)


def table_html(caption: str, heads: str, lines: Iterable[str]) -> str:
    """A table of HTML cells, which is scrolled where it is too wide."""
    return (
        f"<div class='wide' tabindex='0' role='region' aria-label='{escape(caption)}'>"
        f"<table class='numbers'><caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def complaints_html(complaints: Sequence[str]) -> str:
    """Sentences about lines, as a list that screen readers announce."""
    if not complaints:
        return "<p role='status'>Every line was read and did something.</p>"
    return "<ul role='status'>" + "".join(f"<li>{escape(one)}</li>" for one in complaints) + "</ul>"


def legend_text() -> str:
    """What the looks of cubes mean, on one line."""
    return "; ".join(legend().values())
