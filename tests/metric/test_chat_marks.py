"""Thoughts and marks of chat formats are no answer."""

import pytest

from bap_v2_metric.answers import read_numbered, read_prediction
from bap_v2_metric.chat_marks import answer_of, unknown_thoughts

ANSWER = "place red 0 1 0\npick 0 2 0"
WRONG = "Perhaps\nplace blue 5 1 5\npick 1 1 1\nno."
HEADER = "<|start|>assistant<|channel|>"
THOUGHTS = {  # of models' chat formats
    "DeepSeek, Qwen": f"<think>{WRONG}</think>{ANSWER}<|im_end|>{WRONG}",
    "opened by the prompt": f"{WRONG}</seed:think>{ANSWER}",
    "Seed": f"<seed:think>{WRONG}<seed:cot_budget_reflect>{WRONG}</seed:cot_budget_reflect></seed:think>{ANSWER}",
    "Hunyuan": f"<think:opensource>{WRONG}</think:opensource>{ANSWER}",
    "LongCat": f"<longcat_think>{WRONG}</longcat_think>{ANSWER}",
    "EXAONE": f"<thought>\n{WRONG}</thought>\n\n{ANSWER}[|endofturn|]\n{WRONG}",
    "Magistral": f"[THINK]{WRONG}[/THINK]{ANSWER}</s>",
    "Command A": f"<|START_THINKING|>{WRONG}<|END_THINKING|><|START_RESPONSE|>{ANSWER}<|END_RESPONSE|>",
    "Kimi": f"◁think▷{WRONG}◁/think▷{ANSWER}<|im_end|>",
    "Granite": f"Here is my thought process:\n{WRONG}\nHere is my response:\n{ANSWER}",
    "OpenThinker": f"<|begin_of_thought|>{WRONG}<|end_of_thought|>\n<|begin_of_solution|>\n{ANSWER}<|end_of_solution|>",
    "Gemma 4": f"<|channel>thought\n{WRONG}<channel|>{ANSWER}<turn|>",
    "Apertus": f"<|inner_prefix|>{WRONG}<|inner_suffix|>{ANSWER}<|assistant_end|>",
    "Pangu": f"[unused16]{WRONG}[unused17]{ANSWER}",
    "an answer in a token": f"<|thinking|>{WRONG}<|answer|>{ANSWER}",
    "Solar": f"<|think|>{WRONG}<|end|><|begin|>assistant<|content|>{ANSWER}<|end|>",
    "harmony": f"<|channel|>analysis<|message|>{WRONG}<|end|>{HEADER}final<|message|>{ANSWER}<|return|>{WRONG}",
    "harmony, three messages": f"{HEADER}analysis<|message|>{WRONG}<|end|>{HEADER}commentary<|message|>{WRONG}<|end|>"
    f"{HEADER}final <|constrain|>json<|message|>{ANSWER}",
    "harmony, opened by the prompt": f"{WRONG}<|end|>{HEADER}final<|message|>{ANSWER}",
    "harmony, an answer at once": f"<|channel|>final<|message|>{ANSWER}<|return|>",
    "harmony without special tokens": f"analysis{WRONG}assistantfinal{ANSWER}",
    "and a call": f"analysis{WRONG}assistantcommentary to=a.b json{WRONG}assistantanalysisNo.assistantfinal{ANSWER}",
    "and opened by the prompt": f"{WRONG}assistantfinal{ANSWER}",
    "and an answer at once": f"final{ANSWER}",
}  # fmt: skip
MARKS = {
    "Llama 2": f"<s> {ANSWER}</s>{WRONG}",
    "Llama 3": f"<|begin_of_text|><|start_header_id|>assistant<|end_header_id|>\n\n{ANSWER}<|eot_id|>{WRONG}",
    "Llama 4": f"<|header_start|>assistant<|header_end|>\n\n{ANSWER}<|eot|>",
    "ChatML": f"<|im_start|>assistant\n{ANSWER}<|im_end|>\n<|im_start|>assistant\n{WRONG}",
    "ChatML with the question": f"<|im_start|>user\n{WRONG}<|im_end|>\n<|im_start|>assistant\n{ANSWER}",
    "Mistral": f"[/INST] {ANSWER}[INST] {WRONG}",
    "Gemma": f"<bos><start_of_turn>model\n{ANSWER}<end_of_turn>\n{WRONG}",
    "DeepSeek": f"<｜begin▁of▁sentence｜><｜Assistant｜>{ANSWER}<｜end▁of▁sentence｜>{WRONG}",
    "Phi": f"<|assistant|>\n{ANSWER}<|end|>{WRONG}",
    "Granite": f"<|start_of_role|>assistant<|end_of_role|>{ANSWER}<|end_of_text|>{WRONG}",
    "GLM": f"[gMASK]<sop><|assistant|>\n{ANSWER}<|user|>{WRONG}",
    "Kimi": f"<|im_assistant|>assistant<|im_middle|>{ANSWER}<|im_end|>{WRONG}",
    "MiniMax": f"]~!b[]~b]ai\n{ANSWER}[e~[{WRONG}",
    "GPT-2": f"<|endoftext|>{ANSWER}<|endoftext|>{WRONG}",
    "BART": f"</s><s>{ANSWER}</s>",
    "the label of the prompt": f"### AS:\n{ANSWER}\n### AS:\n{WRONG}",
    "the next prompt": f"{ANSWER}\n\nPredict the action sequence (AS) for the Minecraft excerpt:\n{WRONG}",
}


