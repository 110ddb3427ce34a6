"""Types of weights and the order of items, in whole runs and in runs that are resumed; on a tiny model."""

import shutil

import pytest
import torch
import torch.nn.attention.varlen
from bitsandbytes.nn import Linear4bit
from datasets import load_from_disk
from safetensors.torch import load_file
from tiny_runs import NEBULA, arguments
from torch import nn

from bap_v2_training import train_sft
from bap_v2_training.errors import UsageError
from bap_v2_training.learning import varlen_attention
from bap_v2_training.learning.run_record import trained_parameters
from bap_v2_training.learning.sft_trainer import layers_of

torch.set_num_threads(1)

IN_4_BITS = ["--load_in_4bit", "true", "--dtype", "bfloat16"]
GROUPED = ["--train_sampling_strategy", "group_by_length"]


def order_of_epochs(trainer, epochs: int = 2) -> list[list[int]]:
    """The positions of the items in the order of learning, of each epoch."""
    sampler = trainer.get_train_dataloader().batch_sampler.sampler
    orders = []
    for epoch in range(epochs):
        trainer.state.epoch = float(epoch)
        orders.append(list(sampler))
    return orders


@pytest.mark.slow
def test_a_resumed_adapter_keeps_its_type_and_ends_with_the_same_weights(data, tiny, tmp_path):
    # 8 steps an epoch: it is resumed inside the second one, where the order is another than that of the first.
    changes = [*IN_4_BITS, *GROUPED, "--adapter_dtype", "bfloat16", "--lora_dropout", "0.1"]
    changes += ["--lora_target_modules", "q_proj", "v_proj", "--optim", "adamw_torch"]
    changes += ["--max_steps", "13", "--save_strategy", "steps", "--save_steps", "10"]
    train_sft.main(*arguments(data, tiny, tmp_path / "whole", *changes))
    (tmp_path / "resumed").mkdir()
    shutil.copytree(tmp_path / "whole" / "checkpoint-10", tmp_path / "resumed" / "checkpoint-10")
    resumed = [*changes, "--resume_from_checkpoint", "true"]
    record = train_sft.main(*arguments(data, tiny, tmp_path / "resumed", *resumed))
    assert record["resumed_from"].endswith("checkpoint-10")
    whole, again = (load_file(tmp_path / name / "adapter_model.safetensors") for name in ("whole", "resumed"))
    assert {weight.dtype for weight in again.values()} == {torch.bfloat16}
    assert all(torch.equal(whole[name], again[name]) for name in whole)
    before = load_file(tmp_path / "resumed" / "checkpoint-10" / "adapter_model.safetensors")
    assert not all(torch.equal(before[name], again[name]) for name in again), "nothing was learned after resuming"


@pytest.mark.parametrize(("changes", "passed_on"), [([], "float32"), (["--frozen_dtype", "float16"], "float16")])
def test_with_the_published_settings_layers_pass_on_float32(data, tiny, tmp_path, changes, passed_on):
    changes = [*changes, "--max_length", "512", "--lora_dropout", "0"]
    trainer, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / "run", *changes, config=NEBULA))
    model = trainer.model.train()
    types = {name: weight.dtype for name, weight in model.named_parameters()}
    assert {types[name] for name in types if "lora_" in name} == {torch.float32}
    assert {types[name] for name in types if "embed_tokens" in name or "norm" in name or "lm_head" in name} == {
        getattr(torch, passed_on)
    }
    quantized = [module for module in model.modules() if isinstance(module, Linear4bit)]
    assert len(quantized) == 2 * 7 and {module.weight.dtype for module in quantized} == {torch.uint8}
    assert {module.compute_dtype for module in quantized} == {torch.float16}

    residual = []
    for layer in model.get_base_model().model.layers:
        layer.register_forward_hook(lambda *called: residual.append(called[-1].dtype))
    trainer.compute_loss(model, next(iter(trainer.get_train_dataloader()))).backward()
    assert {*residual} == {getattr(torch, passed_on)}
    learned = [weight.grad for name, weight in model.named_parameters() if "lora_B" in name]
    assert all(grad.dtype == torch.float32 and grad.isfinite().all() and grad.any() for grad in learned)


@pytest.mark.parametrize("strategy", ["random", "group_by_length"])
def test_the_order_is_of_the_seed_and_the_epoch_alone(data, tiny, tmp_path, strategy):
    def orders(seed: int, draws: int) -> list[list[int]]:
        changes = ["--train_sampling_strategy", strategy, "--seed", str(seed)]
        trainer, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / "run", *changes))
        torch.rand(draws)  # as another process may have drawn for its dropout
        return order_of_epochs(trainer)

    first, second = orders(seed=1, draws=0)
    assert sorted(first) == sorted(second) == list(range(30)) and first != second
    assert orders(seed=1, draws=7) == [first, second]
    assert orders(seed=5, draws=0)[0] != first


def test_items_of_about_the_same_length_are_learned_together(data, tiny, tmp_path):
    spreads = []  # how far the lengths of a batch lie apart
    for strategy in (["--train_sampling_strategy", "random"], GROUPED):
        changes = [*strategy, "--per_device_train_batch_size", "2"]
        trainer, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / "run", *changes))
        lengths = trainer.train_dataset["length"][:]
        assert lengths == [len(ids) for ids in trainer.train_dataset["input_ids"]]
        (order,) = order_of_epochs(trainer, epochs=1)
        spreads.append(sum(abs(lengths[one] - lengths[other]) for one, other in zip(order[::2], order[1::2])))
    assert spreads[1] < spreads[0] / 2
    batch = next(iter(trainer.get_train_dataloader()))
    assert batch.keys() == {"input_ids", "labels", "attention_mask"}  # the lengths are not given to the model


