"""The forms in which predictions come; the logs are those of the libraries themselves: see logs/make_logs.py."""

import bz2
import gzip
import io
import json
import lzma
import shutil
import sys
import zipfile
from pathlib import Path

import pandas
import pyarrow
import pytest
from case_tables import cases_of

from bap_v2_dataset.chat.tools import DEFINITIONS
from bap_v2_dataset.predictions.entries import Fields, PredictionError
from bap_v2_dataset.predictions.eval_logs import log_files
from bap_v2_dataset.predictions.files import read_prediction_file, read_predictions
from bap_v2_dataset.predictions.formats import without_compression

LOGS = Path(__file__).parent / "logs"
ITEMS = ("dss-test-0/0", "dss-test-0/1", "dss-test-1/0", "dss-test-1/1")
ANSWERS = ("place red 0 1 0", "<think>\nhm\n</think>\nplace blue 1 1 1\npick 0 1 0", "I do not know.", "")
SECOND = ("place red 0 2 0", "pick 0 1 0", "place red 0 1 0", "no")
EXPECTED = {"a/0": 'place red 0 1 0\npick 0 1 0, "so"', "b/0": "", "c/0": "größe; 積木"}

RECORDS = [{"id": key, "prediction": text} for key, text in EXPECTED.items()]
LINES = "\n".join(json.dumps(record) for record in RECORDS)
CSV = 'id,prediction\na/0,"place red 0 1 0\npick 0 1 0, ""so"""\nb/0,\nc/0,größe; 積木\n'
FORMS = {
    "JSON lines": LINES,
    "JSON lines of pairs": "\n".join(json.dumps(pair) for pair in EXPECTED.items()),
    "JSON lines, one": json.dumps(RECORDS[0]),
    "a list": json.dumps(RECORDS),
    "an indented list": json.dumps(RECORDS, indent=1),
    "an object": json.dumps(EXPECTED),
    "an indented object": json.dumps(EXPECTED, indent=1),
    "CSV": CSV,
    "more columns": 'seconds,id,prediction\n1,a/0,"place red 0 1 0\npick 0 1 0, ""so"""\n2,b/0,\n,c/0,größe; 積木',
    "semicolons": 'id;prediction\na/0;"place red 0 1 0\npick 0 1 0, ""so"""\nb/0;\nc/0;"größe; 積木"\n\n',
    "an index": '\tid\tprediction\n0\ta/0\t"place red 0 1 0\npick 0 1 0, ""so"""\n1\tb/0\t\n2\tc/0\tgröße; 積木\n',
    "sep of Excel": 'sep=;\nid;prediction\na/0;"place red 0 1 0\npick 0 1 0, ""so"""\nb/0;\nc/0;größe; 積木\n'.replace(
        "größe; 積木", '"größe; 積木"'
    ),
    "another sep": 'sep=|\nid|prediction\na/0|"place red 0 1 0\npick 0 1 0, ""so"""\nb/0|\nc/0|größe; 積木\n',
    "line ends of Excel": CSV.replace("red 0 1 0\n", "red 0 1 0_x000D_\n"),
    "tabs": 'prediction\tid\n"place red 0 1 0\npick 0 1 0, ""so"""\ta/0\n\tb/0\ngröße; 積木\tc/0\n',
}


def zstd(data: bytes) -> bytes:
    """Compressed in two frames, as parallel tools do."""
    frames = []
    for part in (data[:20], data[20:]):
        packed = pyarrow.BufferOutputStream()
        with pyarrow.CompressedOutputStream(packed, "zstd") as stream:
            stream.write(part)
        frames.append(packed.getvalue().to_pybytes())
    return b"".join(frames)


COMPRESSED = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd}


@pytest.mark.parametrize(
    ("end", "encoding"), [("\n", "UTF-8"), ("\n", "UTF-8-SIG"), ("\n", "UTF-16"), ("\r\n", "UTF-8"), ("\r", "UTF-8")]
)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read_whatever_the_file_is_called(form, end, encoding, tmp_path):
    (tmp_path / "answers").write_bytes(FORMS[form].replace("\n", end).encode(encoding))
    read = {key: text.replace(end, "\n") for key, text in read_predictions(tmp_path / "answers").items()}
    assert read == ({"a/0": EXPECTED["a/0"]} if form.endswith("one") else EXPECTED)


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_compressed_files_are_read_and_named_without_the_suffix(suffix, tmp_path):
    path = tmp_path / f"answers.jsonl{suffix}"
    path.write_bytes(COMPRESSED[suffix](LINES.encode()))
    assert read_predictions(path) == EXPECTED and without_compression(path).name == "answers.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(PredictionError, match=r"is not a whole \w+ file \(.*: compress it again"):
        read_predictions(path)


def test_the_standard_input_is_read(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CSV.encode())))
    assert read_predictions("-") == EXPECTED
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(PredictionError, match="the standard input holds no predictions"):
        read_predictions("-")


