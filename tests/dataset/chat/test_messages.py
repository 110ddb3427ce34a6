"""What a chat model is asked: shots as earlier turns, and not a character that changes unnoticed."""

import json
from hashlib import sha256

import pytest
from chat_items import TEST, TRAIN

from bap_v2_dataset.chat.messages import ANSWER_FORMS, CHAT_VERSIONS, chat_messages
from bap_v2_dataset.items.prompts import render
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import format_action, read_prediction


@pytest.mark.parametrize("form", ANSWER_FORMS)
def test_shots_are_earlier_turns_of_the_chat_and_read_back_as_their_actions(form):
    row, shots = TEST[5], TRAIN[:4]
    messages = chat_messages(row, shots, answer_form=form, shot_history_lines=2)
    assert [message["role"] for message in messages] == ["system", *["user", "assistant"] * 4, "user"]
    for shot, shown, answer in zip(shots, messages[1::2], messages[2::2]):
        read = read_prediction(answer["content"])
        assert (list(map(format_action, read.actions)), read.unparsed_lines) == (shot["actions"], 0)
        assert shown["content"] == render({**shot, "history": shot["history"][-2:]}, "n_posb_s")
    assert messages[-1]["content"] == row["prompt_n_posb_s"]


def test_only_the_newest_history_is_shown_if_limited():
    row = next(row for row in TEST if len(row["history"]) > 3)
    messages = chat_messages(row, [], "n", history_lines=3)
    assert messages[-1]["content"] == render({**row, "history": row["history"][-3:]}, "n")


@pytest.mark.parametrize(
    ("unknown", "message"),
    [
        ({"answer_form": "json"}, r"unknown answer form 'json' \(expected one of lines, calls\)"),
        ({"prompt": "cot"}, r"unknown prompt 'cot' \(expected one of direct, reasoning\)"),
    ],
)
def test_an_unknown_form_or_prompt_is_refused(unknown, message):
    with pytest.raises(UserError, match=message):
        chat_messages(TEST[0], **unknown)


@pytest.mark.parametrize(
    ("representation", "forms", "expected"),
    [("n_posb_s", ANSWER_FORMS, "fa4c227bf4b16cf9"), ("ego", ["lines"], "906348e0b058a7c0")],
)
def test_a_message_changes_only_with_its_version(representation, forms, expected):
    messages = [chat_messages(row, TRAIN[:2], representation, answer_form=form) for form in forms for row in TEST]
    assert ("Cells are named as the Builder sees them" in messages[0][0]["content"]) == (representation == "ego")
    digest = sha256(json.dumps(messages).encode()).hexdigest()[:16]
    assert (CHAT_VERSIONS["direct"], digest) == ("3", expected)
