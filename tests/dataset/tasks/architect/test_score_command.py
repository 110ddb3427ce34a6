"""`bap-v2 setup --architect` and `score` of what Architects say; wrong files are named."""

import json

import datasets
import pytest
from case_tables import cases_of
from in_process import command

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset import api
from bap_v2_dataset.tasks.architect.dataset import ARCHITECT_FEATURES
from bap_v2_dataset.tasks.architect.rows import architect_row
from bap_v2_dataset.tasks.building.baselines.symbolic_reader import symbolic
from bap_v2_simulators.corpus_table import SIZES

pytestmark = pytest.mark.usefixtures("few_are_enough")

CONFIG = "architect_dss"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An HF_HOME with one config of a few items, and the one that it is made of."""
    from in_process import use_home

    folder = tmp_path_factory.mktemp("architect")
    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, folder)
        patch.setitem(SIZES, "dss", {"train": 8, "validation": 4, "test": 12})
        from bap_v2_dataset.loading import install

        install.install_dataset(CONFIG)
        yield folder


@pytest.fixture
def bap(home, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(SIZES, "dss", {"train": 8, "validation": 4, "test": 12})
    return command(monkeypatch, capsys, home, tmp_path, width=200)


@pytest.fixture
def rows(bap) -> list[dict]:
    return datasets.load_dataset("bap_v2", CONFIG, split="test").to_list()


def write(path, answers: dict[str, str]):
    path.write_text("".join(json.dumps({"id": name, "prediction": text}) + "\n" for name, text in answers.items()))
    return path


def test_the_rows_are_those_of_the_items_of_the_same_splits(bap):
    own, base = (datasets.load_dataset("bap_v2", name) for name in (CONFIG, "dss"))
    for split, size in {"train": 8, "validation": 4, "test": 12}.items():
        assert own[split].features == ARCHITECT_FEATURES and len(own[split]) == size
        assert own[split].to_list() == [architect_row(item, CONFIG, split) for item in base[split].to_list()]


def test_setup_makes_it_with_what_it_is_made_of(bap, home):
    code, out, err = bap("setup", "--config", CONFIG, "--num-proc", "1")
    assert (code, err) == (0, "") and 'load_dataset("bap_v2", "architect_dss")' in out and '"dss")' in out
    assert {folder.name for folder in (home / "datasets" / "bap_v2").iterdir()} == {CONFIG, "dss"}
    assert "bap-v2 setup --architect" in bap("info")[1]


def test_words_are_scored_by_what_the_reader_builds(bap, rows, tmp_path):
    file = write(
        tmp_path / "mine.jsonl", {own["id"]: "\n".join(line[12:] for line in own["utterances"]) for own in rows}
    )
    code, out, err = bap("score", file, "--baseline", "silent", "--out", "scores.json", "--per-item", "items.jsonl")
    assert code == 0, err
    assert "architect_dss, test: mine, silent" in out and "reader:symbolic" in out
    assert "silent: says nothing in 12 items" in out and "Against mine" in out
    mine, silent = json.loads((tmp_path / "scores.json").read_text())["systems"]
    assert mine["scores"]["reads_f1"] == 1.0 > silent["scores"]["reads_f1"]
    assert mine["confidence_intervals"]["reads_f1"] == [1.0, 1.0]
    first = json.loads((tmp_path / "items.jsonl").read_text().splitlines()[0])
    assert first["id"] == rows[0]["id"] and first["utterances"] == rows[0]["utterances"] and not first["wrong"]
    assert api.score_file(file).scores["reads_f1"] == 1.0
    assert "100.0 (100.0–100.0)" in bap("score", file, "--format", "markdown")[1]


def test_answers_that_are_not_read_are_counted(bap, rows, tmp_path):
    texts = ["<Builder> ok?\n<Architect> a red block", "a red block\n<Builder> ok", "<Architect> "]
    answers = dict.fromkeys((own["id"] for own in rows), "a red block")
    answers |= {own["id"]: text for own, text in zip(rows, texts)}
    code, out, err = bap("score", write(tmp_path / "mine.jsonl", answers))
    assert code == 0, err
    assert "mine: says nothing in 2 items, 2 answers cut at a line of the Builder" in out


def test_a_report_has_all_systems(bap, rows, tmp_path):
    file = write(tmp_path / "mine.jsonl", {own["id"]: own["completion"] for own in rows})
    code, out, err = bap("report", file, "--baseline", "next-block")
    assert code == 0, err
    assert "Architect generation" in out and "Differences from mine" in out and "Reads: what the Builder built" in out


def test_a_function_can_be_the_architect(bap):
    result = api.evaluate_model(lambda row: "a red block", CONFIG, n_resamples=0)
    assert 0 <= result.scores["progress"] <= 1 and result.scores["n_items"] == 12


def test_another_builder_reads_the_items_and_its_actions_are_scored(bap, rows, tmp_path):
    code, out, err = bap(
        "score", "--config", CONFIG, "--baseline", "next-block", "--brief", "--builder-items", "i.jsonl"
    )
    assert code == 0, err
    items = [json.loads(line) for line in (tmp_path / "i.jsonl").read_text().splitlines()]
    assert bap("score", "--data", "i.jsonl", "--baseline", "symbolic", "--brief")[1].split()[1] == out.split()[1]
    built = write(tmp_path / "built.jsonl", {item["id"]: symbolic(item) for item in items})
    again = bap("score", "--config", CONFIG, "--baseline", "next-block", "--brief", "--built", built)[1]
    assert again == out
    (tmp_path / "built.jsonl.settings.json").write_text(json.dumps({"model": "runs/a builder"}))
    signed = bap("score", "--config", CONFIG, "--baseline", "gold", "--baseline", "silent", "--built", f"gold={built}")[
        1
    ]
    assert "reader:a_builder" in signed and "reader:symbolic" in signed


def test_a_baseline_can_be_the_builder(bap):
    code, out, err = bap("score", "--config", CONFIG, "--baseline", "silent", "--baseline", "gold", "--built", "replay")
    assert code == 0, err
    assert "reader:replay" in out and out.count("100.0–100.0") > 6  # whatever it reads, it does what was done


def test_every_run_of_a_system_is_read_by_the_builder_that_was_asked_for(bap, rows, tmp_path):
    answers = {own["id"]: "" for own in rows}
    runs = [f"m={write(tmp_path / f'{name}.jsonl', answers)}" for name in ("one", "two")]
    code, out, err = bap("score", *runs, "--built", "replay", "--out", "scores.json")
    assert code == 0, err
    assert "reader:replay" in out and "reader:symbolic" not in out
    assert json.loads((tmp_path / "scores.json").read_text())["systems"][0]["scores"]["reads_f1"] == 1.0
    built = write(tmp_path / "built.jsonl", {own["id"]: "\n".join(own["actions"]) for own in rows})
    for argument in (built, f"m={built}"):
        code, out, err = bap("score", *runs, "--built", argument)
        assert code and "m has 2 runs with words of their own" in " ".join(err.split())


@pytest.mark.slow
def test_a_builder_that_did_nothing_holds_no_words(bap, rows, tmp_path):
    words = write(tmp_path / "words.jsonl", {own["id"]: own["completion"] for own in rows})
    built = write(tmp_path / "built.jsonl", {own["id"]: "" for own in rows})
    code, out, err = bap("score", words, "--built", built)
    assert code == 0 and "reader:built" in out, err


def test_own_items_are_scored_too(bap, rows, tmp_path):
    names = ("utterances", "before", "target", "after", "history", "pose", "interpretations")
    own = {name: rows[0][name] for name in names}
    (tmp_path / "own.jsonl").write_text(json.dumps(own | {"id": "mine/0"}) + "\n")
    code, out, err = bap("score", "--data", "own.jsonl", "--baseline", "gold", "--brief")
    assert (code, out.split()[:2]) == (0, ["reads_f1", "100.0"]), err
    code, out, err = bap(
        "score", "--data", "own.jsonl", "--baseline", "silent", "--built", "replay", "--builder-items", "i.jsonl"
    )
    assert code == 0 and "reader:replay" in out, err
    assert json.loads((tmp_path / "i.jsonl").read_text())["id"] == "mine/0"
    (tmp_path / "bad.jsonl").write_text(json.dumps(own | {"id": "mine/0", "target": ["pink 0 1 0"]}) + "\n")
    assert "target: " in bap("score", "--data", "bad.jsonl", "--baseline", "gold")[2]


def test_a_row_is_shown_as_its_item(bap, rows):
    code, _, err = bap("show", rows[0]["id"])
    item_id = rows[0]["metadata"]["item"]
    assert code and f"made of: bap-v2 show {item_id}" in " ".join(err.split())
    assert bap("show", item_id)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    cases_of(__file__, "wrong_files"),
)
def test_wrong_files_are_named(bap, rows, tmp_path, arguments, message):
    write(tmp_path / "actions.jsonl", {own["id"]: "\n".join(own["actions"]) for own in rows})
    write(tmp_path / "words.jsonl", {own["id"]: own["completion"] for own in rows})
    write(tmp_path / "few.jsonl", {rows[0]["id"]: "place red 0 1 0"})
    code, _, err = bap("score", *arguments)
    assert code and message.removesuffix(".jsonl") in " ".join(err.split()).replace("few.jsonl has", "few has")
