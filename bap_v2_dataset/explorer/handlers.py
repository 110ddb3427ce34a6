"""What each control of the page does: from a view, and the values of a few controls, to changes (`panels`).

Nothing of a visitor is kept here: the page sends all that a handler needs to know.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr

from bap_v2_dataset.explorer import texts
from bap_v2_dataset.explorer.item_panels import item_panel, no_item_panel, nothing_typed, typed_panel
from bap_v2_dataset.explorer.panels import TOAST, Changes, charts_panel, filters_panel, results_panel, results_with
from bap_v2_dataset.explorer.sources import RowSource
from bap_v2_dataset.explorer.split import uploaded_model
from bap_v2_dataset.explorer.view import NO_MODEL, PageView, view_of
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import storable


# --- Another split.
def open_page(source: RowSource, query: Mapping[str, str], values: Mapping[str, Any]) -> Changes:
    """Show the whole page, for an address that may name a config, a split and an item.

    An address that names what there is not shows no other item in its place.

    Args:
        source: of the rows.
        query: of the address.
        values: of the controls, by name (`view.CONTROLS`).
    """
    # The split that the address names, else the one that the controls have.
    key, problem = (values["config"], values["split"]), ""
    if "config" in query or "split" in query:
        try:
            key = source.start(query.get("config", values["config"]), query.get("split", ""))
        except UserError as error:
            problem = str(error)
    view = view_of(source, {**values, "config": key[0], "split": key[1]})
    if key != (values["config"], values["split"]):
        view = view.without_bins()

    # The item, or what is wrong with the address.
    position = None
    if "item" in query and not problem:
        position = view.split.index.position(query["item"])
        if position is None:
            problem = _no_item(view, query["item"])
    if problem:
        view = view.with_models_of_the_split()
        changes = _around(view, None) | no_item_panel("Not found", f"{problem}. Choose an item in the list.")
        changes[TOAST] = problem
    else:
        changes = show_split(view, position)
    return changes | {"config": key[0], "split": gr.update(choices=source.splits(key[0]), value=key[1])}


def choose_config(source: RowSource, values: Mapping[str, Any]) -> Changes:
    """Show another config, with the split of the same name if it has one."""
    try:
        splits = source.splits(values["config"])
        config, split = source.start(values["config"], values["split"] if values["split"] in splits else "")
    except UserError as error:
        return no_item_panel("No items", str(error)) | {TOAST: str(error)}
    changes = choose_split(view_of(source, {**values, "config": config, "split": split}))
    return {"split": gr.update(choices=splits, value=split)} | changes


def choose_split(view: PageView) -> Changes:
    return show_split(view.without_bins())


def show_split(view: PageView, position: int | None = None) -> Changes:
    """Show the facets of a split, models with predictions for it, its results, and an item: by default the first."""
    view = view.with_models_of_the_split()
    position = _first_result(view) if position is None else position
    return _around(view, position) | _item(view, position) | nothing_typed()


def _around(view: PageView, position: int | None) -> Changes:
    return filters_panel(view) | results_with(view, position) | charts_panel(view)


# --- Filters, order and models. None of them takes away what is typed: they may answer while somebody types.
def search(view: PageView, typed: str) -> Changes:
    """Show other results, and the first of them."""
    position = _first_result(view)
    return results_with(view, position) | charts_panel(view) | _item(view, position, typed)


def clear_filters(view: PageView, typed: str) -> Changes:
    view = view.without_filters().with_models_of_the_split()
    position = _first_result(view)
    values = {"words": view.words, "actions": view.actions, "f1": view.f1, "order": view.order}
    return values | _around(view, position) | _item(view, position, typed)


def choose_model(view: PageView, position: int, typed: str) -> Changes:
    """Show another model: the item stays, if it still matches."""
    if position < 0 or view.results.rank(position) is None:
        return search(view, typed)
    return results_with(view, position) | item_panel(view, position) | charts_panel(view)


def add_predictions(view: PageView, file: str | None, position: int, typed: str) -> Changes:
    """Add a model from a file that the visitor uploads, in the first place that is free, else in the second."""
    if file is None:
        return {}

    # Read the file; a bad one changes nothing.
    names = [model.name for model in view.models]
    try:
        model = uploaded_model(Path(file), view.split.key, view.split.ids, names)
    except UserError as error:
        return {"notice": texts.alert_html(error), TOAST: str(error), "file": None}

    # Choose the model, and show the item with it.
    first, second = (model, view.second) if view.first is None else (view.first, model)
    view = replace(view, models=(*view.models, model), first=first, second=second)
    choices = [NO_MODEL, *names, model.name]
    changes = {
        "models": list(view.models), "file": None, "first": gr.update(choices=choices, value=first.name),
        "second": gr.update(choices=choices, value=second.name if second else NO_MODEL),
    }  # fmt: skip
    return changes | choose_model(view, position, typed) | ({TOAST: model.note} if model.note else {})


# --- From item to item.
def turn_page(by: int, view: PageView, page: int, position: int) -> Changes:
    return results_panel(view, page + by, position)


def choose_item(view: PageView, value: str | None) -> Changes:
    return item_panel(view, int(value)) | nothing_typed() if value else {}


def step_in_game(by: int, view: PageView, position: int) -> Changes:
    game = view.split.index.game(position) if position >= 0 else []
    place = game.index(position) + by if game else -1
    return _show(view, game[place]) if 0 <= place < len(game) else {}


def step_in_results(by: int, view: PageView, position: int) -> Changes:
    """Show the result before or after an item; of an item that is not among the results, the first."""
    rank = view.results.rank(position)
    rank = 0 if rank is None else rank + by
    return _show(view, int(view.results.positions[rank])) if 0 <= rank < len(view.results.positions) else {}


def go_to_item(view: PageView, item: str) -> Changes:
    position = view.split.index.position(item.strip())
    if position is None:
        problem = _no_item(view, item.strip())
        return {"notice": texts.alert_html(problem), TOAST: problem}
    return _show(view, position)


# --- A typed prediction, and charts.
def try_prediction(view: PageView, text: str, position: int) -> Changes:
    return typed_panel(view, position, text)


def use_reference(view: PageView, position: int) -> Changes:
    return {"typed": "\n".join(view.split.row(position)["actions"]) if position >= 0 else ""}


def use_model(view: PageView, position: int) -> Changes:
    text = view.first and position >= 0 and view.first.prediction(view.split.key, view.split.ids[position])
    return {"typed": storable(text or "")}


def open_charts(view: PageView) -> Changes:
    return {"charts_open": True} | charts_panel(replace(view, charts_open=True))


def _show(view: PageView, position: int) -> Changes:
    return results_with(view, position) | item_panel(view, position) | nothing_typed()


def _item(view: PageView, position: int | None, typed: str = "") -> Changes:
    """Show an item with what is typed judged for it; if there is none, that no item matches."""
    if position is None:
        return no_item_panel("No items match", "No items match the filters.", clear=True)
    return item_panel(view, position) | (typed_panel(view, position, typed) if typed.strip() else {})


def _first_result(view: PageView) -> int | None:
    return int(view.results.positions[0]) if len(view.results.positions) else None


def _no_item(view: PageView, item: str) -> str:
    return f"{view.split.key[0]}, {view.split.key[1]} has no item {item!r}"
