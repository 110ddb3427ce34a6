"""Additions to mkdocs.yml: pages from files outside docs/, the reference of the command line, doctests as code, and the
interactive pages that docs/pictures.md shows.

All links are written for the repository; the hooks turn them into links between pages of the site.
"""

import html
import json
import os
import posixpath
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import griffe
import typer.main
from mkdocs.structure.files import File, Files
from typer.cli import get_docs_for_click

ROOT = Path(__file__).parent.parent
OUTSIDE = {  # file of the repository -> page of the site
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "bap_v2_dataset/data/GUIDES.md": "data/label_guides.md",
    "bap_v2_dataset/data/annotation_guide_a.md": "data/annotation_guide_a.md",
    "bap_v2_dataset/data/annotation_guide_b.md": "data/annotation_guide_b.md",
    "benchmarks/README.md": "speed.md",
    "bap_v2_dataset/data/README.md": "data/label_file.md",
    "bap_v2_metric/FORMS.md": "forms_of_answers.md",
    "bap_v2_metric/README.md": "metric_card.md",
    "notebooks/load_and_look.ipynb": "notebooks/load_and_look.md",
    "notebooks/score_your_own_model.ipynb": "notebooks/score_your_own_model.md",
    "notebooks/train_a_builder.ipynb": "notebooks/train_a_builder.md",
    "training/LOG.md": "training_log.md",
}
_DOCTEST = re.compile(r"^>>> .*(?:\n(?!\n).*)*", re.MULTILINE)
_SECTION = re.compile(r"(?<=\S)\n(?=(?:Args|Returns|Raises):\n)")
_RETURNS = re.compile(r"^Returns:\n((?: {4}.*(?:\n|$))+)", re.MULTILINE)
_WRITES_A_PAGE = re.compile(r"^```bash\n(bap-v2 show .* --out (\w+\.html))\n```\n", re.MULTILINE)
_LINK = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)\s]*)?\))")


def on_files(files: Files, config) -> Files:
    """Adds the pages from outside docs/."""
    for source, page in OUTSIDE.items():
        if source.endswith(".ipynb"):
            files.append(File.generated(config, page, content=notebook_page(ROOT / source)))
        else:
            files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    for command, name in _WRITES_A_PAGE.findall((ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")):
        files.append(File.generated(config, name, content=written_by(command, name)))
    return files


def written_by(command: str, name: str) -> str:
    """The page that a command of `bap-v2` writes: of simulated items, so that no data and no network are needed."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "bap_v2_dataset.cli", *shlex.split(command)[1:]],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "HF_HOME": folder, "HF_HUB_OFFLINE": "1"},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        return (Path(folder) / name).read_text(encoding="utf-8")


def on_page_markdown(markdown: str, page, **_) -> str:
    """A page with links to pages of the site; the reference page gets its commands."""
    if page.file.src_uri == "reference/command_line.md":
        return markdown + "\n" + commands()
    if page.file.src_uri == "pictures.md":
        frame = r'<iframe class="interactive" loading="lazy" title="\1" src="\2"></iframe>'
        markdown = _WRITES_A_PAGE.sub(rf"\g<0>\n{frame}\n", markdown)
    source = {to: path for path, to in OUTSIDE.items()}.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def site_link(link: re.Match) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[2]))
        to = OUTSIDE.get(target, target.removeprefix("docs/"))
        return link[1] + posixpath.relpath(to, posixpath.dirname(page.file.src_uri) or ".") + link[3]

    return _LINK.sub(site_link, markdown)


def notebook_page(path: Path) -> str:
    """A notebook as Markdown, with the outputs that are stored in it."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", ()):
            data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
            if "image/png" in data:
                words = html.escape(data["text/plain"].splitlines()[0])
                parts.append(f'<img src="data:image/png;base64,{data["image/png"].strip()}" alt="{words}">')
            elif "text/html" in data:
                table = (
                    data["text/html"].strip().replace(' border="1" class="dataframe"', "")
                )  # of pandas: the site's own
                parts.append(f"<div>\n{table}\n</div>")
            else:
                text = data.get("text/plain") or "".join(output.get("text", ""))
                parts.append(f"```text\n{text.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def commands() -> str:
    """Every command of `bap-v2` with its arguments and options, from the command line itself."""
    from bap_v2_dataset.cli import app

    group = typer.main.get_command(app)
    context = typer.Context(group)
    parts = []
    for name in group.list_commands(context):
        text = get_docs_for_click(obj=group.get_command(context, name), ctx=context, indent=1, call_prefix="bap-v2")
        text = re.sub(r"\[/?bold\]", "**", text)
        parts.append(re.sub(r"\[((?:default|required|x).*?)\]", r"(\1)", text))
    return "\n".join(parts)


class OwnStyle(griffe.Extension):
    """Reads this project's docstrings: sections follow without a blank line, and examples are doctests."""

    def on_object(self, *, obj: griffe.Object, **_) -> None:
        """Called by griffe for each module, class, function and attribute."""
        if obj.docstring:
            text = _SECTION.sub("\n\n", obj.docstring.value)
            # As text: griffe takes what stands before a colon for a type.
            text = _RETURNS.sub(lambda section: f"**Returns:**\n\n{textwrap.dedent(section[1])}", text)
            obj.docstring.value = _DOCTEST.sub(r"```pycon\n\g<0>\n```", text)
