"""`bap-v2 annotate`: what is asked and when, what is on disk after every answer, and how it resumes after any stop."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
import small_corpus
from rich.console import Console
from small_corpus import EARLY, IDLE

from bap_v2_dataset.human.mdc import read_corpus
from bap_v2_dataset.items.item import items
from bap_v2_dataset.labels.annotator import annotate, distance_to_target
from bap_v2_dataset.labels.clean_test import clean_test
from bap_v2_dataset.labels.label import AnnotationError
from bap_v2_dataset.labels.label_file import OUR_LABELS, open_labels, read_labels
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import parse_structure
from bap_v2_simulators.atomic_files import OutputError

# The test items of the small corpus: a block without a word; one on top of it; nothing in the end; a block.
ITEMS = [(EARLY, 0), (EARLY, 1), (IDLE, 0), (IDLE, 1)]
ANSWERS = ("x", "u", "c", "m", "i", "u", "c")  # two for an item, but one if it is unclear
RECORDS = [
    {"game_id": EARLY, "item_index": 0, "state_index": 1, "context": "unclear", "structure": None},
    {"game_id": EARLY, "item_index": 1, "state_index": 5, "context": "unique", "structure": "correct"},
    {"game_id": IDLE, "item_index": 0, "state_index": 2, "context": "multiple", "structure": "incorrect"},
    {"game_id": IDLE, "item_index": 1, "state_index": 5, "context": "unique", "structure": "correct"},
]


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    path = small_corpus.write(tmp_path_factory.mktemp("annotator") / "mdc")
    return sorted((game for game in read_corpus(path) if game.split == "test"), key=lambda game: game.game_id)


class Session:
    """Annotates with these keys; remembers what was shown and what was in the file before each of them."""

    def __init__(self, games, output: Path, *typed: str, width: int = 100, **options):
        shown = StringIO()
        keys = iter(typed)
        self.before_key: list[str] = []
        self.in_file: list[list[dict]] = []

        def ask() -> str:
            self.before_key.append(shown.getvalue()[sum(map(len, self.before_key)) :])
            self.in_file.append(records(output) if output.exists() else [])
            for key in keys:
                return key
            raise EOFError

        annotate(games, output, Console(file=shown, width=width), ask, **options)
        self.text = " ".join(shown.getvalue().split())


def records(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def output(tmp_path) -> Path:
    return tmp_path / "labels.jsonl"


def test_a_finished_file_holds_the_labels_of_all_items(games, output):
    session = Session(games, output, *ANSWERS)
    assert records(output) == RECORDS
    labels = read_labels(output)
    assert [(label.game_id, label.item_index) for label in labels] == ITEMS
    clean = clean_test((item for game in games for item in items(game)), labels)
    assert (len(clean.items), clean.multiple, clean.fixed, clean.unclear, clean.unfixable) == (3, 1, 1, 1, 0)
    assert "4 of 4 items are labeled" in session.text
    assert (
        "The clean test set of the 2 games that are complete: 3 items, 1 of them with multiple interpretations and "
        "1 fixed; removed are 1 unclear and 0 incorrect ones." in session.text
    )
    assert list(output.parent.iterdir()) == [output]


def test_every_answer_is_on_disk_before_the_next_question(games, output):
    in_file = Session(games, output, *ANSWERS).in_file
    half = {**RECORDS[1], "structure": None}, {**RECORDS[2], "structure": None}
    assert in_file[:5] == [
        [], RECORDS[:1], [RECORDS[0], half[0]], RECORDS[:2], [*RECORDS[:2], half[1]],
    ]  # fmt: skip


def test_the_first_question_is_asked_before_the_result_is_shown_and_of_unclear_items_it_is_the_only_one(games, output):
    session = Session(games, output, "x", "x", "x", "x")
    assert "The board after" not in session.text
    assert {record["context"] for record in records(output)} == {"unclear"} and len(records(output)) == 4
    output.unlink()
    first, second = Session(games, output, "u").before_key
    assert "The board before: empty" in first and "clear what to build next" in first
    assert "The board after" not in first and "+P" not in first and "start with a purple one" not in first
    assert "The board after: placed 1 purple" in second and "+P" in second
    assert "Net actions that are missing to the target: 2 before, 1 after." in second
    assert "start with a purple one" in second  # said right after: evidence for the second question


def test_what_precedes_is_shown_with_the_actions_in_between(games, output):
    shown = Session(games, output, "x").before_key[1]
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    entries = [line for line in lines if line.startswith(("Architect", "Builder", "["))]
    assert entries == [
        "[placed 1 purple]", "Builder Mission has started.", "Architect start with a purple one",
        "Builder there is one", "Architect then an orange one on top",
    ]  # fmt: skip


def test_only_an_empty_board_has_multiple_interpretations(games, output):
    session = Session(games, output, "x", "m", "u", "c")
    assert " m multiple" not in " ".join(session.before_key[1].split())
    assert "multiple is for an empty board" in session.text
    assert records(output) == RECORDS[:2]


@pytest.mark.parametrize(("typed", "shown"), [("z", "'z'"), ("c", "'c'"), ("", "Enter"), ("\x1b[A", r"'\x1b[A'")])
def test_another_key_gets_a_sentence_and_answers_may_be_written_out(typed, shown, games, output):
    written_out = ("unclear", "Unique", "correct", "multiple", "INCORRECT", "u", "C")
    session = Session(games, output, typed, *written_out)
    assert f"{shown} is not an answer here: press u (unique) or m (multiple) or x (unclear)" in session.text
    assert records(output) == RECORDS


def test_back_leads_to_the_question_before_and_the_last_answer_counts(games, output):
    # The second question of item 1 is taken back to its first one, and that to item 0; Enter keeps an answer.
    session = Session(games, output, "b", "m", "i", "u", "b", "b", "x", "", "c", "b", "u", "i", *ANSWERS[3:])
    assert "this is the first item" in session.text
    assert records(output) == [RECORDS[0], {**RECORDS[1], "structure": "incorrect"}, *RECORDS[2:]]


def test_back_also_leads_to_items_of_an_earlier_session(games, output):
    Session(games, output, *ANSWERS[:3])
    Session(games, output, "b", "", "i")
    assert records(output) == [RECORDS[0], {**RECORDS[1], "structure": "incorrect"}]


def test_a_skipped_item_is_asked_again_in_the_next_session(games, output):
    session = Session(games, output, "s", "u", "s", *ANSWERS[3:])
    assert "2 of 4 items are labeled" in session.text and "1 more incompletely; rerun the same command" in session.text
    Session(games, output, "x", "c")  # of the other skipped one, the first question was answered
    assert records(output) == RECORDS


@pytest.mark.parametrize("answers", range(len(ANSWERS)))
def test_a_session_resumes_where_the_last_one_stopped(answers, games, output):
    Session(games, output, *ANSWERS[:answers], *["q"] * (answers % 2))
    Session(games, output, *ANSWERS[answers:])
    assert records(output) == RECORDS


def test_the_file_is_the_same_in_whatever_order_items_are_labeled(games, output):
    Session(games, output, *ANSWERS)
    whole = output.read_bytes()
    output.unlink()
    Session(games, output, *ANSWERS[3:], game_ids=[IDLE])
    assert [record["game_id"] for record in records(output)] == [IDLE, IDLE]
    Session(games, output, *ANSWERS[:3])
    assert output.read_bytes() == whole


def test_a_line_that_was_cut_off_is_asked_again_and_nothing_else(games, output):
    Session(games, output, *ANSWERS)
    whole = output.read_bytes()
    output.write_bytes(whole[:-30])
    session = Session(games, output, "u", "c")
    assert "The last line of" in session.text and "was cut off" in session.text
    assert output.read_bytes() == whole


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 1 is not JSON"),
        (json.dumps({**RECORDS[0], "item_index": 7}), f"{EARLY} has no item 7"),
        (json.dumps({**RECORDS[1], "context": "multiple"}), "is 'multiple', but its board is not empty"),
        ("\n".join([json.dumps(RECORDS[3])] * 2), f"line 2: a second label for item 1 of {IDLE}"),
    ],
)
def test_a_file_with_something_else_in_it_is_refused_and_left_alone(line, complaint, games, output):
    output.write_text(f"{line}\n{json.dumps(RECORDS[2])}\n")
    before = output.read_bytes()
    with pytest.raises(AnnotationError) as error:
        Session(games, output, *ANSWERS)
    assert complaint in str(error.value) and str(output) in str(error.value)
    assert output.read_bytes() == before and list(output.parent.iterdir()) == [output]


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("l.csv", {}, "must end in .jsonl"),
        ("nowhere/l.jsonl", {}, "there is no directory"),
        ("folder.jsonl", {}, "is a directory"),
        ("l.jsonl", {"game_ids": [EARLY[:-1] + "5"]}, f"no game {EARLY[:-1]}5 in this split (did you mean {EARLY}?)"),
        ("l.jsonl", {"only": "new"}, "--only new: expected one of unlabeled, all, disagreements"),
        ("l.jsonl", {"only": "disagreements"}, "pass them as --from and --other"),
        ("l.jsonl", {"other": Path("l.jsonl")}, "pass them as --from and --other"),
        ("l.jsonl", {"earlier": Path("nowhere.csv")}, "nowhere.csv: No such file"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused_and_nothing_is_written(name, options, complaint, games, tmp_path):
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(UserError) as error:
        Session(games, tmp_path / name, "x", **options)
    assert complaint in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.jsonl"]


def test_two_annotators_never_write_the_same_file(games, output):
    game_items = [item for game in games for item in items(game)]
    with open_labels(output, game_items), pytest.raises(OutputError, match="another process is writing"):
        Session(games, output, "x")
    Session(games, output, "x")
    assert records(output) == RECORDS[:1]


def test_labels_of_others_are_checked_with_enter(games, output, tmp_path):
    theirs = tmp_path / "theirs.csv"
    lines = ["game_id;item_index;context;structure", f"{EARLY};0;unclear;", f"{EARLY};1;unique;correct",
             f"{IDLE};0;unique;correct", f"{IDLE};1;unique;correct"]  # fmt: skip
    theirs.write_text("\n".join(lines))
    session = Session(games, output, "", "", "", "m", "i", "", "", earlier=theirs, annotator="kim")
    assert records(output) == [{**record, "annotator": "kim"} for record in RECORDS]
    assert "Enter: unclear" in session.before_key[0] and "correct" not in session.before_key[1].split("whole chat")[0]


def test_one_goes_through_ones_own_labels_again(games, output):
    Session(games, output, *ANSWERS)
    assert len(Session(games, output).before_key) == 0  # nothing is left
    Session(games, output, "", "", "i", "", "", "x", only="all")
    assert records(output) == [
        RECORDS[0], {**RECORDS[1], "structure": "incorrect"}, RECORDS[2],
        {**RECORDS[3], "context": "unclear", "structure": None},
    ]  # fmt: skip


def test_of_two_files_only_the_disagreements_are_asked(games, output, tmp_path):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    Session(games, one, *ANSWERS)
    Session(games, two, "x", "u", "i", "m", "i", "x")
    options = {"earlier": one, "other": two, "only": "disagreements"}
    session = Session(games, output, "u", "c", **options)
    assert "Taken over because both files agree: 2 of 4 items." in session.text
    assert "--from says: correct" in session.before_key[1] and "--other says: incorrect" in session.before_key[1]
    assert "Enter:" not in session.text
    assert records(output) == RECORDS[:3]
    session = Session(games, output, "u", "c", **options)
    assert "--other says: unclear" in session.before_key[0] and len(session.before_key) == 2
    assert "Taken over" not in session.text
    assert records(output) == RECORDS


def test_labels_that_are_half_answered_are_not_offered_and_counted(games, output, tmp_path):
    theirs = tmp_path / "theirs.jsonl"
    Session(games, theirs, "x", "u")
    session = Session(games, output, "", earlier=theirs)
    assert "Skipped 1 incompletely labeled item in theirs.jsonl." in session.text
    assert "Enter: unclear" in session.before_key[0] and "Enter:" not in session.before_key[1]
    assert records(output) == RECORDS[:1]


def test_help_is_at_hand(games, output):
    session = Session(games, output, "h", "?", "u", "t", "c")
    assert "Question 2 - structure" in session.text and "Output" not in session.text
    target = session.before_key[4]
    assert "The target" in target and "level 2" in target and " O" in target and "▲P" in target
    assert "The target" not in "".join(session.before_key[:4])


def test_the_distance_to_the_target_is_that_of_the_best_place():
    target = parse_structure(["red 0 1 0", "blue 0 1 1"])
    for structure, distance in (
        (["red 1 1 0", "blue 2 1 0"], 0),
        (["red 0 1 0", "green 0 2 0"], 2),
        (["red 0 2 0"], 3),
    ):
        assert distance_to_target(parse_structure(structure), target) == distance


@pytest.mark.slow
def test_our_labels_can_be_checked(mdc_games, output):
    """On the human corpus: every item can be shown and accepted labels are the same ones."""
    from bap_v2_simulators.game import read_games

    games = list(read_games(mdc_games.file("test")))[:6]
    number = sum(1 for game in games for _ in items(game))
    ids = [game.game_id for game in games]
    Session(list(read_games(mdc_games.file("test"))), output, *[""] * 2 * number, earlier=OUR_LABELS, game_ids=ids)
    expected = [label for label in read_labels() if label.game_id in ids]
    assert sorted(map(str, read_labels(output))) == sorted(map(str, expected)) and len(expected) == number


# --- The command, as a process.
@pytest.fixture(scope="module")
def environment(tmp_path_factory) -> dict[str, str]:
    home = tmp_path_factory.mktemp("home")
    corpus = small_corpus.write(home / "mdc")
    return {**os.environ, "HF_HOME": str(home), "BAP_V2_MDC": str(corpus), "OMP_NUM_THREADS": "1"}


@pytest.mark.slow
def test_keys_may_come_through_a_pipe(output, environment):
    command = [sys.executable, "-m", "bap_v2_dataset.cli", "annotate", str(output)]
    done = subprocess.run(command, input="\n".join(ANSWERS), capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and not done.stderr.strip()
    assert "4 of 4 items are labeled in" in done.stdout
    assert records(output) == RECORDS


def test_a_sample_is_always_the_same_and_part_of_a_larger_one(games, output, tmp_path):
    asked = []
    for size in (1, 2, 2):
        output = tmp_path / f"{len(asked)}.jsonl"
        Session(games, output, *"xxxx", sample=size)
        asked.append([(record["game_id"], record["item_index"]) for record in records(output)])
    assert len(asked[0]) == 1 and set(asked[0]) < set(asked[1])
    assert asked[1] == asked[2]
    with pytest.raises(AnnotationError, match="--sample 9: expected 1 to 4"):
        Session(games, output, sample=9)