# --- Tables of pandas.
@pytest.mark.parametrize(
    "orient", ["columns", "records", "index", "split", "table", "values", "list", "id as index", "parquet"]
)
def test_tables_of_pandas_are_read(orient, tmp_path):
    frame = pandas.DataFrame([*RECORDS, {"id": "d/0", "prediction": None}])
    path = tmp_path / "answers.json"
    if orient == "list":  # also `to_dict` of datasets
        path.write_text(json.dumps(frame.to_dict("list")))
    elif orient == "id as index":
        frame.set_index("id").to_json(path)
    elif orient == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_json(path, orient=orient)
    file = read_prediction_file(path)
    assert (file.runs, file.missing) == ([EXPECTED], [{"d/0": "null"}])


# --- What APIs and servers write.
TEXT = "place red 0 1 0\npick 0 1 0"


def openai(row_id: str, body: dict | None, status: int = 200, error: dict | None = None) -> dict:
    response = {"status_code": status, "request_id": "req_1", "body": body} if body else None
    return {"id": "batch_req_1", "custom_id": row_id, "response": response, "error": error}


def chat(content: object, ends: str = "stop", **message: object) -> dict:
    message = {"role": "assistant", "content": content, "refusal": None, "annotations": [], **message}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": ends}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
        "usage": {},
    }


def responses(*parts: dict, status: str = "completed") -> dict:
    message = {"id": "msg_1", "type": "message", "status": "completed", "content": [*parts], "role": "assistant"}
    output = [{"id": "rs_1", "type": "reasoning", "summary": []}, *([message] if parts else [])]
    return {
        "id": "resp_1",
        "object": "response",
        "status": status,
        "output": output,
        "text": {"format": {"type": "text"}},
    }


def anthropic(row_id: str, *content: dict, kind: str = "succeeded") -> dict:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [*content],
               "stop_reason": "end_turn", "usage": {}}  # fmt: skip
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": "too long"}}
    body = {"succeeded": {"message": message}, "errored": {"error": error}}.get(kind, {})
    return {"custom_id": row_id, "result": {"type": kind, **body}}


def vllm(row_id: str, body: dict | None, error: dict | None = None) -> dict:
    response = {"status_code": 400 if error else 200, "request_id": "vllm-batch-1", "body": body}
    return {"id": "vllm-1", "custom_id": row_id, "response": response, "error": error}


OUTPUTS = [{"index": 0, "text": TEXT, "token_ids": [1], "cumulative_logprob": None, "finish_reason": "stop"}]
SAID = {"type": "text", "text": TEXT}
TURNS = [
    {"role": "user", "content": "build"},
    {"role": "assistant", "content": "Where?"},
    {"role": "user", "content": "?"},
]


