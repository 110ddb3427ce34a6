"""The notebooks run from the checkout, without a network, and show what is stored in them."""

import re
import runpy
from itertools import groupby

import pytest
from paths import ROOT

nbformat = pytest.importorskip("nbformat", reason="the extra `dev` is not installed")
pytest.importorskip("ipykernel", reason="the extra `dev` is not installed")
pytest.importorskip("bm25s", reason="the extra `icl` is not installed")
pytest.importorskip("matplotlib", reason="the extra `pictures` is not installed")

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def read(path):
    return nbformat.read(path, as_version=4)


def shortened(text: str) -> str:
    """With a training of seconds that logs as often as that of a minute."""
    return text.replace("--max_steps 200", "--max_steps 40").replace("--logging_steps 10", "--logging_steps 2")


def shown(notebook) -> list[tuple[str, list[list[str]]]]:
    """The source of every code cell, and the kinds of what it shows; lines come in as many pieces as it happens."""
    pieces = (
        [sorted(output.data) if "data" in output else [output.output_type] for output in cell.get("outputs", ())]
        for cell in notebook.cells
    )
    kinds = [[kind for kind, _ in groupby(of_cell)] for of_cell in pieces]
    return [(cell.source, kind) for cell, kind in zip(notebook.cells, kinds) if cell.cell_type == "code"]


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs_and_shows_what_is_stored(path, set_up_home, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(set_up_home))
    monkeypatch.delenv("BAP_V2_MDC", raising=False)
    shorter = tmp_path / path.name
    shorter.write_text(shortened(path.read_text(encoding="utf-8")), encoding="utf-8")
    run = runpy.run_path(str(ROOT / "notebooks" / "run.py"))["executed"](shorter, tmp_path)  # raises if a cell does
    assert shown(run) == [(shortened(source), kinds) for source, kinds in shown(read(path))], "run `make notebooks`"
    assert any("image/png" in kind for _, kinds in shown(run) for kind in kinds)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_only_the_cell_of_pip_is_left_out_and_every_link_leads_somewhere(path):
    notebook = read(path)
    left_out = [cell.source for cell in notebook.cells if "skip-execution" in cell.metadata.get("tags", ())]
    assert len(left_out) == 1 and left_out[0].startswith("%pip install")
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)\s]+)\)", cell.source):
                assert (path.parent / target.partition("#")[0]).is_file(), target
    assert path.stat().st_size < 1_000_000
