"""Help, examples, completion, versions and `bap-v2 info`."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
from in_process import command

from bap_v2_dataset import cli
from bap_v2_dataset.cli import info
from bap_v2_dataset.cli.help import examples
from bap_v2_dataset.cli.main_help import MAIN, names
from bap_v2_dataset.interface.table import TASKS, all_configs
from bap_v2_dataset.items.versions import DATA_VERSION
from bap_v2_metric import METRIC_VERSION

EXAMPLES = examples()
GROUP = typer.main.get_command(cli.app)
SCRIPTS = {"train", "predict", "ensemble"}  # which have the options of bap_v2_training: tests/training/test_commands.py
LINES = [(name, line) for name, examples in EXAMPLES.items() if name not in SCRIPTS for _, line in examples]
QUICK = {"bap-v2 generate dr --settings", "bap-v2 show dss-test-0/1", "bap-v2 info", "bap-v2 info --json",
         "bap-v2 agreement"}  # fmt: skip


@pytest.fixture
def bap(monkeypatch, capsys, tmp_path):
    return command(monkeypatch, capsys, tmp_path / "home", tmp_path, 100)


@pytest.fixture
def bap_set_up(monkeypatch, capsys, tmp_path, set_up_home):
    return command(monkeypatch, capsys, set_up_home, tmp_path, 100)


def options_of(name: str) -> set[str]:
    return {option for param in GROUP.commands[name].params for option in (*param.opts, *param.secondary_opts)}


# --- help
def test_every_command_has_examples_and_a_place_in_the_main_help():
    assert set(GROUP.commands) == set(EXAMPLES) == set(names())
    assert len(set(names())) == len(names()) and len(MAIN) == 8


def test_the_main_help_fits_a_screen_and_imports_no_command(bap):
    code, out, err = bap("--help")
    assert (code, err) == (0, "") and len(out.splitlines()) <= 24 and max(map(len, out.splitlines())) <= 80
    program = (
        'import sys; sys.argv = ["bap-v2", "--help"]; from bap_v2_dataset import cli; cli.main(); print(*sys.modules)'
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert {"typer", "bap_v2_dataset.cli.command_line"}.isdisjoint(done.stdout.splitlines()[-1].split())
    assert cli.app(["--help"], standalone_mode=False) == 0  # the same with the commands imported


@pytest.mark.parametrize(("name", "line"), LINES)
def test_examples_use_options_that_there_are(name, line):
    program, used, *words = shlex.split(line)
    assert program == "bap-v2" and used in GROUP.commands
    assert {word for word in words if word.startswith("-")} <= options_of(used)


@pytest.mark.parametrize("line", sorted(QUICK))
def test_the_quick_examples_run(line, bap_set_up):
    assert line in {each for _, each in LINES}
    code, out, err = bap_set_up(*shlex.split(line)[1:])
    assert (code, err) == (0, "") and out


@pytest.mark.parametrize("name", sorted(GROUP.commands.keys() - SCRIPTS))
def test_the_help_ends_with_examples_and_has_short_names_of_values(name, bap):
    code, out, err = bap(name, "--help")
    assert (code, err) == (0, "")
    assert out.index("Examples") > out.index("--help") and EXAMPLES[name][-1][1] in out
    assert re.findall(r"<[a-z]+[^>]*>", out) == []


def test_the_amounts_of_a_mix_are_numbers(bap):
    assert re.findall(r"--(mdc-v2|mdc|dr|dsb|dss) +(\S+)", bap("mix", "--help")[1].partition("Examples")[0]) == [
        ("mdc-v2", "N"), ("mdc", "N"), ("dr", "N"), ("dsb", "N"), ("dss", "N")
    ]  # fmt: skip


def test_without_arguments_there_is_help_and_no_error(bap):
    assert bap() == bap("--help")
    assert bap()[0] == 0


def test_an_unknown_command_is_an_error(bap):
    code, _, err = bap("scoer")
    assert code == 2 and "score" in err


# --- versions
def test_the_version_of_the_package_comes_first(bap):
    code, out, _ = bap("--version")
    assert code == 0 and out.startswith(f"bap-v2 {info.version_of('bap-v2')}: data ")
    assert f"metric {METRIC_VERSION}" in out and "dr 2.0.0, dsb 2.0.0, dss 2.0.0" in out


# --- completion
def completed(words: str, folder: Path, shell: str = "bash") -> set[str]:
    """What a shell is told that the last word may become."""
    environment = {**os.environ, "_BAP_V2_COMPLETE": f"complete_{shell}"}
    if shell == "bash":
        environment |= {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    else:
        environment |= {"_TYPER_COMPLETE_ARGS": words, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    done = subprocess.run(
        [Path(sys.executable).with_name("bap-v2")], cwd=folder, env=environment, capture_output=True, text=True
    )
    return set(done.stdout.split()) if shell == "bash" else {line.split()[0] for line in done.stdout.splitlines()}


@pytest.mark.slow
def test_the_shell_completes_commands_configs_and_baselines(tmp_path):
    assert completed("bap-v2 sc", tmp_path) == {"score"}
    assert completed("bap-v2 score --config d", tmp_path) == {"dr", "dsb", "dss", "dh"}
    assert completed("bap-v2 show --baseline st", tmp_path) == {"stack"}
    assert completed("bap-v2 score --format j", tmp_path) == {"json"}
    assert completed("bap-v2 generate ds", tmp_path) == {"dsb", "dss"}
    assert completed("bap-v2 generate gsu_s", tmp_path) == {"gsu_structure"}
    assert completed("bap-v2 score r", tmp_path) == set()  # the shell then proposes files
    assert completed("bap-v2 setup --config d", tmp_path, "fish") == {"dr", "dsb", "dss", "dh"}


# --- info
def test_info_tells_what_is_set_up(bap_set_up, set_up_home):
    code, out, _ = bap_set_up("info", "--json")
    found = json.loads(out)
    assert code == 0 and found["hf_home"] == str(set_up_home)
    configs = {config["name"]: config for config in found["configs"]}
    assert list(configs) == list(all_configs())
    import datasets

    rows = datasets.load_dataset("bap_v2", "dss")
    assert configs["dss"] == {"name": "dss", "rows": rows.num_rows, "problem": None, "labels": None}
    assert found["metric"]["set_up"] == found["metric"]["installed"]
    assert found["libraries"]["datasets"] == datasets.__version__
    _, text, _ = bap_set_up("info")
    assert f"{rows.num_rows['train']:,} train" in text and str(set_up_home) in "".join(text.split())


def test_info_of_nothing_and_of_a_damaged_cache(bap, own_home):
    code, out, err = bap("info")
    in_one_line = len(TASKS["gsu"].configs)
    assert (code, err) == (0, "") and out.count("not set up") == len(all_configs()) - in_one_line + 3
    assert f"{in_one_line} configs are not set up: bap-v2 setup --gsu" in out
    folder = own_home / "datasets" / "bap_v2" / "dss" / DATA_VERSION / "0123"
    folder.mkdir(parents=True)
    (folder / "bap_v2-train.arrow").touch()
    for file, text, problem in (
        ("dataset_info.json", "{", "damaged"),
        ("dataset_info.json", '{"splits": 3}', "damaged"),
        ("dataset_info.json", '{"splits": {"train": {"num_examples": 7}}}', None),
    ):
        (folder / file).write_text(text)
        code, out, err = bap("info", "--json")
        (dss,) = (config for config in json.loads(out)["configs"] if config["name"] == "dss")
        assert code == 0 and (problem is None or problem in dss["problem"])
    assert dss["rows"] == {"train": 7}
    for shard in folder.glob("*train*"):
        shard.unlink()
    (dss,) = (config for config in json.loads(bap("info", "--json")[1])["configs"] if config["name"] == "dss")
    assert "rows of train are missing" in dss["problem"] and "setup --config dss --rebuild" in dss["problem"]
    (own_home / "bap_v2_games").mkdir()
    (own_home / "bap_v2_games" / "mdc.json").write_text("[]")
    assert bap("info")[0] == 0


def test_info_names_the_pip_line_of_an_extra_that_is_missing(monkeypatch, bap):
    version_of = info.version_of
    monkeypatch.setattr(info, "version_of", lambda package: None if package == "plotly" else version_of(package))
    code, out, _ = bap("info")
    assert code == 0 and 'pictures: pip install "bap-v2[pictures]"' in out
    assert "report: pip" not in out


def test_info_imports_no_library_that_it_names():
    program = (
        "import sys\n"
        "from bap_v2_dataset import cli\n"
        "cli.app(['info'], standalone_mode=False)\n"
        f"imported = {set(info.LIBRARIES)!r} & set(sys.modules)\n"
        "sys.exit(f'imported: {imported}' if imported else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