@pytest.mark.parametrize(
    ("record", "missing"),
    [
        (openai("a/0", chat(TEXT)), None),
        (openai("a/0", chat(None, refusal=TEXT)), None),
        (openai("a/0", chat(None)), "null"),
        (openai("a/0", {"object": "text_completion", "choices": [{"index": 0, "text": TEXT}]}), None),
        (openai("a/0", responses({"type": "output_text", "text": TEXT, "annotations": []})), None),
        (openai("a/0", responses(status="incomplete")), "cut off at the limit of tokens"),
        (openai("a/0", {"error": {"message": "no"}}, 400), "status 400"),
        (openai("a/0", None, error={"code": "batch_expired", "message": "could not be run"}), "batch_expired"),
        (vllm("a/0", chat(TEXT, reasoning_content="place blue 0 1 0", tool_calls=[])), None),
        (vllm("a/0", None, {"object": "error", "message": "too long", "code": 400}), "status 400"),
        (anthropic("a/0", SAID), None),
        (anthropic("a/0", {"type": "thinking", "thinking": "place blue 0 1 0", "signature": "x"}, SAID), None),
        (anthropic("a/0", {"type": "text", "text": TEXT[:9]}, {"type": "text", "text": TEXT[9:]}), None),
        (anthropic("a/0", kind="errored"), "errored"),
        (anthropic("a/0", kind="expired"), "expired"),
        (anthropic("a/0", kind="canceled"), "canceled"),
        ({"id": "a/0", "prompt": "p", "outputs": OUTPUTS, "finished": True}, None),
        ({"id": "a/0", "messages": [*TURNS, {"role": "assistant", "content": TEXT}]}, None),
        ({"id": "a/0", "messages": [*TURNS, {"role": "assistant", "content": [SAID]}]}, None),
        ({"id": "a/0", "messages": TURNS}, "null"),  # a question: the turn before it is no answer
        ({"id": "a/0", "prompt": TURNS, "completion": [{"role": "assistant", "content": TEXT}]}, None),
        ({"id": "a/0", "messages": TURNS, "response": TEXT}, None),
        ({"id": "a/0", "response": chat(TEXT)}, None),
        ({"id": "a/0", "prediction": TEXT.split("\n")}, None),
        ({"id": "a/0", "prediction": None}, "null"),
        ({"id": "a/0", "prediction": float("nan")}, "null"),
    ],
)  # fmt: skip
def test_what_apis_write_is_read_and_failed_requests_are_missing(record, missing, tmp_path):
    answered = {  # the first line, whose names the others have
        "response": openai("b/0", chat("x")),
        "result": anthropic("b/0", SAID),
        "messages": {"id": "b/0", "messages": [{"role": "assistant", "content": "x"}]},
        "prediction": {"id": "b/0", "prediction": "x"},
    }
    lines = [answered[next(name for name in answered if name in record)], record] if missing else [record]
    (tmp_path / "a").write_text("".join(json.dumps(line) + "\n" for line in lines))
    file = read_prediction_file(tmp_path / "a")
    assert file.runs[0].get("a/0") == (None if missing else TEXT)
    assert file.missing[0] == ({"a/0": missing} if missing else {})


def test_a_failed_request_that_was_sent_again_is_not_missing(tmp_path):
    lines = [openai("a/0", None, error={"code": "batch_expired"}), openai("a/0", chat(TEXT)), openai("b/0", chat(None))]
    (tmp_path / "a").write_text("\n".join(map(json.dumps, lines)))
    file = read_prediction_file(tmp_path / "a")
    assert (file.runs, file.missing) == ([{"a/0": TEXT}], [{"b/0": "null"}])


@pytest.mark.parametrize(
    "choices",
    [
        {"outputs": [{**OUTPUTS[0], "text": "x"}, {**OUTPUTS[0], "text": "y", "index": 1}]},
        {"outputs": ["x", "y"]},
        {"choices": ["x", "y"]},
        {"generated_text": ["x", "y"]},
        {"generated_text": [{"generated_text": "x"}, {"generated_text": "y"}]},
        {"response": {"outputs": ["x", "y"]}},
    ],
)
def test_several_choices_are_several_runs(choices, tmp_path):
    (tmp_path / "a").write_text(json.dumps([{"id": "a/0", **choices}]))
    assert read_prediction_file(tmp_path / "a").runs == [{"a/0": "x"}, {"a/0": "y"}]


@pytest.mark.parametrize(
    "name", ["response.body.choices.0.message.content", "response.body.choices[0].message.content"]
)
def test_a_name_leads_into_lists_and_a_failed_request_on_the_way_is_missing(name, tmp_path):
    lines = [
        openai("a/0", chat(TEXT)),
        openai("b/0", None, error={"code": "batch_expired"}),
        {"custom_id": "c/0", "response": None},
    ]
    (tmp_path / "a").write_text("\n".join(map(json.dumps, lines)))
    file = read_prediction_file(tmp_path / "a", Fields(prediction=name))
    assert (file.runs, file.missing) == ([{"a/0": TEXT}], [{"b/0": "batch_expired", "c/0": "null"}])
    with pytest.raises(PredictionError, match=r'needs the strings "custom_id" and "response\.body\.answers\.0"'):
        read_prediction_file(tmp_path / "a", Fields(prediction="response.body.answers.0"))


