"""predict.py with models on the Hub: adapters and whole models, several test sets, and the published Llama-CRAFTS."""

import json
import shutil
from pathlib import Path

import huggingface_hub
import pytest
from datasets import Dataset
from in_process import pushing
from paths import ROOT
from peft import PeftModel
from small_adapters import ROWS, answers, save_adapter, save_base
from small_builders import save_ensemble
from small_test_sets import SPLITS
from transformers import AutoModelForCausalLM, AutoTokenizer

from bap_v2_training import predict
from bap_v2_training.decoding import language_model, resolved_model
from bap_v2_training.errors import UsageError

CRAFTS, LLAMA = "prashant-jayan21/Llama-CRAFTS", "meta-llama/Meta-Llama-3-8B"
PUBLISHED = str(ROOT / "training" / "configs" / "llama_crafts_published.yaml")


@pytest.fixture
def hub(tmp_path, monkeypatch):
    with pushing(monkeypatch, HF_HUB_CACHE=str(tmp_path / "cache")) as hub:
        yield hub


@pytest.fixture(scope="module")
def crafts(tmp_path_factory) -> dict[str, Path]:
    """What may have been published: the base model, an adapter of it without a tokenizer, and the two merged."""
    folder = tmp_path_factory.mktemp("crafts")
    base = save_base(folder / "base")
    adapter = save_adapter(folder / "adapter", base, tokenizer=False)
    model = AutoModelForCausalLM.from_pretrained(base, dtype="float32")
    PeftModel.from_pretrained(model, adapter).merge_and_unload().save_pretrained(folder / "whole")
    AutoTokenizer.from_pretrained(base).save_pretrained(folder / "whole")
    settings = json.loads((adapter / "adapter_config.json").read_text())
    (adapter / "adapter_config.json").write_text(json.dumps(settings | {"base_model_name_or_path": LLAMA}))
    return {"base": base, "adapter": adapter, "whole": folder / "whole"}


def settings_beside(output: Path) -> dict:
    return json.loads(output.with_name(f"{output.name}.settings.json").read_text())


# --- Models on the Hub.


@pytest.mark.parametrize("kind", ["adapter", "whole"])
def test_a_model_on_the_hub_answers_as_its_folder_does(hub, adapter, crafts, data, tmp_path, kind):
    folder, options = {"adapter": (adapter, ()), "whole": (crafts["whole"], ("--representation", "n"))}[kind]
    commit = hub.publish("model", "tester/x", folder)
    from_hub = answers("tester/x", data, tmp_path / "hub.jsonl", *options)
    assert from_hub == answers(folder, data, tmp_path / "here.jsonl", *options) and len(from_hub) == len(ROWS)
    of_hub, of_folder = settings_beside(tmp_path / "hub.jsonl"), settings_beside(tmp_path / "here.jsonl")
    assert of_hub == of_folder | {"model": "tester/x", "model_commit": commit}


def test_only_what_is_needed_is_downloaded_and_only_once(hub, adapter, data, tmp_path):
    more = ("optimizer.pt", "checkpoint-1/model.safetensors", "trainer_state.json", "README.md", "answers.jsonl")
    hub.publish("model", "tester/x", adapter, **dict.fromkeys(more, b"{}"), **{"new_model/pytorch_model.bin": b"x"})
    answers("tester/x", data, tmp_path / "a.jsonl", "--max_items", "1")
    folder = Path(resolved_model.resolve_model("tester/x").folder)
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} == {
        "adapter_config.json", "adapter_model.safetensors", "tokenizer.json", "tokenizer_config.json",
        "training_run.json", "new_model/config.json", "new_model/generation_config.json",
        "new_model/model.safetensors", "new_model/tokenizer.json", "new_model/tokenizer_config.json",
    }  # fmt: skip
    downloads = hub.count_requests("^GET .*/resolve/")
    answers("tester/x", data, tmp_path / "b.jsonl", "--max_items", "1")
    assert hub.count_requests("^GET .*/resolve/") == downloads > 0


def test_a_revision_is_answered_with_and_recorded(hub, adapter, crafts, data, tmp_path):
    first = hub.publish("model", "tester/x", adapter)
    last = hub.publish("model", "tester/x", crafts["whole"])
    assert resolved_model.resolve_model("tester/x").commit == last
    of_first = answers(f"tester/x@{first}", data, tmp_path / "a.jsonl", "--max_items", "3")
    assert of_first == answers(adapter, data, tmp_path / "b.jsonl", "--max_items", "3")
    settings = settings_beside(tmp_path / "a.jsonl")
    assert (settings["model"], settings["model_commit"]) == (f"tester/x@{first}", first)


