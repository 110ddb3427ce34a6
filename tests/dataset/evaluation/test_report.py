"""From prediction files of several systems to the tables of the paper."""

import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path
from statistics import mean, stdev

import pytest
from case_tables import cases_of
from rich.console import Console
from small_test_sets import SPLITS, run, use_small_test_sets, write

import bap_v2_metric
from bap_v2_dataset import cli
from bap_v2_dataset.cli.report import FORMATS
from bap_v2_dataset.evaluation import report_folder, test_sets
from bap_v2_dataset.evaluation.answered_splits import read_files
from bap_v2_dataset.evaluation.report import scored_report
from bap_v2_dataset.evaluation.report_tables import error_bins, error_tables, remarks, report_tables
from bap_v2_dataset.evaluation.results import Resampling
from bap_v2_dataset.evaluation.scoring import baseline_predictions
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.predictions.model_records import learned_from
from bap_v2_dataset.publishing.model_facts import split_result
from bap_v2_dataset.tables import fitted, formats
from bap_v2_dataset.tables.cells import NO_VALUE, Line, ScoreTable, Value
from bap_v2_dataset.tasks.building import paper
from bap_v2_dataset.tasks.building.task import BUILDING

pytestmark = pytest.mark.usefixtures("few_are_enough")

QUICK = Resampling(50)


@pytest.fixture
def small(monkeypatch):
    use_small_test_sets(monkeypatch)


def table(report, name: str) -> ScoreTable:
    return next(table for table in report_tables(report) if table.name == name)


def numbers(line: Line) -> list:
    return [cell.value if isinstance(cell, Value) else cell for cell in line.cells]


# --- The paper's figures.
def test_every_table_of_the_paper_holds_together():
    assert [model.test["mdc_v2"] for model in paper.TABLE_6] == [47.0, 47.8, 47.6, 52.5, 53.0]
    for model in (*paper.TABLE_4, *paper.TABLE_6):
        assert set(model.test) == set(paper.JOINT) and set(model.train) <= set(paper.JOINT)
        if model.boards:  # Tables 1 and 7 repeat the Overall F1 of Tables 4 and 6
            assert model.boards[""][-1] == model.test["mdc_v2"]
            assert all(eb > every > neb for eb, every, neb in zip(*(model.boards[key] for key in ("eb_", "", "neb_"))))
    # 6.1.2 and 6.2.1 in words
    gru, nebula, crafts = paper.GRU, paper.NEBULA, paper.LLAMA_CRAFTS
    assert round(paper.TABLE_4[-1].test["mdc_v2"] - gru.test["mdc_v2"], 1) == 3.0
    assert round(crafts.test["mdc_v2"] - nebula.test["mdc_v2"], 1) == 6.0
    assert (gru.legacy, nebula.legacy, paper.GPT_4.legacy) == (21.2, 39.2, 39.0)


def test_test_sets_of_our_own_follow_those_of_the_paper_and_change_none_of_their_numbers(small, tmp_path):
    files = run(tmp_path / "a", {"config": "dss"}, "n", dh=0, dss=1, dr=0)
    with_dh, without = (scored_report(read_files(names), resampling=QUICK) for names in (files, files[1:]))
    assert table(with_dh, "overall").headings[-3:] == ("dss", "dr", "dh")
    lines = [numbers(line) for line in table(with_dh, "overall").lines]
    assert [line[:-1] for line in lines] == [numbers(line) for line in table(without, "overall").lines]
    assert lines[0][-1] == 100.0 and all(line[-1] is NO_VALUE for line in lines[1:])  # the paper has none on dh
    assert [test.config for test in scored_report([], ["stack"], resampling=QUICK).tests] == list(BUILDING.reported)


# --- Which file belongs to which system.
def names(*arguments: str) -> list[tuple[str, str, str]]:
    return [(file.system, file.config, file.split) for file in read_files(arguments)]


def test_the_files_of_a_run_are_one_system(small, tmp_path):
    files = run(tmp_path / "runs" / "a", {"config": "dss"}, "n", dss=0, dr=1)
    assert names(*files) == [("a", "dss", "test"), ("a", "dr", "test")]


@pytest.mark.parametrize(
    ("path", "config", "name"),
    cases_of(__file__, "names"),
)
def test_without_settings_the_folder_or_the_name_says_the_system_and_the_ids_the_test_set(
    path, config, name, small, tmp_path
):
    file = write(tmp_path / path, config)
    assert names(file) == [(name, config, "test")]
    assert names(f"mine={file}") == [("mine", config, "test")]


