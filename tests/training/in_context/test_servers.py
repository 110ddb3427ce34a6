"""What other servers than OpenAI's do: ends, fields, streams, redirects, proxies; and keys stay hidden."""

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from answer_lines import lines_by_id
from chat_runs import KEY, command, predicted
from chat_stand_in import ChatStandIn, Fault

from bap_v2_metric.answers import read_prediction
from bap_v2_training.errors import UsageError

ONE = ("--max_items", "1", "--shots", "0")
PLACE = "place red 0 1 0"
CALL = {"name": "place", "arguments": '{"color": "red", "x": 0, "y": 1, "z": 0}'}


def completion(finish: object = "stop", content: object = PLACE, **message: object) -> dict:
    return {"choices": [{"message": {"content": content, **message}, "finish_reason": finish}]}


ENDS = {
    "STOP": (completion("STOP"), None),
    "eos": (completion("eos"), None),
    "null": (completion(None), None),
    "unknown": (completion("tired"), None),
    "calls": (completion("tool_calls", None, tool_calls=[{"id": "a", "function": CALL}]), None),
    "call of the older form": (completion("function_call", None, function_call=CALL), None),
    "calls, said to be whole": (completion("stop", "", tool_calls=[{"id": "a", "function": CALL}]), None),
    "length": (completion("length"), "length"),
    "MAX_TOKENS": (completion("MAX_TOKENS"), "length"),
    "SAFETY": (completion("SAFETY", None), "refused"),
    "refusal": (completion(content=None, refusal="I cannot help with that."), "refused"),
    "thoughts in a field": (completion(content=None, reasoning_content=PLACE), "thoughts"),
    "thoughts in marks": (completion(content=f"<think>{PLACE}</think>"), "thoughts"),
    "calls of nothing": (completion("tool_calls", None), "tool_calls"),
}


@pytest.mark.parametrize(("body", "reason"), ENDS.values(), ids=ENDS)
def test_the_end_of_an_answer_is_read_whatever_it_is_called(data, tmp_path, body, reason, capsys):
    with ChatStandIn() as endpoint:
        endpoint.faults.append(Fault(body=body))
        (line,) = predicted(endpoint.url, data, tmp_path, *ONE).values()
    assert (line["finished"], line.get("unfinished")) == (reason is None, reason)
    if reason is None:
        assert list(read_prediction(line["prediction"])) == list(read_prediction(PLACE))
    printed = capsys.readouterr()
    assert ("0 were cut off or refused" if reason is None else f"1 were cut off or refused: 1 {reason}") in printed.out
    assert ("finish_reason 'tired' is not known" in printed.err) == (body is ENDS["unknown"][0])


def test_an_answer_that_ended_in_an_error_is_asked_again_and_kept_nowhere(data, tmp_path):
    broken = completion("error", "place red")
    with ChatStandIn() as endpoint:
        endpoint.faults += [Fault(body=broken), Fault(body={"error": {"code": 429, "message": "slow down"}})]
        (line,) = predicted(endpoint.url, data, tmp_path, *ONE).values()
        assert line["prediction"] == PLACE and len(endpoint.requests) == 3
        (cached,) = (tmp_path / "cache").rglob("*.json")
        cached.write_text(json.dumps(broken))  # as older versions did
        predicted(endpoint.url, data, tmp_path, *ONE, "--overwrite")
    assert len(endpoint.requests) == 4


def events(*chunks: object) -> str:
    return ": waiting\r\n\r\n" + "".join(f"data: {json.dumps(chunk)}\r\n\r\n" for chunk in chunks)


def delta(finish: str | None = None, **pieces: object) -> dict:
    return {"choices": [{"index": 0, "delta": pieces, "finish_reason": finish}]}


