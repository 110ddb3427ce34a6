"""The explorer's page: the controls of `layout`, and which of the `handlers` each of them calls.

The address of the page names the item that is shown (`texts.permalink`), so that it can be passed on as it is, and the
browser's back button leads to the item before.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from typing import Any
from urllib.parse import parse_qsl

import gradio as gr

from bap_v2_dataset.explorer import handlers, panels
from bap_v2_dataset.explorer.item_panels import ITEM, TYPED
from bap_v2_dataset.explorer.layout import Controls, layout
from bap_v2_dataset.explorer.panels import LATEST, QUIET
from bap_v2_dataset.explorer.sources import RowSource
from bap_v2_dataset.explorer.split import PredictedModel
from bap_v2_dataset.explorer.style import SHOW_LINK
from bap_v2_dataset.explorer.view import CONTROLS, FACET_CONTROLS, FILTERS, view_of
from bap_v2_metric.notation import storable

# What filters show, what steps from item to item show, and what another split shows.
_MATCHING = (*panels.RESULTS, *ITEM, *TYPED, *panels.CHARTS)
_SHOWN = (*_MATCHING, "typed")
_ALL = (*_SHOWN, "config", "split", "first", "second", *FILTERS)


def page(source: RowSource, models: Sequence[PredictedModel] = (), start: tuple[str, str] | None = None) -> gr.Blocks:
    """Return the page.

    Args:
        source: where the rows come from.
        models: whose predictions are there from the beginning; visitors can add files of their own.
        start: the config and split that are shown first, unless the address names others.
    """
    start = start or source.start(source.configs[0], "")
    with gr.Blocks(
        title="BAP v2 explorer", analytics_enabled=False, delete_cache=(3_600, 86_400), fill_width=True
    ) as blocks:
        controls = layout(source, models, start)
        _wire_split(source, blocks, controls)
        on = partial(_on, source, controls)
        _wire_filters(controls, on)
        _wire_items(controls, on)
        _wire_typed_and_charts(controls, on)
    return blocks


def _on(
    source: RowSource, controls: Controls, event: Callable, handler: Callable[..., panels.Changes],
    outputs: Sequence[str], extra: Sequence[str] = (), **options: Any,
) -> None:  # fmt: skip
    """Make an event call a handler with the view, then with the values of the controls in `extra`."""
    names = [*extra, *CONTROLS]

    def called(*values: Any) -> dict:
        by_name = dict(zip(names, values))
        changes = handler(view_of(source, by_name), *(by_name[name] for name in extra))
        return _by_control(controls, changes)

    event(called, _named(controls, names), _named(controls, outputs), **QUIET, **options)


def _by_control(controls: Controls, changes: panels.Changes) -> dict:
    if toast := changes.get(panels.TOAST):
        gr.Warning(escape(storable(toast)), duration=10, title="BAP v2 explorer")
    return {controls[name]: change for name, change in changes.items() if name != panels.TOAST} or gr.skip()


def _named(controls: Controls, names: Sequence[str]) -> list:
    return [controls[name] for name in names]


def _wire_split(source: RowSource, blocks: gr.Blocks, controls: Controls) -> None:
    """Connect the page itself, its history and the choice of a config; their views depend on the source."""

    def opened(request: gr.Request, *values: Any) -> dict:
        query = {name: str(value) for name, value in request.query_params.items()}
        return _by_control(controls, handlers.open_page(source, query, dict(zip(CONTROLS, values))))

    def went_back(visited: str, *values: Any) -> dict:
        query = dict(parse_qsl(str(json.loads(visited)[0]).removeprefix("?")))
        return _by_control(controls, handlers.open_page(source, query, dict(zip(CONTROLS, values))))

    def config_chosen(*values: Any) -> dict:
        return _by_control(controls, handlers.choose_config(source, dict(zip(CONTROLS, values))))

    inputs, outputs = _named(controls, CONTROLS), _named(controls, _ALL)
    blocks.load(opened, inputs, outputs, show_progress="hidden", api_name="open")
    controls["visited"].change(went_back, [controls["visited"], *inputs], outputs, **QUIET, **LATEST)
    controls["config"].input(config_chosen, inputs, outputs, **QUIET)


def _wire_filters(controls: Controls, on: Callable) -> None:
    on(controls["split"].input, handlers.choose_split, _ALL)
    for name in ("clear", "clear_here"):
        on(controls[name].click, handlers.clear_filters, (*_MATCHING, *FILTERS, "first", "second"), ["typed"])
    on(controls["words"].submit, handlers.search, _MATCHING, ["typed"])
    for name in (*FACET_CONTROLS, "order"):
        on(controls[name].input, handlers.search, _MATCHING, ["typed"], **LATEST)
    for name in ("actions", "f1"):  # gradio's `input` does not fire for text that is pasted
        on(controls[name].change, handlers.search, _MATCHING, ["typed"], **LATEST)
    for name in ("first", "second", "unanswered"):
        on(controls[name].input, handlers.choose_model, _MATCHING, ["position", "typed"], **LATEST)
    on(
        controls["file"].upload, handlers.add_predictions, ["models", "first", "second", "file", *_MATCHING],
        ["file", "position", "typed"],
    )  # fmt: skip


def _wire_items(controls: Controls, on: Callable) -> None:
    on(controls["items"].input, handlers.choose_item, (*ITEM, "typed", *TYPED), ["items"])
    for name, by in (("previous_in_game", -1), ("next_in_game", 1)):
        on(controls[name].click, partial(handlers.step_in_game, by), _SHOWN, ["position"])
    for name, by in (("previous_result", -1), ("next_result", 1)):
        on(controls[name].click, partial(handlers.step_in_results, by), _SHOWN, ["position"])
    for name, by in (("previous_page", -1), ("next_page", 1)):
        on(controls[name].click, partial(handlers.turn_page, by), panels.RESULTS, ["results_page", "position"])
    on(controls["item_id"].submit, handlers.go_to_item, _SHOWN, ["item_id"])


def _wire_typed_and_charts(controls: Controls, on: Callable) -> None:
    on(controls["typed"].change, handlers.try_prediction, TYPED, ["typed", "position"], **LATEST)
    on(controls["use_reference"].click, handlers.use_reference, ["typed"], ["position"])
    on(controls["use_model"].click, handlers.use_model, ["typed"], ["position"])
    for event in (controls["charts_tab"].select, controls["chart_by"].input):
        on(event, handlers.open_charts, ["charts_open", *panels.CHARTS])
    controls["item_tab"].select(lambda: False, None, controls["charts_open"], **QUIET)
    controls["address"].change(None, controls["address"], controls["link"], js=SHOW_LINK, **QUIET)