def test_a_system_is_not_called_like_a_baseline(small, tmp_path):
    files = read_files([f"stack={write(tmp_path / 'a.jsonl', 'dss')}"])
    with pytest.raises(PredictionError, match="a system and a baseline are both called stack: name the file"):
        scored_report(files, ["stack"], resampling=QUICK)


def test_equal_names_of_different_systems_are_told_apart(small, tmp_path):
    files = [*run(tmp_path / "x" / "a", {"config": "dss"}, "n", dss=0),
             *run(tmp_path / "y" / "a", {"config": "dr"}, "n", dss=0)]  # fmt: skip
    assert {name for name, *_ in names(*files)} == {str(tmp_path / "x" / "a"), str(tmp_path / "y" / "a")}
    model = {"model": "meta-llama/Meta-Llama-3-8B"}
    files = [write(tmp_path / "z" / "n" / "dss.jsonl", "dss", 0, model | {"representation": "n"}),
             write(tmp_path / "z" / "s" / "dss.jsonl", "dss", 0, model | {"representation": "n_posb_s"})]  # fmt: skip
    assert {name.partition(" ")[2] for name, *_ in names(*files)} == {"(N)", "(N+PosB+S)"}


def test_a_test_set_of_the_joint_corpus_is_that_of_its_source(small, tmp_path):
    file = write(tmp_path / "a.jsonl", "dss", 0, {"dataset_config": "all", "split": "test_dss", "model": "m"})
    assert names(file) == [("m/a", "dss", "test")]


@pytest.mark.parametrize("record", [{"dataset": ["dss"]}, {"train": "dss"}, {"representation": ["n"]}, {"seed": "x"}])
def test_a_malformed_record_of_a_run_is_an_error_that_names_it(record, small, tmp_path):
    files = run(tmp_path / "a", {"config": "dss"}, "n", dss=0)
    (tmp_path / "a" / "training_run.json").write_text(json.dumps(record))
    (key,) = record
    with pytest.raises(PredictionError, match=rf"training_run\.json: {key} is .* \(expected an? "):
        scored_report(read_files(files), resampling=QUICK)


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        ({"config": "dss"}, ("dss",)),
        ({"config": "all"}, paper.JOINT),
        ({"mix": "mdc_v2=all,dr=8000,dsb=0"}, ("dr", "mdc_v2")),
        ({"path": "/data/mine.jsonl"}, ("mine.jsonl",)),
        ({"mix": {"human": 0.5, "dr": 1.0, "dsb": 0.0}, "rows": {"human": "mdc_v2"}}, ("dr", "mdc_v2")),
        ({}, None),
    ],
)
def test_what_a_run_learned_from(dataset, expected):
    assert learned_from({"dataset": dataset}) == expected


# --- The tables.
@pytest.fixture
def report(small, tmp_path):
    files = [*run(tmp_path / "crafts", {"config": "all"}, "n_posb_s", dsb=0, dss=0, dr=1, mdc_v2=0),
             *run(tmp_path / "nebula", {"config": "mdc_v2"}, "n", dss=2, mdc=1)]  # fmt: skip
    return scored_report(read_files(files), ["do-nothing"], resampling=QUICK)


def test_table_1_sets_v1_beside_v2(report):
    lines = [numbers(line) for line in table(report, "table_1").lines]
    assert lines[0][:4] == ["nebula", "ours", "v1", "4"]
    references = SPLITS["mdc", "test"]
    texts = ["", *(row["completion"] for row in references[1:])]
    assert lines[0][-1] == pytest.approx(100 * bap_v2_metric.score(texts, references)["strict_f1"])
    # The same file on the clean test set, whose items are among those.
    overall = next(line for line in lines if line[:3] == ["nebula", "ours", "v2 all items"])
    assert overall[3] == "3"
    assert overall[-1] == pytest.approx(100 * bap_v2_metric.score(texts[:3], SPLITS["mdc_v2", "test"])["fairer_f1"])
    assert ["GRU baseline (M_mc)", "paper", "v1", "1,616", "–", "–", "–", "–", 21.2] in lines
    assert ["GRU baseline (M_mc)", "paper", "v2 all items", "1,155", 65.2, 62.4, 27.7, 36.3, 27.3] in lines


