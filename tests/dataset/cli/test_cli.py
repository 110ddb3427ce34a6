"""The command `bap-v2`, as a user types it: what it prints, and errors as one sentence."""

import dataclasses
import json
import shutil
import subprocess
import sys
from pathlib import Path

import datasets
import pytest
import small_corpus
from case_tables import cases_of
from in_process import command, use_home
from small_corpus import LABELS, write_labels

import bap_v2_metric
from bap_v2_dataset.human import game_store
from bap_v2_dataset.interface.table import TASKS
from bap_v2_dataset.labels.label_file import labels_name
from bap_v2_dataset.loading import install
from bap_v2_metric import METRIC_VERSION
from bap_v2_simulators import corpus_table


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Path:
    return small_corpus.write(tmp_path_factory.mktemp("cli") / "mdc")


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def bap(home, tmp_path, monkeypatch, capsys):
    import evaluate

    monkeypatch.setattr(evaluate.loading.config, "HF_MODULES_CACHE", home / "modules")
    monkeypatch.setattr(sys, "path", list(sys.path))
    return command(monkeypatch, capsys, home, tmp_path, width=200)


@pytest.fixture
def bap_set_up(bap, home, small):
    """The same after `bap-v2 setup` with the small corpus."""
    if not (home / "bap_v2_games" / "mdc.json").exists():
        assert bap("setup", "--config", "mdc", "--mdc", small)[0] == 0
    return bap


def cells_of(out: str) -> list[list[str]]:
    """The cells of every line of a printed table."""
    return [[cell.strip() for cell in line.strip("│┃ ").split("│")] for line in out.splitlines()]


def assert_one_sentence(result: tuple[int, str, str], *parts: str) -> None:
    """Exit code 1 and one line on the error stream that holds these parts."""
    code, out, err = result
    assert code == 1
    assert "Traceback" not in out + err
    lines = [line for line in err.splitlines() if line.strip()]
    assert len(lines) == 1 and lines[0].startswith("error: "), err
    for part in parts:
        assert part in lines[0]


# --- setup
def test_labels_that_cannot_be_read_are_an_error_before_the_work(bap, tmp_path):
    (tmp_path / "wrong.csv").write_text("game_id,item_index\nB1,0\n")
    for labels, part in (("nope.csv", "nope.csv: No such file"), ("wrong.csv", "has no columns context, structure")):
        result = bap("setup", "--labels", labels)
        assert_one_sentence(result, part)
        assert result[1].startswith("Setting up ") and result[1].count("\n") == 1  # no progress, no table


def test_setup_prints_what_it_made(bap, small, home):
    code, out, err = bap("setup", "--config", "mdc", "--mdc", small, "--num-proc", "1")
    assert code == 0
    cells = cells_of(out)
    assert ['evaluate.load("bap_v2")', f"the metric, version {METRIC_VERSION}"] in [row[:2] for row in cells]
    assert f"in {home}\n" in out and out.count(str(home)) == 1
    assert ['load_dataset("bap_v2", "mdc")', "6 train / 2 validation / 4 test"] in [row[:2] for row in cells]
    assert "This corpus is not the published one: it gives {'train': 6, 'validation': 2, 'test': 4}" in err
    assert json.loads((home / "bap_v2_games" / "mdc.json").read_text())["corpus"] == str(small)


@pytest.fixture
def small_sizes(monkeypatch):
    """Synthetic corpora of a few items."""
    for name in corpus_table.SIZES:
        monkeypatch.setitem(corpus_table.SIZES, name, {"train": 30, "validation": 7, "test": 5})


def test_setup_without_a_corpus_sets_up_the_synthetic_configs_and_says_so(bap, small_sizes, tmp_path, monkeypatch):
    use_home(monkeypatch, tmp_path / "empty")
    code, out, _ = bap("setup", "--num-proc", "1")
    assert code == 0
    assert "The human corpus was not set up: pass --mdc PATH" in out
    rows = [row[:2] for row in cells_of(out)]
    assert ['evaluate.load("bap_v2")', f"the metric, version {METRIC_VERSION}"] in rows
    for name in ("dr", "dsb", "dss"):
        assert [f'load_dataset("bap_v2", "{name}")', "30 train / 7 validation / 5 test"] in rows
        assert len(datasets.load_dataset("bap_v2", name, split="test")) == 5


