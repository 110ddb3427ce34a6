"""Reasoning models behind an endpoint: whatever they do, each item gets an answer, and everything is counted."""

import json
import re
from pathlib import Path

import pytest
from chat_stand_in import ChatStandIn, Fault
from datasets import Dataset
from simulated_rows import row_of

from bap_v2_dataset.chat.tools import DEFINITIONS
from bap_v2_dataset.items.prompts import completion_of, render
from bap_v2_dataset.tasks.building.baselines.symbolic_reader import symbolic
from bap_v2_metric import score
from bap_v2_metric.errors import UserError
from bap_v2_training import predict
from bap_v2_training.errors import UsageError
from bap_v2_training.in_context.conversation import LAST_REQUEST, MOST_CALLS


def predicted(url: str, data: Path, folder: Path, *changes: str, items: int = 3) -> list[dict]:
    """The lines that predict.py writes with --prompt reasoning."""
    arguments = predict.parse_arguments(
        [
            *("--backend", "openai", "--base_url", url, "--model", "toy", "--dataset_path", str(data)),
            *("--prompt", "reasoning", "--out", str(folder / "chat.jsonl"), "--cache", str(folder / "cache")),
            *("--retry_delay", "0.01", "--max_items", str(items), *changes),
        ]
    )
    return [json.loads(line) for line in predict.main(arguments).read_text().splitlines()]


def calls(*named: tuple[str, object], ids: bool = True) -> dict:
    """A message that calls tools; arguments that are no string are written as JSON."""
    return {
        "content": None,
        "tool_calls": [
            {
                **({"id": f"c{number}"} if ids else {}),
                "type": "function",
                "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
            }
            for number, (name, given) in enumerate(named)
        ],
    }


def test_of_a_model_that_thinks_only_the_answer_is_written(data, tmp_path, capsys):
    thought = {
        "content": "<think>place blue 1 1 1</think>Left is +x:\nplace blue 3 1 0?\n\nANSWER:\nplace red 0 1 0",
        "reasoning_content": "ANSWER:\nplace green 5 1 5",
    }
    with ChatStandIn(lambda messages: thought) as endpoint:
        lines = predicted(endpoint.url, data, tmp_path)
    for line in lines:
        assert (line["prediction"], line["finished"], line["marked"]) == ("place red 0 1 0", True, True)
        assert (line["reasoning_tokens"], line["requests"], line["tool_calls"], line["shots"]) == (6, 1, 0, [])
        assert "messages" not in line
    for request in endpoint.requests:
        assert set(request.body) == {"model", "max_completion_tokens", "messages"}  # neither temperature nor max_tokens
        assert request.body["max_completion_tokens"] == 32_768 and len(request.body["messages"]) == 2
    assert "completion tokens (18 of them for reasoning)" in capsys.readouterr().out


def test_shots_are_shown_when_they_are_asked_for(data, tmp_path):
    with ChatStandIn() as endpoint:
        (line,) = predicted(endpoint.url, data, tmp_path, "--shots", "2", items=1)
    answers = [m["content"] for m in endpoint.requests[0].body["messages"] if m["role"] == "assistant"]
    assert len(line["shots"]) == 2 == sum(answer.startswith("ANSWER:\n") for answer in answers)


def uses_both_tools(messages: list[dict]) -> dict | str:
    answered = [message for message in messages if message["role"] == "tool"]
    if len(answered) < 2:
        tried = {"actions": ["place red 2 1 2", "place red 2 3 2"]}
        return calls(("cells_from", {"start": "0 1 0", "directions": ["left"], "distance": 2}), ("try_actions", tried))
    assert [message["tool_call_id"] for message in answered] == ["c0", "c1"]
    cell = re.search(r"2: (-?\d -?\d -?\d) is empty", answered[0]["content"])[1]
    assert "2. place red 2 3 2: NOT POSSIBLE" in answered[1]["content"]
    return f"ANSWER:\nplace red {cell}"


