"""The page of the metric's Space: what it shows for good and bad input, and that it runs from its folder alone."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bap_v2_metric

pytest.importorskip("gradio")
from bap_v2_metric import app

REFERENCE = {"before": ["red 0 1 0"], "after": ["red 0 1 0", "blue 1 1 0"]}


def scores_of(tables: app.Tables) -> dict[str, list[str]]:
    return {measure: numbers for measure, *numbers in tables[1]}


def test_one_item_is_scored_as_the_metric_scores_it():
    said, _, items = tables = app.score_one("place red 3 1 -2\n", "", " red 0 1 0 \n\n", "multiple")
    assert scores_of(tables)["strict"] == ["0.0", "0.0", "0.0", "0.0", "no items"]
    assert scores_of(tables)["fairer"] == ["100.0", "100.0", "100.0", "100.0", "no items"]
    assert items == [["1", "0 / 1 / 1", *["1 / 0 / 0"] * 5, 0, 0]]
    assert bap_v2_metric.SIGNATURE in said


@pytest.mark.parametrize("example", app.EXAMPLES)
def test_every_example_can_be_scored(example):
    said, scores, items = app.score_one(*example)
    assert said.startswith("Items: 1") and len(scores) == 6 and len(items) == 1


def test_many_items_are_scored_from_pasted_text_and_from_a_file(tmp_path):
    rows = [{"id": f"g/{n}", "prediction": text, **REFERENCE} for n, text in enumerate(["place blue 1 1 0", "hm"])]
    text = "\n\n".join(map(json.dumps, rows))
    file = tmp_path / "rows.jsonl"
    file.write_text(text, encoding="utf-8")
    tables = app.score_many(text, None)
    assert app.score_many("not this", str(file)) == tables
    result = bap_v2_metric.score([row["prediction"] for row in rows], [REFERENCE] * 2)
    assert scores_of(tables)["fairer"][:3] == [
        f"{100 * result[f'fairer_{name}']:.1f}" for name in ("precision", "recall", "f1")
    ]
    assert [row[0] for row in tables[2]] == ["g/0", "g/1"] and tables[2][1][-2:] == [1, 0]
    assert len(app.score_many(app.LINES, None)[2]) == 2  # what the page starts with


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Nothing to score: paste or upload"),
        ("{}\n{", "line 2 is not JSON"),
        ("[1]", "line 1 is not a JSON object"),
        ('{"before": [], "after": []}', "item 0: the prediction is None"),
        ('{"prediction": "", "before": [], "after": ["pink 0 1 0"]}', "field 'after': unknown colour 'pink'"),
        ('{"prediction": ""}', "before"),
    ],
)
def test_what_cannot_be_scored_is_said_in_a_sentence(text, message):
    said, scores, items = app.score_many(text, None)
    assert message in said and scores == items == []


def test_a_file_that_is_no_text_is_said_to_be_none(tmp_path):
    (tmp_path / "rows.jsonl").write_bytes(b"\xff\xfe")
    assert app.score_many("", str(tmp_path / "rows.jsonl"))[0] == "Cannot be scored: the file is not a text in UTF-8"


def test_the_page_offers_both_calls():
    api = app.page().get_api_info()
    assert {"/score_one", "/score_many"} <= set(api["named_endpoints"])


def iter_until(lines, part):
    """Lines up to the first that holds the part, or to their end."""
    for line in lines:
        yield line
        if part in line:
            return


@pytest.mark.slow
def test_the_folder_alone_runs_as_a_page_whatever_its_name(tmp_path):
    from gradio_client import Client

    folder = tmp_path / "my metric.v2"
    shutil.copytree(Path(app.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['bap_v2_dataset'] = None\n")
    env = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    env |= {"GRADIO_SERVER_NAME": "127.0.0.1", "PYTHONPATH": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    page = subprocess.Popen(
        [sys.executable, "app.py"], env=env, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        lines = list(iter_until(page.stdout, "Running on local URL"))
        assert lines and "Running on local URL" in lines[-1], "".join(lines)
        client = Client(re.search(r"http://\S+", lines[-1])[0], verbose=False)
        said, scores, _ = client.predict("pick 0 1 0", "red 0 1 0", "", "unique", api_name="/score_one")
    finally:
        page.kill()
        page.wait()
    assert said.startswith("Items: 1") and scores["data"][0][0:4] == ["strict", "100.0", "100.0", "100.0"]