def test_setup_builds_a_synthetic_config_once_and_again_when_asked_or_when_a_file_is_gone(
    bap, small_sizes, tmp_path, monkeypatch
):
    use_home(monkeypatch, tmp_path / "own")

    def set_up(*more: str) -> Path:
        assert bap("setup", "--config", "dss", "--num-proc", "1", *more)[0] == 0
        (info,) = (tmp_path / "own" / "datasets" / "bap_v2" / "dss").rglob("dataset_info.json")
        return info

    first = set_up().stat().st_ino
    assert set_up().stat().st_ino == first
    assert set_up("--rebuild").stat().st_ino != first
    for rows in set_up().parent.glob("*train*.arrow"):
        rows.unlink()
    assert list(set_up().parent.glob("*train*.arrow"))


@pytest.mark.slow
def test_setup_with_labels_sets_up_the_clean_test_set_and_the_joint_corpus(
    bap, small, small_sizes, tmp_path, monkeypatch
):
    use_home(monkeypatch, tmp_path / "own")
    labels = write_labels(tmp_path / "theirs.jsonl")
    code, out, err = bap("setup", "--mdc", small, "--labels", labels, "--num-proc", "1")
    assert code == 0, err
    rows = [row[:2] for row in cells_of(out)]
    assert ['load_dataset("bap_v2", "mdc_v2")', "24 train / 2 validation / 3 test"] in rows
    assert any(row[0] == 'load_dataset("bap_v2", "all")' and row[1].startswith("114 train") for row in rows)
    assert f"The test items of mdc_v2 have the labels: {labels_name(labels)}." in out
    code, out, _ = bap("score", "--baseline", "replay", "--resamples", "0")
    assert code == 0 and "mdc_v2, test: replay" in out and f"labels: {labels_name(labels)}" in out
    code, out, _ = bap("score", "--baseline", "replay", "--resamples", "0", "--config", "all", "--split", "test_dss")
    assert code == 0 and "labels: none needed (synthetic)" in out
    assert_one_sentence(
        bap("score", "--baseline", "replay", "--config", "all"),
        "the config all has no split 'test': pass --split with one of train, validation, validation_matched, test_mdc",
    )


@pytest.mark.slow
def test_setup_of_a_corpus_that_our_labels_do_not_fit_leaves_the_clean_test_set_out_and_says_so(
    bap, small, small_sizes, tmp_path, monkeypatch
):
    use_home(monkeypatch, tmp_path / "own")
    code, out, err = bap("setup", "--mdc", small, "--num-proc", "1")
    assert code == 0 and '"mdc")' in out and '"mdc_v2")' not in out and '"all")' not in out
    assert "mdc_v2 and all were not set up: the labels do not fit the corpus: 1,616 labels are of games" in err
    code, out, _ = bap("score", "--baseline", "replay", "--resamples", "0")
    assert code == 0 and "mdc, test: replay" in out and "legacy" in out
    assert_one_sentence(
        bap("setup", "--mdc", small, "--config", "mdc_v2"),
        "the labels do not fit the corpus",
        "1,616 labels are of games",
    )
    labels = write_labels(tmp_path / "part.jsonl", LABELS[1:])
    assert_one_sentence(bap("setup", "--mdc", small, "--labels", labels), "no label for item 0 of")
    assert bap("setup", "--config", "dss", "--labels", labels)[0] == 2


@pytest.mark.slow
def test_mix_says_what_it_wrote(bap, small_sizes, tmp_path, monkeypatch):
    use_home(monkeypatch, tmp_path / "own")
    code, out, err = bap("mix", "m", "--dr", "20", "--dss", "all")
    assert code == 0, err
    cells = cells_of(out)
    assert ["dr", "20", "5"] in cells and ["dss", "30", "7"] in cells and ["all", "50", "12"] in cells
    assert 'load_dataset("m")' in out
    assert_one_sentence(bap("mix", "n", "--dr", "many"), "--dr many: expected a number of items, or all")
    assert_one_sentence(bap("mix", "n"), "the mix is empty")


