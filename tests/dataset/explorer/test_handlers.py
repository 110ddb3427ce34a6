"""What the controls of the explorer do, without a browser: handlers are functions from a view to changes."""

import json
import re

import pytest

from bap_v2_dataset.explorer.split import PredictedModel
from bap_v2_dataset.explorer.view import CONTROLS, FACET_CONTROLS, NO_MODEL, view_of

pytest.importorskip("gradio", reason="the extra `explore` is not installed")
import gradio as gr

from bap_v2_dataset.explorer import handlers, item_panels, panels
from bap_v2_dataset.explorer.page import page

KEY = ("dss", "test")


@pytest.fixture
def models(source):
    rows = source.rows(*KEY).to_list()
    right = {row["id"]: "\n".join(row["actions"]) for row in rows}
    wrong = dict.fromkeys(right, "place red 5 1 5")
    return [
        PredictedModel("right", {KEY: right}),
        PredictedModel("wrong", {KEY: wrong}),
        PredictedModel("elsewhere", {("dr", "test"): {}}),
    ]


@pytest.fixture
def values(models):
    """Of the controls when the page is opened."""
    blank = dict.fromkeys(CONTROLS) | {control: [] for control in FACET_CONTROLS}
    return blank | {
        "models": models, "config": "dss", "split": "test", "first": "right", "second": "wrong",
        "order": "as in the split", "chart_by": "net_actions", "charts_open": False,
    }  # fmt: skip


@pytest.fixture
def view(source, values):
    return view_of(source, values)


# --- The view.
@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"actions": "many"}, "'many' is not a valid range"),
        ({"f1": "50-", "first": NO_MODEL}, "a range of F1 needs predictions of a model"),
        ({"order": "largest difference", "second": NO_MODEL}, "needs predictions of two models"),
    ],
)
def test_what_makes_no_sense_is_left_out_and_named(source, values, changed, problem):
    results = view_of(source, values | changed).results
    assert problem in results.problem and len(results.positions) == 60


def test_models_that_have_predictions_for_the_split_replace_those_that_have_none(source, values):
    chosen = view_of(source, values | {"first": "elsewhere", "second": NO_MODEL}).with_models_of_the_split().chosen
    assert [model.name for model in chosen] == ["right", "wrong"]
    none = view_of(source, values | {"split": "validation"}).with_models_of_the_split().chosen
    assert none == (None, None)


def test_the_page_opens_on_an_item_that_is_answered_and_shows_the_others_on_wish(source, values):
    ids = source.rows(*KEY)["id"][:]
    few = [PredictedModel("few", {KEY: {ids[7]: "", ids[3]: ""}}), PredictedModel("one", {KEY: {ids[5]: ""}})]
    values |= {"models": few, "first": "few", "second": NO_MODEL}
    changes = handlers.open_page(source, {}, values)
    assert changes["position"] == 3 and "3 of 60 items" in changes["status"]  # either answers
    assert changes["unanswered"] == gr.update(label="also 57 items without a prediction", visible=True)
    assert list(view_of(source, values).results.positions) == [3, 7]
    every = view_of(source, values | {"unanswered": True})
    assert len(every.results.positions) == 60 and handlers.choose_model(every, 7, "")["position"] == 7
    linked = handlers.open_page(source, {"config": "dss", "split": "test", "item": ids[0]}, values)
    assert linked["position"] == 0 and linked["items"]["value"] is None  # what an address names is shown
    assert handlers.choose_config(source, values | {"config": "dr"})["unanswered"]["visible"] is False


def test_a_replaced_view_has_results_of_its_own(source, values):
    view = view_of(source, values | {"words": "no such words", "facet-board": ["empty"]})
    assert len(view.results.positions) == 0
    assert len(view.without_filters().results.positions) == 60 and len(view.results.positions) == 0


# --- Handlers.
def test_every_change_is_of_a_control_that_the_page_lets_it_change(source, models, values, view, tmp_path):
    found = {*panels.RESULTS, *item_panels.ITEM, *item_panels.TYPED, *panels.CHARTS}
    shown = found | {"typed"}
    filters = {"words", "actions", "f1", "order", *FACET_CONTROLS, "first", "second"}
    whole = shown | filters | {"config", "split"}
    file = tmp_path / "mine.jsonl"
    file.write_text(json.dumps({"id": "dss-test-0/0", "prediction": ""}))
    uploaded = found | {"models", "first", "second", "file"}
    nothing = view_of(source, values | {"words": "no such words"})
    for changes, allowed in (
        (handlers.open_page(source, {"config": "dr", "item": "dr-test-0/0"}, values), whole),
        (handlers.open_page(source, {"config": "x", "item": "dr-test-0/0"}, values), whole),
        (handlers.choose_config(source, values | {"config": "dr"}), whole),
        (handlers.choose_split(view), whole),
        (handlers.clear_filters(view, "pick 0 1 0"), found | filters),
        (handlers.search(view, "pick 0 1 0"), found),
        (handlers.search(nothing, ""), found),
        (handlers.choose_model(view, 3, ""), found),
        (handlers.add_predictions(view, str(file), 0, ""), uploaded),
        (handlers.choose_item(view, "5"), {*item_panels.ITEM, *item_panels.TYPED, "typed"}),
        (handlers.step_in_game(1, view, 0), shown),
        (handlers.step_in_results(1, view, 0), shown),
        (handlers.turn_page(1, view, 0, 3), set(panels.RESULTS)),
        (handlers.go_to_item(view, "dss-test-1/0"), shown),
        (handlers.go_to_item(view, "nowhere"), shown),
        (handlers.try_prediction(view, "place red 0 1 0", 0), set(item_panels.TYPED)),
        (handlers.use_model(view, 0), {"typed"}),
        (handlers.open_charts(view), {"charts_open", *panels.CHARTS}),
    ):
        assert changes and changes.keys() - {panels.TOAST} <= allowed
    assert page(source, models).fns  # and all these controls exist