def test_packed_items_need_no_lengths(data, tiny, tmp_path):
    packed = ["--packing", "true", "--max_length", "600", "--max_prompt_tokens", "500"]
    trainer, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / "run", *GROUPED, *packed))
    assert sorted(order_of_epochs(trainer, epochs=1)[0]) == list(range(len(trainer.train_dataset)))
    assert sum(map(len, trainer.train_dataset["input_ids"])) > len(load_from_disk(data)["train"])


def attention_of_each(query, key, value, ends, _, longest, __, *, scale, window_size, enable_gqa):
    """What PyTorch's kernels for rows of many lengths compute, on any device."""
    assert longest == max(ends.diff().tolist()) and enable_gqa
    causal, parts = window_size == (-1, 0), []
    for begin, end in zip(ends.tolist(), ends.tolist()[1:]):
        item = (states[begin:end].transpose(0, 1) for states in (query, key, value))
        parts.append(nn.functional.scaled_dot_product_attention(*item, is_causal=causal, scale=scale, enable_gqa=True))
    return torch.cat(parts, dim=1).transpose(0, 1)


def test_packed_items_are_read_alike_with_and_without_a_mask(data, tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(torch.nn.attention.varlen, "varlen_attn", attention_of_each)
    packed = ["--packing", "true", "--max_length", "600", "--max_prompt_tokens", "500", "--use_peft", "false"]
    gradients = []
    for implementation in ("eager", varlen_attention.NAME):
        changes = [*packed, "--attn_implementation", implementation, "--activation_checkpointing", "true"]
        trainer, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / "run", *changes))
        batch = next(iter(trainer.get_train_dataloader()))
        assert len(batch["cu_seq_lens_q"]) > 2  # several items
        trainer.compute_loss(trainer.model.train(), batch).backward()
        gradients.append([weight.grad for weight in trainer.model.parameters()])
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(*gradients, strict=True))
    with pytest.raises(UsageError, match="is for packed items"):
        trainer.model(batch["input_ids"])


def test_kernels_are_tried_before_they_are_used(monkeypatch):
    assert not varlen_attention.works("cpu")  # PyTorch has none for a CPU

    def looks_ahead(*rows, window_size, **kwargs):
        return attention_of_each(*rows, window_size=None, **kwargs)

    for kernels in (attention_of_each, looks_ahead):
        monkeypatch.setattr(torch.nn.attention.varlen, "varlen_attn", kernels)
        assert varlen_attention.works("cpu") == (kernels is attention_of_each)


def test_frozen_layers_keep_their_weights_and_the_others_learn(data, tiny, tmp_path):
    whole = ["--use_peft", "false", "--frozen_layers", "1", "--max_steps", "2", "--save_strategy", "no"]
    trainer, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / "run", *whole))
    before = {name: weight.clone() for name, weight in trainer.model.state_dict().items()}
    trainer.train()
    changed = {name for name, weight in trainer.model.state_dict().items() if not torch.equal(weight, before[name])}
    assert {name.split(".")[2] for name in changed if ".layers." in name} == {"1"}
    assert not any("embed_tokens" in name for name in changed) and any("layers.1.mlp" in name for name in changed)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (["--use_peft", "false", "--frozen_layers", "2"], "frozen_layers is 2: the model has 2 layers"),
        (["--frozen_layers", "1"], "frozen_layers is 1: expected .* 0 with LoRA"),
        (["--torch_compile", "true"], "torch_compile is True, but on a CPU .* use compile_layers"),
        (["--use_peft", "false", "--frozen_layers", "-1"], "frozen_layers is -1: expected 0 or more"),
    ],
)
def test_layers_that_cannot_be_frozen_or_compiled(data, tiny, tmp_path, changes, sentence):
    with pytest.raises(UsageError, match=sentence):
        train_sft.prepared(*arguments(data, tiny, tmp_path / "run", *changes))


@pytest.mark.slow
def test_layers_are_compiled_where_there_is_a_compiler(data, tiny, tmp_path, capsys):
    changes = ["--use_peft", "false", "--compile_layers", "true"]
    with torch._inductor.config.patch({"cpp.cxx": (None, "no-such-compiler")}):
        trainer, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / "run", *changes))
    assert "no C++ compiler" in capsys.readouterr().out
    assert all(layer._compiled_call_impl is None for layer in layers_of(trainer.model))

    compiled, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / "run", *changes))
    assert all(layer._compiled_call_impl is not None for layer in layers_of(compiled.model))
    assert compiled.model.state_dict().keys() == trainer.model.state_dict().keys()
    losses = []
    for one in (trainer, compiled):
        loss = one.compute_loss(one.model, next(iter(one.get_train_dataloader())))
        loss.backward()
        losses.append(loss.detach())
    torch.testing.assert_close(losses[0], losses[1])
    gradients = ([weight.grad for weight in one.model.parameters()] for one in (trainer, compiled))
    torch.testing.assert_close(*map(list, gradients))


def test_trained_parameters_are_counted_where_zero_3_has_taken_the_weights_apart():
    model = nn.Linear(3, 2, bias=False)
    assert trained_parameters(model) == 6
    model.weight.data = torch.empty(0)
    model.weight.ds_numel = 6  # as DeepSpeed leaves it
    assert trained_parameters(model) == 6
