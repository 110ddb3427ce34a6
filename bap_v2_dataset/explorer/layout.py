"""The controls of the page in their places, by name."""

from collections.abc import Sequence

import gradio as gr
from gradio.blocks import Block

from bap_v2_dataset.explorer import charts, texts
from bap_v2_dataset.explorer.index import FACETS
from bap_v2_dataset.explorer.predictions import PredictedModel
from bap_v2_dataset.explorer.scores import ORDERS
from bap_v2_dataset.explorer.sources import Source
from bap_v2_dataset.explorer.view import FACET_CONTROLS, NO_MODEL
from bap_v2_dataset.paper import INPUTS
from bap_v2_dataset.prompts import REPRESENTATIONS

Controls = dict[str, Block]  # by name

COLUMNS = {
    "before": "Before", "after": "After", "actions": "Builder actions", "target": "Target structure",
}  # fmt: skip
_ALWAYS_SHOWN = ("facet-board", "facet-interpretations", "facet-relation", "facet-shape")

# No font is fetched; small text is dark enough to be read.
THEME = gr.themes.Default(
    primary_hue="blue", font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]
).set(body_text_color_subdued="*neutral_600")
CSS = """
.utterance, .action { margin: 2px 0; }
.talk { max-height: 340px; overflow-y: auto; padding: 4px 10px; border: 1px solid var(--border-color-primary); }
table.numbers { border-collapse: collapse; margin: 6px 0; }
table.numbers caption { text-align: left; font-weight: 600; padding: 2px 0; }
table.numbers th, table.numbers td { border: 1px solid var(--border-color-primary); padding: 2px 8px; }
table.numbers { white-space: nowrap; }
.wide { overflow-x: auto; }
table.numbers td { text-align: right; }
table.numbers th[scope=row] { text-align: left; font-weight: 500; }
.items .wrap { flex-direction: column; align-items: stretch; }
.items label { width: 100%; }
.items label span { white-space: normal; text-align: left; }
.items .wrap, .facet .wrap { gap: 3px; }
.items label, .facet label { padding: 2px 6px; font-size: 13px; }
pre { white-space: pre-wrap; }
:focus-visible { outline: 3px solid #1d4ed8 !important; outline-offset: 1px; }
.dark :focus-visible { outline-color: #93c5fd !important; }
"""


def layout(source: Source, models: Sequence[PredictedModel], start: tuple[str, str]) -> Controls:
    """Draws all controls into the page that is open, and returns them. The arguments are those of `page.page`."""
    controls: Controls = {}
    with gr.Row():
        with gr.Column(scale=1, min_width=330):
            controls |= _split_and_filters(source, start) | _models(models) | _results()
        with gr.Column(scale=3, min_width=480), gr.Tabs():
            with gr.Tab("Item") as item_tab:
                controls |= _steps() | _pictures() | _words() | _typed_prediction() | _details() | _link()
            with gr.Tab("Charts") as charts_tab:
                controls |= _charts()
    return controls | {
        "item_tab": item_tab,
        "charts_tab": charts_tab,
        "charts_open": gr.State(False),
        "models": gr.State(list(models)),
        "position": gr.State(-1),  # of the item that is shown
        "results_page": gr.State(0),
        "address": gr.Textbox(visible="hidden", elem_id="address"),
    }


def _split_and_filters(source: Source, start: tuple[str, str]) -> Controls:
    controls: Controls = {}
    gr.Markdown("## Find items")
    with gr.Row():
        controls["config"] = gr.Dropdown(source.configs, value=start[0], label="Config", min_width=100)
        controls["split"] = gr.Dropdown(source.splits(start[0]), value=start[1], label="Split", min_width=100)
    controls["words"] = gr.Textbox(
        label="Search in the dialogue", placeholder='red "to the left"', max_lines=1, submit_btn="Search"
    )
    controls |= {name: _facet(name) for name in _ALWAYS_SHOWN}
    controls["actions"] = gr.Textbox(label="Net actions", placeholder="3, 2-5 or 10-", max_lines=1)
    with gr.Accordion("More filters", open=False):
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
    with gr.Accordion("Models", open=bool(models)):
        return {
            "first": gr.Dropdown([NO_MODEL, *names], value=(*names, NO_MODEL)[0], label="Model"),
            "second": gr.Dropdown([NO_MODEL, *names], value=(*names, NO_MODEL, NO_MODEL)[1], label="Compare with"),
            "f1": gr.Textbox(label="F1 of the model in percent", placeholder="0, 20-50 or 90-", max_lines=1),
            "file": gr.File(
                label='Add predictions for this split: JSON lines with "id" and "prediction"',
                file_types=[".jsonl", ".json", ".txt"], height=120,
            ),
        }  # fmt: skip


