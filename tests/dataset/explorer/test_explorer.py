"""The explorer without a browser: what filters find, what models are credited with, what the Space holds."""

import ast
import json
import os
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import datasets
import numpy as np
import pytest
from browser import served
from case_tables import cases_of
from hub_stand_in import TOKEN, HubStandIn
from hypothesis import given
from hypothesis import strategies as st
from in_process import use_home
from paths import ROOT
from simulated_rows import row_of
from strategies import structures

import bap_v2_dataset  # noqa: F401 (registers the name)
import bap_v2_metric
from bap_v2_dataset.cli.push import push
from bap_v2_dataset.explorer import charts, texts
from bap_v2_dataset.explorer.index import (
    INDEX_VERSION,
    Index,
    Query,
    QueryError,
    index_of,
    index_table,
    number_range,
    phrases,
)  # fmt: skip
from bap_v2_dataset.explorer.item_panels import item_panel
from bap_v2_dataset.explorer.server import HOST, ServeError, _launched, free_port, has_display, import_gradio, is_local
from bap_v2_dataset.explorer.sources import InstalledSource, OwnSource, SourceError
from bap_v2_dataset.explorer.split import (
    PredictedModel,
    PredictionError,
    Split,
    open_split,
    read_models,
    uploaded_model,
)  # fmt: skip
from bap_v2_dataset.explorer.view import PageView
from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.verdict import verdict
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.own_data import read_data
from bap_v2_dataset.pictures.cubes import Look
from bap_v2_dataset.pictures.terminal_board import builder_in_words, change_in_words
from bap_v2_dataset.publishing.hub import PublishError
from bap_v2_dataset.tasks.building.error_analysis import DIMENSIONS, binned, count_net_actions
from bap_v2_metric.actions import net_actions
from bap_v2_metric.notation import format_structure, parse_structure, storable
from bap_v2_simulators.pose import Pose

KEY = ("dss", "test")
COMMAND = ("-c", "from bap_v2_dataset.cli import main; main()")


@pytest.fixture
def split(source):
    return Split(*KEY, source.rows(*KEY))


@pytest.fixture
def rows(split):
    return split.rows.to_list()


def model_of(name: str, rows: list[dict], answer) -> PredictedModel:
    texts = {row["id"]: answer(number, row) for number, row in enumerate(rows)}
    return PredictedModel(name, {KEY: {item: text for item, text in texts.items() if text is not None}})


def right(number, row):
    return "\n".join(row["actions"])


def sometimes_right(number, row):
    return right(number, row) if number % 3 else "place red 5 1 5"


def an_item(number: int, game: str = "a") -> dict:
    """An item with as many net actions as its number says."""
    cells = [f"red {x} 1 {z}" for x in range(-5, 6) for z in range(-5, 6)]
    return {
        "id": f"{game}/{number}", "game_id": game, "history": [], "dialogue": ["<Architect> go on"], "before": [],
        "pose": dict.fromkeys(("x", "y", "z", "yaw", "pitch"), 0.0), "after": cells[:number], "metadata": {},
        "interpretations": "unique",
    }  # fmt: skip


def index_from(items: list[dict]) -> Index:
    """The index of hand-made items."""
    features = datasets.Features({name: FEATURES[name] for name in items[0]})
    return Index(index_table(datasets.Dataset.from_list(items, features=features)))


# --- The index.
def test_a_filter_finds_what_a_look_at_every_row_finds(split, rows):
    for dimension in DIMENSIONS:
        bins = [dimension.bins(row) for row in rows]
        for label in {label for labels in bins for label in labels}:
            inside = [position for position, labels in enumerate(bins) if label in labels]
            assert split.index.matching(Query(bins={dimension.name: frozenset([label])})).tolist() == inside
            assert split.index.sizes(dimension.name, np.arange(len(rows)))[label] == len(inside)


