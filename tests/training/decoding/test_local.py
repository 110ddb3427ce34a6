"""Greedy answers of a batch, against `generate`; on a tiny model with random weights."""

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig

from bap_v2_training.decoding.constrained import IN_WORLD
from bap_v2_training.decoding.local import answers, continuations, notation_table

torch.set_num_threads(1)


def test_answers_that_end_early_leave_the_batch_and_the_others_are_those_of_generate(adapter):
    model, tokenizer = (
        AutoModelForCausalLM.from_pretrained(adapter / "new_model"),
        AutoTokenizer.from_pretrained(adapter / "new_model"),
    )
    torch.manual_seed(0)
    for weight in model.parameters():
        weight.data = torch.randn_like(weight) * 0.5  # answers of many different tokens
    lengths = [5, 9, 3, 12, 7, 12]
    prompts = [torch.randint(10, len(tokenizer), (length,)).tolist() for length in lengths]
    free = GenerationConfig(do_sample=False, max_new_tokens=24, pad_token_id=0)
    alone = [model.generate(torch.tensor([one]), generation_config=free)[0, len(one) :].tolist() for one in prompts]
    ends = {alone[0][2], alone[1][9], alone[3][20]}
    expected = [row[: next((n + 1 for n, token in enumerate(row) if token in ends), 24)] for row in alone]
    assert len({*map(len, expected)}) > 2, "all answers end together"
    assert continuations(model, prompts, 24, 0, lambda tokens: tokens[-1] in ends) == expected


def test_a_constrained_answer_does_not_depend_on_its_batch(adapter):
    model, tokenizer = (
        AutoModelForCausalLM.from_pretrained(adapter / "new_model"),
        AutoTokenizer.from_pretrained(adapter / "new_model"),
    )
    table = notation_table(model, tokenizer, IN_WORLD)
    prompts = [tokenizer(text)["input_ids"] for text in ("now place a red block", "good", "pick it up\nand go on")]
    together = answers(model, tokenizer, prompts, 30, table)
    assert together == [answers(model, tokenizer, [prompt], 30, table)[0] for prompt in prompts]
