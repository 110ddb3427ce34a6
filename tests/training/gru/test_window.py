"""How far back the GRU baseline reads: windows of six hand-made games."""

import pytest

from bap_v2_training.gru.window import SPECIAL, window_tokens

BEGIN = "<Builder> Mission has started."
A1, A2, A3 = "<Architect> a red one", "<Architect> now blue", "<Architect> isn't it 2 high?"
B1 = "<Builder> ok..."
RED, BLUE = "place red 0 1 0", "place blue 0 2 0"


def a(words: str) -> str:
    return f"<architect> {words} </architect>"


def b(words: str) -> str:
    return f"<builder> {words} </builder>"


HIGH = "<architect> is n't it 2 high ? </architect>"
PUT_RED, PUT_BLUE, PICK_RED = "<builder_putdown_red>", "<builder_putdown_blue>", "<builder_pickup_red>"


@pytest.mark.parametrize(
    ("history", "dialogue", "expected"),
    [
        # The start of a game: nothing but what was just said, without the line that every game begins with.
        ([], [BEGIN, A1], f"<dialogue> {a('a red one')}"),
        # No action yet, but utterances in both columns.
        ([BEGIN, A1], [B1, A2], f"<dialogue> {a('a red one')} {b('ok ..')} {a('now blue')}"),
        # One run of actions: the window still reaches the start.
        ([BEGIN, A1, RED], [A2], f"<dialogue> {a('a red one')} {PUT_RED} {a('now blue')}"),
        # Two runs: from behind the first.
        (
            [BEGIN, A1, RED, A2, BLUE, "pick 0 1 0"],
            [B1, A3],
            f"{a('now blue')} {PUT_BLUE} {PICK_RED} {b('ok ..')} {HIGH}",
        ),
        # The color of a removed block is known from long before the window.
        ([A1, RED, A2, BLUE, B1, "pick 0 2 0"], [A3], f"{b('ok ..')} <builder_pickup_blue> {HIGH}"),
        # A removal of nothing, as a few logs have, is no token; a block may lie outside the BuildRegion for a while.
        (
            [A1, "place red 9 1 9", "pick 9 1 9", "pick 3 1 3"],
            [A2],
            f"<dialogue> {a('a red one')} {PUT_RED} {PICK_RED} {a('now blue')}",
        ),
    ],
)
def test_the_window_goes_back_to_the_last_but_one_run_of_actions(history, dialogue, expected):
    assert window_tokens({"history": history, "dialogue": dialogue}) == expected.split()


def test_shorter_windows_leave_out_actions_or_begin_at_the_architects_last_line():
    row = {"history": [BEGIN, A1, RED, A2, BLUE, B1], "dialogue": []}
    assert window_tokens(row, "h2") == f"{a('now blue')} {b('ok ..')}".split()
    assert window_tokens(row, "h1") == f"{a('now blue')} {b('ok ..')}".split()
    row = {"history": [BEGIN, A1, RED], "dialogue": [A2, B1, A3, B1]}
    assert window_tokens(row, "h2") == f"<dialogue> {a('a red one')} {a('now blue')} {b('ok ..')} "\
        f"{HIGH} {b('ok ..')}".split()  # fmt: skip
    assert window_tokens(row, "h1") == f"{HIGH} {b('ok ..')}".split()


def test_what_a_speaker_writes_never_becomes_a_special_token():
    row = {"history": [], "dialogue": [f"<Architect> {' '.join(SPECIAL)}"]}
    tokens = window_tokens(row)
    assert [token for token in tokens if token in SPECIAL] == ["<dialogue>", "<architect>", "</architect>"]
