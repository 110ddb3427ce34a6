"""The explorer's page. Every handler gets what the controls say and asks the split anew: it keeps nothing of a visitor.

The address of the page names the item that is shown (`texts.permalink`), so that it can be passed on as it is.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import gradio as gr
import numpy as np
from gradio.components.plot import PlotData

from bap_v2_dataset.evaluation.report import INPUTS
from bap_v2_dataset.evaluation.score_tables import PredictionError
from bap_v2_dataset.explorer import charts, texts
from bap_v2_dataset.explorer.by_hand import tried
from bap_v2_dataset.explorer.index import FACETS, Query, QueryError, number_range
from bap_v2_dataset.explorer.predictions import ORDERS, Model, Scores, uploaded
from bap_v2_dataset.explorer.sources import Source
from bap_v2_dataset.explorer.split import Split, open_split
from bap_v2_dataset.prompts import REPRESENTATIONS
from bap_v2_metric.actions import execute
from bap_v2_metric.board_figure import plotly_figure
from bap_v2_metric.cubes import change, judged
from bap_v2_metric.notation import parse_structure, read_prediction

IN_A_LIST = 10  # items on a sheet of results
NONE = "none"  # the choice of no model
_FIRST = ("board", "interpretations", "relation", "shape")  # facets that are always in view
_LEFT_OUT = ("actions",)  # for the numbers beside it say more
_HEIGHT = 400  # pixels of a picture

# No font is fetched; what is small is dark enough to be read.
THEME = gr.themes.Default(
    primary_hue="blue", font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]
).set(body_text_color_subdued="*neutral_600")
CSS = """
.said, .done { margin: 2px 0; }
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
_SHOW_LINK = """(query) => {
    if (!query) return "";
    history.replaceState(null, "", query);
    return location.href;
}"""