def test_two_bins_of_a_facet_find_either_and_two_facets_both(split, rows):
    rows_or_planes = {"shape": frozenset({"row", "plane"})}
    either = {n for n, row in enumerate(rows) if row["metadata"]["plan"]["shape"] in ("row", "plane")}
    empty = {n for n, row in enumerate(rows) if not row["before"]}
    assert set(split.index.matching(Query(bins=rows_or_planes))) == either
    assert set(split.index.matching(Query(bins=rows_or_planes | {"board": frozenset({"empty"})}))) == either & empty


TWELVE = index_from([an_item(number) for number in range(12)])


@given(low=st.none() | st.integers(0, 20), high=st.none() | st.integers(0, 20))
def test_a_range_of_actions_holds_its_ends(low, high):
    positions = TWELVE.matching(Query(actions=(low, high))).tolist()
    assert positions == [n for n in range(12) if (low is None or n >= low) and (high is None or n <= high)]


def test_a_search_finds_words_in_any_case_and_phrases_as_they_are(split, rows):
    dialogues = ["\n".join(row["dialogue"]).lower() for row in rows]
    for text in ("BLOCK", "on the", '"on the"', "row ground", "no such word", "<architect>"):
        holding = [n for n, words in enumerate(dialogues) if all(phrase in words for phrase in phrases(text))]
        assert split.index.matching(Query(text)).tolist() == holding
    assert len(split.index.matching(Query("block"))) > 0


def test_a_game_is_its_items_in_order(split, rows):
    for position, row in enumerate(rows):
        game = split.index.game(position)
        assert position in game
        assert [rows[n]["id"] for n in game] == [
            f"{row['game_id']}/{number}" for number in range(sum(other["game_id"] == row["game_id"] for other in rows))
        ]


def test_items_of_a_shuffled_split_are_stepped_through_in_the_order_of_their_game():
    index = index_from([an_item(n, game) for n, game in ((10, "b"), (2, "a"), (9, "b"), (0, "a"), (1, "a"))])
    assert index.game(1) == [3, 4, 1] and index.game(0) == [2, 0]
    assert index.position("a/1") == 4 and index.position("c/1") is None