@pytest.mark.parametrize("kind", ["adapter", "ensemble"])
def test_without_a_connection_the_download_is_used(hub, adapter, tmp_path, monkeypatch, kind):
    folder = adapter if kind == "adapter" else save_ensemble(tmp_path / "ensemble")
    hub.publish("model", "tester/x", folder, **{"README.md": b"not needed"})
    found = resolved_model.resolve_model("tester/x")
    hub.__exit__()  # the server is gone
    assert resolved_model.resolve_model("tester/x") == found
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    assert resolved_model.resolve_model("tester/x") == found
    with pytest.raises(UsageError, match="tester/y is neither"):
        resolved_model.resolve_model("tester/y")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tester/none", "tester/none is neither"),
        ("a/b/c", "a/b/c is neither"),
        ("tester/x@v9", "tester/x@v9 is neither"),
    ],
)
def test_a_name_of_nothing_is_a_sentence(hub, adapter, name, message):
    hub.publish("model", "tester/x", adapter)
    with pytest.raises(UsageError, match=message):
        resolved_model.resolve_model(name)


def test_a_refused_model_says_what_to_do(hub, adapter, monkeypatch):
    def refused(*_, **__):
        response = type("Response", (), {"headers": {}, "request": None, "status_code": 403})()
        raise huggingface_hub.errors.GatedRepoError("gated", response=response)

    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", refused)
    with pytest.raises(UsageError, match="is gated: accept its license on the Hub, and set HF_TOKEN"):
        resolved_model.resolve_model(LLAMA)


# --- Several test sets.


@pytest.fixture
def small_test_sets(monkeypatch) -> dict[str, list[dict]]:
    """The test sets that predict.py reads, by config."""
    rows = {config: rows[:6] for (config, _), rows in SPLITS.items()}
    monkeypatch.setattr(predict, "load_rows", lambda config, *_: Dataset.from_list(rows[config]))
    return rows


def test_several_test_sets_are_answered_with_one_load_as_each_alone(adapter, small_test_sets, tmp_path, monkeypatch):
    loaded = []
    load = language_model.loaded_model
    monkeypatch.setattr(language_model, "loaded_model", lambda *given: loaded.append(given) or load(*given))
    options = ["--model", str(adapter), "--max_new_tokens", "8"]
    command = [*options, "--dataset_config", "dr,dss", "--out", f"{tmp_path}/answers/"]
    assert predict.main(predict.parse_arguments(command)) == tmp_path / "answers"
    assert {path.name for path in (tmp_path / "answers").iterdir()} == {
        "dr.jsonl", "dr.jsonl.settings.json", "dss.jsonl", "dss.jsonl.settings.json"
    }  # fmt: skip
    assert len(loaded) == 1
    for config in ("dr", "dss"):
        alone = tmp_path / f"{config}.jsonl"
        predict.main(predict.parse_arguments([*options, "--dataset_config", config, "--out", str(alone)]))
        assert (tmp_path / "answers" / alone.name).read_text() == alone.read_text()
        assert settings_beside(tmp_path / "answers" / alone.name) == settings_beside(alone)
    predict.main(predict.parse_arguments(command))  # nothing is left to answer
    assert len(loaded) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--dataset_config", "dr,dss", "--out", "x.jsonl"], "x.jsonl is one file.*: write x.jsonl/"),
        (["--dataset_config", "dr,dr", "--out", "x/"], "name each config once"),
    ],
)
def test_files_and_configs_that_do_not_go_together_are_a_sentence(adapter, small_test_sets, options, message):
    with pytest.raises(UsageError, match=message):
        predict.main(predict.parse_arguments(["--model", str(adapter), *options]))


# --- Settings in a file.


def test_a_file_of_settings_is_read_and_the_command_line_overrides_it(adapter, tmp_path):
    (tmp_path / "base.yaml").write_text(f"model: {adapter}\noutput: a.jsonl\nmax_new_tokens: 8\n")
    (tmp_path / "own.yaml").write_text("extends: base.yaml\nbatch_size: 3\n")
    arguments = predict.parse_arguments(["--config", str(tmp_path / "own.yaml"), "--max_new_tokens", "9"])
    assert (arguments.output, arguments.batch_size, arguments.max_new_tokens) == ("a.jsonl", 3, 9)
    (tmp_path / "own.yaml").write_text("extends: base.yaml\nmax_tokens: 3\n")
    with pytest.raises(UsageError, match="there is no setting max_tokens"):
        predict.parse_arguments(["--config", str(tmp_path / "own.yaml")])


# --- The published Llama-CRAFTS.