def test_streams_are_read_and_broken_ones_are_asked_again(data, tmp_path):
    usage = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
    pieces = [{"index": 0, "id": "a", "function": {"name": "place", "arguments": ""}}] + [
        {"index": 0, "function": {"arguments": part}} for part in (CALL["arguments"][:9], CALL["arguments"][9:])
    ]
    texts = [delta(role="assistant", content="place "), delta(content="red 0 1 0"), delta("stop"), usage]
    calls = [*(delta(tool_calls=[piece]) for piece in pieces), delta("tool_calls"), usage]
    for number, chunks in enumerate((texts, calls)):
        with ChatStandIn() as endpoint:
            endpoint.faults += [
                Fault(body=events(*chunks[:2])),
                Fault(body='data: {"choices": ["x"]}'),
                Fault(body=events(delta(), {"error": {"code": 503}})),
            ]
            endpoint.faults.append(Fault(body=events(*chunks) + "data: [DONE]\n\n", stays_open=True))
            (line,) = predicted(endpoint.url, data, tmp_path / str(number), *ONE, "--timeout", "3").values()
        assert read_prediction(line["prediction"]) == read_prediction(PLACE) and len(endpoint.requests) == 4
        assert (line["finished"], line["prompt_tokens"], line["completion_tokens"]) == (True, 7, 3)


# --- Secrets.


