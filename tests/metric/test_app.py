"""The page of the metric's Space: what it shows for good and bad input, and that it runs from its folder alone."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from space_alone import served_alone

import bap_v2_metric

pytest.importorskip("gradio")
import gradio as gr

from bap_v2_metric import app, page_results

REFERENCE = {"before": ["red 0 1 0"], "after": ["red 0 1 0", "blue 1 1 0"]}
POSE = {"x": 0.5, "y": 1.0, "z": -4.5, "yaw": 90.0, "pitch": 20.0}
OUTPUTS = ["headline", "status", "scores", "unparsed", "rows", "file", "scored", "shown", "several", "items", "chosen",
           "dialogue", "prediction", "verdict", "before", "reference", "judged"]  # fmt: skip


def named(outputs: list) -> dict:
    assert len(outputs) == len(OUTPUTS)
    return dict(zip(OUTPUTS, outputs))


def scored(*lines: dict, references=()) -> dict:
    return named(app.score_many("\n".join(map(json.dumps, lines)), None, "\n".join(map(json.dumps, references)), None))


def items_of(result: dict) -> list[dict]:
    return [dict(zip(page_results.ITEM_COLUMNS, row)) for row in result["rows"]]


def scores_of(result: dict) -> dict[str, list[str]]:
    names = {label: measure for measure, label in page_results.MEASURE_LABELS.items()}
    return {names[label]: numbers for label, *numbers in result["scores"]["data"]}


def test_one_item_is_scored_as_the_metric_scores_it():
    result = named(app.score_one("place red 3 1 -2\n", "", " red 0 1 0 \n\n", "multiple"))
    assert scores_of(result)["strict"] == ["0.0", "0.0", "0.0", "0.0", "–"]
    assert scores_of(result)["fairer"] == ["100.0", "100.0", "100.0", "100.0", "–"]
    assert next(iter(scores_of(result))) == "fairer"  # the headline
    assert result["headline"] == "Overall (fairer F1): 100.0" and result["scored"]["visible"]
    assert result["rows"] == [[1, "1", 1, 0, 0, 100.0, 0.0, 100.0, 100.0, 100.0, 100.0, 0, 0]]
    assert bap_v2_metric.SIGNATURE in result["status"]


@pytest.mark.parametrize("example", app.EXAMPLES)
def test_every_example_can_be_scored(example):
    result = named(app.score_one(*example))
    assert result["status"].startswith("Items: 1") and len(result["scores"]["data"]) == 6 and len(result["rows"]) == 1


def test_the_examples_of_many_items_show_the_worst_first():
    result = named(app.score_many(app.LINES, None, app.REFERENCES, None))
    assert [item["item"] for item in items_of(result)] == ["a removal", "a row", "a tower"]
    assert result["prediction"] == "pick 0 2 0"


def test_intervals_are_those_of_the_metric_and_come_with_enough_items():
    lines = [{"prediction": ["place blue 1 1 0", "hm"][n % 2], **REFERENCE} for n in range(page_results.FEWEST)]
    result = scored(*lines)
    items = bap_v2_metric.score_items([line["prediction"] for line in lines], lines)
    low, high = bap_v2_metric.bootstrap(items)["fairer_f1"]
    assert scores_of(result)["fairer"][-1] == f"{100 * low:.1f}–{100 * high:.1f}"
    assert result["headline"] == f"Overall (fairer F1): 66.7 (95% interval {100 * low:.1f}–{100 * high:.1f})"
    assert bap_v2_metric.signature(page_results.RESAMPLES) in result["status"]
    few = scored(*lines[1:])
    assert "95% of F1" in result["scores"]["headers"] and "95% of F1" not in few["scores"]["headers"]
    assert "interval" not in few["headline"] and few["status"].endswith(bap_v2_metric.SIGNATURE)


def test_unparsed_lines_are_shown_the_most_frequent_first():
    texts = ["Sure!\nplace blue 1 1 0\nhm", "Sure!\nplace blue 1 1 0"]
    result = scored(*({"prediction": text, **REFERENCE} for text in texts))
    assert result["unparsed"]["value"] == "2 × Sure!\n1 × hm" and result["unparsed"]["visible"]
    assert "Unparsed lines: 3." in result["status"]
    assert not scored({"prediction": "pick 0 1 0", **REFERENCE})["unparsed"]["visible"]


def test_many_items_are_scored_from_pasted_text_and_from_a_file(tmp_path):
    rows = [{"id": f"g/{n}", "prediction": text, **REFERENCE} for n, text in enumerate(["place blue 1 1 0", "hm"])]
    text = "\n\n".join(map(json.dumps, rows))
    file = tmp_path / "rows.jsonl"
    file.write_text("\ufeff" + text.replace("\n", "\r\n"), encoding="utf-8")  # as some editors write it
    pasted, uploaded = named(app.score_many(text, None)), named(app.score_many("not this", str(file)))
    assert uploaded["rows"] == pasted["rows"] and uploaded["status"] == pasted["status"]
    result = bap_v2_metric.score([row["prediction"] for row in rows], [REFERENCE] * 2)
    assert scores_of(pasted)["fairer"][:3] == [
        f"{100 * result[f'fairer_{name}']:.1f}" for name in ("f1", "precision", "recall")
    ]
    bad, good = items_of(pasted)
    assert (bad["item"], bad["line"], bad["missed ○"], bad["unparsed"]) == ("g/1", 3, 1, 1)
    assert (good["item"], good["line"], good["right ✓"], good["fairer F1"]) == ("g/0", 1, 1, 100.0)


def test_predictions_find_their_references_by_id_in_any_order():
    references = [{"id": "a", **REFERENCE}, {"id": "b", "before": [], "after": ["red 0 1 0"]}]
    lines = [{"id": "b", "prediction": "place red 0 1 0"}, {"id": "a", "prediction": "place blue 1 1 0"}]
    assert scores_of(scored(*lines, references=references))["strict"][0] == "100.0"
    assert scores_of(scored(*lines[::-1], references=references))["strict"][0] == "100.0"


def test_predictions_without_ids_go_with_the_references_in_order():
    lines = [{"prediction": "place blue 1 1 0"}, {"prediction": "place red 0 1 0"}]
    references = [{"id": "a", **REFERENCE}, {"before": [], "after": ["red 0 1 0"]}]
    result = scored(*lines, references=references)
    assert scores_of(result)["strict"][0] == "100.0" and [row[1] for row in result["rows"]] == ["a", "2"]


def test_the_file_holds_the_counts_of_every_item_in_their_order():
    lines = [{"id": name, "prediction": text, **REFERENCE} for name, text in (("a,b", "place blue 1 1 0"), ("c", "x"))]
    result = scored(*lines)
    with Path(result["file"]).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["item"] for row in rows] == ["a,b", "c"]
    for row, line in zip(rows, lines):
        counts = bap_v2_metric.score_item(line["prediction"], REFERENCE)
        for measure in ("strict", "fairer", "type", "color", "location", "shape"):
            assert {name: int(row[f"{measure}_{name}"]) for name in ("tp", "fp", "fn")} == counts[measure]
        assert int(row["unparsed_lines"]) == counts["unparsed_lines"]
        assert row["signature"] == bap_v2_metric.SIGNATURE


def test_an_item_with_nothing_to_do_and_nothing_done_is_not_among_the_worst():
    idle = {"id": "idle", "prediction": "", "before": ["red 0 1 0"], "after": ["red 0 1 0"]}
    half = {"id": "half", "prediction": "place blue 1 1 0\nplace blue 2 1 0", **REFERENCE}
    result = scored(idle, {"id": "bad", "prediction": "", **REFERENCE}, half)
    assert [item["item"] for item in items_of(result)] == ["bad", "half", "idle"]
    assert items_of(result)[-1]["fairer F1"] is None  # 0/0


def test_what_is_judged_is_said_in_words_beside_the_pictures():
    lines = "place blue 1 1 0\nplace green 1 2 0\npick 0 1 0"
    after = ["red 0 1 0", "blue 1 1 0", "blue 2 1 0"]
    result = scored({"prediction": lines, "before": ["red 0 1 0"], "after": after, "dialogue": ["<Architect> a row"]})
    assert result["verdict"].split("\n") == [
        "✗ pick red 0 1 0: taken away, which is wrong",
        "✓ place blue 1 1 0: placed, which is right",
        "✗ place green 1 2 0: placed, which is wrong",
        "○ place blue 2 1 0: missed: should have been placed",
    ]
    assert result["dialogue"]["value"] == "<Architect> a row" and result["dialogue"]["visible"]


def test_the_pictures_are_of_before_reference_and_prediction_from_where_the_builder_is():
    result = scored({"prediction": "place blue 2 1 0", **REFERENCE, "pose": POSE})
    figures = {name: json.loads(result[name].plot) for name in ("before", "reference", "judged")}
    assert len({json.dumps(figure["layout"]["scene"]["camera"]) for figure in figures.values()}) == 1
    eye, center = (figures["judged"]["layout"]["scene"]["camera"][name] for name in ("eye", "center"))
    assert eye["y"] > center["y"]  # the Builder looks along -x, which is plotly's y: from +x
    texts = {name: {text.replace("<br>", ": ") for trace in figure["data"] for text in trace.get("hovertext", [])}
            for name, figure in figures.items()}  # fmt: skip
    old, place = "red 0 1 0: was there before", "blue 1 1 0: "
    pose = {text for text in texts["before"] if text.startswith("the Builder at 0.5 1.0 -4.5")}
    assert len(pose) == 1
    assert texts["before"] == {old} | pose
    assert texts["reference"] == {old, f"{place}placed"} | pose
    missed, wrong = f"{place}missed: should have been placed", "blue 2 1 0: placed, which is wrong"
    assert texts["judged"] == {old, missed, wrong} | pose


def test_a_prediction_that_may_be_turned_is_pictured_as_it_is_compared():
    item = {"prediction": "place red 3 1 -2", "before": [], "after": ["red 0 1 0"], "interpretations": "multiple"}
    result = scored(item)
    assert "✓ place red 0 1 0: placed, which is right" in result["verdict"] and "aligned" in result["verdict"]


def test_whose_labels_they_are_is_said():
    metadata = {"annotation": {"labels": "ours"}}
    assert scored({"prediction": "", **REFERENCE, "metadata": metadata})["status"].endswith(
        "Labels of the test items: ours"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Nothing to score: paste or upload"),
        ("{}\n{", "predictions, line 2 is not JSON (Expecting property name"),
        ("[1]", "predictions, line 1 is not a JSON object, but [1]"),
        ("[" * 100_000, "predictions, line 1 is nested too deeply"),
        ('{"before": [], "after": []}', 'predictions, line 1 needs a text called "prediction": {"before": []'),
        ('{"prediction": 3, "before": [], "after": []}', 'line 1 needs a text called "prediction": {"prediction": 3'),
        (
            '\n{"prediction": "", "before": [], "after": ["pink 0 1 0"]}',
            "predictions, line 2, field 'after': unknown color 'pink'",
        ),
        ('{"prediction": ""}', "predictions, line 1 has no board, and no references are given"),
        ('{"prediction": "", "before": []}', "predictions, line 1: the reference has no field 'after'"),
        (
            '{"prediction": "", "number": ' + "1" * 5000 + "}",
            "predictions, line 1 cannot be read (Exceeds the limit (4300 digits)",
        ),
        (
            '{"prediction": "", "before": [], "after": [], "pose": {"x": 1%s, "y": 1, "z": 1, "yaw": 1, "pitch": 1}}'
            % ("0" * 400),
            "predictions, line 1, field 'pose'",
        ),
        (
            '{"prediction": "", "before": [], "after": [], "pose": {"x": 1, "y": NaN}}',
            'predictions, line 1, field \'pose\': {"x": 1, "y": NaN} (expected numbers',
        ),
        (
            '{"prediction": "", "before": [], "after": [], "interpretations": ["unique"]}',
            "predictions, line 1, field 'interpretations': ['unique']",
        ),
    ],
)
def test_what_cannot_be_scored_is_said_in_a_sentence(text, message):
    result = named(app.score_many(text, None))
    assert message in result["status"] and result["scores"] == result["rows"] == result["items"] == []
    assert (
        not result["shown"]["visible"]
        and not result["scored"]["visible"]
        and result["headline"] == ""
        and result["judged"] is None
    )


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (["a", "b"], ["a"], "predictions, line 2: no reference has the id b"),
        (["a"], ["a", "b"], "references, line 2 has no prediction: b"),
        (["a"], ["a", "b", "c"], "references, line 2 has no prediction: b (nor have 1 others)"),
        (["a", "a"], ["a"], "predictions, lines 1 and 2 have the same id: a"),
        (["a"], ["a", "a"], "references, lines 1 and 2 have the same id: a"),
        (["a"], [None], "references, line 1 has no id, as the predictions have"),
        ([None, None], ["a"], "2 predictions but 1 references"),
    ],
)
def test_predictions_and_references_that_do_not_match_are_named(predictions, references, message):
    lines = [{"prediction": ""} | ({"id": name} if name else {}) for name in predictions]
    rows = [REFERENCE | ({"id": name} if name else {}) for name in references]
    assert message in scored(*lines, references=rows)["status"]


def test_a_mistake_in_a_reference_is_told_by_its_own_line():
    lines = [{"id": "b", "prediction": ""}]
    text = "\n" + json.dumps({"id": "b", "before": ["red 0 1 0", "blue 0 1 0"], "after": []})
    status = named(app.score_many("\n".join(map(json.dumps, lines)), None, text, None))["status"]
    assert status == (
        "Cannot be scored: references, line 2, field 'before': 'blue 0 1 0' is in the same cell as 'red 0 1 0'"
    )


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("", "red 0 1 0\n\nred 0 10 0", "board after, line 3: 'red 0 10 0' is outside the BuildRegion"),
        ("rot 0 1 0", "", "board before, line 1: unknown color 'rot' (expected one of red"),
        ("red 0 1 0\nblue 0 1 0", "", "field 'before': 'blue 0 1 0' is in the same cell"),
    ],
)
def test_a_board_that_is_none_is_told_by_line_and_value(before, after, message):
    assert named(app.score_one("", before, after, "unique"))["status"].startswith(f"Cannot be scored: {message}")


def test_a_file_that_is_no_text_is_said_to_be_none(tmp_path):
    (tmp_path / "rows.jsonl").write_bytes(b"\xff\xfe")
    status = named(app.score_many("", str(tmp_path / "rows.jsonl")))["status"]
    assert status == "Cannot be scored: the file of predictions is not a text in UTF-8"


def test_what_models_write_can_be_shown_also_if_it_is_no_text():
    line = '{"id": "\\ud800", "prediction": "\\ud800\\nplace blue 1 1 0", "before": ["red 0 1 0"], "after": []}'
    result = named(app.score_many(line, None))
    assert result["status"].startswith("Items: 1") and result["prediction"] == "?\nplace blue 1 1 0"


def test_gradio_still_takes_figures_without_plotly_and_files_from_its_folder(tmp_path, monkeypatch):
    """What the page relies on and gradio's reference does not promise: a canary for its next versions."""
    picture = scored({"prediction": "", **REFERENCE})["judged"]
    assert gr.Plot().postprocess(picture) == picture and picture.model_dump().keys() == {"type", "plot"}
    for folder in (None, tmp_path / "files"):
        if folder is not None:
            monkeypatch.setenv("GRADIO_TEMP_DIR", str(folder))
        file = Path(scored({"prediction": "", **REFERENCE})["file"])
        assert file.is_relative_to(gr.DownloadButton().GRADIO_CACHE)  # else gradio copies it, and nobody deletes it


def test_the_page_offers_both_calls_and_no_others():
    assert set(app.page().get_api_info()["named_endpoints"]) == {"/score_one", "/score_many"}


@pytest.mark.slow
def test_the_folder_alone_runs_as_a_page_whatever_its_name(tmp_path):
    from gradio_client import Client

    with served_alone(tmp_path) as address:
        client = Client(address, verbose=False)
        headline, status, scores, *_ = client.predict("pick 0 1 0", "red 0 1 0", "", "unique", api_name="/score_one")
    assert headline == "Overall (fairer F1): 100.0" and status.startswith("Items: 1")
    assert scores["data"][0][:4] == ["Overall (fairer F1)", "100.0", "100.0", "100.0"]


def test_without_gradio_the_page_says_what_to_install(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['gradio'] = None\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, app.__file__], capture_output=True, text=True, env=environment)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == (
        'error: the page needs gradio: pip install "bap-v2[explore]", or -r requirements.txt of this folder\n'
    )