def page(source: Source, models: Sequence[Model] = (), start: tuple[str, str] | None = None) -> gr.Blocks:
    """The page.

    Args:
        source: where the rows come from.
        models: whose predictions are there from the beginning; visitors can add files of their own.
        start: the config and split that are shown first, unless the address says others.
    """
    first_config, first_split = start or source.start(source.configs[0], "")
    with gr.Blocks(
        title="BAP v2 explorer", analytics_enabled=False, delete_cache=(3_600, 86_400), fill_width=True
    ) as blocks:
        gr.Markdown(f"# BAP v2 explorer\nItems of Builder Action Prediction, from {source.title}.")
        with gr.Row():
            with gr.Column(scale=1, min_width=330):
                gr.Markdown("## Which items")
                with gr.Row():
                    config = gr.Dropdown(source.configs, value=first_config, label="Config", min_width=100)
                    split = gr.Dropdown(source.splits(first_config), value=first_split, label="Split", min_width=100)
                words = gr.Textbox(
                    label="Search in the dialogue", placeholder='red "to the left"', max_lines=1, submit_btn="Search"
                )
                facets = {name: _facet(name) for name in _FIRST}
                actions = gr.Textbox(label="Net actions", placeholder="3, 2-5 or 10-", max_lines=1)
                with gr.Accordion("More filters", open=False):
                    facets |= {
                        facet.name: _facet(facet.name) for facet in FACETS if facet.name not in (*_FIRST, *_LEFT_OUT)
                    }
                everything = gr.Button("Without filters", size="sm")
                with gr.Accordion("Models", open=bool(models)):
                    names = [model.name for model in models]
                    first = gr.Dropdown([NONE, *names], value=(*names, NONE)[0], label="Model")
                    second = gr.Dropdown([NONE, *names], value=(*names, NONE, NONE)[1], label="Compared with")
                    f1 = gr.Textbox(label="F1 of the model in per cent", placeholder="0, 20-50 or 90-", max_lines=1)
                    file = gr.File(
                        label='Add predictions for this split: JSON lines with "id" and "prediction"',
                        file_types=[".jsonl", ".json", ".txt"], height=120,
                    )  # fmt: skip
                order = gr.Dropdown(list(ORDERS), value=ORDERS[0], label="Order")
                said = gr.HTML(elem_id="said")
                items = gr.Radio([], label="Items", elem_classes="items", elem_id="items")
                with gr.Row():
                    sheet_back = gr.Button("Earlier items", size="sm")
                    sheet_on = gr.Button("More items", size="sm")
            with gr.Column(scale=3, min_width=480), gr.Tabs():
                with gr.Tab("Item") as item_tab:
                    title = gr.Markdown("## Item", elem_id="title")
                    with gr.Row():
                        earlier = gr.Button("◀ Before it in its game", size="sm")
                        later = gr.Button("After it in its game ▶", size="sm")
                        back = gr.Button("◀ Previous item found", size="sm")
                        on = gr.Button("Next item found ▶", size="sm")
                    with gr.Row():
                        pictures = [gr.Plot(label="Reference", elem_id="reference", min_width=300)]
                        pictures += [
                            gr.Plot(label="Model", visible=False, elem_id=f"model-{n}", min_width=300) for n in (1, 2)
                        ]
                    gr.Markdown(f"In the pictures: {texts.legend_text()}. Drag to turn, scroll to come closer.")
                    scores = gr.HTML(elem_id="scores")
                    with gr.Row():
                        with gr.Column():
                            gr.Markdown("### Dialogue")
                            dialogue = gr.HTML(elem_id="dialogue")
                            gr.Markdown("### What went before")
                            history = gr.HTML()
                        with gr.Column():
                            gr.Markdown("### About the item")
                            about = gr.HTML()
                    gr.Markdown("### Try a prediction by hand")
                    with gr.Row():
                        with gr.Column():
                            typed = gr.Textbox(
                                lines=8, elem_id="typed",
                                label="Actions, one a line: place COLOUR X Y Z, or pick X Y Z",
                                placeholder="place red 0 1 0",
                            )  # fmt: skip
                            with gr.Row():
                                take_reference = gr.Button("Take the actions of the reference", size="sm")
                                take_first = gr.Button("Take those of the model", size="sm")
                            verdict = gr.HTML(elem_id="verdict")
                        try_picture = gr.Plot(label="Your prediction", visible=False, elem_id="tried", min_width=300)
                    with gr.Accordion("Structures and actions", open=False), gr.Row():
                        columns = {
                            name: gr.Textbox(label=label, lines=6, max_lines=20, interactive=False, buttons=["copy"])
                            for name, label in (
                                ("before", "Before"), ("after", "After"), ("actions", "What the Builder did"),
                                ("target", "Target structure"),
                            )
                        }  # fmt: skip
                    with gr.Accordion("Predictions as they were written", open=False), gr.Row():
                        raw = [
                            gr.Textbox(label="Model", lines=6, max_lines=20, interactive=False, visible=False)
                            for _ in range(2)
                        ]
                    with gr.Accordion("Prompts", open=False):
                        prompts = {
                            f"prompt_{name}": gr.Textbox(
                                label=f"Input {INPUTS[name]}",
                                lines=4,
                                max_lines=24,
                                interactive=False,
                                buttons=["copy"],
                            )
                            for name in REPRESENTATIONS
                        }
                    with gr.Accordion("Metadata", open=False):
                        metadata = gr.Textbox(
                            label="Metadata (JSON)", lines=4, max_lines=30, interactive=False, buttons=["copy"]
                        )
                    with gr.Row():
                        link = gr.Textbox(
                            label="Link to this item",
                            interactive=False,
                            buttons=["copy"],
                            elem_id="link",
                            scale=2,
                            min_width=300,
                        )
                        wanted = gr.Textbox(
                            label="Go to the item with this id",
                            max_lines=1,
                            submit_btn="Go",
                            elem_id="wanted",
                            scale=1,
                            min_width=300,
                        )
                with gr.Tab("Charts") as charts_tab:
                    gr.Markdown("## Charts\nOf the items that were found.")
                    by = gr.Dropdown(
                        [(label, name) for name, label in charts.TITLES.items()], value=charts.BY_ACTIONS, label="By"
                    )
                    n_chart = gr.Plot(label="Items", elem_id="items-chart")
                    f1_chart = gr.Plot(label="F1", visible=False)
                    scores_chart = gr.Plot(label="Scores", visible=False)
                    numbers = gr.HTML(elem_id="numbers")

        own = gr.State(list(models))
        here = gr.State(-1)  # the position of the item that is shown
        sheet = gr.State(0)
        address = gr.Textbox(visible="hidden", elem_id="address")
        in_charts = gr.State(False)

        filters = [words, *facets.values(), actions, f1, order]
        asked = [own, config, split, first, second, *filters, by, in_charts]
        listing = [said, items, sheet, sheet_back, sheet_on]
        item_parts = [
            title, earlier, later, back, on, *pictures, scores, dialogue, history, about, typed, verdict, try_picture,
            *columns.values(), *raw, *prompts.values(), metadata, wanted, address, here, items,
        ]  # fmt: skip
        chart_parts = [n_chart, f1_chart, scores_chart, numbers]
        names_of_asked = ["own", "config", "split", "first", "second", "words", *facets, "actions", "f1", "order"]
        names_of_asked += ["by", "in_charts"]

        # --- What the controls say, and what is found with it.
        def view_of(values: Sequence) -> "_View":
            return _View(source, dict(zip(names_of_asked, values)), list(facets))

        def listed(view: "_View", number: int, position: int | None) -> dict:
            """The sheet of results with this number, or with this item."""
            found, problem = view.found
            if position is not None:
                places = (found == position).nonzero()[0]
                number = int(places[0]) // IN_A_LIST if len(places) else number
            last = max(0, -(-len(found) // IN_A_LIST) - 1)
            number = min(max(number, 0), last)
            shown = [int(p) for p in found[number * IN_A_LIST : (number + 1) * IN_A_LIST]]
            choices = [(view.line(number * IN_A_LIST + n + 1, p), str(p)) for n, p in enumerate(shown)]
            chosen = str(position) if position in shown else None
            return {
                said: problem or _status(f"{len(found):,} of {len(view.split.index):,} items, "
                                         f"sheet {number + 1:,} of {last + 1:,}"),
                items: gr.update(choices=choices, value=chosen),
                sheet: number,
                sheet_back: gr.update(interactive=number > 0),
                sheet_on: gr.update(interactive=number < last),
            }  # fmt: skip

        def shown(view: "_View", position: int | None) -> dict:
            """All of an item."""
            if position is None or not 0 <= position < len(view.split.index):
                return {title: "## No item", here: -1, address: ""}
            row = view.split.row(position)
            game = view.split.index.game(position)
            place = game.index(position)
            before, after = (parse_structure(row[name]) for name in ("before", "after"))
            found = view.found[0]
            places = (found == position).nonzero()[0]
            rank = int(places[0]) if len(places) else -1
            update: dict = {
                title: f"## {row['id']}",
                earlier: gr.update(interactive=place > 0),
                later: gr.update(interactive=place + 1 < len(game)),
                back: gr.update(interactive=rank > 0),
                on: gr.update(interactive=rank + 1 < len(found)),
                pictures[0]: _plot(plotly_figure(change(before, after), pose=row["pose"])),
                scores: view.scores_html(position),
                dialogue: f"<div class='talk'>{texts.lines_html(row['dialogue'], 'nothing was said')}</div>",
                history: "<div class='talk' tabindex='0' role='region' aria-label='What went before'>"
                f"{texts.lines_html(row['history'], 'nothing: the game begins here')}</div>",
                about: texts.about_html(row, place + 1, len(game)),
                typed: "",
                verdict: "",
                try_picture: gr.update(visible=False),
                metadata: json.dumps(row["metadata"], indent=2, ensure_ascii=False),
                wanted: row["id"],
                address: texts.permalink(*view.split.key, row["id"]),
                here: position,
                **{box: "\n".join(row[name]) for name, box in columns.items()},
                **{box: row[name] for name, box in prompts.items()},
            }
            for number, model in enumerate(view.chosen):
                text = model and model.prediction(view.split.key, row["id"])
                if text is None:
                    update[pictures[number + 1]] = update[raw[number]] = gr.update(visible=False)
                    continue
                predicted = execute(before, read_prediction(text).actions).after
                cubes = judged(before, predicted, after, row["interpretations"])
                figure = _plot(plotly_figure(cubes, pose=row["pose"]))
                update[pictures[number + 1]] = gr.update(value=figure, label=model.name, visible=True)
                update[raw[number]] = gr.update(value=texts.storable(text), label=model.name, visible=True)
            return update

        def drawn(view: "_View") -> dict:
            """The charts of the items that were found, if they are looked at."""
            if not view.in_charts:
                return {}
            found, answered = view.found[0], view.all_scores
            bars = charts.bars(view.split, found, view.by, answered)
            by_score = charts.score_bars(found, answered)
            update = {n_chart: _plot(charts.items_figure(bars), None), numbers: charts.numbers_html(bars)}
            for chart, figure in ((f1_chart, charts.f1_figure(bars)), (scores_chart, charts.scores_figure(by_score))):
                update[chart] = (
                    gr.update(value=_plot(figure, None), visible=True) if answered else gr.update(visible=False)
                )
            return update

        # --- Handlers.
        def opened(request: gr.Request, *values: Any) -> dict:
            """The page, for an address that may name a config, a split and an item."""
            query = {name: str(value) for name, value in request.query_params.items()}
            key, problem = values[1:3], ""
            if "config" in query or "split" in query:
                try:
                    key = source.start(query.get("config", values[1]), query.get("split", ""))
                except ValueError as error:
                    problem, query = _alert(error), {}
            view = view_of((values[0], *key, *values[3:]))
            position = None
            if "item" in query:
                position = view.split.index.position(query["item"])
                if position is None:
                    problem = _alert(f"{key[0]}, {key[1]} has no item {query['item']!r}")
            update = anew(view, position)
            if problem:
                update[said] = problem
            return update | {config: key[0], split: gr.update(choices=source.splits(key[0]), value=key[1])}

        def anew(view: "_View", position: int | None = None) -> dict:
            """Another split: its facets, models that answered it, its results, and an item."""
            update = {box: view.facet_update(name) for name, box in facets.items()}
            view.choose_models()
            for box, model in zip((first, second), view.chosen):
                update[box] = model.name if model else NONE
            if position is None and len(view.found[0]):
                position = int(view.found[0][0])
            return update | listed(view, 0, position) | shown(view, position) | drawn(view)

        def another_config(*values: Any) -> dict:
            try:
                splits = source.splits(values[1])
                key = source.start(values[1], values[2] if values[2] in splits else "")
            except ValueError as error:
                return {said: _alert(error)}
            return {split: gr.update(choices=splits, value=key[1])} | another_split(values[0], *key, *values[3:])

        def another_split(*values: Any) -> dict:
            return anew(view_of(values).without_facets())

        def searched(*values: Any) -> dict:
            view = view_of(values)
            found = view.found[0]
            position = int(found[0]) if len(found) else None
            update = listed(view, 0, position) | drawn(view)
            return update | shown(view, position) if position is not None else update

        def compared(position: int, *values: Any) -> dict:
            """Another model: the item stays, if it is still among those that are found."""
            view = view_of(values)
            if position not in view.found[0]:
                return searched(*values)
            return listed(view, 0, position) | shown(view, position) | drawn(view)

        def turned(by: int):
            def handler(number: int, position: int, *values: Any) -> dict:
                view = view_of(values)
                update = listed(view, number + by, None)
                chosen = str(position)
                if chosen in [value for _, value in update[items]["choices"]]:
                    update[items]["value"] = chosen
                return update

            return handler

        def chosen(value: str, *values: Any) -> dict:
            return shown(view_of(values), int(value)) if value else gr.skip()

        def stepped_in_game(by: int):
            def handler(position: int, *values: Any) -> dict:
                view = view_of(values)
                game = view.split.index.game(position) if position >= 0 else []
                place = game.index(position) + by if game else -1
                if not 0 <= place < len(game):
                    return gr.skip()
                return listed(view, 0, game[place]) | shown(view, game[place])

            return handler

        def stepped(by: int):
            def handler(position: int, *values: Any) -> dict:
                view = view_of(values)
                found = view.found[0]
                places = (found == position).nonzero()[0]
                place = int(places[0]) + by if len(places) else 0
                if not 0 <= place < len(found):
                    return gr.skip()
                return listed(view, 0, int(found[place])) | shown(view, int(found[place]))

            return handler

        def went(item: str, *values: Any) -> dict:
            view = view_of(values)
            position = view.split.index.position(item.strip())
            if position is None:
                return {said: _alert(f"{view.split.key[0]}, {view.split.key[1]} has no item {item.strip()!r}")}
            return listed(view, 0, position) | shown(view, position)

        def added(path: str | None, *values: Any) -> dict:
            if path is None:
                return gr.skip()
            view = view_of(values)
            try:
                model = uploaded(Path(path), view.split, [its.name for its in values[0]])
            except ValueError as error:
                return {said: _alert(error), file: None}
            kept = [*values[0], model]
            choices = [NONE, *(its.name for its in kept)]
            one, other = (model.name, values[4]) if values[3] == NONE else (values[3], model.name)
            values = (kept, *values[1:3], one, other, *values[5:])
            return {
                own: kept,
                first: gr.update(choices=choices, value=one),
                second: gr.update(choices=choices, value=other),
                file: None,
            } | searched(*values)

        def typing(text: str, position: int, *values: Any) -> dict:
            if position < 0 or not text.strip():
                return {verdict: "", try_picture: gr.update(visible=False)}
            row = view_of(values).split.row(position)
            trial = tried(text, row)
            before, after = (parse_structure(row[name]) for name in ("before", "after"))
            cubes = judged(before, trial.after, after, row["interpretations"])
            table = texts.scores_html("Your prediction, F1 in per cent", {"typed": trial.counts})
            return {
                verdict: texts.complaints_html(trial.complaints) + table,
                try_picture: gr.update(value=_plot(plotly_figure(cubes, pose=row["pose"])), visible=True),
            }

        def taken_from_reference(position: int, *values: Any) -> str:
            return "\n".join(view_of(values).split.row(position)["actions"]) if position >= 0 else ""

        def taken_from_model(position: int, *values: Any) -> str:
            view = view_of(values)
            model = view.chosen[0]
            text = model and position >= 0 and model.prediction(view.split.key, view.split.ids[position])
            return texts.storable(text or "")

        def to_charts(*values: Any) -> dict:
            return {in_charts: True} | drawn(view_of([*values[:-1], True]))

        def cleared(*values: Any) -> dict:
            """No filter any more; models stay."""
            blank = dict(zip(names_of_asked, values)) | {"words": "", "order": ORDERS[0]}
            blank |= {"actions": "", "f1": ""} | {key: [] for key in facets}
            update = {words: "", actions: "", f1: "", order: ORDERS[0]}
            return update | anew(view_of([blank[name] for name in names_of_asked]))

        # --- What calls them. A dict says which of the outputs change.
        quiet = {"show_progress": "hidden", "api_visibility": "private", "concurrency_limit": 4}
        both = [*listing, *[part for part in item_parts if part is not items], *chart_parts]
        filling = [*both, config, split, first, second, *filters]
        blocks.load(opened, asked, filling, show_progress="hidden", api_name="open")
        config.input(another_config, asked, filling, **quiet)
        split.input(another_split, asked, filling, **quiet)
        everything.click(cleared, asked, filling, **quiet)
        words.submit(searched, asked, both, **quiet)
        file.upload(added, [file, *asked], [own, first, second, file, *both], **quiet)
        for control in (*facets.values(), order):
            control.input(searched, asked, both, trigger_mode="always_last", **quiet)
        for control in (actions, f1):  # gradio's `input` knows of no text that is pasted
            control.change(searched, asked, both, trigger_mode="always_last", **quiet)
        for control in (first, second):
            control.input(compared, [here, *asked], both, trigger_mode="always_last", **quiet)
        items.input(chosen, [items, *asked], item_parts, **quiet)
        for button, step in ((earlier, -1), (later, 1)):
            button.click(stepped_in_game(step), [here, *asked], both, **quiet)
        for button, step in ((back, -1), (on, 1)):
            button.click(stepped(step), [here, *asked], both, **quiet)
        for button, step in ((sheet_back, -1), (sheet_on, 1)):
            button.click(turned(step), [sheet, here, *asked], listing, **quiet)
        wanted.submit(went, [wanted, *asked], both, **quiet)
        typed.change(typing, [typed, here, *asked], [verdict, try_picture], trigger_mode="always_last", **quiet)
        take_reference.click(taken_from_reference, [here, *asked], typed, **quiet)
        take_first.click(taken_from_model, [here, *asked], typed, **quiet)
        charts_tab.select(to_charts, asked, [in_charts, *chart_parts], **quiet)
        item_tab.select(lambda: False, None, in_charts, **quiet)
        by.input(to_charts, asked, [in_charts, *chart_parts], **quiet)
        address.change(None, address, link, js=_SHOW_LINK, **quiet)
    return blocks


def _facet(name: str) -> gr.CheckboxGroup:
    title = next(facet.title for facet in FACETS if facet.name == name)
    return gr.CheckboxGroup(
        [], label=title[0].upper() + title[1:], visible=False, elem_id=f"facet-{name}", elem_classes="facet"
    )


def _plot(figure: dict, height: int | None = _HEIGHT) -> PlotData:
    """As gr.Plot sends it, without the package plotly."""
    if height is not None:
        figure["layout"]["height"] = height
    return PlotData(type="plotly", plot=json.dumps(figure))


def _status(text: str) -> str:
    return f"<p role='status'>{texts.escape(text)}</p>"


def _alert(error: object) -> str:
    return f"<p role='alert'><b>{texts.escape(texts.storable(str(error)))}</b></p>"


class _View:
    """What the controls say."""

    def __init__(self, source: Source, said: Mapping[str, Any], facets: Sequence[str]):
        self._said, self._facets = said, facets
        self.split: Split = open_split(source, said["config"], said["split"])
        by_name = {model.name: model for model in said["own"]}
        self.models: list[Model] = said["own"]
        self.by, self.in_charts = said["by"], said["in_charts"]
        self.chosen: list[Model | None] = [by_name.get(said[name]) for name in ("first", "second")]

    def choose_models(self) -> None:
        """Instead of those that answered no item of the split others that did, if there are any."""
        names = list(self.all_scores)
        kept = [model if model and model.name in names else None for model in self.chosen]
        others = [model for model in self.models if model.name in names and model not in kept]
        self.chosen = [model or (others.pop(0) if others else None) for model in kept]
        for name in ("chosen_scores", "found"):
            self.__dict__.pop(name, None)

    def without_facets(self) -> "_View":
        """The same, but that no bins are asked for: another split has others."""
        self._said = {**self._said, **{key: [] for key in self._facets}}
        self.__dict__.pop("found", None)
        return self

    @cached_property
    def chosen_scores(self) -> list[Scores | None]:
        return [model and self.split.scores(model) for model in self.chosen]

    @cached_property
    def all_scores(self) -> dict[str, Scores]:
        """Of the models that answered items of this split."""
        found = {model.name: self.split.scores(model) for model in self.models}
        return {name: scores for name, scores in found.items() if scores is not None}

    @cached_property
    def found(self) -> tuple[np.ndarray, str]:
        """The positions of the items that are wanted, in order; and what cannot be done of that, as HTML."""
        said, problem = self._said, ""
        bins = {name: frozenset(said[name]) for name in self._facets if said[name]}
        ranges = {"actions": (None, None), "f1": (None, None)}
        for name in ranges:
            try:
                ranges[name] = number_range(said[name] or "")  # None: it is in an accordion that was never open
            except QueryError as error:
                problem = _alert(error)
        query = Query(said["words"] or "", bins, ranges["actions"])
        one, other = self.chosen_scores
        try:
            return self.split.found(query, said["order"], ranges["f1"], one, other), problem
        except PredictionError as error:
            return self.split.found(query), _alert(error)

    def facet_update(self, name: str) -> dict:
        """The bins of a facet that are in the split; one bin alone filters nothing."""
        index = self.split.index
        everything = index.matching(Query())
        choices = [(f"{label} ({n:,})", label) for label, n in index.sizes(name, everything).items() if n]
        chosen = [label for label in self._said[name] or () if label in [value for _, value in choices]]
        return gr.update(choices=choices, value=chosen, visible=len(choices) > 1)

    def line(self, rank: int, position: int) -> str:
        """An item in the list of results."""
        index = self.split.index
        actions = int(index.column("net_actions")[position])
        notes = [f"{actions} action{'' if actions == 1 else 's'}"]
        for model, scores in zip(self.chosen, self.chosen_scores):
            if scores is not None:
                counts = scores.items.get(position)
                notes.append(f"{model.name} {texts.f1_text(counts['fairer']) if counts else 'unanswered'}")
        said = texts.snippet(index.table["words"][position].as_py())
        return f"{rank:,}. {said or '(nothing said)'} [{', '.join(notes)}]"

    def scores_html(self, position: int) -> str:
        """How all models did on an item; nothing without models."""
        found = {name: scores.items.get(position) for name, scores in self.all_scores.items()}
        if not found:
            return ""
        return texts.scores_html("Models, F1 in per cent; ✓ ✗ ○: correct, wrong and missed net actions", found)