def test_an_index_is_kept_beside_the_rows_and_rebuilt_if_it_is_damaged(split, monkeypatch):
    file = Path(split.rows.cache_files[0]["filename"]).parent / f"explorer-test-{INDEX_VERSION}.arrow"
    before = index_of(split.rows).table
    data = file.read_bytes()
    monkeypatch.setattr("bap_v2_dataset.explorer.index.index_table", lambda rows: pytest.fail("made again"))
    assert index_of(split.rows).table.equals(before)
    monkeypatch.undo()
    for broken in (b"", data[: len(data) // 2], b"x" * 100):
        file.write_bytes(broken)
        assert index_of(split.rows).table.equals(before)
        assert file.read_bytes() == data
    assert not list(file.parent.glob(".explorer*"))


def test_a_cache_that_cannot_be_written_is_no_obstacle(split, monkeypatch):
    monkeypatch.setattr("bap_v2_dataset.explorer.index.pa.OSFile", refuse)
    assert len(index_of(split.rows)) == len(split.rows)


def refuse(*arguments):
    raise PermissionError("read only")


def test_an_index_does_not_hide_the_rows_from_datasets(split, source):
    index_of(split.rows)
    assert len(datasets.load_dataset("bap_v2", "dss", split="test")) == 60
    assert install.installed("dss") is not None


@pytest.mark.parametrize("text", ["many", "-", "3 4", "1-2-3", "1e3", "5.", "٣"])
def test_what_is_no_range_is_named(text):
    with pytest.raises(QueryError, match=re.escape(repr(text))):
        number_range(text)


# --- Sources.
def test_a_source_names_what_there_is(source):
    assert source.configs == ["dr", "dss"]
    assert source.start("dss", "") == ("dss", "test")
    with pytest.raises(SourceError, match=r"no split 'dev' \(it has train, validation, test\)"):
        source.rows("dss", "dev")
    with pytest.raises(SourceError, match="dsb is not set up"):
        source.start("dsb", "")
    with pytest.raises(SourceError, match="unknown config 'x'"):
        source.start("x", "")


def test_without_a_set_up_it_says_how(own_home):
    with pytest.raises(SourceError, match="bap-v2 setup"):
        InstalledSource().configs  # noqa: B018


def test_own_data_are_a_source(tmp_path, own_home):
    file = tmp_path / "mine.jsonl"
    rows = [
        {"id": "tower", "before": [], "after": ["red 0 1 0"]},
        {"id": "a/x", "before": ["red 0 1 0"], "actions": ["pick 0 1 0"], "game_id": "a"},
        {"id": "a/y", "before": [], "after": [], "game_id": "a", "metadata": {"plan": "none"}},
    ]
    file.write_text("\n".join(map(json.dumps, rows)))
    source = OwnSource(read_data(str(file)))
    key = source.start(source.configs[0], "")
    assert key == ("mine", "test")
    split = open_split(source, *key)
    assert split.ids == ["tower", "a/x", "a/y"] and split.index.game(2) == [1, 2]
    assert not list(Path(split.rows.cache_files[0]["filename"]).parent.glob("explorer-*"))
    answers = write(tmp_path / "answers.jsonl", {"tower": "place red 0 1 0", "a/x": "pick 0 1 0"})
    (model,) = read_models([f"m={answers}"], source)
    assert split.scores(model).total(np.arange(3)) == (2, 100.0)
    with pytest.raises(SourceError, match="no config 'dss' here: the page shows mine alone"):
        source.start("dss", "test")


def test_own_data_may_name_any_number_of_bins_and_a_target_that_lies_anywhere(tmp_path, own_home):
    file = tmp_path / "many.jsonl"
    row = {"before": [], "after": ["red 0 1 0"], "target": ["red 20 1 0", "red 21 1 0"]}
    metadata = [{"plan": {"relation": f"r{number // 2 if number < 20 else number}"}} for number in range(60)]
    file.write_text("\n".join(json.dumps({"id": f"g/{n}", **row, "metadata": m}) for n, m in enumerate(metadata)))
    source = OwnSource(read_data(str(file)))
    split = open_split(source, *source.start(source.configs[0], ""))
    relations = split.index.sizes("relation", np.arange(60))
    assert len(relations) == 32 and sum(relations.values()) == 60 and relations["r3"] == 2 and relations["other"] > 1
    changes = item_panel(PageView(split), 3)
    assert len(json.loads(changes["target"]["value"].plot)["data"]) > 3


def test_selected_rows_have_an_index_of_their_own(split):
    some = split.rows.select([5, 3, 4])
    assert index_of(some, keep=False).table["id"].to_pylist() == [split.ids[n] for n in (5, 3, 4)]


# --- Models.
def test_scores_are_those_of_the_metric(split, rows):
    model = model_of("some", rows, sometimes_right)
    scores = split.scores(model)
    references = [{key: row[key] for key in ("before", "after", "interpretations")} for row in rows]
    predictions = [sometimes_right(n, row) for n, row in enumerate(rows)]
    whole = bap_v2_metric.score(predictions, references)
    tp, fp, fn = scores.counts.sum(axis=0)
    assert 2 * tp / (2 * tp + fp + fn) == whole["fairer_f1"]
    for position, (prediction, reference) in enumerate(zip(predictions, references)):
        counts = bap_v2_metric.score_item(prediction, reference)
        assert scores.items[position] == counts
        assert scores.errors[position] == counts["fairer"]["fp"] + counts["fairer"]["fn"]


def test_items_without_an_answer_have_no_score_and_come_last(split, rows):
    model = model_of("few", rows, lambda n, row: sometimes_right(n, row) if n < 6 else None)
    scores = split.scores(model)
    assert scores.answered.sum() == 6 and np.isnan(scores.f1[6:]).all()
    worst = split.matching(Query(), "worst first", first=scores)
    assert set(worst[:2]) == {0, 3} and worst[6:].tolist() == list(range(6, 60))
    assert split.matching(Query(), f1=(0, 100), first=scores).tolist() == list(range(6))
    assert split.matching(Query(), f1=(100, None), first=scores).tolist() == [1, 2, 4, 5]


def test_the_orders_that_compare_put_the_largest_difference_first(split, rows):
    one = split.scores(model_of("one", rows, lambda n, row: right(n, row) if n != 7 else ""))
    other = split.scores(model_of("other", rows, lambda n, row: right(n, row) if n != 4 else ""))
    assert split.matching(Query(), "better than the other", (None, None), one, other)[0] == 4
    assert split.matching(Query(), "worse than the other", (None, None), one, other)[0] == 7
    assert set(split.matching(Query(), "largest difference", (None, None), one, other)[:2]) == {4, 7}
    assert split.matching(Query(), "largest difference", (None, None), one, other).tolist()[2:] == [
        n for n in range(60) if n not in (4, 7)
    ]


def test_orders_and_ranges_without_models_are_refused(split):
    with pytest.raises(PredictionError, match="'worst first' needs predictions of a model"):
        split.matching(Query(), "worst first")
    with pytest.raises(PredictionError, match="a range of F1 needs predictions"):
        split.matching(Query(), f1=(0, 50))


def write(path: Path, predictions: dict[str, str]) -> str:
    path.write_text("\n".join(json.dumps({"id": item, "prediction": text}) for item, text in predictions.items()))
    return str(path)


def test_files_of_several_splits_are_matched_with_their_rows(source, tmp_path, rows):
    others = source.rows("dr", "test").to_list()
    files = [
        write(tmp_path / "dss.jsonl", {row["id"]: right(0, row) for row in rows}),
        write(tmp_path / "dr.jsonl", {row["id"]: right(0, row) for row in others}),
        "small=" + write(tmp_path / "part.jsonl", {rows[3]["id"]: ""}),
    ]
    models = {model.name: model for model in read_models(files, source)}
    assert list(models)[1:] == ["small"] and {len(model.predictions) for model in models.values()} == {2, 1}
    assert Split("dr", "test", source.rows("dr", "test")).scores(models["small"]) is None


def test_a_file_that_does_not_fit_is_refused(source, tmp_path, split):
    with pytest.raises(PredictionError, match="that the split lacks"):
        read_models([write(tmp_path / "a.jsonl", {"dss-test-0/99": ""})], source)
    with pytest.raises(SourceError, match="dsb is not set up"):
        read_models([write(tmp_path / "b.jsonl", {"dsb-test-0/0": ""})], source)
    with pytest.raises(PredictionError, match="has no ids: write one object per line"):
        (tmp_path / "c.jsonl").write_text("place red 0 1 0")
        read_models([str(tmp_path / "c.jsonl")], source)
    with pytest.raises(PredictionError, match=r"no id of d.jsonl is in dss, test"):
        uploaded_model(Path(write(tmp_path / "d.jsonl", {"x/0": ""})), split.key, split.ids, [])
    again = uploaded_model(Path(write(tmp_path / "e.jsonl", {"dss-test-0/0": ""})), split.key, split.ids, ["e"])
    assert again.name == "e 2"


def test_an_answer_for_this_split_goes_before_one_for_another():
    model = PredictedModel("m", {("mdc", "test"): {"a/0": "old", "a/1": "only"}, ("mdc_v2", "test"): {"a/0": "new"}})
    assert model.prediction(("mdc_v2", "test"), "a/0") == "new"
    assert model.prediction(("mdc", "test"), "a/0") == "old"
    assert model.prediction(("mdc_v2", "test"), "a/1") == "only"
    assert model.prediction(("mdc", "test"), "b/0") is None


# --- The verdict on a prediction.
ROW = {"before": ["red 0 1 0"], "after": ["red 0 1 0", "blue 1 1 0"], "interpretations": "unique"}


@pytest.mark.parametrize(
    ("line", "problem"),
    cases_of(__file__, "wrong_predictions"),
)
def test_what_is_wrong_with_a_prediction_is_reported(line, problem):
    assert verdict(line, ROW).problems == ([problem] if problem else [])


def test_equal_unparsed_lines_have_their_own_numbers():
    problems = verdict("so\npick 0 1 0\nso", ROW).problems
    assert [problem.partition(":")[0] for problem in problems] == ["line 1", "line 3"]
    assert verdict("[\n  pick(0, 1, 0),\n]", ROW).problems == []


LINES = st.sampled_from(["place red 0 1 0", "pick 0 1 0", "place blue 9 9 9", "[", "pick(0, 1, 0),", "", "so"])


@given(structures(), structures(), st.text(max_size=40) | st.lists(LINES, max_size=6).map("\n".join))
def test_a_prediction_is_judged_as_the_metric_counts_it(before, after, text):
    row = {"before": format_structure(before), "after": format_structure(after), "interpretations": "multiple"}
    outcome = verdict(text, row)
    assert outcome.counts == bap_v2_metric.score_item(text, row)
    assert len(outcome.unparsed) == outcome.counts["unparsed_lines"]
    assert len(outcome.problems) == outcome.counts["unparsed_lines"] + outcome.counts["infeasible_actions"]
    looks = [cube.look for cube in outcome.cubes]
    fairer = outcome.counts["fairer"]
    assert [looks.count(look) for look in (Look.RIGHT, Look.WRONG, Look.MISSED)] == [
        fairer["tp"], fairer["fp"], fairer["fn"],
    ]  # fmt: skip


def test_a_prediction_that_was_moved_is_said_to_be():
    moved = {"before": [], "after": ["red 0 1 0"], "interpretations": "multiple"}
    assert verdict("place red 3 1 -2", moved).aligned
    assert not verdict("place red 0 1 0", moved).aligned
    assert not verdict("place red 3 1 -2", moved | {"interpretations": "unique"}).aligned
    words = texts.verdict_html("mine", verdict("place red 3 1 -2\nplace <b>", moved))
    assert "rotated and moved to fit best" in words and "nothing wrong, nothing missed" in words
    assert "&lt;b&gt;" in words and "<b>" not in words


def test_wrong_and_missed_actions_are_listed():
    words = texts.verdict_html("mine", verdict("pick 0 1 0", ROW))
    assert "✗ wrong: pick 0 1 0 (red)" in words and "○ missed: place blue 1 1 0" in words


# --- Charts.
def test_charts_hold_the_numbers_of_the_error_analysis(split, rows):
    models = {"a": model_of("a", rows, right), "b": model_of("b", rows, sometimes_right)}
    scores = {name: split.scores(model) for name, model in models.items()}
    items = [[model.items[n] for n in range(len(rows))] for model in scores.values()]
    by_bin = {(each.dimension.name, each.label): each for each in binned(rows, items, n_resamples=0)}
    for dimension in {name for name, _ in by_bin}:
        bars = charts.bars(split, np.arange(len(rows)), dimension, scores)
        for place, (label, number) in enumerate(zip(bars.labels, bars.n_items)):
            expected = by_bin[dimension, label]
            assert number == expected.n_items
            assert [bars.f1[name][place] for name in models] == pytest.approx([100 * f1 for f1 in expected.f1])


def test_bars_by_actions_count_every_item_once(split, rows):
    bars = charts.bars(split, np.arange(len(rows)), charts.BY_ACTIONS, {})
    counts = [min(count_net_actions(row), 20) for row in rows]
    assert dict(zip(bars.labels, bars.n_items)) == {
        str(n) if n < 20 else "20 or more": counts.count(n) for n in sorted(set(counts))
    }
    assert charts.bars(split, np.array([], dtype=int), charts.BY_ACTIONS, {}).labels == []


def test_scores_fall_into_the_ranges_that_they_are_named_for(split, rows):
    scores = {"a": split.scores(model_of("a", rows, sometimes_right))}
    f1 = [round(100 * one, 4) for one in scores["a"].f1]
    bounds = ((0, 0), (0, 20), (20, 40), (40, 60), (60, 80), (80, 99.9999), (100, 100))
    expected = [sum((low == high == one) or low < one <= high for one in f1) for low, high in bounds]
    assert charts.score_bars(np.arange(len(rows)), scores)["a"] == expected and sum(expected) == len(rows)


def test_an_answer_to_nothing_is_no_score_in_a_chart(split, rows):
    scores = {"few": split.scores(model_of("few", rows, lambda n, row: right(n, row) if n == 0 else None))}
    bars = charts.bars(split, np.arange(len(rows)), "board", scores)
    assert sorted(bars.f1["few"], key=str) == [100.0, None]
    assert "–" in charts.numbers_html(bars)


# --- Words.
def test_what_people_typed_is_escaped():
    assert "<script>" not in texts.lines_html(["<Architect> <script>alert(1)</script>", "<b>"], "")
    assert storable("a\ud800") == "a?"
    assert "<script>" not in texts.heading_html("<script>")
    assert "<script>" not in texts.scores_html("<script>", {"<script>": None})
    assert "<script>" not in texts.totals_html(2, 1, {"<script>": ((2, 1.0), (1, 2.0))})


def test_totals_say_on_how_many_items_they_are():
    every = texts.totals_html(1_161, 1_161, {"mine": ((1_161, 24.71), (1_161, 24.71))})
    assert "1,161 items" in every and "mine <b>24.7</b> on all 1,161<" in every and "match" not in every
    some = texts.totals_html(1_161, 20, {"mine": ((500, 24.71), (0, 0.0)), "other": ((1_161, 3.0), (20, 100.0))})
    assert "mine <b>24.7</b> on 500 of 1,161, – on 0 of 20 that match" in some
    assert "other <b>3.0</b> on all 1,161, <b>100.0</b> on the 20 that match" in some


# --- The command and the server.
def run(home, *arguments, **environment):
    env = {**os.environ, "HF_HOME": str(home), "BAP_V2_MDC": "", **environment}
    return subprocess.run(
        [sys.executable, *COMMAND, *map(str, arguments)], env=env, capture_output=True, text=True, timeout=300
    )


def test_a_port_that_is_taken_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ServeError, match=f"port {port} is in use or not permitted"):
            free_port(port)
    assert free_port(port) == port
    with pytest.raises(ServeError, match=r"host '203\.0\.113\.1' is not an IPv4 address of this machine"):
        free_port(None, "203.0.113.1")


@pytest.mark.slow
def test_a_file_that_does_not_fit_ends_the_command_before_it_serves(home, tmp_path):
    done = run(home, "explore", write(tmp_path / "wrong.jsonl", {"dss-test-0/99": ""}))
    assert done.returncode == 1 and "http://" not in done.stdout and "Traceback" not in done.stderr
    assert re.search(r"error: .*wrong.jsonl has 1 item of this split's games that the split lacks", done.stderr)


@pytest.mark.slow
def test_the_page_is_served_here_only_names_no_other_machine_and_opens_links(home):
    env = {"HF_HOME": str(home), "BAP_V2_MDC": ""}
    with served(sys.executable, *COMMAND, "explore", "--config", "dss", env=env) as at:
        assert at.startswith("http://127.0.0.1:")
        html = fetched(at)
        first = opened(at, "")
        linked = opened(at, texts.permalink("dr", "validation", "dr-validation-0/1"))
        nowhere = opened(at, texts.permalink("dss", "test", "dss-test-0/99"))
    assert "BAP v2 explorer" in html
    # What a browser fetches by itself: all of it from here. (Addresses in <meta> are for those who link to the page.)
    hosts = re.findall(r"""(?:src=|href=|url\(|@import)\s*["']?(?:\w+:)?//([\w.-]+)""", html)
    assert set(hosts) <= {"127.0.0.1"}
    assert "fonts.googleapis" not in html and '"analytics_enabled":true' not in html.replace(" ", "")
    assert "dss-test-0/0</h2>" in first and "60 of 60 items" in first
    assert "dr-validation-0/1</h2>" in linked and "10 of 10 items" in linked
    # No other item is shown in its place; the list is there to choose one.
    assert "dss, test has no item &#x27;dss-test-0/99&#x27;" in nowhere and "Not found</h2>" in nowhere
    assert "60 of 60 items" in nowhere and "<h2>dss-test" not in nowhere


def fetched(address: str, body: object = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    return opener.open(request, timeout=120).read().decode()


def opened(address: str, query: str) -> str:
    """What the page shows when it is opened with this query, as gradio's client in a browser asks for it."""
    config = json.loads(fetched(f"{address}/config"))
    values = {component["id"]: component["props"].get("value") for component in config["components"]}
    event = next(event for event in config["dependencies"] if event.get("api_name") == "open")
    request = {
        "data": [values[component] for component in event["inputs"]],
        "fn_index": event["id"],
        "session_hash": f"s{hash(query)}",
    }
    fetched(f"{address}/gradio_api/queue/join{query}", request)
    events = fetched(f"{address}/gradio_api/queue/data?session_hash={request['session_hash']}")
    return next(line for line in events.splitlines() if '"process_completed"' in line)


# Takes away what is installed where the tests run and not in the Space. An editable installation has a finder of its
# own, which would supply each module of ours that was not pushed.
ALONE = """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in getattr(finder, "__module__", "")]
absent = ("bap_v2_training", "bap_v2_hub_cards", "evaluate", "matplotlib", "plotly")
sys.modules.update(dict.fromkeys(absent))
"""


@pytest.mark.slow
def test_the_space_runs_from_what_was_pushed_alone(home, tmp_path):
    with HubStandIn() as hub:
        settings = {"HF_ENDPOINT": hub.url, "HF_HUB_DISABLE_XET": "1", "HF_HUB_OFFLINE": "0"}
        pushed = ("push", "--repo-id", "tester/bap_v2", "--config", "dss", "--explorer-space", "tester/look")
        done = run(home, *pushed, HF_TOKEN=TOKEN, **settings)
        assert done.returncode == 0, done.stderr
        files = hub.files("space", "tester/look")
        space = tmp_path / "space"
        for name, data in files.items():
            (space / name).parent.mkdir(parents=True, exist_ok=True)
            (space / name).write_bytes(data)
        assert not [name for name in files if name.startswith(("bap_v2_dataset/cli", "bap_v2_dataset/data"))]
        card = files["README.md"].decode()
        assert card.startswith("---\ntitle: ") and "- tester/bap_v2\n" in card and "{{" not in card
        first = tmp_path / "first on the path"
        first.mkdir()
        (first / "sitecustomize.py").write_text(ALONE)
        path = os.pathsep.join(map(str, (first, space)))
        env = {**settings, "HF_HOME": str(tmp_path / "home"), "PYTHONPATH": path}
        with served(sys.executable, "app.py", cwd=space, env=env | {"GRADIO_SERVER_PORT": str(free_port(None))}) as at:
            html = fetched(at)
            item = opened(at, "?item=dss-test-0%2F1")
        ours = "import bap_v2_dataset as a, bap_v2_metric as b, bap_v2_simulators as c"
        program = [sys.executable, "-c", f"{ours}; print(a.__file__, b.__file__, c.__file__)"]
        done = subprocess.run(program, cwd=space, env={**os.environ, **env}, capture_output=True, text=True, check=True)
        assert all(Path(file).is_relative_to(space) for file in done.stdout.split("\n")[0].split())
    assert "from tester/bap_v2" in html
    # The item, with what the terminal's board says of it.
    assert "dss-test-0/1</h2>" in item and "60 of 60 items" in item
    row = row_of("dss-test-0/1")
    change = net_actions(*(parse_structure(row[name]) for name in ("before", "after")))
    assert builder_in_words(Pose(**row["pose"])) in item
    assert all(line in item for line in change_in_words(change, row["pose"]["yaw"]))


def test_one_space_cannot_be_two(home, monkeypatch):
    use_home(monkeypatch, home)
    spaces = {"metric_space": "tester/x", "explorer_space": "tester/x"}
    with pytest.raises(PublishError, match="space tester/x cannot hold both"):
        push("tester/bap_v2", ["dss"], human=False, private=False, revision="main", dry_run=True, **spaces)


@pytest.mark.slow
def test_the_space_requires_what_it_imports():
    """Every library that the explorer imports stands in the Space's requirements."""
    files = "*(module.__file__ for name, module in sys.modules.items() if name.startswith('bap_v2_'))"
    program = f"import sys, bap_v2_dataset.explorer.page, bap_v2_dataset.explorer.server; print({files})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert len(done.stdout.split()) > 20
    names = set()
    for file in done.stdout.split():
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
        for node in tree.body:  # what is imported on demand is for other commands
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(node.module.split(".")[0])
    names -= {*sys.stdlib_module_names, "bap_v2_dataset", "bap_v2_metric", "bap_v2_simulators"}
    folder = ROOT / "hub_cards" / "space"
    required = {re.split("[>=<]", line)[0] for line in (folder / "requirements.txt").read_text().split()}
    assert names <= required


def test_the_space_and_the_extra_have_the_same_bounds_on_gradio():
    required = (ROOT / "hub_cards" / "space" / "requirements.txt").read_text().split()
    (bounds,) = (line for line in required if line.startswith("gradio"))
    assert f'EXPLORE = ["{bounds}"]' in (ROOT / "setup.py").read_text() and "<" in bounds


def test_the_browser_is_opened_where_somebody_sees_it(monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("SSH_CONNECTION", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    assert has_display()
    monkeypatch.setenv("SSH_CONNECTION", "203.0.113.1 1 203.0.113.2 22")
    assert not has_display()
    monkeypatch.delenv("SSH_CONNECTION")
    monkeypatch.delenv("DISPLAY")
    assert not has_display()


def test_only_this_machine_is_called_local():
    assert is_local("127.0.0.1") and is_local("localhost") and not is_local("0.0.0.0")


@pytest.mark.slow
def test_the_page_is_served_where_proxies_and_certificates_of_the_environment_lead_nowhere():
    code = (
        "from urllib.request import ProxyHandler, build_opener\nfrom bap_v2_dataset.explorer import server\n"
        "address = server.serve_games(None, server.free_port(None))\n"
        "print(build_opener(ProxyHandler({})).open(address).status)"
    )
    nowhere = {"HTTP_PROXY": "http://127.0.0.1:9", "ALL_PROXY": "socks5://127.0.0.1:9", "SSL_CERT_FILE": "/nowhere.pem"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | nowhere)
    assert done.stdout.endswith("200\n"), done.stderr


def test_a_port_that_another_process_took_meanwhile_is_passed_over(home, monkeypatch):
    import_gradio()
    import gradio

    with socket.socket() as taken, gradio.Blocks() as blocks:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # earlier tests have just served there
        taken.bind((HOST, free_port(None)))
        taken.listen()
        port = taken.getsockname()[1]
        address = _launched(blocks, port, HOST)
        assert address != f"http://{HOST}:{port}" and address == blocks.local_url.rstrip("/")
        blocks.close()
        monkeypatch.setattr("bap_v2_dataset.explorer.server._PORTS", [])  # one that was asked for
        with pytest.raises(OSError, match=f"Cannot find empty port in range: {port}-{port}"):
            _launched(blocks, port, HOST)