def test_table_4_is_train_data_by_test_data(builders):
    table_4 = table(builders, "table_4")
    assert table_4.headings == ("Train data", "System", "Source", "dsb", "dss", "dr", "mdc_v2")
    lines = [numbers(line) for line in table_4.lines]
    gru = next(line for line in lines if line[1] == "gru_mc")
    assert gru[:3] == ["mdc_v2", "gru_mc", "ours"] and gru[3] < 100 and gru[4:6] == [100.0, 100.0]
    assert lines[lines.index(gru) + 1] == ["mdc_v2", "GRU baseline (M_mc)", "paper", 35.2, 19.1, 12.4, 27.3]
    only_dsb = next(line for line in lines if line[1] == "gru_sb")
    assert only_dsb[0] == "dsb" and only_dsb[4:] == ["–"] * 3
    assert not {"nebula", "pointer (3 seeds)"} & {line[1] for line in lines}  # the table is of GRUs


def test_table_6_sets_a_system_above_its_model_of_the_paper(report):
    lines = [numbers(line) for line in table(report, "table_6").lines]
    for ours, theirs in (("crafts", "Llama-CRAFTS (M'_agg+posb+s)"), ("nebula", "Nebula (M'_mc)")):
        position = next(number for number, line in enumerate(lines) if line[0] == ours)
        assert lines[position + 1][0] == theirs and lines[position][2:4] == lines[position + 1][2:4]
    assert "do-nothing" not in str(lines)  # no language model


def test_table_7_has_the_papers_models_on_human_items_only(report):
    assert any(line.paper for line in table(report, "table_7_mdc_v2").lines)
    of_dss = table(report, "measures_dss")
    assert of_dss.title == "All measures on dss" and not any(line.paper for line in of_dss.lines)
    (line,) = [
        line for line in table(report, "table_7_mdc_v2").lines if line.cells[:2] == ["all items", "Nebula (M'_mc)"]
    ]
    assert numbers(line)[4:] == [80.4, 79.2, 47.7, 59.8, 47.0]


# --- Learned Builders that are not language models.
def learned(folder: Path, model_type: str, dataset: dict, seed: int = 1, **tests: int) -> list[str]:
    """A run's folder with predictions for test sets, of which the first so many are wrong."""
    folder.mkdir(parents=True)
    training = {"output_dir": str(folder), "seed": seed, "learning_rate": 1e-3}
    record = {
        "model_type": model_type, "dataset": dataset, "train": {"items": 1234}, "seed": seed, "representation": None,
        "arguments": {"bap": {"representation": None}, "model": {}, "training": training},
    }  # fmt: skip
    (folder / "training_run.json").write_text(json.dumps(record))
    settings = {"model": str(folder), "model_type": model_type, "dtype": "float32", "feasible_only": False}
    return [write(folder / f"{config}.jsonl", config, wrong, settings) for config, wrong in tests.items()]


@pytest.fixture
def builders(small, tmp_path):
    files = [*learned(tmp_path / "gru_mc", "bap_gru", {"config": "mdc_v2"}, dsb=1, dss=0, dr=0, mdc_v2=1),
             *learned(tmp_path / "gru_sb", "bap_gru", {"config": "dsb"}, dsb=0)]  # fmt: skip
    for seed in (1, 2, 3):
        files += learned(tmp_path / f"pointer_seed{seed}", "bap_pointer", {"config": "all"}, seed, dss=seed, mdc_v2=0)
    files += run(tmp_path / "nebula", {"config": "mdc_v2"}, "n", dss=2)
    return scored_report(read_files(files), resampling=QUICK)


def test_a_gru_stands_above_the_papers_that_learned_from_the_same_in_table_4(builders):
    lines = [numbers(line) for line in table(builders, "table_4").lines]
    for ours, theirs in (("gru_mc", "GRU baseline (M_mc)"), ("gru_sb", "GRU (M_sb)")):
        position = next(number for number, line in enumerate(lines) if line[1] == ours)
        assert lines[position + 1][1] == theirs and lines[position][0] == lines[position + 1][0]


def test_builders_that_are_no_language_models_are_not_in_table_6(builders):
    names = [line.cells[0] for line in table(builders, "table_6").lines]
    assert names[0] == "nebula" and not [name for name in names if name.startswith(("gru", "pointer"))]