@pytest.fixture
def asked(monkeypatch) -> list[list[int]]:
    """The prompts that models were given, in tokens."""
    prompts: list[list[int]] = []
    answer = language_model.answers
    monkeypatch.setattr(
        language_model,
        "answers",
        lambda model, tokenizer, ids, *more: prompts.extend(ids) or answer(model, tokenizer, ids, *more),
    )
    return prompts


def test_one_command_answers_the_four_test_sets(hub, crafts, small_test_sets, asked, tmp_path, monkeypatch):
    hub.publish("model", LLAMA, crafts["base"])
    hub.publish("model", CRAFTS, crafts["adapter"])
    monkeypatch.chdir(tmp_path)
    predict.main(predict.parse_arguments(["--config", PUBLISHED, "--max_new_tokens", "8"]))
    folder = tmp_path / "runs" / "llama_crafts_published"
    for config in ("mdc_v2", "dr", "dsb", "dss"):
        lines = [json.loads(line) for line in (folder / f"{config}.jsonl").read_text().splitlines()]
        assert {line["id"] for line in lines} == {row["id"] for row in small_test_sets[config]}
        settings = settings_beside(folder / f"{config}.jsonl")
        assert (settings["prompt_format"], settings["bos_tokens"], settings["model"]) == ("nebula", 2, CRAFTS)
        assert len(settings["model_commit"]) == 40
    tokenizer = AutoTokenizer.from_pretrained(crafts["base"])
    texts = {tokenizer.decode(ids) for ids in asked}
    begin = "<|begin_of_text|><|begin_of_text|>Predict the action sequence (AS) for the Minecraft excerpt:\n <"
    assert texts and all(text.startswith(begin) and text.endswith("\n ### AS:") for text in texts)
    # As a script would that formats the excerpt itself: BOS in the text, and another one of the tokenizer.
    excerpt = small_test_sets["dr"][0]["prompt_n_posb_s"].partition("\n")[2].removesuffix("\n### AS:\n")
    written = f"<|begin_of_text|>Predict the action sequence (AS) for the Minecraft excerpt:\n {excerpt}\n ### AS:"
    assert tokenizer(written)["input_ids"] in asked


@pytest.mark.parametrize(
    ("options", "begin", "end"),
    [
        ([], "<|begin_of_text|>Predict", "\n### AS:\n"),
        (["--bos_tokens", "0"], "Predict", "\n### AS:\n"),
        (["--bos_tokens", "1", "--prompt_format", "same_line"], "<|begin_of_text|>Predict", "\n### AS:"),
        (["--bos_tokens", "2"], "<|begin_of_text|><|begin_of_text|>Predict", "\n### AS:\n"),
        (["--bos_tokens", "0", "--prompt_format", "nebula"], "Predict", "\n ### AS:"),
    ],
)
def test_the_form_of_a_prompt(crafts, data, asked, tmp_path, options, begin, end):
    answers(crafts["whole"], data, tmp_path / "x.jsonl", "--representation", "n", "--max_items", "2", *options)
    tokenizer = AutoTokenizer.from_pretrained(crafts["whole"])
    texts = [tokenizer.decode(ids) for ids in asked]
    assert len(texts) == 2 and all(text.startswith(begin) and text.endswith(end) for text in texts)


def test_a_tokenizer_that_was_saved_with_its_end_does_not_end_a_prompt(crafts, data, asked, tmp_path):
    folder = Path(shutil.copytree(crafts["whole"], tmp_path / "whole"))
    file = folder / "tokenizer.json"
    tokenizer = json.loads(file.read_text())
    end = next(token["id"] for token in tokenizer["added_tokens"] if token["content"] == "<|end_of_text|>")
    form = tokenizer["post_processor"]
    form["single"].append({"SpecialToken": {"id": "<|end_of_text|>", "type_id": 0}})
    form["special_tokens"]["<|end_of_text|>"] = {"id": "<|end_of_text|>", "ids": [end], "tokens": ["<|end_of_text|>"]}
    file.write_text(json.dumps(tokenizer))
    assert AutoTokenizer.from_pretrained(folder)("x")["input_ids"][-1] == end
    answers(folder, data, tmp_path / "x.jsonl", "--representation", "n", "--max_items", "2")
    assert len(asked) == 2 and all(ids[-1] != end for ids in asked)


def test_only_notation_is_not_for_an_answer_on_the_same_line(crafts, data, tmp_path):
    with pytest.raises(UsageError, match=r"--constrained begins a line.*--prompt-format same_line"):
        answers(crafts["whole"], data, tmp_path / "x.jsonl", "--constrained", "--prompt_format", "same_line")