def test_calls_in_one_message_are_all_answered_and_everything_is_counted(data, tmp_path, capsys):
    prices = ["--price_prompt", "1000", "--price_completion", "1000"]
    with ChatStandIn(uses_both_tools) as endpoint:
        lines = predicted(endpoint.url, data, tmp_path, "--tools", "true", "--keep_messages", "true", *prices)
    bodies = [request.body for request in endpoint.requests]
    assert len(bodies) == 6 and all(body["tools"] == DEFINITIONS and "tool_choice" not in body for body in bodies)
    sent = [sum(len((message["content"] or "").split()) for message in body["messages"]) for body in bodies]
    for line in lines:
        assert (line["prediction"], line["requests"], line["tool_calls"]) == ("place red 2 1 0", 2, 2)
        assert [message["role"] for message in line["messages"]] == ["assistant", "tool", "tool", "assistant"]
        assert line["finished"] and line["completion_tokens"] == 6
    assert sum(line["prompt_tokens"] for line in lines) == sum(sent)
    printed = capsys.readouterr().out
    assert f"6 responses of the endpoint and 0 from the cache, 0 retries; {sum(sent):,} prompt and 18" in printed
    assert f"cost {(sum(sent) + 18) / 1000:.4f}" in printed


def test_a_model_that_never_stops_calling_has_to_answer_at_last(data, tmp_path):
    def never_stops(messages: list[dict]) -> dict | str:
        if messages[-1] == {"role": "user", "content": LAST_REQUEST}:
            return "Well then.\nANSWER:\nplace red 0 1 0"
        return calls(("try_actions", {"actions": [f"place red {len(messages) % 5} 1 0"]}))

    with ChatStandIn(never_stops) as endpoint:
        lines = predicted(endpoint.url, data, tmp_path, "--tools", "true", "--max_tool_rounds", "3")
    assert all(line["prediction"] == "place red 0 1 0" and line["finished"] for line in lines)
    assert all((line["requests"], line["tool_calls"]) == (4, 3) for line in lines)
    choices = [request.body.get("tool_choice") for request in endpoint.requests]
    assert choices.count("none") == 3 and choices.count(None) == 9


def test_a_model_that_calls_even_then_has_no_answer_and_does_not_hang(data, tmp_path):
    with ChatStandIn(lambda messages: calls(("try_actions", {"actions": []}))) as endpoint:
        (line,) = predicted(endpoint.url, data, tmp_path, "--tools", "true", "--max_tool_rounds", "2", items=1)
    assert (line["prediction"], line["finished"], line["requests"], line["tool_calls"]) == ("", False, 3, 2)


def test_broken_arguments_are_answered_and_sent_back_as_an_object(data, tmp_path):
    def breaks(messages: list[dict]) -> dict | str:
        if messages[-1]["role"] != "tool":
            broken = calls(("cells_from", '{"start": "0 1 0", "dire'), ("try_actions", '["x"]'), ("fly", {}), ids=False)
            broken["tool_calls"] += ["nothing", {"function": None}]
            return broken
        *_, called, a, b, c, d = messages
        assert [call["function"]["arguments"] for call in called["tool_calls"]] == ["{}"] * 4
        ids = [call["id"] for call in called["tool_calls"]]
        assert ids == [message["tool_call_id"] for message in (a, b, c, d)] and len(set(ids)) == 4
        assert "are not JSON" in a["content"] and "are not a JSON object" in b["content"]
        assert "no tool 'fly'" in c["content"] and d["content"].startswith("Error: there is no tool")
        return "ANSWER:\nplace red 0 1 0"

    with ChatStandIn(breaks) as endpoint:
        lines = predicted(endpoint.url, data, tmp_path, "--tools", "true")
    assert all(line["prediction"] == "place red 0 1 0" and line["tool_calls"] == 4 for line in lines)


def test_of_too_many_calls_in_a_message_the_rest_is_not_carried_out(data, tmp_path):
    def floods(messages: list[dict]) -> dict | str:
        if messages[-1]["role"] != "tool":
            return calls(*[("try_actions", {"actions": []})] * (MOST_CALLS + 5))
        refused = [message["content"].startswith("Error: not carried out") for message in messages[3:]]
        return f"ANSWER:\nplace red {refused.index(True) - MOST_CALLS} {sum(refused)} 0"

    with ChatStandIn(floods) as endpoint:
        (line,) = predicted(endpoint.url, data, tmp_path, "--tools", "true", items=1)
    assert (line["prediction"], line["tool_calls"]) == ("place red 0 5 0", MOST_CALLS + 5)


def test_thoughts_are_sent_back_with_the_calls_they_led_to(data, tmp_path):
    def thinks(messages: list[dict]) -> dict | str:
        if messages[-1]["role"] != "tool":
            return {**calls(("try_actions", {"actions": []})), "reasoning_content": "let me look"}
        return "ANSWER:\nplace red 0 1 0"

    with ChatStandIn(thinks) as endpoint:
        predicted(endpoint.url, data, tmp_path, "--tools", "true", items=1)
    assert endpoint.requests[1].body["messages"][2]["reasoning_content"] == "let me look"


