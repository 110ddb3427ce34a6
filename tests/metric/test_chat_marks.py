"""Thoughts and marks of chat formats are no answer."""

import pytest
from case_tables import cases_of

from bap_v2_metric.answers import read_numbered, read_prediction
from bap_v2_metric.chat_marks import answer_of, unknown_thoughts

ANSWER = "place red 0 1 0\npick 0 2 0"
WRONG = "Perhaps\nplace blue 5 1 5\npick 1 1 1\nno."
FORMATS = [
    (name, text.format(ANSWER=ANSWER, WRONG=WRONG, HEADER="<|start|>assistant<|channel|>"))
    for table in ("thoughts", "marks")
    for name, text in cases_of(__file__, table).items()
]


@pytest.mark.parametrize("text", [text for _, text in FORMATS], ids=[name for name, _ in FORMATS])
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
