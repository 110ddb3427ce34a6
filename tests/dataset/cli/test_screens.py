"""What commands print at any width, in a pipe, and where an encoding lacks letters."""

import io
import re
import sys

import pytest
from in_process import command
from rich.cells import cell_len
from rich.console import Console

from bap_v2_dataset import cli, streams
from bap_v2_dataset.streams import BarsAsLines, readable_streams
from bap_v2_dataset.tables.cells import Line, ScoreTable, Value
from bap_v2_dataset.tables.fitted import WordTable, fitted, wrapped
from bap_v2_simulators import corpus_table

# Every command that prints a table or a board, on a small corpus of dss.
SCREENS = {
    "info": ["info"],
    "setup": ["setup", "--config", "dss", "--num-proc", "1"],
    "show": ["show", "dss-test-0/1", "--baseline", "stack", "--baseline", "symbolic"],
    "a game": ["show", "--game", "dss-test-0"],
    "score": ["score", "--config", "dss", "--baseline", "stack", "--baseline", "symbolic", "--resamples", "20"],
    "report": ["report", "--baseline", "do-nothing", "--baseline", "symbolic", "--errors", "--resamples", "20"],
    "play-games": ["play-games", "dss", "--games", "2"],
    "agreement": ["agreement"],
    "mix": ["mix", "mixed", "--dss", "5", "--num-proc", "1"],
    "help": ["--help"],
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def bap(home, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(corpus_table.SIZES, "dss", {"train": 30, "validation": 7, "test": 25})
    run = command(monkeypatch, capsys, home, tmp_path, width=100)
    if not (home / "datasets").exists():
        code, _, err = run(*SCREENS["setup"])
        assert code == 0, err
    return run


@pytest.mark.parametrize("width", [60, 100])
@pytest.mark.parametrize("name", SCREENS)
def test_no_line_is_wider_than_the_terminal_and_nothing_is_cut(bap, monkeypatch, name, width):
    for console in (cli.console, cli.errors):
        monkeypatch.setattr(console, "width", width)
    monkeypatch.setenv("COLUMNS", str(width))
    code, out, err = bap(*SCREENS[name])
    assert code == 0, err
    for_copying = ("signature: ", "   bap-v2 ", "   # ", "Scripts: ", "in /", "load_dataset(")
    long = [line for line in out.splitlines() if cell_len(line) > width and not line.startswith(for_copying)]
    assert long == [] and "…" not in out
    assert "\x1b" not in out  # a pipe


@pytest.mark.parametrize("name", ["show", "score"])
def test_where_an_encoding_lacks_letters_others_stand_in_their_place(bap, monkeypatch, name):
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "argv", ["bap-v2", *SCREENS[name]])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert not end.value.code
    text = out.buffer.getvalue().decode("ascii")
    assert "Traceback" not in text and text.count("?") <= 1
    assert name != "show" or (re.search(r"\|.*xO.*\|", text) and "oo" in text)  # a wrong and a missed block


def test_names_are_folded_behind_their_marks_alone():
    assert wrapped("runs/pointer_demo on dsb", 40) == "runs/pointer_demo on dsb"
    assert wrapped("Llama-CRAFTS (M'_agg+posb+s)", 8) == "Llama-\nCRAFTS\n(M'_\nagg+posb+s)"
    names = ["pointer_demo_of_last_week", "Llama-CRAFTS (M'_agg+posb+s)"]
    table = ScoreTable("t", "T", ("System", *"abcde"), [Line([name, *[Value(1.0, 0, 2)] * 5]) for name in names], 1)
    console = Console(file=io.StringIO(), width=60)
    console.print(fitted(table, table), crop=False)
    text = console.file.getvalue()
    for piece in ("pointer_", "demo_of_", "last_week", "Llama-", "CRAFTS", "agg+posb+s)"):
        assert re.search(rf"(?<!\S){re.escape(piece)}(?!\S)", text), piece
    assert "┃" not in text  # one look for all


def test_words_of_a_table_are_whole_as_long_as_there_is_room():
    table = WordTable("game", "what became of it", "n")
    table.add_row("B49-A39-C107-1523770013466", "nothing that could be seen from there", "12,345")
    for width in (60, 52):
        console = Console(file=io.StringIO(), width=width)
        console.print(table)
        text = console.file.getvalue()
        assert "B49-A39-C107-1523770013466" in text and "12,345" in text and "…" not in text
        assert max(map(cell_len, text.splitlines())) <= width


# --- Bars in a log.
def test_a_bar_in_a_log_is_one_line_and_one_each_half_minute(monkeypatch):
    now = 0.0
    monkeypatch.setattr(streams.time, "monotonic", lambda: now)
    log = BarsAsLines(io.StringIO())
    log.write("before\n")
    for second in range(0, 71):
        now = float(second)
        log.write(f"\rLearning: {second} of 70   ")
    log.write("\n")
    log.write("a warning\n")
    log.write("\r  0%")
    log.write("\r     \r")  # a bar that leaves nothing
    log.write("after\n")
    lines = ["before", "Learning: 30 of 70", "Learning: 60 of 70", "Learning: 70 of 70", "a warning", "after"]
    assert log.getvalue().splitlines() == lines


def test_the_bars_of_libraries_become_lines_and_the_stream_is_given_back(monkeypatch):
    from tqdm import tqdm

    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    with readable_streams():
        for _ in tqdm(range(500), desc="Tokenizing", mininterval=0):
            pass
        print("\rleft open: 1", end="", file=sys.stderr)
    assert sys.stderr is log
    first, second = log.getvalue().splitlines()
    assert "\r" not in log.getvalue() and "Tokenizing: 100%" in first and second == "left open: 1"
