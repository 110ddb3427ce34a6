"""In-context learning: answers arrive whatever the endpoint does, with shots that leak nothing."""

import json
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import numpy as np
import pytest
from answer_lines import lines_by_id
from case_tables import cases_of
from chat_items import TEST, TRAIN, no_leak
from chat_runs import KEY, command, predicted
from chat_stand_in import ChatStandIn, Fault
from datasets import Dataset
from paths import ROOT

from bap_v2_dataset.chat import retrieval
from bap_v2_training import predict
from bap_v2_training.errors import UsageError
from bap_v2_training.in_context.chat_settings import ChatArguments
from bap_v2_training.in_context.questions import question
from bap_v2_training.tasks import building


def echo(messages: list[dict]) -> str:
    """An answer that depends on the whole request."""
    return f"place red {len(json.dumps(messages)) % 5} 1 0"


def test_history_that_is_left_out_is_counted():
    row = next(row for row in TEST if len(row["history"]) > 3)
    assert question(row, [], "n", ChatArguments(history_lines=3)).history_lines_dropped == len(row["history"]) - 3


def test_several_test_sets_are_asked_with_shots_of_their_own(tmp_path, monkeypatch):
    """Each file is as if the test set was asked alone; an item without an answer does not end the run."""
    loaded = []

    def load_rows(config: str, split: str = "test", *_: object) -> Dataset:
        loaded.append((config, split))
        return Dataset.from_list(TRAIN if split == "train" else TEST[:3] if config == "dsb" else TEST[3:6])

    for module in (predict, building):
        monkeypatch.setattr(module, "load_rows", load_rows)
    changes = ["--backend", "openai", "--model", "toy", "--shots", "2", "--max_retries", "0", "--concurrency", "1"]
    with ChatStandIn(echo) as endpoint:
        changes += ["--base_url", endpoint.url, "--cache", str(tmp_path / "cache")]
        both = predict.parse_arguments([*changes, "--dataset_config", "dsb,robust_dss", "--out", f"{tmp_path}/both/"])
        endpoint.faults.append(Fault(status=400))
        with pytest.raises(UsageError, match="1 items got no answer, the same command retries them"):
            predict.main(both)
        assert len(endpoint.requests) == 6
        predict.main(both)
        alone = predict.parse_arguments([*changes, "--dataset_config", "dsb", "--out", f"{tmp_path}/dsb.jsonl"])
        assert lines_by_id(predict.main(alone)) == lines_by_id(tmp_path / "both" / "dsb.jsonl")
    assert {config for config, split in loaded if split == "train"} == {"dsb", "dss"}
    settings = [
        path.with_name(f"{path.name}.settings.json")
        for path in (tmp_path / "both" / "dsb.jsonl", tmp_path / "dsb.jsonl")
    ]
    assert settings[0].read_text() == settings[1].read_text()


@pytest.mark.slow
def test_answers_of_an_endpoint_are_written_with_shots_and_tokens(data, tmp_path, capsys):
    prices = ["--price_prompt", "2", "--price_completion", "10"]
    with ChatStandIn(echo) as endpoint:
        lines = predicted(endpoint.url, data, tmp_path, *prices)
    assert set(lines) == {row["id"] for row in TEST} and len(endpoint.requests) == 24
    train = {row["id"]: row for row in TRAIN}
    for row in TEST:
        line = lines[row["id"]]
        assert line["finished"] and len(line["shots"]) == 3
        no_leak(row, [train[name] for name in line["shots"]])
    bodies = [request.body for request in endpoint.requests]
    assert all((body["model"], body["temperature"], body["max_tokens"]) == ("toy", 0, 640) for body in bodies)
    assert all(request.headers["authorization"] == f"Bearer {KEY}" for request in endpoint.requests)
    prompt_tokens = sum(len(message["content"].split()) for body in bodies for message in body["messages"])
    assert sum(line["prompt_tokens"] for line in lines.values()) == prompt_tokens
    printed = capsys.readouterr().out
    assert f"24 responses of the endpoint and 0 from the cache, 0 retries; {prompt_tokens:,} prompt and 120" in printed
    assert f"cost {(2 * prompt_tokens + 10 * 120) / 1e6:.4f}" in printed


