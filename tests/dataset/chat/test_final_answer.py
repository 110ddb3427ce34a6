"""What of a reasoning model's text is its answer."""

import pytest

from bap_v2_dataset.chat.final_answer import final_answer
from bap_v2_metric.answers import read_prediction

WANTED = "place red 0 1 0\npick 0 2 0"
MARKED = {
    "as told": f"Left is +x.\n\nANSWER:\n{WANTED}",
    "bold": f"Left is +x.\n**ANSWER:**\n{WANTED}\n",
    "a heading": f"## Final answer\n\n```\n{WANTED}\n```",
    "on its line": "So:\nanswer: place red 0 1 0\npick 0 2 0",
    "within a line": f"That fits. ANSWER:\n{WANTED}",
    "a tag": f"Well.\n<answer>\n{WANTED}\n</answer>",
    "corrected": f"ANSWER:\nplace blue 0 1 0\n\nWait, it is red.\n\nANSWER:\n{WANTED}",
    "talking on": f"ANSWER:\n{WANTED}\n\n**Final Answer**",
    "behind thoughts": f"<think>\nANSWER:\nplace blue 1 1 0\n</think>\n\nANSWER:\n{WANTED}",
    "thoughts that the prompt opened": f"ANSWER:\nplace blue 1 1 0\n</think>ANSWER:\n{WANTED}",
}
UNMARKED = {
    "at the end": f"First place red 0 1 0? It would do.\n\n{WANTED}",
    "with a last word": "It stands on the ground:\n\n- place red 0 1 0\n- pick 0 2 0\n\nThis is all.",
    "in a fence": f"place blue 3 1 0\nNo, it has to be there:\n```text\n{WANTED}\n```\nDone.",
    "calls": 'Done thinking.\nplace(color="red", x=0, y=1, z=0)\npick(x=0, y=2, z=0)',
    "colored": "It is free.\n\x1b[31mplace red 0 1 0\x1b[0m\n\x1b[31mpick 0 2 0\x1b[0m",
    "in a box": "It is free.\n$$\\boxed{place red 0 1 0\npick 0 2 0}$$",
    "behind thoughts": f"<think>place blue 1 1 0</think>\n{WANTED}",
}


def test_a_model_may_go_on_talking_about_its_answer():
    for more in ("That is my final answer: one red block.", "So the answer: done", "My answer is ANSWER: above."):
        answer = final_answer(f"ANSWER:\n{WANTED}\n\n{more}")
        assert answer.marked and len(read_prediction(answer.text).actions) == 2
    assert final_answer("ANSWER:\nnothing") == ("nothing", True)


@pytest.mark.parametrize("text", MARKED.values(), ids=MARKED)
def test_only_what_follows_the_last_marker_is_read(text):
    answer = final_answer(text)
    assert answer.marked and read_prediction(answer.text) == read_prediction(WANTED)


@pytest.mark.parametrize("text", UNMARKED.values(), ids=UNMARKED)
def test_without_a_marker_the_last_lines_of_actions_are_read(text):
    answer = final_answer(text)
    assert not answer.marked and read_prediction(answer.text) == read_prediction(WANTED)


@pytest.mark.parametrize(
    "text",
    ["", "<think>place red 0 1 0\nplace red 0", "I would place red 0 1 0 and then", "The answer is not clear to me."],
)
def test_a_text_that_is_cut_off_or_decides_nothing_has_no_actions(text):
    answer = final_answer(text)
    assert not answer.marked and not read_prediction(answer.text).actions


def test_a_marker_with_nothing_behind_it_is_an_empty_answer():
    assert final_answer("place red 0 1 0\nANSWER:") == ("", True)