def test_of_a_message_in_parts_the_texts_are_read(data, tmp_path):
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "ANSWER:\nplace blue 1 1 0"}]},
        {"type": "text", "text": "ANSWER:\n"},
        {"type": "text", "text": "place red 0 1 0"},
        {"type": "text"},
    ]
    with ChatStandIn() as endpoint:
        endpoint.faults.append(Fault(body={"choices": [{"message": {"content": parts}, "finish_reason": "stop"}]}))
        (line,) = predicted(endpoint.url, data, tmp_path, items=1)
    assert (line["prediction"], line["finished"], len(endpoint.requests)) == ("place red 0 1 0", True, 1)


def test_tools_that_were_not_offered_are_not_answered(data, tmp_path):
    with ChatStandIn(lambda messages: calls(("try_actions", {"actions": []}))) as endpoint:
        (line,) = predicted(endpoint.url, data, tmp_path, items=1)
    assert (line["prediction"], line["finished"], len(endpoint.requests)) == ("", False, 1)
    assert "tools" not in endpoint.requests[0].body


def test_a_model_that_forgets_the_marker_is_read_and_told(data, tmp_path, capsys):
    with ChatStandIn(lambda messages: "So it is.\n\nplace red 0 1 0\nplace red 0 2 0\n") as endpoint:
        (line,) = predicted(endpoint.url, data, tmp_path, items=1)
    assert (line["prediction"], line["marked"]) == ("place red 0 1 0\nplace red 0 2 0", False)
    assert "1 answers had no ANSWER:" in capsys.readouterr().out


def test_a_model_that_is_cut_off_has_not_finished(data, tmp_path, capsys):
    cut = {"content": "<think>The red block is at 0 1 0. I could place red 1 1 0 or", "finish_reason": "length"}
    with ChatStandIn(lambda messages: cut) as endpoint:
        (line,) = predicted(endpoint.url, data, tmp_path, items=1)
    assert (line["prediction"], line["finished"], line["marked"]) == ("", False, False)
    assert "1 were cut off or refused" in capsys.readouterr().out


def test_tokens_of_thoughts_that_only_the_total_has_are_counted(data, tmp_path):
    choice = {"message": {"content": "ANSWER:\npick 0 1 0"}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 6, "total_tokens": 506}
    with ChatStandIn() as endpoint:
        endpoint.faults.append(Fault(body={"choices": [choice], "usage": usage}))
        (line,) = predicted(endpoint.url, data, tmp_path, items=1)
    assert (line["prompt_tokens"], line["completion_tokens"], line["reasoning_tokens"]) == (100, 406, None)


def test_the_cost_is_limited_between_the_requests_of_an_item_and_the_same_command_resumes(data, tmp_path):
    prices = ["--price_completion", "1000000", "--concurrency", "1", "--tools", "true"]  # 5 for an answer

    def thinks(messages: list[dict]) -> dict | str:
        done = sum(message["role"] == "tool" for message in messages)
        if done < 3:
            return {**calls(("try_actions", {"actions": []})), "content": "one two three four five"}
        return "ANSWER:\nplace red 0 1"

    with ChatStandIn(thinks) as endpoint:
        with pytest.raises(UsageError, match=r"cost 10.0000, and --max-cost is 8"):
            predicted(endpoint.url, data, tmp_path, *prices, "--max_cost", "8", items=1)
        assert len(endpoint.requests) == 2 and not (tmp_path / "chat.jsonl").read_text()
        (line,) = predicted(endpoint.url, data, tmp_path, *prices, "--max_cost", "100", items=1)
    assert len(endpoint.requests) == 4  # the first two were cached
    assert (line["requests"], line["completion_tokens"]) == (4, 20)