def test_setup_of_an_unknown_config_is_an_error(bap):
    code, _, err = bap("setup", "--config", "dx")
    assert code == 2 and "unknown config 'dx' (expected one of mdc_v2, mdc, dr" in " ".join(err.split())


def test_setup_without_a_path_takes_the_variable_and_then_the_corpus_of_the_last_set_up(bap, small, home, monkeypatch):
    monkeypatch.setenv("BAP_V2_MDC", str(small))
    assert bap("setup", "--config", "mdc")[0] == 0
    monkeypatch.delenv("BAP_V2_MDC")
    code, out, _ = bap("setup", "--config", "mdc")
    assert code == 0 and "not set up" not in out


def test_setup_warns_of_a_folder_that_shadows_the_names(bap, small, tmp_path):
    (tmp_path / "bap_v2").mkdir()
    code, _, err = bap("setup", "--config", "mdc", "--mdc", small)
    assert code == 0 and "called bap_v2 in this directory: it shadows both names" in " ".join(err.split())


@pytest.mark.parametrize(
    ("corpus", "parts"),
    [
        ("/nowhere/mdc", ("/nowhere/mdc does not exist", "pass the corpus's")),
        ("notes.txt", ("notes.txt is neither a directory nor a .tar.* or .zip",)),
        ("empty[red]", ("empty[red] holds no logs/splits.json",)),
    ],
)
def test_setup_of_what_is_no_corpus_is_an_error(corpus, parts, bap, tmp_path):
    (tmp_path / "notes.txt").write_text("notes")
    (tmp_path / "empty[red]").mkdir()
    assert_one_sentence(bap("setup", "--mdc", corpus), *parts)


# --- stats
def test_stats_shows_the_counts_and_what_was_dropped(bap_set_up):
    code, out, err = bap_set_up("stats")
    assert code == 0
    assert "No v2 test set: the labels do not fit the corpus: 1,616 labels are of games" in " ".join(err.split())
    cells = cells_of(out)
    for row in (
        ["games", "2", "1", "2"],
        ["items", "6", "2", "4"],
        ["on an empty board", "2", "1", "3"],
        ["actions", "13", "2", "5"],
        ["net actions", "9", "2", "3"],
        ["actions per item: mean", "2.17", "1.00", "1.25"],
        ["runs of actions skipped", "0", "3", "0"],
        ["logs", "1", "warm-up games: their target belongs to no split"],
        ["world states", "2", "no BuilderPosition"],
        ["runs of actions (validation)", "3", "a block outside the BuildRegion"],
    ):
        assert row in cells, row
    assert "3 of 22 steps change more than one block" in out


def test_stats_prints_json(bap_set_up, small):
    code, out, _ = bap_set_up("stats", "--json")
    assert code == 0
    stats = json.loads(out)
    assert stats["counts"]["train"] == pytest.approx(small_corpus.COUNTS["train"])
    assert stats["corpus"] == str(small)
    assert stats["report"]["warm_ups"] == [small_corpus.WARM_UP]
    assert [run["run"] for run in stats["skipped"]["validation"]] == [1, 2, 3]


@pytest.mark.slow
def test_stats_counts_games_that_need_no_corpus_and_what_is_left_out_of_them(bap):
    code, out, _ = bap("stats", "--config", "written", "--json")
    counts = json.loads(out)
    assert code == 0 and [counts[split]["items"] for split in counts] == [19305, 1103, 1117]
    assert [counts[split]["skipped_runs"] for split in counts] == [2031, 105, 120]


def test_stats_of_a_config_that_is_not_made_of_games_names_those_that_are(bap):
    assert_one_sentence(bap("stats", "--config", "mdc"), "unknown config of games 'mdc'", "dr, dsb, dss, dh, written")


def test_stats_of_another_corpus_leaves_the_chosen_one_alone(bap_set_up, tmp_path, small):
    files = small_corpus.files()
    files[small_corpus.log_name(small_corpus.ROW)] = b"{}"
    code, out, _ = bap_set_up("stats", "--mdc", small_corpus.write(tmp_path / "other.zip", files))
    assert code == 0
    assert "not a log of the corpus" in " ".join(out.split())  # a game that was lost is named with its cause
    assert game_store.mdc_games().corpus == str(small)


