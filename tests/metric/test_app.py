"""The page of the metric's Space: what it shows for good and bad input, and what it says without gradio."""

import csv
import io
import json
import os
import subprocess
import sys

import pytest
from case_tables import cases_of

import bap_v2_metric
from bap_v2_metric.resampling import FEWEST_ITEMS
from bap_v2_metric.scoring import MEASURES

pytest.importorskip("gradio")
from bap_v2_metric import app

REFERENCE = {"before": ["red 0 1 0"], "after": ["red 0 1 0", "blue 1 1 0"]}


def shown(sentence: str, table: list, judged: str, file: str) -> tuple:
    return sentence, {name: dict(zip(app.COLUMNS, cells)) for name, *cells in table}, judged.split("\n"), file


def scored(*lines: dict, references=(), file=None) -> tuple:
    return shown(*app.score_many("\n".join(map(json.dumps, lines)), file, "\n".join(map(json.dumps, references))))


def test_one_item_is_scored_and_its_net_actions_are_judged_in_words():
    sentence, table, judged, _ = shown(*app.score_one("place red 3 1 -2\n", "", " red 0 1 0 \n\n", "multiple"))
    assert table["strict"] == {"F1": "0.0", "EB F1": "0.0", "NEB F1": "–", "precision": "0.0", "recall": "0.0"}
    assert table["fairer"]["F1"] == "100.0" and sentence.startswith("Fairer F1: 100.0. Items: 1 (1 on an empty board).")
    assert judged == ["the item: (aligned: place and orientation were left open)", "✓ right: place red 0 1 0"]
    text = "place blue 1 1 0\npick 0 1 0\nplace red 5 9 5\nSure"
    sentence, _, judged, _ = shown(*app.score_one(text, "red 0 1 0", "red 0 1 0\nblue 1 1 0\nblue 2 1 0", "unique"))
    assert judged[1:] == ["✓ right: place blue 1 1 0", "✗ wrong: pick red 0 1 0", "○ missed: place blue 2 1 0"]
    assert "Infeasible actions: 1. Unparsed lines: 1; 1 × 'Sure'." in sentence
    assert sentence.endswith(bap_v2_metric.SIGNATURE)


def test_many_items_have_the_scores_intervals_and_signature_of_the_metric():
    lines = [{"prediction": ["place blue 1 1 0", "hm"][n % 2], **REFERENCE} for n in range(FEWEST_ITEMS)]
    sentence, table, *_ = scored(*lines)
    items = bap_v2_metric.score_items([line["prediction"] for line in lines], lines)
    scores, intervals = bap_v2_metric.aggregate(items), bap_v2_metric.bootstrap(items)
    for measure in MEASURES:
        low, high = intervals[f"{measure}_f1"]
        f1 = f"{100 * scores[f'{measure}_f1']:.1f} ({100 * low:.1f}–{100 * high:.1f})"
        assert table[measure]["F1"] == table[measure]["NEB F1"] == f1 and table[measure]["EB F1"] == "–"
        assert table[measure]["recall"] == f"{100 * scores[f'{measure}_recall']:.1f}"
    assert bap_v2_metric.signature(app.RESAMPLES) in sentence and table["fairer"]["F1"] in sentence
    sentence, table, *_ = scored(*lines[1:])  # too few
    assert "(" not in table["fairer"]["F1"] and sentence.endswith(bap_v2_metric.SIGNATURE)


def test_predictions_find_their_references_by_id_or_without_ids_in_order():
    references = [{"id": "a", **REFERENCE}, {"id": "b", "before": [], "after": ["red 0 1 0"]}]
    lines = [{"id": "b", "prediction": "place red 0 1 0"}, {"id": "a", "prediction": "place blue 1 1 0"}]
    for rows in references, references[::-1]:
        assert scored(*lines, references=rows)[1]["strict"]["F1"] == "100.0"
    unnamed = [{"prediction": line["prediction"]} for line in lines[::-1]]
    assert scored(*unnamed, references=[REFERENCE, {**references[1], "id": 2}])[1]["strict"]["F1"] == "100.0"