FAULTS = {
    "429": Fault(status=429, retry_after="0"),
    "429 in words": Fault(status=429, message="slow down"),
    "500": Fault(status=500),
    "503": Fault(status=503, retry_after="nonsense"),
    "cut off": Fault(cut=True),
    "half of the JSON": Fault(half=True),
    "too late": Fault(delay=1.2),
    "no choices": Fault(body={"choices": []}),
    "a list": Fault(body=["choices"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_failed_requests_are_retried(data, tmp_path, fault, capsys):
    with ChatStandIn(echo) as endpoint:
        quiet = predicted(endpoint.url, data, tmp_path / "quiet", "--max_items", "4")
        endpoint.faults += [fault, fault]
        stormy = predicted(endpoint.url, data, tmp_path / "stormy", "--max_items", "4", "--timeout", "0.8")
    assert stormy == quiet and len(endpoint.requests) == 4 + 4 + 2
    printed = capsys.readouterr()
    assert "4 responses of the endpoint and 0 from the cache, 2 retries" in printed.out
    assert printed.err.count("trying again (--max-retries 4)") == 1, "of two retries the first is said"


@pytest.mark.slow
@pytest.mark.parametrize("date", [False, True])
def test_no_request_is_sent_before_the_time_the_endpoint_named(data, tmp_path, date):
    until = datetime.now(UTC) + timedelta(seconds=2 if date else 0.4)
    if date:
        until = until.replace(microsecond=0)  # as dates are
    times = []
    with ChatStandIn(lambda messages: times.append(datetime.now(UTC)) or "pick 0 1 0") as endpoint:
        seconds = (until - datetime.now(UTC)).total_seconds()
        named = format_datetime(until, usegmt=True) if date else str(seconds)
        endpoint.faults.append(Fault(status=429, retry_after=named))
        predicted(endpoint.url, data, tmp_path, "--max_items", "3", "--concurrency", "1")
    assert len(times) == 3 and min(times) >= until - timedelta(milliseconds=10)  # two clocks of one machine


@pytest.mark.parametrize(("status", "words"), [(401, "no"), (403, "no"), (404, "no"), (429, "insufficient_quota")])
def test_a_refusal_that_holds_for_all_stops_at_once_and_shows_no_key(data, tmp_path, status, words, capsys):
    with ChatStandIn() as endpoint:
        endpoint.faults += [Fault(status=status, message=f"{words} {KEY} here")] * 2
        with pytest.raises(UsageError, match=f"refused with {status}: {words} \\*\\*\\* here") as raised:
            predicted(endpoint.url, data, tmp_path, "--concurrency", "1")
    assert len(endpoint.requests) == 1
    assert KEY not in str(raised.value) + capsys.readouterr().out
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY not in path.read_text()


@pytest.mark.slow
def test_an_item_that_is_refused_is_left_out_and_retried_by_the_same_command(data, tmp_path):
    with ChatStandIn(echo) as endpoint:
        endpoint.faults.append(Fault(status=400, message="context length exceeded"))
        with pytest.raises(UsageError, match=r"1 items got no answer.*context length exceeded; see --max-new-tokens"):
            predicted(endpoint.url, data, tmp_path)
        assert (tmp_path / "chat.jsonl").read_text().count("\n") == 23
        assert len(predicted(endpoint.url, data, tmp_path)) == 24
    assert len(endpoint.requests) == 25


def test_an_endpoint_that_is_down_is_asked_for_one_item_only(data, tmp_path, capsys):
    with ChatStandIn() as endpoint:
        url = endpoint.url
    with pytest.raises(UsageError, match=r"in 2 attempts.*no connection.*check that a server runs at --base-url"):
        predicted(url, data, tmp_path, "--max_retries", "1", "--concurrency", "1")
    assert "0 from the cache, 1 retries" in capsys.readouterr().out


@pytest.mark.slow
def test_responses_are_cached_and_requested_once(data, tmp_path, capsys):
    with ChatStandIn(echo) as endpoint:
        first = predicted(endpoint.url, data, tmp_path)
        cached = sorted((tmp_path / "cache").rglob("*.json"))
        assert len(cached) == 24
        cached[0].write_text(cached[0].read_text()[:40])
        assert predicted(endpoint.url, data, tmp_path, "--overwrite") == first
        assert "1 responses of the endpoint and 23 from the cache" in capsys.readouterr().out
        predicted(endpoint.url, data, tmp_path, "--overwrite", "--max_new_tokens", "64", "--max_items", "2")
    assert len(endpoint.requests) == 24 + 1 + 2


@pytest.mark.slow
@pytest.mark.parametrize("concurrency", [1, 4])
def test_concurrency_is_the_number_of_parallel_requests(data, tmp_path, concurrency):
    with ChatStandIn(echo, delay=0.03) as endpoint:
        lines = predicted(endpoint.url, data, tmp_path, "--concurrency", str(concurrency))
    assert len(lines) == 24 and endpoint.most_at_once == concurrency


def test_options_of_the_request_are_added_changed_and_removed(data, tmp_path):
    options = json.dumps({"max_tokens": None, "temperature": 1, "reasoning_effort": "low"})
    with ChatStandIn() as endpoint:
        predicted(endpoint.url, data, tmp_path, "--max_items", "1", "--request_options", options, "--shots", "0")
    body = endpoint.requests[0].body
    assert set(body) == {"model", "temperature", "reasoning_effort", "messages"} and body["temperature"] == 1
    assert len(body["messages"]) == 2


@pytest.mark.slow
def test_shots_by_embeddings_are_the_nearest_vectors(data, tmp_path):
    changes = ["--retrieval", "embedding", "--embedding_model", "letters"]
    with ChatStandIn() as endpoint:
        endpoint.faults.append(Fault(status=500))
        lines = predicted(endpoint.url, data, tmp_path, *changes, "--embedding_base_url", endpoint.url)
        texts = [retrieval.compared_text(row) for row in (*TRAIN, *TEST)]
        vectors = endpoint.response("/embeddings", {"input": texts})["data"][::-1]
    vectors = np.array([one["embedding"] for one in vectors], dtype=np.float32)
    expected = retrieval.retrieved(TEST, TRAIN, 3, retrieval.by_vectors(vectors[96:], vectors[:96]))
    for row, positions in zip(TEST, expected):
        assert lines[row["id"]]["shots"] == [TRAIN[position]["id"] for position in positions]


def test_a_key_is_not_sent_to_another_host(data, tmp_path):
    with ChatStandIn() as chat, ChatStandIn() as vectors:
        changes = ["--retrieval", "embedding", "--embedding_model", "letters", "--embedding_base_url", vectors.url]
        predicted(chat.url, data, tmp_path, *changes, "--max_items", "2")
    assert vectors.requests and all("authorization" not in request.headers for request in vectors.requests)


def test_without_sentence_transformers_the_error_names_the_fix(data, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(UsageError, match="pip install sentence-transformers"):
        predicted("http://127.0.0.1:9/v1", data, tmp_path, "--retrieval", "embedding", "--embedding_model", "x")


@pytest.mark.parametrize(
    ("changes", "message"),
    [*cases_of(__file__, "wrong_settings"), (["--retrieval", "semantic"], None)],
)
def test_wrong_settings_are_errors_that_name_the_fix(data, tmp_path, changes, message):
    with pytest.raises(SystemExit if message is None else UsageError, match=message) as raised:
        predicted("http://127.0.0.1:9/v1", data, tmp_path, *changes)
    assert "secret" not in str(raised.value)


def test_items_of_one_file_are_not_their_own_shots(tmp_path):
    Dataset.from_list(TEST).to_json(tmp_path / "test.jsonl")
    with pytest.raises(UsageError, match="is one split"):
        predicted("http://127.0.0.1:9/v1", tmp_path / "test.jsonl", tmp_path)


@pytest.mark.slow
def test_after_an_interrupt_the_same_command_requests_only_what_is_missing(data, tmp_path):
    with ChatStandIn(echo, delay=0.1) as endpoint:
        output = tmp_path / "chat.jsonl"
        script = [sys.executable, str(ROOT / "training" / "predict.py")]
        script += command(endpoint.url, data, tmp_path, "--concurrency", "2")
        running = subprocess.Popen(script, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        while running.poll() is None and not (output.is_file() and output.read_bytes().count(b"\n") >= 4):
            time.sleep(0.005)
        running.send_signal(signal.SIGINT)
        printed, _ = running.communicate()
        assert running.returncode == 130 and "stopped;" in printed and KEY not in printed
        assert len(predicted(endpoint.url, data, tmp_path, "--concurrency", "2")) == 24
        assert len(endpoint.requests) <= 24 + 2  # requests that were under way when it was stopped are repeated
        quiet = predicted(endpoint.url, data, tmp_path / "quiet")
    assert quiet == {line["id"]: line for line in map(json.loads, output.read_text().splitlines())}
