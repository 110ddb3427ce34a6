"""Runs the notebooks of this folder and stores their outputs, so that they can be read without running them.

    make notebooks

Files that a notebook writes go to a temporary folder. What is printed to stderr, such as progress bars, is not stored.
"""

import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def executed(path: Path, folder: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs of this run; cells with the tag `skip-execution`, those of pip, are left out.

    Raises:
        nbclient.exceptions.CellExecutionError: if a cell raises.
    """
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        timeout=600,  # seconds for a cell: machines are busy
        startup_timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--log-level=ERROR"],  # of the kernel: a warning about local ports
    ).execute()
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata.pop("execution", None)  # times
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
                         "language_info": {"name": "python"}}  # fmt: skip
    return notebook


def main() -> None:
    for path in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            notebook = executed(path, Path(folder))
        nbformat.write(notebook, path)
        print(f"{path}: {path.stat().st_size / 1000:,.0f} kB", file=sys.stderr)


if __name__ == "__main__":
    main()