def test_a_gru_has_the_battery_of_table_1_without_legacy_predictions_too(builders):
    lines = [numbers(line) for line in table(builders, "table_1").lines if line.cells[0] == "gru_mc"]
    assert [line[2] for line in lines] == ["v2 EB", "v2 NEB", "v2 all items"]
    overall = bap_v2_metric.score(
        ["", *(row["completion"] for row in SPLITS["mdc_v2", "test"][1:])], SPLITS["mdc_v2", "test"]
    )
    assert lines[-1][-1] == pytest.approx(100 * overall["fairer_f1"])
    assert any(line.cells[1] == "GRU baseline (M_mc)" for line in table(builders, "table_7_mdc_v2").lines)


def test_a_rule_stands_in_the_table_of_all_systems(report):
    rule = next(line for line in table(report, "overall").lines if line.cells[0] == "do-nothing")
    assert numbers(rule)[1:] == ["ours", "rule", "–", 0.0, 0.0, 0.0, 0.0]


def test_one_table_holds_every_system_and_the_papers(builders):
    overall = table(builders, "overall")
    assert overall.headings[4:] == ("dsb", "dss", "dr", "mdc_v2") and overall == report_tables(builders)[0]
    assert [tuple(line.cells[:4]) for line in overall.lines] == [
        ("gru_mc", "ours", "GRU", "mdc_v2"), ("gru_sb", "ours", "GRU", "dsb"),
        ("pointer (3 seeds)", "ours", "pointer transformer", "all"), ("nebula", "ours", "N", "mdc_v2"),
        ("GRU baseline (M_mc)", "paper", "GRU", "mdc_v2"), ("GRU (M_agg)", "paper", "GRU", "all"),
        ("Nebula (M'_mc)", "paper", "N", "mdc_v2"), ("Llama-CRAFTS (M'_agg+posb+s)", "paper", "N+PosB+S", "all"),
    ]  # fmt: skip
    ours, *papers = [overall.lines[number] for number in (2, 5, 7)]
    texts = [
        ["" if n < wrong else row["completion"] for n, row in enumerate(SPLITS["dss", "test"])] for wrong in (1, 2, 3)
    ]
    f1 = [100 * bap_v2_metric.score(one, SPLITS["dss", "test"])["fairer_f1"] for one in texts]
    assert ours.cells[4] == "–" and ours.cells[5] == Value(pytest.approx(mean(f1)), deviation=pytest.approx(stdev(f1)))
    assert [line.cells[4] for line in papers] == [Value(83.4), Value(92.3)]
    assert "pointer: model " in (text := "\n".join(remarks(builders))) and "a pointer transformer; trained on" in text


def test_without_grus_there_is_no_table_of_them(report):
    assert "table_4" not in [table.name for table in report_tables(report)]
    assert not any(line.cells[1] == "GRU baseline (M_mc)" for line in table(report, "table_7_mdc_v2").lines)


def test_scores_and_tests_are_those_of_the_metric(report):
    test = next(test for test in report.tests if test.config == "dss")
    results = {system.name: result for system, result in report.on(test)}
    (line,) = [line for line in table(report, "measures_dss").lines if line.cells[:2] == ["all items", "nebula"]]
    low, high = bap_v2_metric.bootstrap(results["nebula"].items, 50)["fairer_f1"]
    assert line.cells[-1] == Value(100 * results["nebula"].scores["fairer_f1"], 100 * low, 100 * high)
    paired = bap_v2_metric.paired_bootstrap(results["nebula"].items, results["crafts"].items, 50)["fairer_f1"]
    lines = [line.cells for line in table(report, "bap_paired_tests").lines]
    (line,) = [line for line in lines if line[:3] == ["dss", "nebula", "all items"]]
    assert line[3] == f"{100 * paired['difference']:+.1f}" and line[5] == f"{paired['p_value']:.3f}"


def test_the_remarks_say_whose_labels_and_what_was_learned(report):
    text = "\n".join(remarks(report))
    assert "Labels of mdc_v2: mine" in text and "Labels of dss: none needed" in text
    assert f"trained on 1,234 items of {', '.join(paper.JOINT)}; input N+PosB+S; seed 7" in text
    assert "do-nothing: a baseline" in text and "50 resamples" in text


def test_unanswered_items_are_an_error_a_part_or_empty(small, tmp_path):
    file = Path(write(tmp_path / "a.jsonl", "dss"))
    lines = file.read_text().splitlines()
    file.write_text("\n".join(lines[:-2]) + "\n")
    files = read_files([str(file)])
    with pytest.raises(PredictionError, match="has no prediction for 2 of"):
        scored_report(files, resampling=QUICK)
    part = scored_report(files, ["replay"], subset=True, resampling=QUICK)
    assert part.tests[0].title == f"dss ({len(lines) - 2} of {len(lines)} items)"
    whole = scored_report(files, ["replay"], partial=True, resampling=QUICK)
    (_, result), _ = whole.on(whole.tests[0])
    assert result.missing == 2 and len(result.items) == len(lines)


