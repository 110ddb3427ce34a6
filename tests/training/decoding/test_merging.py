"""`bap-v2 merge`: the merged model answers as the adapter does, with the same defaults; whole or nothing."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from peft import PeftModel
from safetensors.torch import load_file, save_file
from small_adapters import answers, with_modules_to_save
from small_builders import save_builder
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig, GenerationConfig

from bap_v2_dataset import cli
from bap_v2_training import predict
from bap_v2_training.decoding.local import loaded_model
from bap_v2_training.decoding.trained_model import base_of
from bap_v2_training.errors import UsageError


def merged(run: Path | str, output: Path, *options: str) -> Path:
    cli.app(["merge", str(run), str(output), *options], standalone_mode=False)
    return output


def test_the_merged_model_answers_as_the_adapter_does(adapter, data, tmp_path):
    folder = merged(adapter, tmp_path / "merged", "--dtype", "float32")
    of_adapter = answers(adapter, data, tmp_path / "adapter.jsonl")
    assert answers(folder, data, tmp_path / "merged.jsonl") == of_adapter
    assert len({line["prediction"] for line in of_adapter}) > 1
    assert answers(adapter / "new_model", data, tmp_path / "base.jsonl", "--representation", "n") != of_adapter


def test_it_is_a_plain_model_in_bfloat16_with_greedy_answers(adapter, tmp_path, capsys):
    folder = merged(adapter, tmp_path / "merged")
    assert "merged in bfloat16" in capsys.readouterr().out
    assert {path.name for path in folder.iterdir()} == {
        "config.json", "generation_config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json",
        "training_run.json",
    }  # fmt: skip
    assert base_of(str(folder)) is None and AutoConfig.from_pretrained(folder).dtype == torch.bfloat16
    model = AutoModelForCausalLM.from_pretrained(folder, dtype="auto")
    assert {weight.dtype for weight in model.parameters()} == {torch.bfloat16}
    config = GenerationConfig.from_pretrained(folder)
    assert not config.do_sample and config.max_new_tokens is None  # a harness asks for its own
    assert config.eos_token_id == [AutoTokenizer.from_pretrained(folder).eos_token_id]


def test_the_defaults_of_predict_are_those_of_the_adapter(adapter, tmp_path):
    folder = merged(adapter, tmp_path / "merged")
    of_adapter, of_merged = (
        predict.settings_of(predict.parse_arguments(["--model", str(model), "--out", "x"]))
        for model in (adapter, folder)
    )
    differing = {name for name in of_adapter if of_adapter[name] != of_merged[name]}
    assert differing == {"model"} and of_merged["max_prompt_tokens"] == 300 and of_merged["representation"] == "n"
    record = json.loads((folder / "training_run.json").read_text())
    assert record["merged_from"] == {
        "model": str(adapter), "commit": None, "base_model": str(adapter / "new_model"), "dtype": "bfloat16"
    }  # fmt: skip


def test_what_vllm_does_not_take_is_merged_too(adapter, data, tmp_path):
    special = with_modules_to_save(adapter, tmp_path / "special")
    folder = merged(special, tmp_path / "merged", "--dtype", "float32")
    of_special = answers(special, data, tmp_path / "special.jsonl")
    assert answers(folder, data, tmp_path / "merged.jsonl") == of_special
    assert answers(adapter, data, tmp_path / "adapter.jsonl") != of_special


def stored_in_4bit(adapter: Path, folder: Path) -> Path:
    """The adapter, on the same base model stored in four bits."""
    quantization = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4")
    base = AutoModelForCausalLM.from_pretrained(
        adapter / "new_model", quantization_config=quantization, dtype="float32"
    )
    shutil.copytree(adapter, folder)
    shutil.rmtree(folder / "new_model")
    base.save_pretrained(folder / "new_model")
    AutoTokenizer.from_pretrained(adapter).save_pretrained(folder / "new_model")
    return folder


def test_a_base_model_that_is_stored_in_4_bits_answers_with_its_adapter_and_is_merged(
    adapter, data, tmp_path, monkeypatch
):
    # On CPUs with bfloat16 instructions bitsandbytes has a kernel that rounds, and wants widths of 32
    monkeypatch.setattr("bitsandbytes.nn.modules.has_avx512bf16", lambda: False)
    run = stored_in_4bit(adapter, tmp_path / "run")
    tokenizer = AutoTokenizer.from_pretrained(run)
    ids = torch.tensor([tokenizer("now place a red block").input_ids])
    base = AutoModelForCausalLM.from_pretrained(run / "new_model", dtype="float32")
    expected = PeftModel.from_pretrained(base, run).eval()(ids).logits
    for in_4bit in (False, True):
        loaded = loaded_model(str(run), tokenizer, "float32", in_4bit, torch.device("cpu"))
        assert torch.allclose(loaded(ids).logits, expected, atol=1e-5)
    assert len(answers(run / "new_model", data, tmp_path / "base.jsonl", "--representation", "n")) > 1
    folder = merged(run, tmp_path / "merged", "--dtype", "float32")
    assert "quantization_config" not in json.loads((folder / "config.json").read_text())
    plain = AutoModelForCausalLM.from_pretrained(folder)
    assert {weight.dtype for weight in plain.parameters()} == {torch.float32}
    assert torch.allclose(plain(ids).logits, expected, atol=1e-4)


@pytest.mark.parametrize("form", ["gptq", "awq", "compressed-tensors", "unheard-of"])
def test_weights_in_a_form_that_cannot_be_loaded_here_are_a_sentence(adapter, tmp_path, form):
    shutil.copytree(adapter, tmp_path / "run")
    config = json.loads((tmp_path / "run" / "new_model" / "config.json").read_text())
    config["quantization_config"] = {"quant_method": form, "bits": 4, "group_size": 128}
    (tmp_path / "run" / "new_model" / "config.json").write_text(json.dumps(config))
    weights = load_file(tmp_path / "run" / "new_model" / "model.safetensors")
    packed = {name.replace("proj.weight", "proj.packed"): weight for name, weight in weights.items()}
    save_file(packed, tmp_path / "run" / "new_model" / "model.safetensors", {"format": "pt"})
    for run in ("run", "run/new_model"):
        with pytest.raises(UsageError, match=rf"stored quantized \({form}\), which transformers cannot load here"):
            loaded_model(str(tmp_path / run), AutoTokenizer.from_pretrained(adapter), "float32", False)
    with pytest.raises(UsageError, match=r"without quantization"):
        merged(tmp_path / "run", tmp_path / "x")


def test_what_is_no_adapter_is_a_sentence(adapter, tmp_path):
    with pytest.raises(UsageError, match=r"new_model is a whole model, not an adapter"):
        merged(adapter / "new_model", tmp_path / "x")
    with pytest.raises(UsageError, match=r"gru is a GRU, not an adapter"):
        merged(save_builder(tmp_path / "gru", "bap_gru"), tmp_path / "x")
    with pytest.raises(UsageError, match="nowhere is neither the folder of a model nor a model"):
        merged("nowhere", tmp_path / "x")
    with pytest.raises(UsageError, match="dtype 'int8' is not a type"):
        merged(adapter, tmp_path / "x", "--dtype", "int8")
    (tmp_path / "there").mkdir()
    with pytest.raises(UsageError, match="there exists: choose another name"):
        merged(adapter, tmp_path / "there")
    with pytest.raises(ValueError, match="there is no directory"):
        merged(adapter, tmp_path / "nowhere" / "x")
    assert not (tmp_path / "x").exists()


def test_a_merge_that_is_stopped_leaves_nothing(adapter, tmp_path, monkeypatch):
    from bap_v2_training.decoding import merging

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(merging, "training_run", stopped)
    with pytest.raises(KeyboardInterrupt):
        merging.merge(str(adapter), tmp_path / "merged")
    assert list(tmp_path.iterdir()) == []