def _results() -> Controls:
    controls: Controls = {
        "order": gr.Dropdown(list(ORDERS), value=ORDERS[0], label="Order"),
        "status": gr.HTML(elem_id="status"),
        "items": gr.Radio([], label="Items", elem_classes="items", elem_id="items"),
    }
    with gr.Row():
        controls["previous_page"] = gr.Button("Previous page", size="sm")
        controls["next_page"] = gr.Button("Next page", size="sm")
    return controls


def _steps() -> Controls:
    title = gr.Markdown("## Item", elem_id="title")
    with gr.Row():
        return {
            "title": title,
            "previous_in_game": gr.Button("◀ Previous in game", size="sm"),
            "next_in_game": gr.Button("Next in game ▶", size="sm"),
            "previous_result": gr.Button("◀ Previous result", size="sm"),
            "next_result": gr.Button("Next result ▶", size="sm"),
        }


def _pictures() -> Controls:
    with gr.Row():
        controls: Controls = {"reference": gr.Plot(label="Reference", elem_id="reference", min_width=300)}
        for name in ("model-1", "model-2"):
            controls[name] = gr.Plot(label="Model", visible=False, elem_id=name, min_width=300)
    gr.Markdown(f"In the pictures: {texts.legend_text()}. Drag to rotate, scroll to zoom.")
    return controls


def _words() -> Controls:
    controls: Controls = {"scores": gr.HTML(elem_id="scores")}
    with gr.Row():
        with gr.Column():
            gr.Markdown("### Dialogue")
            controls["dialogue"] = gr.HTML(elem_id="dialogue")
            gr.Markdown("### History")
            controls["history"] = gr.HTML()
        with gr.Column():
            gr.Markdown("### About the item")
            controls["about"] = gr.HTML()
    return controls


def _typed_prediction() -> Controls:
    controls: Controls = {}
    gr.Markdown("### Try a prediction by hand")
    with gr.Row():
        with gr.Column():
            controls["typed"] = gr.Textbox(
                lines=8, elem_id="typed", label="Actions, one per line: place COLOR X Y Z or pick X Y Z",
                placeholder="place red 0 1 0",
            )  # fmt: skip
            with gr.Row():
                controls["use_reference"] = gr.Button("Use the reference's actions", size="sm")
                controls["use_model"] = gr.Button("Use the model's prediction", size="sm")
            controls["verdict"] = gr.HTML(elem_id="verdict")
        controls["typed_picture"] = gr.Plot(
            label="Your prediction", visible=False, elem_id="typed-picture", min_width=300
        )
    return controls


def _details() -> Controls:
    controls: Controls = {}
    with gr.Accordion("Structures and actions", open=False), gr.Row():
        for name, label in COLUMNS.items():
            controls[f"column_{name}"] = gr.Textbox(
                label=label, lines=6, max_lines=20, interactive=False, buttons=["copy"]
            )
    with gr.Accordion("Raw predictions", open=False), gr.Row():
        for name in ("raw-1", "raw-2"):
            controls[name] = gr.Textbox(label="Model", lines=6, max_lines=20, interactive=False, visible=False)
    with gr.Accordion("Prompts", open=False):
        for name in REPRESENTATIONS:
            controls[f"prompt_{name}"] = gr.Textbox(
                label=f"Input {INPUTS[name]}", lines=4, max_lines=24, interactive=False, buttons=["copy"]
            )
    with gr.Accordion("Metadata", open=False):
        controls["metadata"] = gr.Textbox(
            label="Metadata (JSON)", lines=4, max_lines=30, interactive=False, buttons=["copy"]
        )
    return controls


def _link() -> Controls:
    with gr.Row():
        return {
            "link": gr.Textbox(
                label="Link to this item", interactive=False, buttons=["copy"], elem_id="link", scale=2, min_width=300
            ),
            "item_id": gr.Textbox(
                label="Go to the item with this id", max_lines=1, submit_btn="Go", elem_id="item-id", scale=1,
                min_width=300,
            ),
        }  # fmt: skip


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
