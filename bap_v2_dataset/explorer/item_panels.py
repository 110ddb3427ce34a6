"""What the page shows of an item, and of a prediction that is typed for it: changes, as in `panels`."""

import json

import gradio as gr

from bap_v2_dataset.explorer import texts
from bap_v2_dataset.explorer.layout import COLUMNS, PICTURES
from bap_v2_dataset.explorer.panels import Changes, plot
from bap_v2_dataset.explorer.verdict import LONGEST, verdict
from bap_v2_dataset.explorer.view import View
from bap_v2_dataset.prompts import REPRESENTATIONS
from bap_v2_metric.board_figure import camera, plotly_figure
from bap_v2_metric.cubes import Cube, change
from bap_v2_metric.notation import parse_structure, storable

# What the functions may change.
STEPS = ("previous_in_game", "next_in_game", "previous_result", "next_result")
ITEM = (
    "title", "notice", "clear_here", "body", "details", *STEPS, *PICTURES, "scores", "verdicts", "dialogue", "about",
    "raw-1", "raw-2", *(f"column_{name}" for name in COLUMNS), *(f"prompt_{name}" for name in REPRESENTATIONS),
    "metadata", "item_id", "address", "position",
)  # fmt: skip
TYPED = ("verdict", "typed_picture")


def item_panel(view: View, position: int) -> Changes:
    """All of an item; what is typed stays."""
    row = view.split.row(position)
    game = view.split.index.game(position)
    return {
        "title": f"## {row['id']}",
        "notice": "",
        "clear_here": gr.update(visible=False),
        "body": gr.update(visible=True),
        "details": gr.update(visible=True),
        **_step_buttons(view, position),
        "dialogue": texts.dialogue_html(row),
        "about": texts.about_html(row, game.index(position) + 1, len(game)),
        "scores": _scores(view, position),
        **_predictions_and_pictures(view, row),
        "metadata": json.dumps(row["metadata"], indent=2, ensure_ascii=False),
        "item_id": row["id"],
        "address": texts.permalink(*view.split.key, row["id"]),
        "position": position,
        **{f"column_{name}": "\n".join(row[name]) for name in COLUMNS},
        **{f"prompt_{name}": row[f"prompt_{name}"] or "" for name in REPRESENTATIONS},
    }


def no_item_panel(title: str, problem: str, clear: bool = False) -> Changes:
    """In place of an item a heading and the reason.

    Args:
        title: of the heading.
        problem: a sentence.
        clear: whether to clear the filters may help.
    """
    return {
        "title": f"## {title}",
        "notice": texts.alert_html(problem),
        "clear_here": gr.update(visible=clear),
        "body": gr.update(visible=False),
        "details": gr.update(visible=False),
        **{name: gr.update(interactive=False) for name in STEPS},
        "address": "",
        "position": -1,
    }


def _step_buttons(view: View, position: int) -> Changes:
    game = view.split.index.game(position)
    place, rank = game.index(position), view.results.rank(position)
    rank = -1 if rank is None else rank
    return {
        "previous_in_game": gr.update(interactive=place > 0),
        "next_in_game": gr.update(interactive=place + 1 < len(game)),
        "previous_result": gr.update(interactive=rank > 0),
        "next_result": gr.update(interactive=rank + 1 < len(view.results.positions)),
    }


def _scores(view: View, position: int) -> str:
    """Of all models that the visitor has."""
    counts = {name: scores.items.get(position) for name, scores in view.scores.items()}
    return texts.scores_html("F1 of the item in percent", counts) if counts else ""


def _predictions_and_pictures(view: View, row: dict) -> Changes:
    """The pictures, seen from one place, and of the chosen models also the raw texts and what is wrong in them."""
    before, after = parse_structure(row["before"]), parse_structure(row["after"])
    boards: dict[str, tuple[str, list[Cube]]] = {"reference": ("Reference", change(before, after))}
    if row["target"]:
        target = parse_structure(row["target"])
        boards["target"] = ("Target", change(target, target))
    changes: Changes = {"raw-1": gr.update(visible=False), "raw-2": gr.update(visible=False)}
    verdicts = []
    for number, model in enumerate(view.chosen, 1):
        text = model and model.prediction(view.split.key, row["id"])
        if text is None:
            continue
        outcome = verdict(text, row)
        boards[f"model-{number}"] = (model.name, outcome.cubes)
        changes[f"raw-{number}"] = gr.update(value=storable(text), label=model.name, visible=True)
        verdicts.append(texts.verdict_html(model.name, outcome))
    return changes | {"verdicts": "".join(verdicts)} | _pictures(boards, row)


def _pictures(boards: dict[str, tuple[str, list[Cube]]], row: dict) -> Changes:
    """The pictures of the boards, by control with their labels; the others are hidden."""
    place = _camera(row, [cube for _, cubes in boards.values() for cube in cubes])
    height = 390 if len(boards) <= 2 else 330 if len(boards) == 3 else 250  # in rows of at most three
    changes: Changes = {}
    for name in PICTURES:
        if name not in boards:
            changes[name] = gr.update(visible=False)
            continue
        label, cubes = boards[name]
        changes[name] = gr.update(value=_picture(cubes, row, place, height), label=label, visible=True)
    return changes


def _camera(row: dict, cubes: list[Cube]) -> dict:
    return camera(cubes, row["pose"]["yaw"] if row["pose"] else 0.0)


def _picture(cubes: list[Cube], row: dict, place: dict, height: int) -> object:
    figure = plotly_figure(cubes, pose=row["pose"])
    figure["layout"]["scene"]["camera"] = place
    return plot(figure, height)


def nothing_typed() -> Changes:
    """An empty prediction."""
    return {"typed": "", "verdict": "", "typed_picture": gr.update(visible=False)}


def typed_panel(view: View, position: int, text: str) -> Changes:
    """What a typed prediction does to an item, and its scores."""
    if position < 0 or not text.strip():
        return {"verdict": "", "typed_picture": gr.update(visible=False)}
    row = view.split.row(position)
    outcome = verdict(text[:LONGEST], row)
    table = texts.scores_html("Your prediction, F1 in percent", {"typed": outcome.counts})
    place = _camera(row, [*_reference(row), *outcome.cubes])
    return {
        "verdict": texts.problems_html(outcome.problems) + table,
        "typed_picture": gr.update(value=_picture(outcome.cubes, row, place, 330), visible=True),
    }


def _reference(row: dict) -> list[Cube]:
    return change(parse_structure(row["before"]), parse_structure(row["after"]))
