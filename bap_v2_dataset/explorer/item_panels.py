"""What the page shows of an item, and of a prediction that is typed for it: changes, as in `panels`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import gradio as gr

from bap_v2_dataset.explorer import texts
from bap_v2_dataset.explorer.layout import COLUMNS, PICTURES
from bap_v2_dataset.explorer.panels import Changes, plot
from bap_v2_dataset.explorer.view import PageView
from bap_v2_dataset.interface.table import task_of_item
from bap_v2_dataset.items.prompts import REPRESENTATIONS, render
from bap_v2_dataset.items.verdict import LONGEST, verdict
from bap_v2_dataset.labels.readings import READER, reading_of
from bap_v2_dataset.pictures.board_figure import n_hidden, plotly_figures
from bap_v2_dataset.pictures.cubes import Cube, best_fit, change, counts_in_words, target_cubes
from bap_v2_metric.notation import parse_structure, storable

# What the functions may change.
STEPS = ("previous_in_game", "next_in_game", "previous_result", "next_result")
ITEM = (
    "title", "notice", "clear_here", "body", "details", *STEPS, *PICTURES,
    *(f"{part}-{name}" for part in ("panel", "caption") for name in PICTURES), "scores", "verdicts", "dialogue",
    "about",
    "raw-1", "raw-2", *(f"column_{name}" for name in COLUMNS), *(f"prompt_{name}" for name in REPRESENTATIONS),
    "metadata", "item_id", "address", "position",
)  # fmt: skip
TYPED = ("verdict", "typed_picture")
# By the number of pictures their height in pixels, and the width of the narrowest by it: three stand in a row.
_SIZES = {1: (390, 1.0), 2: (310, 0.85), 3: (300, 0.8), 4: (250, 1.0)}
_FITTED = "rotated and moved to fit the board best"


def item_panel(view: PageView, position: int) -> Changes:
    """Show all of an item; what is typed stays."""
    row = view.split.row(position)
    game = view.split.index.game(position)
    parent = view.split.parent_of(row)

    # A variant is shown beside its parent.
    dialogue, about = texts.dialogue_html(row), texts.about_html(row, game.index(position) + 1, len(game))
    if parent:
        dialogues, changes = task_of_item(row["id"]).viewer.compared_html(*parent, row)
        dialogue, about = dialogues or dialogue, changes + about

    counts = {name: scores.items.get(position) for name, scores in view.scores.items()}

    # The heading, the boards and scores, and what is folded away.
    return {
        "title": texts.heading_html(row["id"]),
        "notice": "",
        "clear_here": gr.update(visible=False),
        "body": gr.update(visible=True),
        "details": gr.update(visible=True),
        **_step_buttons(view, position, game),
        "dialogue": dialogue,
        "about": about,
        "scores": texts.scores_html("F1 of the item in percent", counts) if counts else "",
        **_predictions_and_pictures(view, row, parent and parent[0]),
        "metadata": json.dumps(row["metadata"], indent=2, ensure_ascii=False),
        "item_id": row["id"],
        "address": texts.permalink(*view.split.key, row["id"]),
        "position": position,
        **{f"column_{name}": "\n".join(row[name]) for name in COLUMNS},
        **{f"prompt_{name}": _prompt(row, name) for name in REPRESENTATIONS},
    }


def _prompt(row: Mapping[str, Any], representation: str) -> str:
    """Return the prompt of a row, "" where it lacks what that is made of."""
    entry = REPRESENTATIONS[representation]
    if entry.in_rows:
        return row[f"prompt_{representation}"] or ""
    complete = (row["dialogue"] or row["history"]) and all(row[name] is not None for name in entry.columns)
    return render(row, representation) if complete else ""


def no_item_panel(title: str, problem: str, clear: bool = False) -> Changes:
    """Show a heading and the reason in place of an item.

    Args:
        title: of the heading.
        problem: a sentence.
        clear: whether to clear the filters may help.
    """
    return {
        "title": texts.heading_html(title),
        "notice": texts.alert_html(problem),
        "clear_here": gr.update(visible=clear),
        "body": gr.update(visible=False),
        "details": gr.update(visible=False),
        **{name: gr.update(interactive=False) for name in STEPS},
        "address": "",
        "position": -1,
    }


def _step_buttons(view: PageView, position: int, game: Sequence[int]) -> Changes:
    place, rank = game.index(position), view.results.rank(position)
    rank = -1 if rank is None else rank
    return {
        "previous_in_game": gr.update(interactive=place > 0),
        "next_in_game": gr.update(interactive=place + 1 < len(game)),
        "previous_result": gr.update(interactive=rank > 0),
        "next_result": gr.update(interactive=rank + 1 < len(view.results.positions)),
    }


def _predictions_and_pictures(view: PageView, row: dict, parent: dict | None) -> Changes:
    """Show the pictures, seen from one place, and of the chosen models also the raw texts and what is wrong in them.

    Args:
        parent: of a variant; then the place is that of its Builder.
    """
    # The reference, the parent of a variant, the reading, and the target.
    after = parse_structure(row["after"])
    panels = {"reference": CaptionedPicture("Reference", _reference(row))}
    if parent is not None:
        panels = {
            "parent": CaptionedPicture("Parent: reference", _reference(parent), builder=parent["pose"]),
            "reference": CaptionedPicture("Variant: reference", _reference(row)),
        }
    if (reading := reading_of(row)) is not None:
        panels["reading"] = CaptionedPicture(READER, verdict(reading, row).cubes, judged=True)
    if row["target"]:
        target = parse_structure(row["target"], anywhere=True)
        fitted = best_fit(target, after)
        panels["target"] = CaptionedPicture("Target", target_cubes(fitted), "" if fitted == target else _FITTED)

    # What the chosen models predict.
    changes: Changes = {"raw-1": gr.update(visible=False), "raw-2": gr.update(visible=False)}
    verdicts = []
    for number, model in enumerate(view.chosen, 1):
        text = model and model.prediction(view.split.key, row["id"])
        if text is None:
            continue
        outcome = verdict(text, row)
        panels[f"model-{number}"] = CaptionedPicture(model.name, outcome.cubes, judged=True)
        changes[f"raw-{number}"] = gr.update(value=storable(text), label=model.name, visible=True)
        verdicts.append(texts.verdict_html(model.name, outcome))
    seen_from = (parent or row)["pose"]
    return changes | {"verdicts": "".join(verdicts)} | _pictures(panels, row["pose"], seen_from)


@dataclass(frozen=True)
class CaptionedPicture:
    """A picture and what stands under it."""

    label: str
    cubes: Sequence[Cube]
    note: str = ""
    judged: bool = False  # its right, wrong and missed actions are counted
    builder: Mapping[str, float] | None = None  # where the Builder stands, if it is another board than the item's


def _pictures(
    panels: Mapping[str, CaptionedPicture], pose: Mapping[str, float] | None, seen_from: Mapping[str, float] | None
) -> Changes:
    """Show the pictures by control, all seen by one camera; hide the others.

    Args:
        pose: of the Builder.
        seen_from: the pose from whose side the boards are seen.
    """
    height, aspect = _SIZES.get(len(panels), _SIZES[4])
    poses = [panel.builder or pose for panel in panels.values()]
    figures = plotly_figures([panel.cubes for panel in panels.values()], pose=seen_from, poses=poses, aspect=aspect)
    changes: Changes = {f"panel-{name}": gr.update(visible=name in panels) for name in PICTURES}
    for (name, panel), figure in zip(panels.items(), figures):
        counts = counts_in_words(panel.cubes, n_hidden(figure)) if panel.judged else ""
        changes[name] = gr.update(value=plot(figure, height), label=panel.label)
        caption = ", ".join(filter(None, (counts, panel.note)))
        changes[f"caption-{name}"] = f"<p class='caption'>{escape(caption)}</p>"
    return changes


def nothing_typed() -> Changes:
    """Show an empty prediction."""
    return {"typed": "", "verdict": "", "typed_picture": gr.update(visible=False)}


def typed_panel(view: PageView, position: int, text: str) -> Changes:
    """Show what a typed prediction does to an item, and its scores."""
    if position < 0 or not text.strip():
        return {"verdict": "", "typed_picture": gr.update(visible=False)}
    row = view.split.row(position)
    outcome = verdict(text[:LONGEST], row)
    table = texts.scores_html("Your prediction, F1 in percent", {"typed": outcome.counts})
    height, aspect = _SIZES[2]
    _, figure = plotly_figures([_reference(row), outcome.cubes], pose=row["pose"], aspect=aspect)
    return {
        "verdict": texts.problems_html(outcome.problems) + table,
        "typed_picture": gr.update(value=plot(figure, height), visible=True),
    }


def _reference(row: dict) -> list[Cube]:
    return change(parse_structure(row["before"]), parse_structure(row["after"]))