# --- Texts without ids.
@pytest.mark.parametrize(
    "text",
    [
        json.dumps(["pick 0 1 0\npick 0 2 0", "", None]),
        json.dumps([["pick 0 1 0", "pick 0 2 0"], [], None]),
        '"pick 0 1 0\\npick 0 2 0"\n""\nnull\n',
        json.dumps([{"request_id": str(n), "outputs": [{"index": 0, "text": text}]}
                    for n, text in enumerate(["pick 0 1 0\npick 0 2 0", "", None])]),
    ],
)  # fmt: skip
def test_texts_without_ids_are_in_order(text, tmp_path):
    (tmp_path / "a").write_text(text)
    file = read_prediction_file(tmp_path / "a")
    assert file.in_order and file.runs == [{"0": "pick 0 1 0\npick 0 2 0", "1": ""}] and file.missing == [{"2": "null"}]


@pytest.mark.parametrize(
    ("names", "fields", "cause"),
    [
        ([{"request_id": "1"}, {"request_id": "0"}], Fields(), '2: "request_id" is "0" .* sort them so'),
        ([{"request_id": "0"}, {"request_id": "0"}], Fields(), '2: "request_id" is "0"'),
        ([{"request_id": "cmpl-8d"}, {"request_id": "cmpl-8e"}], Fields(), '1: "request_id" is "cmpl-8d"'),
        ([{"row_id": "a/1"}, {"row_id": "a/0"}], Fields(), '1 needs the strings "id" and "outputs"'),
        ([{"request_id": "0", "key": "a/1"}], Fields(id="kye"), '1 needs the strings "kye" and "outputs"'),
    ],
)
def test_outputs_whose_order_says_nothing_are_an_error(names, fields, cause, tmp_path):
    (tmp_path / "a").write_text("".join(json.dumps({**name, "outputs": OUTPUTS}) + "\n" for name in names))
    with pytest.raises(PredictionError, match=f"line {cause}"):
        read_prediction_file(tmp_path / "a", fields)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_texts_and_may_be_empty(end, tmp_path):
    (tmp_path / "a").write_bytes(f"pick 0 1 0\\npick 0 2 0{end}{end}größe{end}{end}".encode())
    file = read_prediction_file(tmp_path / "a")
    assert file.in_order and list(file.runs[0].values()) == ["pick 0 1 0\npick 0 2 0", "", "größe", ""]


# --- Names of fields.
@pytest.mark.parametrize("name", ["response", "output", "generated_text"])
def test_the_usual_names_of_a_prediction_are_known(name, tmp_path):
    (tmp_path / "a").write_text(json.dumps([{"item_id": "a/0", name: "pick 0 1 0", "completion": "the answer"}]))
    assert read_predictions(tmp_path / "a") == {"a/0": "pick 0 1 0"}


def test_two_usual_names_are_an_error_that_names_the_option(tmp_path):
    (tmp_path / "a").write_text(json.dumps([{"id": "a/0", "output": "x", "response": "y"}]))
    with pytest.raises(PredictionError, match="entry 1 has response and output: name the one to score with --pred"):
        read_predictions(tmp_path / "a")
    assert read_predictions(tmp_path / "a", Fields(prediction="output")) == {"a/0": "x"}
    (tmp_path / "a").write_text(json.dumps([{"id": "a/0", "output": "x", "prediction": "y"}]))
    assert read_predictions(tmp_path / "a") == {"a/0": "y"}


GOLD = [{"role": "assistant", "content": "gold"}]


@pytest.mark.parametrize("answer", ["hm", "", ["hm"], GOLD, {"choices": [{"text": "hm"}]}])
@pytest.mark.parametrize("name", ["completion", "messages"])
def test_a_conversation_beside_another_text_is_not_guessed_to_be_the_answer(name, answer, tmp_path):
    line = {"id": "b/0", "prompt": TURNS, name: GOLD, "generated": answer}
    (tmp_path / "a").write_text("\n".join(map(json.dumps, [{**line, "id": "a/0", "generated": None}, line])))
    with pytest.raises(PredictionError, match=f"line 2 has {name} and generated: name the one to score with --pred"):
        read_predictions(tmp_path / "a")
    assert read_predictions(tmp_path / "a", Fields(prediction=name)) == {"a/0": "gold", "b/0": "gold"}


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ('{"key": "a/0", "said": "x"}', Fields("key", "said")),
        ('{"row": {"id": "a/0"}, "out": {"text": "x"}}', Fields("row.id", "out.text")),
        ('{"row.id": "a/0", "prediction": "x"}', Fields("row.id")),
        ("key,said\na/0,x\n", Fields("key", "said")),
        ("key;prediction\na/0;x\n", Fields("key")),
        ('[{"id": "a/0", "completion": "x"}]', Fields(prediction="completion")),
    ],
)
def test_other_fields_are_named(text, fields, tmp_path):
    (tmp_path / "a.csv").write_text(text)
    assert read_predictions(tmp_path / "a.csv", fields) == {"a/0": "x"}