@pytest.mark.parametrize("text", [*THOUGHTS.values(), *MARKS.values()], ids=[*THOUGHTS, *MARKS])
def test_only_the_answer_is_read(text):
    read = read_prediction(text)
    assert read == read_prediction(ANSWER)
    assert not unknown_thoughts(text, lambda part: read_prediction(part).actions)


@pytest.mark.parametrize(
    "text",
    [
        f"[THINK]{WRONG}", f"analysis{WRONG}", f"<|channel|>analysis<|message|>{WRONG}", f"<|START_THINKING|>{WRONG}",
        f"</s>{WRONG}", f"<|im_end|>{WRONG}",
    ],
)  # fmt: skip
def test_thoughts_that_are_cut_off_and_what_follows_an_end_are_no_answer(text):
    assert read_prediction(text) == ((), ())


@pytest.mark.parametrize(
    "text",
    [
        ANSWER, f"Sure!\n### AS:\n{ANSWER}", f"Finally, {ANSWER}", f"final answer: {ANSWER}", f"analysis: no\n{ANSWER}",
        f"<Builder> ok\n{ANSWER}", f"Reasoning: it is free.\nAnswer:\n{ANSWER}", f"<note>hm</note>\n{ANSWER}",
        f"{ANSWER}\n<note>hm</note>\n{ANSWER}", f"<plan>on top</plan>\n<answer>{ANSWER}</answer>", f"[1, 2]\n{ANSWER}",
        f"Here's my thought process: red first.\n\nAnswer:\n{ANSWER}",
    ],
)  # fmt: skip
def test_ordinary_text_is_left_as_it_is(text):
    assert answer_of(text) == text
    assert {*read_prediction(ANSWER).actions} <= {*read_prediction(text).actions}
    assert not unknown_thoughts(text, lambda part: read_prediction(part).actions)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        (f"<ponder>{WRONG}</ponder>{ANSWER}", "</ponder>"),
        (f"<|cogitate|>{WRONG}<|/cogitate|>{ANSWER}", "<|/cogitate|>"),
        (f"<|start_musing|>{WRONG}<|end_musing|>{ANSWER}", "<|end_musing|>"),
        (f"{WRONG}[/REASON]{ANSWER}", "[/REASON]"),
        (f"<|deliberate|>{WRONG}\n{ANSWER}", "<|deliberate|>"),
        (f"### Thinking\n{WRONG}\n### Answer\n{ANSWER}", "### Thinking"),
        (f"Thoughts:\n{WRONG}\n**Final answer:**\n{ANSWER}", "Thoughts:"),
    ],
)
def test_thoughts_in_marks_that_are_not_known_are_read_and_named(text, mark):
    assert {*read_prediction(WRONG).actions} <= {*read_prediction(text).actions}
    assert unknown_thoughts(text, lambda part: read_prediction(part).actions) == mark


def test_lines_keep_their_numbers():
    assert read_numbered(f"<s>[THINK]\n\n[/THINK]\nplace red 0 1 0\nhm</s>\n{WRONG}").unparsed == [(5, "hm")]
    assert read_numbered("assistantfinal\nhm").unparsed == [(2, "hm")]