@pytest.mark.parametrize(
    "query", [{"item": "dss-test-0/99"}, {"config": "nope"}, {"split": "dev", "item": "dss-test-0/0"}]
)
def test_a_link_to_what_there_is_not_shows_no_other_item(source, values, query):
    changes = handlers.open_page(source, query, values)
    assert changes["position"] == -1 and changes["body"] == gr.update(visible=False)
    (named,) = {"99", "nope", "dev"} & set(re.findall(r"\w+", changes["notice"]))
    assert named in changes[panels.TOAST] and changes["title"] == "<h2>Not found</h2>"
    assert changes["items"]["value"] is None and len(changes["items"]["choices"]) == 10


def test_no_filter_takes_away_what_is_typed(view):
    text = "place red 0 1 0"
    for changes in (
        handlers.search(view, text),
        handlers.clear_filters(view, text),
        handlers.choose_model(view, 3, text),
    ):
        assert "typed" not in changes
    assert "Your prediction" in handlers.search(view, text)["verdict"]  # is judged for the item that is shown now
    assert handlers.step_in_game(1, view, 0)["typed"] == ""


def test_a_bad_upload_is_named_without_its_folder(view, tmp_path):
    file = tmp_path / "mine.jsonl"
    file.write_text("no JSON")
    changes = handlers.add_predictions(view, str(file), 0, "")
    assert changes[panels.TOAST].startswith("mine.jsonl") and str(tmp_path) not in changes["notice"]
    assert "position" not in changes  # the item stays


def test_a_page_of_results_marks_the_item_that_is_shown(view):
    changes = handlers.turn_page(1, view, 0, 12)
    assert changes["results_page"] == 1 and changes["items"]["value"] == "12"
    assert re.match(r"11\. .*\[\d+ actions, right 100\.0, wrong 0\.0\]$", changes["items"]["choices"][0][0])
    assert "page 2 of 6" in changes["status"]
    beyond = handlers.turn_page(1, view, 5, 12)
    assert beyond["results_page"] == 5 and beyond["items"]["value"] is None
    assert beyond["next_page"]["interactive"] is False


def test_an_item_stays_if_it_still_matches_another_model(source, values):
    view = view_of(source, values | {"f1": "100"})
    assert handlers.choose_model(view, 7, "")["position"] == 7
    other = view_of(source, values | {"f1": "100", "first": "wrong", "second": "right"})
    assert other.results.rank(7) is None and handlers.choose_model(other, 7, "").get("position") != 7


def test_steps_beyond_the_ends_change_nothing(view):
    assert handlers.step_in_results(-1, view, 0) == {} == handlers.step_in_results(1, view, 59)
    assert handlers.step_in_game(-1, view, 0) == {} == handlers.step_in_game(1, view, -1)
    assert handlers.choose_item(view, None) == {} == handlers.add_predictions(view, None, 0, "")


def test_an_uploaded_model_takes_the_free_place_or_the_second(source, values, view, tmp_path):
    file = tmp_path / "mine.jsonl"
    file.write_text(json.dumps({"id": "dss-test-0/0", "prediction": ""}))
    changes = handlers.add_predictions(view, str(file), 0, "")
    assert (changes["first"]["value"], changes["second"]["value"]) == ("right", "mine")
    free = view_of(source, values | {"first": NO_MODEL, "second": NO_MODEL})
    changes = handlers.add_predictions(free, str(file), 0, "")
    assert (changes["first"]["value"], changes["second"]["value"]) == ("mine", NO_MODEL)


def test_an_upload_may_have_the_forms_that_score_reads_and_says_what_is_missing(view, tmp_path):
    ids = view.split.ids
    (tmp_path / "mine").write_text(json.dumps([None, *["pick 0 1 0"] * (len(ids) - 1)]))
    changes = handlers.add_predictions(view, str(tmp_path / "mine"), 0, "")
    assert changes["models"][-1].predictions == {KEY: dict.fromkeys(ids[1:], "pick 0 1 0")}
    assert changes[panels.TOAST] == "mine: 1 prediction missing (1 × null)"


# --- What the page relies on in gradio.
def test_gradio_shows_a_figure_that_is_plain_json():
    # gradio documents figures of plotly only. If this fails, `panels.plot` and the page of the metric have to make
    # those, and plotly becomes a requirement of both Spaces.
    figure = {"data": [{"type": "bar", "x": ["a"], "y": [1]}], "layout": {"title": {"text": "t"}}}
    sent = gr.Plot().postprocess(panels.plot(figure, 100))
    assert sent.type == "plotly"
    assert json.loads(sent.plot) == {**figure, "layout": {**figure["layout"], "height": 100}}
