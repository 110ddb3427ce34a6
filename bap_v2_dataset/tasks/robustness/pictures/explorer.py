"""A variant and its parent in words: dialogues side by side, and what was changed. What people typed is escaped."""

from collections.abc import Mapping
from html import escape

from bap_v2_dataset.explorer.texts import dialogue_html, permalink
from bap_v2_dataset.tasks.robustness.pictures.changes import boards, changes, dialogues, histories, title_of


def pair_html(parent: Mapping, variant: Mapping) -> str:
    """Return the dialogues of a parent and its variant beside each other, with the words marked that differ."""
    parts = []
    for name, row, lines in zip(("Parent", "Variant"), (parent, variant), dialogues(parent, variant)):
        talk = dialogue_html(row, f"{name}: dialogue", lines.changed)
        parts.append(f"<div><h4>{name}</h4>{talk}</div>")
    return f"<div class='pair'>{''.join(parts)}</div>"


def changes_html(parent: Mapping, key: tuple[str, str], variant: Mapping) -> str:
    """Say what was changed, with a link to the parent.

    Args:
        key: config and split of the parent.
    """
    listed = [escape(change) for change in changes(parent, variant)]
    listed += [f"{name}: {_pair(pair)}" for name, pair in _lists(parent, variant)]
    link = escape(permalink(*key, parent["id"]))
    return (
        f"<p><b>{escape(title_of(variant))}</b> of <a href='{link}'>{escape(parent['id'])}</a></p>"
        f"<ul class='facts changes'>{''.join(f'<li>{change}</li>' for change in listed)}</ul>"
    )


def _lists(parent: Mapping, variant: Mapping) -> list:
    """Return the board and the history where they are listed otherwise."""
    pairs = (("the board is listed as", boards(parent, variant)), ("earlier actions", histories(parent, variant)))
    return [(name, pair) for name, pair in pairs if pair]


def _pair(pair: tuple) -> str:
    """Return the lines of the variant, with the words marked that differ."""
    _, new = pair
    return "; ".join(
        " ".join(
            f"<mark>{escape(word)}</mark>" if place in places else escape(word)
            for place, word in enumerate(line.split())
        )
        for line, places in zip(new.lines, new.changed)
    )