def test_without_files_baselines_run_on_all_test_sets_and_a_system_to_compare_with_is_one_of_them(small):
    report = scored_report([], ["replay"], resampling=Resampling(0))
    assert [test.config for test in report.tests] == [*paper.JOINT, "mdc"]
    assert "bap_paired_tests" not in [table.name for table in report_tables(report)]
    with pytest.raises(PredictionError, match=r"--against b: there is no such system \(there are replay\)"):
        scored_report([], ["replay"], against="b")


# --- Formats.
ODD = ScoreTable(
    "odd_table", "Ünusual | names_100%", ("System", "Source", "F1"),
    [Line(["a|b_c & $x$ {d} #1 \\ ~^", "ours", Value(51.26, 49.0, 53.5)], opens=True),
     Line(["[the other]", "paper", Value(40.0)], paper=True, opens=True)],
    2, "50% of it.",
)  # fmt: skip


def test_markdown_rows_have_the_columns_of_their_table():
    text = formats.markdown([ODD], ["a remark | with a bar"], [])
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 4
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 4 for line in rows)
    assert "51.3 (49.0–53.5) |" in rows[2] and "| *40.0* |" in rows[3]


def test_latex_is_balanced_and_escapes_names():
    text = formats.latex([ODD], ["50% of _it_"], [])
    code = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert r"a\textbar{}b\_c \& \$x\$ \{d\} \#1 \textbackslash{} \textasciitilde{}\textasciicircum{}" in code
    bare = re.sub(r"\\[\\{}$&#_%]", "", code)
    assert bare.count("{") == bare.count("}") and bare.count("$") % 2 == 0 and "_" not in bare.replace("width", "")
    assert code.count(r"\begin{") == code.count(r"\end{")
    body = code[code.index(r"\toprule") : code.index(r"\bottomrule")]
    lines = [line for line in body.splitlines() if line.endswith(r"\\")]
    assert len(lines) == 4  # headings, two systems, an interval
    assert all(len(re.findall(r"(?<!\\)&", line)) == 2 for line in lines)
    assert not any(line.startswith(("[", "*")) for line in lines)  # arguments of the line end before them
    assert r"\textit{40.0}" in code and r"\scriptsize 49.0--53.5" in code


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_latex_compiles_without_a_table_that_is_too_wide(report, tmp_path):
    bins = error_bins(report)
    tables = [*report_tables(report), *error_tables(report, bins), ODD]
    (tmp_path / "tables.tex").write_text(formats.latex(tables, remarks(report), report.signatures))
    (tmp_path / "all.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs,graphicx,natbib}\n\\begin{document}\\input{tables}\\end{document}\n"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 100, 160])
def test_no_table_is_wider_than_the_terminal_or_loses_a_number(report, width):
    tables = report_tables(report)
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None, legacy_windows=False)
    console.print(fitted.terminal(tables, remarks(report), report.signatures), crop=False)
    text = re.sub(r"\x1b\[[\d;]*m", "", console.file.getvalue())
    assert [line for line in text.splitlines() if len(line) > width and not line.startswith("signature: ")] == []
    assert "…" not in text
    for table in tables:
        for line in table.lines:
            assert all(f"{cell.value:.1f}" in text for cell in line.cells if isinstance(cell, Value))