def test_a_file_goes_before_a_text_and_may_be_as_editors_write_it(tmp_path):
    rows = [{"id": f"g/{n}", "prediction": text, **REFERENCE} for n, text in enumerate(["place blue 1 1 0", "hm"])]
    file = tmp_path / "rows.jsonl"
    file.write_text("\ufeff" + "\r\n\r\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert scored({"not": "this"}, file=str(file)) == scored(*rows)
    worst_first = "g/1:\n○ missed: place blue 1 1 0\ng/0:\n✓ right: place blue 1 1 0"
    assert "\n".join(scored(*rows)[2]) == worst_first
    file.write_bytes(b"\xff")
    assert "Cannot be scored: predictions, line 1 is not UTF-8" in scored(file=str(file))[0]


@pytest.mark.parametrize(
    "form",
    [
        json.dumps([{"id": "b", "prediction": "hm"}, {"id": "a", "prediction": ["place blue 1 1 0"]}]),
        "id,prediction\nb,hm\na,place blue 1 1 0\n",
        '{"a": "place blue 1 1 0", "b": "hm"}',
        '["place blue 1 1 0", "hm"]',
        "place blue 1 1 0\nhm\n",
        '{"custom_id": "a", "response": {"body": {"choices": [{"message": {"content": "place blue 1 1 0"}}]}}}\n'
        '{"custom_id": "b", "response": {"body": {"choices": [{"message": {"content": "hm"}}]}}}',
    ],
)
def test_predictions_come_in_the_forms_that_the_score_command_reads(form, tmp_path):
    references = [REFERENCE, REFERENCE] if form[:2] in ('["', "pl") else [{"id": key, **REFERENCE} for key in "ab"]
    (tmp_path / "answers").write_text(form)
    for given in ({"text": form, "file": None}, {"text": "", "file": str(tmp_path / "answers")}):
        sentence, table, *_ = shown(*app.score_many(**given, references="\n".join(map(json.dumps, references))))
        assert sentence.startswith("Fairer F1: 66.7. Items: 2") and table["strict"]["recall"] == "50.0"


def test_a_missing_prediction_is_said():
    lines = [{"id": "a", "prediction": None, **REFERENCE}, {"id": "b", "prediction": "place blue 1 1 0", **REFERENCE}]
    assert scored(*lines)[0].startswith("Missing predictions: 1 × null, scored as empty. Fairer F1: 66.7. Items: 2")


@pytest.mark.parametrize("name", [{"id": "a"}, {"request_id": "0"}])
def test_of_several_choices_the_first_is_scored_and_the_others_are_counted(name):
    outputs = [{"text": "place blue 1 1 0"}, {"text": "hm"}, {"text": None}]
    sentence = scored({**name, "outputs": outputs}, references=[{"id": "a" if "id" in name else 1, **REFERENCE}])[0]
    assert sentence.startswith("Further answers to the same items, not scored: 2. Fairer F1: 100.0. Items: 1")


def test_the_download_holds_the_counts_of_every_item_in_their_order():
    lines = [{"id": name, "prediction": text, **REFERENCE} for name, text in (("a,b", "hm"), ("c", "place blue 1 1 0"))]
    rows = list(csv.DictReader(io.StringIO(scored(*lines)[-1], newline="")))
    assert [row["item"] for row in rows] == ["a,b", "c"]
    for row, line in zip(rows, lines):
        counts = bap_v2_metric.score_item(line["prediction"], REFERENCE)
        for measure in MEASURES:
            assert {name: int(row[f"{measure}_{name}"]) for name in ("tp", "fp", "fn")} == counts[measure]
        assert int(row["unparsed_lines"]) == counts["unparsed_lines"]


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        *cases_of(__file__, "errors"),
        ("[" * 100_000, "", "predictions is not a whole JSON list (maximum recursion depth"),
        ('{"prediction": "", "number": ' + "1" * 5000 + "}", "", "is not JSON (Exceeds the limit (4300 digits)"),
        ('{"id": "a", "prediction": ""}\n' * 2, "", "predictions, line 1 and predictions, line 2 have the same id 'a'"),
    ],
)
def test_what_cannot_be_scored_is_told_by_line_and_value(predictions, references, message):
    sentence, *rest = app.score_many(predictions, None, references)
    assert sentence.startswith("Cannot be scored: ") and message in sentence and not any(rest)
    sentence, *rest = app.score_one("", "", "red 0 1 0\n\nrot 0 2 0", "unique")
    assert sentence.startswith("Cannot be scored: board after, line 3: unknown color 'rot'") and not any(rest)


def test_what_models_write_can_be_shown_also_if_it_is_no_text():
    line = '{"id": "\\ud800", "prediction": "\\ud800\\nplace blue 1 1 0", "before": ["red 0 1 0"], "after": []}'
    assert "Items: 1" in "".join(map(str, app.score_many(line, None))).encode().decode()


def test_the_page_offers_both_calls_and_no_others():
    assert set(app.page().get_api_info()["named_endpoints"]) == {"/score_one", "/score_many"}


def test_without_gradio_the_page_says_what_to_install(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['gradio'] = None\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, app.__file__], capture_output=True, text=True, env=environment)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith('error: the page needs gradio: pip install "bap-v2[explore]"')