def test_stats_with_labels_that_do_not_fit_is_an_error(bap_set_up, tmp_path):
    (tmp_path / "labels.csv").write_text("game_id,item_index,context,structure\nB1-A1-C1-1,0,unique,correct\n")
    for labels, part in (("labels.csv", "not in this split: B1-A1-C1-1"), ("ours", "1,616 labels are of games")):
        assert_one_sentence(bap_set_up("stats", "--labels", labels), "do not fit the corpus", part)


@pytest.mark.slow
def test_stats_shows_the_v2_test_set_beside_the_paper(bap, corpus):
    code, out, _ = bap("stats", "--mdc", corpus)
    assert code == 0
    assert ["items of the v2 test set", "1,161", "1,155"] in cells_of(out)


# --- score
@pytest.fixture
def predictions(bap_set_up, tmp_path):
    """A file that answers every test item by replaying it."""
    rows = datasets.load_dataset("bap_v2", "mdc", split="test")
    lines = [json.dumps({"id": row["id"], "prediction": row["completion"]}) for row in rows]
    (tmp_path / "model.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path / "model.jsonl"


def test_score_prints_the_table_of_a_prediction_file(bap_set_up, predictions):
    code, out, err = bap_set_up("score", predictions, "--resamples", "0")
    assert code == 0, err
    cells = cells_of(out)
    assert ["EB", "3", *5 * ["100.0"]] in cells
    assert ["NEB", "1", *5 * ["100.0"]] in cells
    assert ["all items", "4", *5 * ["100.0"]] in cells
    assert f"signature:{bap_v2_metric.SIGNATURE}" in "".join(out.split())
    assert "legacy MDC" in out


def test_score_compares_baselines_and_writes_json(bap_set_up, predictions, tmp_path):
    args = ("--baseline", "do-nothing", "--baseline", "replay", "--resamples", "50", "--out", tmp_path / "scores.json")
    code, out, err = bap_set_up("score", predictions, *args)
    assert code == 0, err
    assert "against model" in out.lower() and "paired bootstrap" in out
    record = json.loads((tmp_path / "scores.json").read_text())
    assert [system["name"] for system in record["systems"]] == ["model", "do-nothing", "replay"]
    assert [system["scores"]["fairer_f1"] for system in record["systems"]] == [1.0, 0.0, 1.0]
    assert record["settings"]["split"] == "test" and record["settings"]["resamples"] == 50
    assert bap_set_up("score", predictions, "--resamples", "0", "--out", tmp_path / "scores.json")[0] == 0
    assert len(json.loads((tmp_path / "scores.json").read_text())["systems"]) == 1


def test_score_of_an_unfinished_file_is_an_error_and_possible(bap_set_up, predictions):
    lines = predictions.read_text().splitlines()
    predictions.write_text("\n".join(lines[:1]))
    assert_one_sentence(bap_set_up("score", predictions), "no prediction for 3 of 4 items", "--partial", "--subset")
    out = bap_set_up("score", predictions, "--partial", "--resamples", "0")[1]
    assert "3 items without a prediction" in out
    title = "mdc, test: model (1 of 4 items predicted, the rest scored as empty)"
    assert title in " ".join(out.split())
    assert "a subset: 1 of 4 items" in bap_set_up("score", predictions, "--subset", "--resamples", "0")[1]


@pytest.mark.parametrize(
    ("args", "parts"),
    cases_of(__file__, "score_errors"),
)
def test_score_errors_are_one_sentence(args, parts, bap_set_up):
    assert_one_sentence(bap_set_up("score", *args), *parts)


def test_score_of_a_malformed_file_is_an_error_that_names_it(bap_set_up, tmp_path):
    (tmp_path / "model[1].jsonl").write_text('{"id": "game/0"}')
    assert_one_sentence(bap_set_up("score", "model[1].jsonl"), 'model[1].jsonl, line 1 needs the strings "id" and')


@pytest.mark.parametrize("split", ["train", "train[:3]+test"])
def test_another_split_can_be_scored_and_parts_of_several(split, bap_set_up):
    code, out, _ = bap_set_up("score", "--baseline", "replay", "--split", split, "--resamples", "0")
    assert code == 0 and f"mdc, {split}: replay" in out


@pytest.mark.parametrize("split", ["dev", "te st", "test[", "test[:some]", "test[:300%]", "test+dev"])
def test_a_split_that_does_not_exist_is_one_sentence_however_it_is_written(split, bap_set_up):
    result = bap_set_up("score", "--config", "mdc", "--baseline", "replay", "--split", split)
    assert_one_sentence(result, f"the config mdc has no split {split!r}: pass --split with one of train, validation")


@pytest.mark.parametrize(
    ("pattern", "damage"),
    [
        ("*test*.arrow", Path.unlink),
        ("*test*.arrow", lambda file: file.write_bytes(b"")),
        ("*test*.arrow", lambda file: file.write_bytes(file.read_bytes()[:1000])),
        *(
            ("dataset_info.json", lambda file, text=text: file.write_bytes(text))
            for text in (b"{", b"{}", b"[]", b"null", b'{"splits": 3}', b'{"features": 7}', b"\xff\xfe", b"")
        ),
        ("dataset_info.json", lambda file: (file.unlink(), file.mkdir())),
    ],
)
def test_damaged_rows_are_one_sentence_with_the_fix(pattern, damage, bap_set_up, home, tmp_path, monkeypatch):
    shutil.copytree(home, tmp_path / "copy")
    use_home(monkeypatch, tmp_path / "copy")
    file = min(install.installed("mdc").rglob(pattern))  # a split is in as many files as processes made it
    damage(file)
    result = bap_set_up("score", "--config", "mdc", "--baseline", "replay")
    assert_one_sentence(result, f"the rows of mdc in {file.parent} are damaged", "`bap-v2 setup --config mdc`")
    code, out, err = bap_set_up("setup", "--config", "mdc", "--num-proc", "1")
    assert code == 0 and f"{file.parent}: " in err and "making the rows of mdc" in out
    assert bap_set_up("score", "--config", "mdc", "--baseline", "replay", "--resamples", "0")[0] == 0


# --- The command itself.
@pytest.mark.parametrize("words", ["setup --config mdc", "stats", "score --baseline replay"])
def test_without_the_human_corpus_what_needs_it_names_the_command_that_sets_it_up(words, bap, tmp_path, monkeypatch):
    use_home(monkeypatch, tmp_path / "empty")
    assert_one_sentence(bap(*words.split()), "the human corpus is not set up: run `bap-v2 setup --mdc PATH`")
    monkeypatch.setenv("BAP_V2_MDC", "/nowhere/mdc")
    assert_one_sentence(bap(*words.split()), "/nowhere/mdc does not exist")


def test_a_bug_of_ours_shows_its_traceback(bap_set_up, monkeypatch):
    """An injected fault. It is not presented as a mistake of the user's."""

    def broken(*_):
        raise ValueError("zip() argument 2 is shorter than argument 1")

    scores = TASKS["bap"].scores
    monkeypatch.setattr(scores, "scorer", dataclasses.replace(scores.scorer, score_items=broken), raising=False)
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        bap_set_up("score", "--config", "mdc", "--baseline", "stack")


@pytest.mark.slow
def test_help_versions_and_simulated_items_need_no_heavy_import():
    """`datasets` alone takes longer than all else that these do."""
    program = (
        "import sys\n"
        "from bap_v2_dataset import cli\n"
        "for words in ('--help', 'score --help', 'show --help', '--version', 'show dss-test-0/1 --baseline stack'):\n"
        "    cli.app(words.split(), standalone_mode=False)\n"
        "heavy = {'datasets', 'evaluate', 'pandas', 'numpy', 'pyarrow', 'torch'} & set(sys.modules)\n"
        "sys.exit(f'imported: {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_command_is_installed_and_fails_with_one_sentence(tmp_path, home):
    command = [Path(sys.executable).with_name("bap-v2"), "stats", "--mdc", "/nowhere/mdc"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert_one_sentence((done.returncode, done.stdout, done.stderr), "/nowhere/mdc does not exist")


def test_a_place_to_write_is_named_once(bap):
    code, _, err = bap("generate", "dss", "a.jsonl", "--games", 1, "--out", "b.jsonl")
    assert code == 2 and "name it once" in err
    code, _, err = bap("merge", "runs/x")
    assert code == 2 and "--out PATH" in err