# --- The folder.
@pytest.mark.slow
def test_a_folder_holds_everything_and_the_same_report_gives_the_same_bytes(small, tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `report` is not installed")
    files = run(tmp_path / "nebula", {"config": "mdc_v2"}, "n", dss=2, mdc=1)
    report = scored_report(read_files(files), ["do-nothing"], resampling=QUICK)
    tables, bins = report_tables(report), error_bins(report)
    contents = []
    for name in ("one", "two"):
        written = report_folder.write(tmp_path / name, report, tables, bins)
        assert sorted(written) == sorted(
            str(path.relative_to(tmp_path / name)) for path in (tmp_path / name).rglob("*") if path.is_file()
        )
        contents.append({path: (tmp_path / name / path).read_bytes() for path in written})
    assert contents[0] == contents[1]
    text = contents[0]["report.md"].decode()
    for path in re.findall(r"!\[.*?\]\((.*?)\)", text):
        assert contents[0][path].startswith(b"\x89PNG") and path.replace(".png", ".svg") in contents[0]
        assert contents[0][path.replace(".png", ".pdf")].startswith(b"%PDF-")
    assert "Error analysis on dss" in text and len(re.findall(r"!\[", text)) == 5
    # Scores in the form that model cards read.
    result = split_result(tmp_path / "one" / "scores" / "nebula" / "mdc_v2-test.json")
    assert (result.config, result.labels, result.name, result.scores["n_items"]) == ("mdc_v2", "mine", "nebula", 3)


def test_a_smaller_report_leaves_nothing_of_a_larger_one(report, small, tmp_path):
    report_folder.write(tmp_path / "out", report, report_tables(report), {}, plots=False)
    (tmp_path / "out" / "notes.txt").write_text("mine")
    other = scored_report([], ["replay"], resampling=Resampling(0))
    report_folder.check_folder(tmp_path / "out", [])
    written = report_folder.write(tmp_path / "out", other, report_tables(other), {}, plots=False)
    files = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert files == {*written, "notes.txt"}


def test_a_folder_with_other_things_is_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    report_folder.check_folder(tmp_path / "mine", [])
    (tmp_path / "mine" / "report.md").write_text("my own report")
    with pytest.raises(PredictionError, match="is not empty and holds no report"):
        report_folder.check_folder(tmp_path / "mine", [])
    with pytest.raises(PredictionError, match="holds predictions"):
        report_folder.check_folder(tmp_path / "mine", [tmp_path / "mine" / "dss.jsonl"])
    with pytest.raises(PredictionError, match="is a file"):
        report_folder.check_folder(tmp_path / "mine" / "report.md", [])


# --- The command.
@pytest.mark.parametrize("format", FORMATS)
def test_the_command_prints_every_format(small, tmp_path, capsys, format):
    file = write(tmp_path / "mine" / "dss.jsonl", "dss", 1)
    options = ["--baseline", "do-nothing", "--format", format, "--resamples", "20", "--errors"]
    cli.app(["report", file, *options], standalone_mode=False)
    out = capsys.readouterr().out
    if format == "csv":
        rows = list(csv.DictReader(io.StringIO(out)))
        assert {row["system"] for row in rows} == {"mine", "do-nothing"} and len(rows) > 100
        return
    assert "mine" in out and "Llama-CRAFTS" in out and "shape being built" in out
    assert re.search(
        re.escape(f"{bap_v2_metric.SIGNATURE}|bs:20|seed:20260|unit:item|config:dss|split:test|items:"), out
    )


def test_wrong_requests_are_sentences(small, tmp_path):
    file = write(tmp_path / "a.jsonl", "dss")
    for options, sentence in (
        ([], "nothing to report on"),
        ([file, "--format", "html"], "expected one of terminal, markdown, latex, csv"),
        ([file, "--baseline", "magic"], "unknown baseline 'magic'"),
        ([str(tmp_path / "nowhere.jsonl")], "No such file"),
    ):
        with pytest.raises(PredictionError, match=sentence):
            cli.app(["report", *options], standalone_mode=False)


@pytest.mark.parametrize("command", ["score", "report"])
def test_subset_and_partial_are_refused_together(command, small, tmp_path):
    file = write(tmp_path / "a.jsonl", "dss")
    with pytest.raises(PredictionError, match="--subset and --partial are mutually exclusive: pass one"):
        cli.app([command, file, "--subset", "--partial"], standalone_mode=False)


@pytest.mark.slow  # builds the config, if no test did before
def test_a_split_that_there_is_not_is_a_sentence():
    with pytest.raises(PredictionError, match="the config dss has no split 'dev': it has train, validation, test"):
        test_sets.split_rows("dss", "dev")


@pytest.mark.slow
def test_the_real_test_set_scores_as_bap_v2_score_does(tmp_path):
    rows = test_sets.scored_rows(test_sets.split_rows("dss", "test"))
    lines = [json.dumps({"id": row["id"], "prediction": row["completion"]}) for row in rows]
    (tmp_path / "dss.jsonl").write_text("\n".join(lines))
    report = scored_report(read_files([str(tmp_path / "dss.jsonl")]), ["stack"], resampling=QUICK)
    (_, perfect), (_, stack) = report.on(report.tests[0])
    assert perfect.scores["fairer_f1"] == 1.0
    assert stack.scores == bap_v2_metric.score(baseline_predictions("stack", rows, BUILDING), rows)