@pytest.mark.parametrize("key", [KEY, "sk a+b/c&\"d'<e>%f\\=\u007e", "short"])
@pytest.mark.parametrize("embeddings", [False, True])
def test_no_text_that_leaves_the_client_holds_the_key(data, tmp_path, key, embeddings, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    forms = {
        key,
        quote(key, safe=""),
        quote(key).lower(),
        json.dumps(key)[1:-1],
        repr(key)[1:-1],
        repr(repr(key))[2:-2],
    }
    texts = " ".join(f"Bearer {form}." for form in forms)
    with ChatStandIn() as endpoint:
        changes = ["--retrieval", "embedding", "--embedding_model", "x", "--embedding_base_url", endpoint.url]
        if not embeddings:
            changes = ["--shots", "0"]
            answer = completion(content=f"{PLACE} {key if len(key) > 8 else ''}")
            endpoint.faults.append(Fault(body=answer))
        endpoint.faults += [Fault(status=500, message=texts), Fault(status=301, body=texts, location=f"/{quote(key)}")]
        with pytest.raises(UsageError) as raised:
            predicted(endpoint.url, data, tmp_path, *changes, "--concurrency", "1")
    printed = capsys.readouterr()
    files = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    said = [str(raised.value), printed.out, printed.err, *files]
    assert "***" in str(raised.value) and "***" in printed.err
    assert not [form for form in forms for text in said if form in text]


@pytest.mark.parametrize("key", ["sk-1\nsk-2", "sk-\u201cabc\u201d", "sk-\x07"])
def test_a_key_that_cannot_be_sent_is_one_sentence_before_the_first_request(data, tmp_path, key, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with ChatStandIn() as endpoint, pytest.raises(UsageError, match="key in OPENAI_API_KEY holds") as raised:
        predicted(endpoint.url, data, tmp_path)
    assert not endpoint.requests and "sk-" not in str(raised.value) and not (tmp_path / "chat.jsonl").exists()


@pytest.mark.parametrize(
    "changes",
    [
        ["--base_url", f"http://127.0.0.1:9/{KEY}/v1"],
        ["--base_url", f"user:{KEY}@host/v1"],
        ["--base_url", f"host/v1?key={KEY[3:]}"],
        ["--request_options", f'{{"api_key": "{KEY}"}}'],
    ],
)
def test_a_setting_that_holds_a_secret_is_not_shown(data, tmp_path, changes):
    with pytest.raises(UsageError, match="holds") as raised:
        predicted("http://127.0.0.1:9/v1", data, tmp_path, *changes)
    assert KEY[3:] not in str(raised.value)


# --- Refusals, and advice that works.


def test_refused_fields_are_named_with_options_that_the_server_takes(data, tmp_path):
    refused = {
        "max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        "temperature": "Unsupported value: 'temperature' does not support 0. Only the default (1) value is supported.",
    }
    changes = [*ONE]
    with ChatStandIn() as endpoint:
        for field, words in refused.items():
            endpoint.faults.append(Fault(status=400, message=words))
            with pytest.raises(UsageError, match=f"{field}.*--request-options") as raised:
                predicted(endpoint.url, data, tmp_path, *changes)
            changes = [*ONE, "--request_options", re.search(r"--request-options '(.*?)'$", str(raised.value))[1]]
        predicted(endpoint.url, data, tmp_path, *changes)
    assert set(endpoint.requests[-1].body) == {"model", "messages", "max_completion_tokens"}
    assert len(endpoint.requests) == 3  # and what was refused locks no settings


ADVICE = {
    "redirect": (Fault(status=301, body="", location="https://host/v2/chat/completions?k=1"), "--base-url https://host/v2$"),
    "Gemini": (Fault(status=404, body=[{"error": {"code": 404, "message": "no m"}}]), r"404: no m; are --base-url"),
    "page": (Fault(body="<!DOCTYPE html><p>Login"), "page for people.*is --base-url right"),
    "system": (Fault(status=400, message="System role not supported"), "pass --system-role user"),
    "stream": (Fault(status=400, message="This model only supports stream mode"), '{"stream": true, "stream_options"'),
    "length": (Fault(status=400, message="max_tokens is too large: 640. At most 99"), "see --max-new-tokens"),
}  # fmt: skip


@pytest.mark.parametrize(("fault", "fix"), ADVICE.values(), ids=ADVICE)
def test_a_refusal_names_what_to_do(data, tmp_path, fault, fix):
    with ChatStandIn() as endpoint:
        endpoint.faults.append(fault)
        with pytest.raises(UsageError, match=fix):
            predicted(endpoint.url, data, tmp_path, *ONE)
    assert len(endpoint.requests) == 1


def test_prompts_that_a_server_cuts_are_noticed(data, tmp_path, capsys):
    for folder, highest in (("cut", 300), ("whole", 10_000)):
        with ChatStandIn() as endpoint:
            whole = endpoint.response
            endpoint.response = lambda path, body: cut(whole(path, body), highest)  # noqa: B023
            predicted(endpoint.url, data, tmp_path / folder, "--max_items", "6")
        warned = "6 requests of different lengths have the same, highest number of prompt tokens, 300"
        assert (warned in capsys.readouterr().out) == (folder == "cut")


def cut(response: dict, highest: int) -> dict:
    response["usage"]["prompt_tokens"] = min(highest, response["usage"]["prompt_tokens"])
    return response


# --- The environment.


def test_proxies_are_for_other_machines_and_named_where_they_are_in_the_way(data, tmp_path, monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://me:hidden@127.0.0.1:9")
    monkeypatch.setenv("SSL_CERT_FILE", "/nonexistent.pem")
    with ChatStandIn() as endpoint:
        assert predicted(endpoint.url, data, tmp_path / "here", *ONE)  # this machine

    def error(url: str) -> str:
        with pytest.raises(UsageError) as raised:
            predicted(url, data, tmp_path, *ONE, "--max_retries", "0")
        return str(raised.value)

    assert "HTTP_PROXY=http://127.0.0.1:9: NO_PROXY=host.invalid asks without it" in error("http://host.invalid/v1")
    assert "SSL_CERT_FILE=/nonexistent.pem" in error("https://host.invalid/v1")
    monkeypatch.setenv("HTTP_PROXY", "socks4://me:hidden@127.0.0.1:9")
    assert re.search("HTTP_PROXY=socks4://127.0.0.1:9 cannot be used: .*NO_PROXY=", error("http://host.invalid/v1"))
    for no_proxy in ("host.invalid", "*.invalid", "*", "10.0.0.0/8,.invalid"):
        monkeypatch.setenv("NO_PROXY", no_proxy)
        assert "PROXY" not in error("http://host.invalid/v1")


def test_an_endpoint_is_asked_without_torch_and_the_first_line_comes_before_libraries(data, tmp_path):
    with ChatStandIn() as endpoint:
        words = ["predict", *command(endpoint.url, data, tmp_path, *ONE)]
        code = (
            "import sys\nsys.modules |= dict.fromkeys(('torch', 'trl', 'peft', 'accelerate', 'bitsandbytes'))\n"
            f"from bap_v2_dataset import cli\ncli.app({words!r})"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("bap-v2 predict: loading libraries\n")
    assert len(lines_by_id(Path(tmp_path / "chat.jsonl"))) == 1
