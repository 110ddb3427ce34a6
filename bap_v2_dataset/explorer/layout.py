"""The controls of the page in their places, by name: list | item | details (`style`)."""

from collections.abc import Sequence
from html import escape
from typing import Any

import gradio as gr
from gradio.blocks import Block

from bap_v2_dataset.explorer import charts, texts
from bap_v2_dataset.explorer.game_tab import draw_game_tab
from bap_v2_dataset.explorer.index import FACETS
from bap_v2_dataset.explorer.sources import RowSource
from bap_v2_dataset.explorer.split import OF_TWO, ORDERS, PredictedModel
from bap_v2_dataset.explorer.view import FACET_CONTROLS, NO_MODEL
from bap_v2_dataset.items.prompts import REPRESENTATIONS
from bap_v2_dataset.predictions.model_records import input_name

Controls = dict[str, Block]  # by name

COLUMNS = {
    "before": "Before", "after": "After", "actions": "Builder actions", "target": "Target structure",
}  # fmt: skip
PICTURES = {
    "target": "Target",
    "parent": "Parent",
    "reference": "Reference",
    "reading": "Reading",
    "model-1": "Model",
    "model-2": "Model",
}
_ALWAYS_SHOWN = tuple(
    f"facet-{name}" for name in ("perturbation", "board", "interpretations", "clear", "next_turn", "relation", "shape")
)


def layout(source: RowSource, models: Sequence[PredictedModel], start: tuple[str, str]) -> Controls:
    """Draw all controls into the page that is open, and return them. The arguments are those of `page.page`."""
    # What is seen: the choice of the split above the list and the tabs.
    controls: Controls = {}
    with gr.Row(elem_id="top"):
        controls |= _top(source, start)
    with gr.Row(elem_id="main"):
        with gr.Column(elem_id="list"):
            controls |= _find() | _models(models) | _results(_order(models, start))
        with gr.Tabs():
            with gr.Tab("Item") as item_tab, gr.Row(elem_id="item"):
                with gr.Column(elem_id="center"):
                    controls |= _heading()
                    with gr.Column(elem_id="body") as body:
                        controls |= _dialogue_and_pictures() | _typed_prediction() | _texts()
                with gr.Column(elem_id="details") as details:
                    controls |= _details(source)
            with gr.Tab("Charts") as charts_tab:
                controls |= _charts()
            with gr.Tab("Play a game"):
                draw_game_tab()

    # What is kept for a visitor, and the hidden boxes of the browser's history.
    return controls | {
        "body": body,
        "details": details,
        "item_tab": item_tab,
        "charts_tab": charts_tab,
        "charts_open": gr.State(False),
        "models": gr.State(list(models)),
        "position": gr.State(-1),  # of the item that is shown
        "results_page": gr.State(0),
        "address": gr.Textbox(visible="hidden", elem_id="address"),
        "visited": gr.Textbox(visible="hidden", elem_id="visited"),  # where back and forward lead to (`style.START`)
    }


def _top(source: RowSource, start: tuple[str, str]) -> Controls:
    gr.Markdown("# BAP v2 explorer")
    plain = {"container": False, "show_label": False, "min_width": 100}
    return {
        "config": gr.Dropdown(source.configs, value=start[0], label="Config", elem_id="config", **plain),
        "split": gr.Dropdown(source.splits(start[0]), value=start[1], label="Split", elem_id="split", **plain),
        "totals": gr.HTML(elem_id="totals"),
    }


def _find() -> Controls:
    controls: Controls = {
        "words": gr.Textbox(
            label="Search in the dialogue", placeholder='Search: red "to the left"', max_lines=1, submit_btn="Search",
            container=False, show_label=False,
        )
    }  # fmt: skip
    with gr.Accordion("Filter items", open=False, elem_id="filters"):
        controls |= {name: _facet(name) for name in _ALWAYS_SHOWN}
        controls["actions"] = gr.Textbox(label="Net actions", placeholder="3, 2-5 or 10-", max_lines=1)
        controls["f1"] = gr.Textbox(label="F1 of the model in percent", placeholder="0, 20-50 or 90-", max_lines=1)
        controls |= {name: _facet(name) for name in FACET_CONTROLS if name not in _ALWAYS_SHOWN}
        controls["clear"] = gr.Button("Clear filters", size="sm")
    return controls


def _facet(control: str) -> gr.CheckboxGroup:
    title = next(facet.title for facet in FACETS if facet.name == FACET_CONTROLS[control])
    return gr.CheckboxGroup(
        [], label=title[0].upper() + title[1:], visible=False, elem_id=control, elem_classes="facet"
    )


def _models(models: Sequence[PredictedModel]) -> Controls:
    names = [model.name for model in models]
    with gr.Accordion("Models", open=False, elem_id="models"):
        return {
            "first": gr.Dropdown([NO_MODEL, *names], value=(*names, NO_MODEL)[0], label="Model"),
            "second": gr.Dropdown([NO_MODEL, *names], value=(*names, NO_MODEL, NO_MODEL)[1], label="Compare with"),
            "file": gr.File(
                label='Add predictions for this split: JSON lines with "id" and "prediction", or another form of score',
                height=120,
            ),
        }  # fmt: skip


