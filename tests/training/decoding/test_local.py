"""Greedy answers of a batch, against `generate`; on a tiny model with random weights."""

import pytest
import torch
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    GenerationConfig,
    Lfm2Config,
    LlamaConfig,
    MambaConfig,
    MistralConfig,
)

from bap_v2_training.decoding.constrained import IN_WORLD
from bap_v2_training.decoding.local import SeededSampling, answers, continuations, notation_table
from bap_v2_training.errors import UsageError

torch.set_num_threads(1)


SIZE = {
    "vocab_size": 60, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4,
    "num_key_value_heads": 2, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
}  # fmt: skip
LLAMA = LlamaConfig(**SIZE)
WINDOWED = MistralConfig(**SIZE, sliding_window=8)
HYBRID = Lfm2Config(**SIZE, layer_types=["conv", "full_attention", "conv"])


@pytest.mark.parametrize("config", [LLAMA, WINDOWED, HYBRID], ids=["llama", "with a window", "hybrid"])
def test_answers_that_end_early_leave_the_batch_and_all_are_those_of_generate(config):
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config).eval()
    for weight in model.parameters():
        weight.data = torch.randn_like(weight) * 0.5  # answers of many different tokens
    prompts = [torch.randint(3, 60, (length,)).tolist() for length in (5, 9, 3, 12, 7, 12)]
    free = GenerationConfig(do_sample=False, max_new_tokens=24, pad_token_id=0)
    alone = [model.generate(torch.tensor([one]), generation_config=free)[0, len(one) :].tolist() for one in prompts]
    ends = {alone[0][2], alone[1][9], alone[3][20]}
    expected = [row[: next((n + 1 for n, token in enumerate(row) if token in ends), 24)] for row in alone]
    assert len({*map(len, expected)}) > 2, "all answers end together"
    assert continuations(model, prompts, 24, 0, lambda tokens: tokens[-1] in ends) == expected


@pytest.mark.parametrize("config", [LLAMA, WINDOWED, HYBRID], ids=["llama", "with a window", "hybrid"])
def test_several_answers_to_a_prompt_are_those_that_it_gets_alone(config):
    """The prompt is read once; each answer is that of its seed, whatever stands beside it, and without one greedy."""
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config).eval()
    for weight in model.parameters():
        weight.data = torch.randn_like(weight) * 0.1
    prompts = [torch.randint(3, 60, (length,)).tolist() for length in (5, 12, 3)]
    seeds = [[None, 1, 2], [3, None, 3], [5, 6, 1]]

    def drawn(prompts: list, seeds: list, copies: int) -> list[list[int]]:
        return continuations(model, prompts, 12, 0, lambda tokens: tokens[-1] < 9, SeededSampling(seeds, 0.7), copies)

    together = drawn(prompts, [seed for own in seeds for seed in own], 3)
    alone = [drawn([prompt], [seed], 1)[0] for prompt, own in zip(prompts, seeds) for seed in own]
    assert together == alone and len({*map(len, alone)}) > 2
    assert together[0] == continuations(model, prompts[:1], 12, 0, lambda tokens: tokens[-1] < 9)[0]
    assert together[3] == together[5] != together[4]


def test_a_model_without_keys_and_values_is_refused():
    model = AutoModelForCausalLM.from_config(MambaConfig(vocab_size=60, hidden_size=32, num_hidden_layers=1))
    with pytest.raises(UsageError, match="mamba models keep no keys and values: answer with --backend vllm"):
        continuations(model, [[3, 4]], 4, 0, lambda tokens: False)


STATEFUL = {  # of these, some keep states in their layers, in a cache of their own, or in the usual one
    "recurrent_gemma": {"lru_width": 32, "attention_window_size": 16, "block_types": ["recurrent", "attention"]},
    "minimax": {"head_dim": 8, "layer_types": ["linear_attention", "full_attention", "linear_attention"]},
    "falcon_h1": {"mamba_d_ssm": 64, "mamba_n_heads": 4, "mamba_d_head": 16, "mamba_d_state": 8, "mamba_chunk_size": 8},
    "qwen3_next": {"head_dim": 8, "num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 16,
                   "linear_num_value_heads": 2, "linear_num_key_heads": 2, "linear_key_head_dim": 8,
                   "linear_value_head_dim": 8, "shared_expert_intermediate_size": 16,
                   "layer_types": ["linear_attention", "full_attention", "linear_attention"]},
}  # fmt: skip


@pytest.mark.parametrize("family", STATEFUL)
def test_a_model_with_states_answers_in_a_batch_as_alone_or_is_refused(family):
    torch.manual_seed(0)
    config = AutoConfig.for_model(family, **SIZE, **STATEFUL[family])
    model = AutoModelForCausalLM.from_config(config).eval()
    for weight in model.parameters():
        weight.data *= 3
    prompts = [torch.randint(3, 60, (length,)).tolist() for length in (3, 19, 9, 30)]
    try:
        alone = [continuations(model, [prompt], 12, 0, lambda tokens: False)[0] for prompt in prompts]
    except UsageError as error:
        assert "keep no keys and values: answer with --backend vllm" in str(error)
        assert family in ("recurrent_gemma", "minimax")
        return
    ends = alone[0][:3], alone[2][:5]  # two rows leave early
    assert family not in ("recurrent_gemma", "minimax")
    together = continuations(model, prompts, 12, 0, lambda tokens: tokens in ends)
    assert together == [alone[0][:3], alone[1], alone[2][:5], alone[3]]


def test_a_constrained_answer_does_not_depend_on_its_batch(adapter):
    model, tokenizer = (
        AutoModelForCausalLM.from_pretrained(adapter / "new_model"),
        AutoTokenizer.from_pretrained(adapter / "new_model"),
    )
    table = notation_table(model, tokenizer, IN_WORLD)
    prompts = [tokenizer(text)["input_ids"] for text in ("now place a red block", "good", "pick it up\nand go on")]
    together = answers(model, tokenizer, prompts, 30, table)
    assert together == [answers(model, tokenizer, [prompt], 30, table)[0] for prompt in prompts]
