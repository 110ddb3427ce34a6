"""The Python API: six functions, the same numbers as the command line, and errors that name the fix."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from case_tables import cases_of
from in_process import use_home

import bap_v2_dataset as bap
import bap_v2_metric
from bap_v2_dataset.evaluation.model_evaluation import ComparisonError
from bap_v2_dataset.evaluation.model_run import ModelError
from bap_v2_metric.errors import UserError

pytestmark = pytest.mark.usefixtures("few_are_enough")


@pytest.fixture(autouse=True)
def home(monkeypatch, set_up_home, tmp_path):
    use_home(monkeypatch, set_up_home)
    monkeypatch.chdir(tmp_path)


def one_block(row: dict) -> str:
    return f"place red {len(row['dialogue']) % 3} 1 0"


def lines_of(path: str) -> list[dict]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_tables_are_scored_and_errors_name_parameters():
    import datasets
    import pandas as pd

    rows = bap.load("dss", "test[:20]")
    answers = {"id": rows["id"][:], "prediction": rows["completion"][:]}
    frame, table = pd.DataFrame(answers), datasets.Dataset.from_dict(answers)
    table.save_to_disk("saved")
    for each in (frame, frame.set_index("id"), frame.set_index("id")["prediction"], table, table.to_list(), "saved"):
        assert bap.score_file(each, subset=True, n_resamples=0).scores["strict_f1"] == 1.0
    named = frame.rename(columns={"prediction": "said"})
    assert bap.score_file(named, prediction_field="said", subset=True, n_resamples=0).name == "predictions"
    for arguments, fix in (
        ({}, "pass subset=True to leave them out, or partial=True"),
        ({"split": "x"}, "pass split= with one"),
    ):
        with pytest.raises(UserError, match=fix):
            bap.score_file(frame, **arguments)


def test_an_item_that_its_split_lacks_says_so():
    assert "dss, test" in str(bap.show("dss-test-99999/1")) and "the published rows do not have it" in str(
        bap.show("dss-test-99999/1")
    )
    assert "published" not in str(bap.show("dss-test-0/1"))


# --- Loading.


def test_the_rows_of_a_config_are_those_of_load_dataset():
    from datasets import load_dataset

    rows = bap.load("dss")
    assert rows["id"][:] == load_dataset("bap_v2", "dss", split="test")["id"][:]
    assert bap.load("dr", "validation[:3]").num_rows == 3


def test_own_data_are_completed():
    with open("mine.jsonl", "w") as file:
        for row in bap.load("dss", "test[:4]").select_columns(["id", "history", "dialogue", "before", "after"]):
            file.write(json.dumps({**row, "id": f"my-game/{row['id'][-1]}{row['id'][9]}"}) + "\n")
    rows = bap.load(data="mine.jsonl")
    assert rows.num_rows == 4 and rows[0]["prompt_n"].endswith("### AS:\n")
    assert bap.load(data="mine.jsonl", split="test[1:3]")["id"][:] == rows["id"][1:3]
    part = bap.evaluate_model("stack", data="mine.jsonl", split="test[:50%]", n_resamples=0)
    assert part.ids == rows["id"][:2] and part.test.title == "mine (2 of 4 items)"
    with pytest.raises(UserError, match=r"'test\[:x\]' is not a part of a split: write e.g. test\[:100\]"):
        bap.load(data="mine.jsonl", split="test[:x]")


@pytest.mark.parametrize(
    ("arguments", "message"),
    cases_of(__file__, "loading_errors"),
)
def test_what_cannot_be_loaded_is_said_with_the_fix(arguments, message):
    with pytest.raises(UserError, match=message):
        bap.load(**arguments)


def test_without_the_corpus_it_is_said_how_to_set_it_up(own_home):
    with pytest.raises(UserError, match="bap-v2 setup --mdc PATH"):
        bap.load("mdc")


# --- Messages.


def test_shots_are_taken_from_the_train_split_of_the_rows_own_config():
    pytest.importorskip("bm25s", reason="the extra `icl` is not installed")
    row = bap.load("dss")[1]
    chat = bap.messages(row, shots=2)
    assert [message["role"] for message in chat] == ["system", *["user", "assistant"] * 2, "user"]
    assert chat[-1]["content"] == row["prompt_n_posb_s"]
    train = bap.load("dss", "train")
    assert chat == bap.messages(row, shots=2, pool="dss") == bap.messages(row, shots=2, pool=train)
    assert {answer["content"] for answer in chat[2::2]} <= set(train["completion"][:])
    other = bap.messages(row, shots=2, pool=bap.load("dr", "train").to_list())
    assert {answer["content"] for answer in other[2::2]} <= set(bap.load("dr", "train")["completion"][:])


def test_messages_for_a_reasoning_model_end_with_its_marker():
    row = bap.load("dss", "test[:1]")[0]
    system, user = bap.messages(row, prompt="reasoning")
    assert "# Directions" in system["content"] and "ANSWER:" in user["content"]


def test_shots_may_be_chosen_by_hand():
    row, *shots = bap.load("dss", "test[:3]")
    chat = bap.messages(row, shots, "n", answer_form="calls", shot_history_lines=None)
    assert chat[1]["content"] == shots[0]["prompt_n"] and chat[2]["content"].startswith("place(color=")


@pytest.mark.parametrize(
    ("arguments", "message"),
    cases_of(__file__, "message_errors"),
)
def test_messages_that_cannot_be_made_are_refused(arguments, message):
    with pytest.raises(UserError, match=message):
        bap.messages(**{"row": bap.load("dss", "test[:1]")[0], **arguments})


def test_shots_need_no_more_of_a_row_than_its_prompt():
    pytest.importorskip("bm25s", reason="the extra `icl` is not installed")
    row = {"history": [], "dialogue": ["<Architect> put a red row"], "before": []}
    assert len(bap.messages(row, 2, "n", pool="dss")) == 6


def test_a_row_that_does_not_tell_its_config_needs_a_pool():
    with pytest.raises(UserError, match="mine/0 does not tell its config: pass pool="):
        bap.messages({**bap.load("dss", "test[:1]")[0], "id": "mine/0", "metadata": {}}, shots=1)


# --- Evaluation.


@pytest.mark.slow
def test_a_function_is_scored_as_evaluate_and_the_command_line_score_its_answers():
    rows = bap.load("dss")
    result = bap.evaluate_model(one_block, "dss", out="mine.jsonl", n_resamples=50)
    expected = bap_v2_metric.score([one_block(row) for row in rows], list(rows))
    assert {key: result.scores[key] for key in expected if key != "signature"} == {
        key: value for key, value in expected.items() if key != "signature"
    }
    signature = bap_v2_metric.scoring.signature(50)
    assert result.signature.startswith(f"{signature}|config:dss|split:test|items:") and result.name == "one_block"
    low, high = result.confidence_intervals["fairer_f1"]
    assert low <= result.scores["fairer_f1"] <= high
    scored = bap.score_file("mine.jsonl", n_resamples=50)
    assert (scored.scores, scored.items, scored.ids) == (result.scores, result.items, rows["id"][:])
    assert result.items[5] == {
        "id": rows[5]["id"],
        "prediction": one_block(rows[5]),
        **bap_v2_metric.score_item(one_block(rows[5]), rows[5]),
    }


def test_batches_and_threads_give_the_same_answers_in_the_same_order():
    seen = []

    def batched(rows: list[dict]) -> list[str]:
        seen.append(len(rows))
        return [one_block(row) for row in rows]

    one = bap.evaluate_model(one_block, "dr", n_resamples=0)
    many = bap.evaluate_model(batched, "dr", batch_size=25, n_resamples=0)
    assert seen == [25, 25, 10]
    threads = set()

    def slow(row: dict) -> str:
        threads.add(threading.get_ident())
        time.sleep(0.002)
        return one_block(row)

    threaded = bap.evaluate_model(slow, "dr", workers=4, n_resamples=0)
    assert one.predictions == many.predictions == threaded.predictions and len(threads) == 4


def test_a_baseline_is_a_model_by_its_name():
    from bap_v2_dataset.tasks.building.baselines.rules import stack

    by_name, by_function = (bap.evaluate_model(model, "dr", n_resamples=0) for model in ("stack", stack))
    assert by_name.name == by_function.name == "stack" and by_name.scores == by_function.scores
    assert bap.evaluate_model("stack", "dr", batch_size=7, n_resamples=0).scores == by_name.scores


def test_some_items_are_part_of_more_items_and_the_file_grows():
    asked = []

    def model(row: dict) -> str:
        asked.append(row["id"])
        return one_block(row)

    few = bap.evaluate_model(model, "dr", max_items=10, out="mine.jsonl", n_resamples=0)
    more = bap.evaluate_model(model, "dr", max_items=30, out="mine.jsonl", n_resamples=0)
    assert set(few.ids) < set(more.ids) and sorted(asked) == sorted(more.ids)
    assert "(a subset: 30 of 60 items)" in str(more)
    assert bap.score_file("mine.jsonl", subset=True, n_resamples=0).scores == more.scores


@pytest.mark.parametrize("how", [{}, {"batch_size": 4}, {"workers": 3}], ids=["rows", "batches", "threads"])
def test_an_exception_names_the_item_keeps_the_answers_and_the_same_call_resumes(how):
    broken = bap.load("dr")["id"][20]
    asked = []

    def answer(row: dict) -> str:
        if fails and row["id"] == broken:
            raise ConnectionError("no route to host")
        asked.append(row["id"])
        return one_block(row)

    model = answer if "batch_size" not in how else lambda rows: [answer(row) for row in rows]
    fails = True
    with pytest.raises(ModelError, match=rf"{broken}.* failed with ConnectionError: no route.*mine.jsonl") as raised:
        bap.evaluate_model(model, "dr", name="mine", out="mine.jsonl", n_resamples=0, **how)
    assert isinstance(raised.value.__cause__, ConnectionError)
    kept = lines_of("mine.jsonl")
    assert len(kept) >= 20 and raised.value.predictions == {line["id"]: line["prediction"] for line in kept}
    fails = False
    asked.clear()
    result = bap.evaluate_model(model, "dr", name="mine", out="mine.jsonl", n_resamples=0, **how)
    assert not set(asked) & {line["id"] for line in kept} and len(result.ids) == 60
    assert result.scores == bap.evaluate_model(one_block, "dr", n_resamples=0).scores


def test_what_is_not_text_is_refused():
    for model, how, message in (
        (lambda row: None, {}, "returned None"),
        (lambda row: ["a"], {}, r"returned \['a'\] of type list"),
        (lambda rows: "abc", {"batch_size": 3}, "expected a list"),
        (lambda rows: ["a"], {"batch_size": 3}, "returned 1 answer for 3 rows"),
    ):
        with pytest.raises(ModelError, match=message):
            bap.evaluate_model(model, "dr", **how)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"model": "stak"}, "unknown baseline 'stak'"),
        ({"model": 5}, "the model is 5"),
        ({"workers": 0}, "workers is 0"),
        ({"batch_size": 0}, "batch_size is 0"),
        ({"max_items": 0}, "max_items is 0"),
        ({"config": "ds"}, "unknown config 'ds'"),
        ({"data": "nowhere.jsonl", "config": None}, "nowhere.jsonl"),
        ({"data": {"id": "a"}, "config": None}, "data is of type dict: expected FILE"),
        ({"data": 5, "config": None}, "data is of type int: expected FILE"),
        ({"data": ["a"], "config": None}, "data, row 0 is not a dict with the columns of an item: a"),
        ({"data": [], "config": None}, "data has no rows"),
        ({"n_resamples": -1}, "n_resamples is -1"),
        ({"confidence": 95}, "confidence is 95"),
    ],
)
def test_wrong_arguments_are_refused_before_the_model_is_asked(arguments, message):
    def never(row):
        raise AssertionError

    with pytest.raises(UserError, match=message):
        bap.evaluate_model(**{"model": never, "config": "dr", **arguments})


def test_a_file_of_another_model_or_split_is_not_resumed():
    bap.evaluate_model("stack", "dr", out="mine.jsonl", n_resamples=0)
    for arguments, message in (
        ({"model": "replay"}, "model was 'stack', now 'replay'"),
        ({"split": "validation"}, "split was 'test'"),
    ):
        with pytest.raises(UserError, match=rf"{message}.*overwrite=True"):
            bap.evaluate_model(**{"model": "stack", "config": "dr", "out": "mine.jsonl", **arguments})
    bap.evaluate_model("replay", "dr", out="mine.jsonl", overwrite=True, n_resamples=0)
    assert bap.score_file("mine.jsonl", n_resamples=0).scores["strict_f1"] == 1.0


def without_names(scores: dict) -> dict:
    """Without what the signature says of where the items are from; the labels are the same."""
    return scores | {"signature": re.sub(r"\|config:[^|]*\|split:[^|]*", "", scores["signature"])}


def test_rows_and_own_data_are_scored_like_a_config():
    rows = bap.load("dss", "test[:30]")
    by_rows = bap.evaluate_model("stack", data=rows, n_resamples=0)
    assert "dss, test: stack (a subset: 30 of 1,000 items)" in str(by_rows)
    listed = bap.evaluate_model("stack", data=rows.to_list(), n_resamples=0)
    rows.to_json("own.jsonl")
    own = bap.evaluate_model("stack", data="own.jsonl", out="mine.jsonl", n_resamples=0)
    plain, *others = (without_names(each.scores) for each in (by_rows, listed, own))
    assert others == [plain, plain] and (own.config, listed.config) == ("own", "data")
    for arguments in ({}, {"data": "own.jsonl"}):
        assert bap.score_file("mine.jsonl", n_resamples=0, **arguments).scores == own.scores
    picture = bap.show("dss-test-0/1", own, data="own.jsonl")
    assert str(picture).startswith("dss-test-0/1 own, test")


def test_rows_in_memory_may_differ_in_their_columns():
    plain = {"id": "g/0", "before": [], "after": ["red 0 1 0"]}
    multiple = {**plain, "id": "g/1", "interpretations": "multiple", "metadata": {"a": 1}}
    other = {**multiple, "id": "g/2", "metadata": {"a": "x", "b": [1, "y"]}}
    result = bap.evaluate_model(lambda row: "place red 3 1 0", data=[plain, multiple, other], n_resamples=0)
    assert [item["fairer"]["tp"] for item in result.items] == [0, 1, 1]
    with pytest.raises(UserError, match="data, row 1: duplicate id 'g/0'"):
        bap.evaluate_model("stack", data=[plain, plain])
    assert str(bap.show(plain, result)).startswith("g/0")


def test_rows_of_a_config_without_what_scoring_needs_are_refused():
    with pytest.raises(UserError, match="these rows of dss have no column after: to score, keep id, before, after"):
        bap.evaluate_model("stack", data=bap.load("dss", "test[:3]").remove_columns("after"))


def test_a_model_that_changes_its_row_does_not_change_what_it_is_scored_by():
    def careless(row):
        row["before"].append("blue 5 1 5")
        row["after"].clear()
        return ""

    assert bap.evaluate_model(careless, "dr").scores == bap.evaluate_model("do-nothing", "dr").scores


def test_an_item_without_a_pose_is_scored_and_shown_and_has_a_prompt_without_it():
    item = {"id": "g/0", "dialogue": ["<Architect> a red one"], "before": [], "actions": ["place red 0 1 0"]}
    Path("own.jsonl").write_text(json.dumps(item) + "\n")
    row = bap.load(data="own.jsonl")[0]
    assert bap.messages(row, representation="n")[-1]["content"] == row["prompt_n"]
    with pytest.raises(UserError, match='g/0 has no pose: pass representation="n"'):
        bap.messages(row)
    assert bap.evaluate_model("replay", data=[item]).scores["strict_f1"] == 1.0
    assert "the pose is not known" in str(bap.show("g/0", data="own.jsonl"))


def test_two_results_are_compared_on_the_same_items():
    stack, replay = (bap.evaluate_model(name, "dr", n_resamples=200) for name in ("stack", "replay"))
    test = replay.compare(stack)
    assert (test.a, test.b) == ("replay", "stack")
    assert test.difference == pytest.approx(1 - stack.scores["fairer_f1"]) and test.p_value < 0.01
    assert "Against stack" in str(test) and "<th" in test._repr_html_()
    assert stack.compare(replay).difference == -test.difference
    with pytest.raises(ComparisonError, match="evaluate both on the same items"):
        stack.compare(bap.evaluate_model("stack", "dr", max_items=5))
    with pytest.raises(ComparisonError, match="n_resamples is 0"):
        bap.evaluate_model("stack", "dr", n_resamples=0).compare(stack)


def test_a_result_is_shown_as_the_score_table_and_names_are_escaped_in_html():
    result = bap.evaluate_model("stack", "dr", name="<b>", n_resamples=20)
    assert "dr, test: <b>" in repr(result) and result.signature in repr(result)
    page = result._repr_html_()
    assert "&lt;b&gt;" in page and "<b><b>" not in page
    assert f"{100 * result.scores['fairer_f1']:.1f}" in page and result.signature in page


def test_several_files_are_runs_of_one_model_whose_scores_are_means():
    stack = bap.evaluate_model("stack", "dr", out="stack.jsonl", n_resamples=50)
    bap.evaluate_model("replay", "dr", out="replay.jsonl", n_resamples=50)
    mean = bap.score_file(["stack.jsonl", "replay.jsonl"], name="mine", n_resamples=50)
    assert mean.scores["fairer_f1"] == pytest.approx((stack.scores["fairer_f1"] + 1) / 2)
    assert [run.scores["fairer_f1"] for run in mean.runs] == [stack.scores["fairer_f1"], 1.0]
    assert " ± " in mean._repr_html_() and "±" in str(mean)
    comparison = mean.compare(stack)
    assert comparison.difference > 0
    assert "p leaves out the spread between runs" in str(comparison)
    assert "p leaves out the spread between runs" in comparison._repr_html_()
    shown = bap.show(mean.ids[0], mean)
    assert [column.name for column in shown.columns[-2:]] == ["mine (run 1)", "mine (run 2)"]
    with pytest.raises(UserError, match=r"several models, stack.*, replay"):
        bap.score_file(["stack.jsonl", "replay.jsonl"])


@pytest.mark.slow
def test_a_kill_loses_nothing(set_up_home, tmp_path):
    script = (
        "import time, bap_v2_dataset as bap\n"
        "def model(row):\n"
        "    time.sleep(0.01)\n"
        "    return 'place red 0 1 0'\n"
        "bap.evaluate_model(model, 'dss', out='mine.jsonl', n_resamples=0)\n"
    )
    environment = {**os.environ, "HF_HOME": str(set_up_home)}
    environment.pop("BAP_V2_MDC", None)
    running = subprocess.Popen([sys.executable, "-c", script], env=environment, stderr=subprocess.DEVNULL)
    file = tmp_path / "mine.jsonl"
    while running.poll() is None and not (file.is_file() and file.read_bytes().count(b"\n") >= 5):
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    running.wait()
    killed_after = file.read_bytes().count(b"\n")
    assert 5 <= killed_after < 1000

    def model(row: dict) -> str:
        return "place red 0 1 0"

    result = bap.evaluate_model(model, "dss", out="mine.jsonl", n_resamples=0)
    assert len({line["id"] for line in lines_of("mine.jsonl")}) == 1000 == len(result.ids)


# --- Looking.


def test_an_item_is_shown_with_its_models(tmp_path):
    result = bap.evaluate_model(one_block, "dss", max_items=40, n_resamples=0)
    item = result.ids[3]
    picture = bap.show(item, result, baseline="stack")
    assert [column.name for column in picture.columns][-2:] == ["one_block", "stack"]
    text = str(picture)
    assert text.startswith(f"{item} dss, test") and "one_block" in text and "stack" in text
    with pytest.raises(UserError, match="was not evaluated on"):
        bap.show(next(name for name in bap.load("dss")["id"] if name not in result.ids), result)
    with pytest.raises(UserError, match="there is no item"):
        bap.show("dss-test-0/99")


def test_a_row_and_an_answer_are_shown_too():
    row = bap.load("dss", "test[:2]")[1]
    picture = bap.show(row, "place red 0 1 0")
    assert picture.columns[-1].name == "model" and str(picture).startswith(row["id"])
    named = bap.show(row, {"mine": "place red 0 1 0", "other": ""})
    assert [column.name for column in named.columns[-2:]] == ["mine", "other"]
    assert bap.show({"id": "g/0", "before": [], "after": ["red 0 1 0"], "target": ["red 9 1 0"]}).columns[-1].cubes
    for predictions, message in ((5, "predictions is 5: expected an answer"), ({"a": 5}, "the prediction of a is 5")):
        with pytest.raises(UserError, match=message):
            bap.show(row, predictions)


def test_a_notebook_may_get_a_small_page_with_boards_to_rotate():
    pytest.importorskip("plotly", reason="the extra `pictures` is not installed")
    page, _ = bap.show("dss-test-0/1", interactive=True)._repr_mimebundle_()
    assert page["text/html"].startswith("<iframe srcdoc=") and len(page["text/html"]) < 300_000


def test_without_matplotlib_a_notebook_gets_text(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "bap_v2_dataset.tasks.building.pictures.figure", raising=False)
    picture = bap.show("dss-test-0/1")
    assert set(picture._repr_mimebundle_()[0]) == {"text/plain"}
    with pytest.raises(UserError, match=r'this needs matplotlib: pip install "bap-v2\[pictures\]"'):
        picture.save("item.png")


# --- The package.


def test_the_functions_are_listed_and_imported_when_they_are_used():
    assert set(bap.__all__) <= set(dir(bap))
    script = (
        "import sys, bap_v2_dataset as bap\n"
        "light = {'datasets', 'numpy', 'rich', 'bap_v2_dataset.api'} & set(sys.modules)\n"
        "assert not light, light\n"
        "bap.messages\n"
        "bap.show('dss-test-0/1', 'place red 0 1 0')\n"
        "assert 'datasets' not in sys.modules\n"
        "try:\n    bap.nothing\nexcept AttributeError as error:\n    print(error)\n"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert shown.stdout == "module 'bap_v2_dataset' has no attribute 'nothing'\n"