def _order(models: Sequence[PredictedModel], start: tuple[str, str]) -> str:
    """Return the first order: of a model beside which a system of the package stands, the largest difference."""
    beside = len(models) > 1 and models[1].packed and all(start in model.predictions for model in models[:2])
    return OF_TWO[0] if beside else ORDERS[0]


def _results(order: str) -> Controls:
    controls: Controls = {
        "order": gr.Dropdown(list(ORDERS), value=order, label="Order", container=False, elem_id="order"),
        "status": gr.HTML(elem_id="status"),
        "unanswered": gr.Checkbox(visible=False, container=False, elem_id="unanswered"),
        "items": gr.Radio([], label="Items", elem_id="items", container=False, show_label=False),
    }
    with gr.Row(elem_id="page-steps"):
        controls["previous_page"] = gr.Button("Previous page", size="sm")
        controls["next_page"] = gr.Button("Next page", size="sm")
    return controls


def _heading() -> Controls:
    controls: Controls = {
        "title": gr.HTML(texts.heading_html("Item"), elem_id="title"),
        "notice": gr.HTML(elem_id="notice"),  # what went wrong
        "clear_here": gr.Button("Clear filters", size="sm", visible=False, elem_id="clear-here"),
    }
    with gr.Row(elem_id="steps"):
        return controls | {
            "previous_in_game": gr.Button("◀ Previous in game", size="sm"),
            "next_in_game": gr.Button("Next in game ▶", size="sm"),
            "previous_result": gr.Button("◀ Previous result", size="sm"),
            "next_result": gr.Button("Next result ▶", size="sm"),
        }


def _dialogue_and_pictures() -> Controls:
    controls: Controls = {"dialogue": gr.HTML(elem_id="dialogue")}
    with gr.Row(elem_id="pictures"):
        for name, label in PICTURES.items():
            with gr.Column(visible=name == "reference", min_width=200) as controls[f"panel-{name}"]:
                controls[name] = gr.Plot(label=label, elem_id=name)
                controls[f"caption-{name}"] = gr.HTML()
    gr.Markdown(f"In the pictures: {texts.legend_text()}. Drag to rotate, scroll to zoom.", elem_id="legend")
    return controls


def _details(source: RowSource) -> Controls:
    controls: Controls = {"scores": gr.HTML(elem_id="scores"), "verdicts": gr.HTML(elem_id="verdicts")}
    gr.Markdown("### About the item")
    controls |= {
        "about": gr.HTML(elem_id="about"),
        "link": gr.Textbox(label="Link to this item", interactive=False, buttons=["copy"], elem_id="link"),
        "item_id": gr.Textbox(
            label="Go to the item with this id", max_lines=1, submit_btn="Go", elem_id="item-id"
        ),
    }  # fmt: skip
    gr.HTML(f"<p>Items from {escape(source.title)}.</p>")
    return controls


def _typed_prediction() -> Controls:
    controls: Controls = {}
    gr.Markdown("### Try a prediction by hand")
    with gr.Row():
        # What is typed, and what is wrong with it, beside its picture.
        with gr.Column(min_width=260):
            controls["typed"] = gr.Textbox(
                lines=6, elem_id="typed", label="Actions, one per line: place COLOR X Y Z or pick X Y Z",
                placeholder="place red 0 1 0",
            )  # fmt: skip
            # Something to begin with.
            with gr.Row():
                controls["use_reference"] = gr.Button("Copy reference actions", size="sm")
                controls["use_model"] = gr.Button("Copy model prediction", size="sm")
            controls["verdict"] = gr.HTML(elem_id="verdict")
        controls["typed_picture"] = gr.Plot(
            label="Your prediction", visible=False, elem_id="typed-picture", min_width=260
        )
    return controls


def _texts() -> Controls:
    controls: Controls = {}
    # The columns of the row, and what models wrote.
    with gr.Accordion("Structures and actions", open=False), gr.Row():
        for name, label in COLUMNS.items():
            controls[f"column_{name}"] = _shown_text(label, 6, 20, buttons=["copy"])
    with gr.Accordion("Raw predictions", open=False), gr.Row():
        for name in ("raw-1", "raw-2"):
            controls[name] = _shown_text("Model", 6, 20, visible=False)
    # The prompts that models are given, and the rest of the row.
    with gr.Accordion("Prompts", open=False):
        for name in REPRESENTATIONS:
            controls[f"prompt_{name}"] = _shown_text(f"Input {input_name(name)}", 4, 24, buttons=["copy"])
    with gr.Accordion("Metadata", open=False):
        controls["metadata"] = _shown_text("Metadata (JSON)", 4, 30, buttons=["copy"])
    return controls


def _shown_text(label: str, lines: int, max_lines: int, **options: Any) -> gr.Textbox:
    return gr.Textbox(label=label, lines=lines, max_lines=max_lines, interactive=False, **options)


def _charts() -> Controls:
    gr.Markdown("## Charts\nOf the items that match.")
    return {
        "chart_by": gr.Dropdown(
            [(title, name) for name, title in charts.TITLES.items()], value=charts.BY_ACTIONS, label="By"
        ),
        "items_chart": gr.Plot(label="Items", elem_id="items-chart"),
        "f1_chart": gr.Plot(label="F1", visible=False),
        "scores_chart": gr.Plot(label="Scores", visible=False),
        "numbers": gr.HTML(elem_id="numbers"),
    }