CALL = {"name": "place", "arguments": '{"color": "red", "x": 0, "y": 1, "z": 0}'}
CALLED = '{"name": "place", "arguments": {"color": "red", "x": 0, "y": 1, "z": 0}}'


@pytest.mark.parametrize(
    ("record", "text", "reason"),
    [
        (openai("a/0", chat(None, tool_calls=[{"type": "function", "function": CALL}])), CALLED, None),
        (openai("a/0", chat("Sure.", tool_calls=[{"function": CALL}] * 2)), f"Sure.\n{CALLED}\n{CALLED}", None),
        (openai("a/0", {"output": [{"type": "reasoning"}, {"type": "function_call", **CALL}]}), f"\n{CALLED}\n", None),
        (anthropic("a/0", {"type": "tool_use", "name": "a", "input": 1}), '\n{"name": "a", "arguments": 1}\n', None),
        ({"id": "a/0", "messages": [*TURNS, {"role": "assistant", "tool_calls": [{"function": CALL}]},
          {"role": "tool", "content": "ok"}, {"role": "assistant", "content": "Done."}]}, f"Done.\n{CALLED}", None),
        (openai("a/0", {"choices": [{"text": "x", "finish_reason": "length"}]}), "x", "length"),
        (openai("a/0", {"choices": [{"text": "x", "finish_reason": "eos"}]}), "x", None),
        (openai("a/0", {"choices": [{"text": "x", "finish_reason": "error"}]}), "x", "error"),
        (openai("a/0", chat("", reasoning_content="hm")), "", "thoughts"),
        (openai("a/0", chat("", "length", reasoning_content="hm")), "", "length"),
        (openai("a/0", chat(None, refusal="No.")), "No.", "refused"),
        ({"id": "a/0", "prediction": "x", "finished": False}, "x", "length"),
        ({"id": "a/0", "prediction": "", "finished": False, "unfinished": "refused"}, "", "refused"),
        ({"id": "a/0", "prediction": "x", "reasoning": "it is free", "status": "ok"}, "x", None),
    ],
)  # fmt: skip
def test_calls_are_answers_and_a_record_says_why_one_is_not_whole(record, text, reason, tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps(record))
    file = read_prediction_file(tmp_path / "a.jsonl")
    assert (file.runs, file.unfinished) == ([{"a/0": text}], [{"a/0": reason} if reason else {}])


def test_calls_of_our_own_tools_are_no_answer(tmp_path):
    for name in (tool["function"]["name"] for tool in DEFINITIONS):
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"function": {"name": name, "arguments": "{}"}}],
        }
        (tmp_path / "a").write_text(f"{json.dumps(RECORDS[0])}\n{json.dumps({'id': 'b/0', 'prediction': message})}")
        assert read_prediction_file(tmp_path / "a").missing == [{"b/0": "only calls of other tools"}]


