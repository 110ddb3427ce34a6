"""The package: its metadata, its page on an index, and its console commands."""

import ast
import email
import importlib.metadata
import os
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import setuptools
from paths import ROOT

from bap_v2_simulators.plancraft.package import NEEDS
from bap_v2_training import commands

PACKAGES = {"bap_v2_metric": "bap_v2_metric", "bap_v2_dataset": "bap_v2_dataset", "bap_v2_simulators": "simulators",
            "bap_v2_training": "training", "bap_v2_hub_cards": "hub_cards"}  # fmt: skip
HERE = "https://example.org/me/bap-v2"


@pytest.fixture(scope="module")
def setup_file() -> dict:
    """What setup.py defines."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setuptools, "setup", lambda **given: None)
        patch.chdir(ROOT)
        return runpy.run_path("setup.py")


def metadata_of(folder: Path, repository: str = "") -> importlib.metadata.PackageMetadata:
    """The metadata that setuptools makes from copies of the files that they depend on."""
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in PACKAGES.values():
        shutil.copytree(ROOT / name, folder / name, ignore=lambda path, names: [n for n in names if "." in n])
    program = "import sys; from setuptools import build_meta; print(build_meta.prepare_metadata_for_build_wheel('out'))"
    environment = {**os.environ, "BAP_V2_REPOSITORY": repository}
    (folder / "out").mkdir()
    subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment, check=True, capture_output=True)
    (made,) = (folder / "out").glob("*.dist-info")
    return importlib.metadata.Distribution.at(made).metadata


@pytest.mark.parametrize("repository", ["", HERE])
def test_the_metadata_is_complete_and_can_be_read(repository, tmp_path):
    metadata = metadata_of(tmp_path, repository)
    assert metadata["Name"] == "bap-v2" and metadata["Author"] == "bap_v2 contributors"
    assert metadata["License-Expression"] == "Apache-2.0" and "License" not in metadata
    assert "instruction following" in metadata["Keywords"] and len(metadata.get_all("Classifier")) > 5
    addresses = dict(line.split(", ", 1) for line in metadata.get_all("Project-URL"))
    assert addresses["Paper"] == "https://arxiv.org/abs/2501.10836"
    assert (addresses.get("Source") == HERE) == bool(repository)
    assert "all" in metadata.get_all("Provides-Extra")
    again = email.message_from_string(str(metadata))  # HeaderParseError for a line like a header, until Python 3.12
    assert again["Name"] == "bap-v2"


def test_what_is_imported_with_the_package_plancraft_comes_with_two_extras(setup_file):
    folder = Path(pytest.importorskip("plancraft").__file__).parent
    opened = {folder / "environment" / f"{name}.py" for name in ("env", "actions", "search", "planner", "prompts")}
    read, needed = set(), set()
    while opened:
        path = opened.pop()
        read.add(path)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            needed |= {name.partition(".")[0] for name in names}
            own = {folder.parent / f"{name.replace('.', '/')}.py" for name in names if name.startswith("plancraft.")}
            opened |= {file for file in own if file.is_file()} - read
    extra = {requirement.partition(">")[0] for requirement in setup_file["PLANCRAFT"]}
    assert extra == set(NEEDS) and set(setup_file["PLANCRAFT"]) <= set(setup_file["ALL"])
    others = {{"PIL": "pillow"}.get(name, name) for name in needed - {*sys.stdlib_module_names, "plancraft", "numpy"}}
    assert others == extra


def test_the_extra_all_is_what_users_of_one_machine_need(setup_file):
    parts = ("TRAINING", "REPORT", "PICTURES", "EXPLORE", "ICL", "PLANCRAFT", "PLAY")
    assert set(setup_file["ALL"]) == {package for part in parts for package in setup_file[part]}


def test_the_page_of_the_package_has_no_dead_link(setup_file):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for repository in ("", HERE):
        page = setup_file["page_of"](readme, repository)
        assert re.findall(r"\]\((?!https?://)[^)]*\)", page) == []
        assert re.findall(r"\b(?:src|href)=[\"'](?!https?://)", page) == [], "write pictures as ![...](...)"
        assert re.findall(r"^[^ \t\n]+:", page, re.MULTILINE) == []
    assert f"{HERE}/blob/main/docs/index.md" in page and f"{HERE}/raw/main/docs/pictures/" in page


@pytest.mark.parametrize(
    ("text", "alone", "with_a_repository"),
    [
        ("see [a *b* `c`](docs/a.md#b).", "see a *b* `c`.", f"see [a *b* `c`]({HERE}/blob/main/docs/a.md#b)."),
        ("![an item](docs/a.png)", "*an item*", f"![an item]({HERE}/raw/main/docs/a.png)"),
        ("[below](#below)", "below", "below"),
        ("at [p](https://a.org/x)", "at [p](https://a.org/x)", "at [p](https://a.org/x)"),
        ("a [![t](../../a/b.svg)](../../a) b", "a  b", f"a [![t]({HERE}/a/b.svg)]({HERE}/a) b"),
        ("a [![t](https://b.org/b.svg)](LICENSE)", "a ", f"a [![t](https://b.org/b.svg)]({HERE}/blob/main/LICENSE)"),
        ("```\n[x](y.md)\n```\nreleased: [x](y.md)", "```\n[x](y.md)\n```\n released: x",
         f"```\n[x](y.md)\n```\n released: [x]({HERE}/blob/main/y.md)"),
    ],
)  # fmt: skip
def test_relative_links_of_the_page(setup_file, text, alone, with_a_repository):
    assert setup_file["page_of"](text) == alone
    assert setup_file["page_of"](text, HERE) == with_a_repository


@pytest.mark.parametrize(
    ("script", "options"),
    [("train", ["--config", "smoke"]), ("predict", ["--model", "runs/smoke", "--dataset-config", "dss", "--out", "a"])],
)
def test_without_the_extra_the_training_commands_name_it(script, options, monkeypatch):
    monkeypatch.setattr(sys, "argv", [f"bap-v2 {script}", *options])
    monkeypatch.setitem(sys.modules, "torch", None)  # as if it were not installed
    with pytest.raises(SystemExit, match=rf'^bap-v2 {script}: this needs torch: pip install "bap-v2\[training\]"$'):
        commands.run_script(script)


@pytest.mark.slow
def test_a_wheel_holds_what_the_checkout_does_and_its_metadata_can_be_read(tmp_path, published_home):
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if files.returncode:
        pytest.skip("needs a clone")
    for name in files.stdout.splitlines():
        if (ROOT / name).is_file():
            (tmp_path / "source" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / "source" / name)
    program = "from setuptools import build_meta; build_meta.build_wheel('..')"
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path / "source", check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
        assert not re.search(r"^(tools|benchmarks)/", "\n".join(archive.namelist()), re.MULTILINE)
    for package, below in PACKAGES.items():
        tracked = {name.removeprefix(f"{below}/") for name in files.stdout.splitlines() if name.startswith(f"{below}/")}
        packed = tmp_path / "installed" / package
        assert tracked - {"LOG.md"} <= {path.relative_to(packed).as_posix() for path in packed.rglob("*")}, package
    (folder,) = (tmp_path / "installed").glob("*.dist-info")
    installed = importlib.metadata.Distribution.at(folder)
    assert str(installed.metadata).startswith("Metadata-Version: 2.4")
    commands = {entry.name: entry.value for entry in installed.entry_points}
    assert commands.keys() == {"bap-v2"}
    # Its command runs from it alone: the Builder that comes with it answers and talks, others stand beside it
    module, function = commands["bap-v2"].split(":")
    program = "import sys; sys.meta_path[:] = [finder for finder in sys.meta_path if 'Editable' not in repr(finder)]; "
    program += f"import {module} as module; print(module.__file__); sys.argv[0] = 'bap-v2'; module.{function}()"
    environment = {**os.environ, "HF_HOME": str(published_home)}
    for words, said in {
        "predict --model compact --dataset-config dss --limit 3 --out three.jsonl": "",
        "score three.jsonl --subset --beside smollm2": "smollm2",
        "talk": "placed 1 red",
    }.items():
        done = subprocess.run(
            [sys.executable, "-c", program, *words.split()], cwd=tmp_path / "installed", env=environment,
            input="put a red block on the floor\n", capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0 and said in done.stdout, done.stderr
        assert Path(done.stdout.splitlines()[0]).is_relative_to(tmp_path / "installed")