def test_messages_that_were_not_kept_are_written_from_the_cache(data, tmp_path):
    with ChatStandIn(uses_both_tools) as endpoint:
        first = predicted(endpoint.url, data, tmp_path, "--tools", "true")
        kept = predicted(endpoint.url, data, tmp_path, "--tools", "true", "--keep_messages", "true", "--overwrite")
    assert len(endpoint.requests) == 6 and all(line.pop("messages") for line in kept)
    assert sorted(first, key=str) == sorted(kept, key=str)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["--prompt", "direct", "--tools", "true"], "--tools is for --prompt reasoning"),
        (["--prompt", "direct", "--max_tool_rounds", "3"], "--max-tool-rounds is for --prompt reasoning"),
        (["--tools", "true", "--max_tool_rounds", "0"], "max_tool_rounds is 0"),
        (["--tools", "true", "--representation", "n_posb"], "--tools tells what --representation n_posb does not"),
    ],
)
def test_wrong_settings_are_errors_that_name_the_fix(data, tmp_path, changes, message):
    with pytest.raises(UsageError, match=message):
        predicted("http://127.0.0.1:9/v1", data, tmp_path, *changes)


def test_another_prompt_is_another_run(data, tmp_path):
    with ChatStandIn() as endpoint:
        predicted(endpoint.url, data, tmp_path)
        with pytest.raises(UserError, match="other settings"):
            predicted(endpoint.url, data, tmp_path, "--tools", "true")


# --- A model that understands everything, from the messages alone.


def understood(asked: str) -> dict:
    """The row, as the question of the reasoning prompt tells it."""
    _, body, _ = asked.split("\n\n")
    told, blocks = body.split("\nCurrent built structure is:")
    *lines, pose = told.splitlines()
    x, y, z, yaw = map(float, re.findall(r"-?\d+\.\d", pose))
    since = next((n for n, line in enumerate(reversed(lines)) if not line.startswith("<")), len(lines))
    return {
        "history": lines[: len(lines) - since],
        "dialogue": lines[len(lines) - since :],
        "before": blocks.split("\n")[1:],
        "pose": {"x": x, "y": y, "z": z, "yaw": yaw},
    }


def oracle(messages: list[dict]) -> dict | str:
    """Reads an instruction with rules, tries its answer on the board, and gives it if all of it is possible."""
    actions = symbolic(understood(messages[1]["content"])).splitlines()
    if messages[-1]["role"] != "tool":
        return calls(("try_actions", {"actions": actions, "layers": True}))
    done = re.findall(r"^\d+\. (.*): done$", messages[-1]["content"], re.MULTILINE)
    return f"Possible: {len(done)} of {len(actions)}.\n\nANSWER:\n" + "\n".join(done)


@pytest.mark.slow
def test_a_model_that_understands_everything_scores_100_with_the_tools(tmp_path):
    rows = [row_of(f"dsb-test-{game}/{item}") for game in range(5) for item in (1, 3)]
    Dataset.from_list(rows).to_json(tmp_path / "dsb.jsonl")
    with ChatStandIn(oracle) as endpoint:
        lines = predicted(endpoint.url, tmp_path / "dsb.jsonl", tmp_path, "--tools", "true", items=10)
    predictions = {line["id"]: line["prediction"] for line in lines}
    assert len(predictions) == 10 and len(endpoint.requests) == 20
    scores = score([predictions[row["id"]] for row in rows], rows)
    assert scores["fairer_f1"] == 1.0


@pytest.mark.parametrize(("prompt", "tools"), [("direct", False), ("reasoning", False), ("reasoning", True)])
def test_answers_in_the_builders_frame_are_written_with_the_cells_of_the_world(tmp_path, prompt, tools):
    rows = [row_of(f"dsb-test-{game}/{item}") for game in range(3) for item in (0, 2)]
    Dataset.from_list(rows).to_json(tmp_path / "dsb.jsonl")
    asked = {render(row, "ego").partition("\n")[2].removesuffix("### AS:\n"): row for row in rows}

    def answers(messages: list[dict]) -> dict | str:
        (row,) = [row for body, row in asked.items() if body in messages[1]["content"]]
        answer = completion_of(row, "ego")
        if tools and messages[-1]["role"] != "tool":
            return calls(("try_actions", {"actions": answer.splitlines()}))
        assert not tools or messages[-1]["content"].count(": done") == len(row["actions"])
        return answer if prompt == "direct" else f"It is clear.\nANSWER:\n{answer}"

    changes = ["--representation", "ego", "--prompt", prompt, "--shots", "0", *(["--tools", "true"] if tools else [])]
    with ChatStandIn(answers) as endpoint:
        lines = predicted(endpoint.url, tmp_path / "dsb.jsonl", tmp_path, *changes, items=6)
    assert {line["id"]: line["prediction"] for line in lines} == {row["id"]: row["completion"] for row in rows}
    assert all("x is to" in request.body["messages"][0]["content"] for request in endpoint.requests)