def test_lines_that_stand_twice_count_once_and_a_table_that_may_be_cut_is_told(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": "a/0", "prediction": "x"}\n' * 2)
    assert "a.jsonl: 1 prediction for the second time" in read_prediction_file(tmp_path / "a.jsonl").notes[0]
    for text, notes in {
        "id,prediction\na/0,pick 0 1": 1,
        "id,prediction\na/0,pick 0 1 0\n": 0,
        '"id","prediction"\n"a/0","x"': 0,
    }.items():
        (tmp_path / "a.csv").write_text(text)
        assert len(read_prediction_file(tmp_path / "a.csv").notes) == notes


# --- Errors.
@pytest.mark.parametrize(
    ("name", "text", "cause"),
    [
        *cases_of(__file__, "errors"),
        ("a.json", json.dumps([RECORDS[0], {**RECORDS[0], "prediction": "z"}]), "entry 2: duplicate .* a/0: keep one"),
        ("a.json", json.dumps(RECORDS, indent=1)[:-9], r"a\.json is not a whole JSON list \("),
    ],
)
def test_an_error_names_file_place_and_fix(name, text, cause, tmp_path):
    path = tmp_path / name
    path.write_bytes(text.encode())
    with pytest.raises(PredictionError, match=cause) as caught:
        read_predictions(path)
    assert str(path) in str(caught.value) and len(str(caught.value)) < len(str(path)) + 320


def test_bytes_that_are_damaged_are_an_error(tmp_path):
    for name, data, cause in (
        ("a.jsonl.gz", gzip.compress(LINES.encode())[:-9], "is not a whole gzip file"),
        ("a.csv", b"id,prediction\na/0,x\nb/0,gr\xf6\xdfe\n", "line 3 is not UTF-8: save the table as UTF-8"),
        ("a.jsonl", LINES.encode("utf-16")[:-1], "is not UTF-16"),
        ("a.jsonl", b"\x93\0\xf1q\r\x07,;", "is not a text file"),
        ("a.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is not a text file"),
        ("a.eval", (LOGS / "inspect.eval").read_bytes()[:3000], "is not a log of inspect"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(PredictionError, match=cause):
            read_predictions(tmp_path / name)


# --- Logs.
@pytest.mark.parametrize(
    ("name", "answers", "model"),
    [
        ("inspect.eval", [ANSWERS], "mockllm/answers"),
        ("inspect.json", [ANSWERS], "mockllm/answers"),
        ("inspect_two_epochs.eval", [ANSWERS, SECOND], "mockllm/answers"),
        ("bap_v2_dss", [ANSWERS], "org/answers"),
        ("bap_v2_dss_twice", [ANSWERS, SECOND], "org/answers"),
    ],
)
def test_logs_hold_the_raw_answers_with_epochs_and_repeats_as_runs(name, answers, model):
    (path,) = log_files(LOGS / name) if (LOGS / name).is_dir() else [LOGS / name]
    log = read_prediction_file(path)
    assert log.runs == [dict(zip(ITEMS, run)) for run in answers] and log.model == model


def test_samples_that_inspect_numbers_are_an_error_that_names_the_fix():
    with pytest.raises(PredictionError, match=r"the id of the sample is 1, not that of a row: pass FieldSpec\(id="):
        read_predictions(LOGS / "inspect_numbered.eval")


def test_a_sample_that_failed_leaves_its_item_without_a_prediction(tmp_path):
    log = json.loads((LOGS / "inspect.json").read_text())
    log["samples"][2]["output"] = {"model": "", "choices": [], "completion": ""}
    (tmp_path / "a.json").write_text(json.dumps(log))
    assert list(read_predictions(tmp_path / "a.json")) == [ITEMS[0], ITEMS[1], ITEMS[3]]


def test_an_archive_of_another_compression_is_read_too(tmp_path):
    """Those of earlier versions of inspect are deflated."""
    record = json.loads((LOGS / "inspect.json").read_text())
    with zipfile.ZipFile(tmp_path / "a.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        for sample in record.pop("samples"):
            archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
        archive.writestr("header.json", json.dumps(record))
    assert read_predictions(tmp_path / "a.eval") == dict(zip(ITEMS, ANSWERS))
    data = bytearray((tmp_path / "a.eval").read_bytes())
    name = f"samples/{ITEMS[0]}_epoch_1.json".encode()
    data[data.index(name) + len(name)] = 0xFF  # a kind of block that there is not
    (tmp_path / "damaged.eval").write_bytes(data)
    with pytest.raises(PredictionError, match=r"epoch_1\.json is damaged \(Error -3"):
        read_predictions(tmp_path / "damaged.eval")
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as archive:
        archive.writestr("notes.txt", "mine")
    with pytest.raises(PredictionError, match=r"is a zip file, and not an \.eval log"):
        read_predictions(tmp_path / "a.eval")


def test_what_lm_eval_filters_is_scored_once_and_raw(tmp_path):
    (path,) = log_files(LOGS / "bap_v2_dss")
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record in (*records,):
        records.append({**record, "filter": "strict", "filtered_resps": ["[invalid]"]})
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    assert read_predictions(tmp_path / "a.jsonl") == dict(zip(ITEMS, ANSWERS))


def test_a_folder_without_logs_or_with_two_runs_of_a_task_is_an_error(tmp_path):
    with pytest.raises(PredictionError, match=r"is a directory without logs \(samples_\*\.jsonl of lm-eval"):
        log_files(tmp_path)
    shutil.copytree(LOGS / "bap_v2_dss", tmp_path / "run")
    (path,) = log_files(tmp_path)
    shutil.copy(path, path.with_name("samples_bap_v2_dss_2027-01-01T00-00-00.jsonl"))
    with pytest.raises(PredictionError, match=r"holds two runs of bap_v2_dss: name one, samples_"):
        log_files(tmp_path)
