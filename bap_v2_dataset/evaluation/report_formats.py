"""A report in the terminal, as Markdown and as LaTeX, and the folder that holds all of it.

Numbers of the paper stand apart everywhere: a column names the source, and they are in italics.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.evaluation.error_analysis import Bin
from bap_v2_dataset.evaluation.paper_tables import Cell, Line, Score, ScoreTable, error_tables
from bap_v2_dataset.evaluation.prediction_files import PredictionError
from bap_v2_dataset.evaluation.remarks import remarks as remarks_on
from bap_v2_dataset.evaluation.report import Report, score_files
from bap_v2_dataset.evaluation.score_tables import Fitting, to_json
from bap_v2_metric import SIGNATURE
from bap_v2_simulators.whole_files import write_whole

FORMATS = ("terminal", "markdown", "latex")
_FOLDED = (24, 16, 12)  # widths of columns of text where the table would be too wide
_RECORD = "report.json"
_LONG = 24  # lines of a LaTeX table, from which on intervals stand beside the scores, for the sake of the page


def _shown(lines: Sequence[Line]) -> Iterable[tuple[Line, list[Cell]]]:
    """The lines with their cells; the first says nothing where it repeats the line above."""
    above: Cell | None = None
    for line in lines:
        first, *others = line.cells
        yield line, ["" if first == above and not line.opens else first, *others]
        above = first


# --- Terminal
def terminal(tables: Sequence[ScoreTable], remarks: Sequence[str], signatures: Sequence[str] = (SIGNATURE,)) -> Group:
    """All tables, each as wide as the terminal allows, and the remarks."""
    parts: list[RenderableType] = []
    for table in tables:
        longest = max(cell_len(cell) for line in table.lines for cell in line.cells if isinstance(cell, str))
        widths = [longest, *(width for width in _FOLDED if width < longest)]
        layouts = [_grid(table, compact, width, True) for compact in (False, True) for width in widths]
        layouts.append(_grid(table, True, widths[-1], False))
        parts += [Fitting(layouts), *([Text(table.note, style="dim")] if table.note else []), Text()]
    parts += [Text(f"- {remark}") for remark in remarks]
    parts += [Text(f"signature: {signature}", style="dim", no_wrap=True, overflow="ignore") for signature in signatures]
    return Group(*parts)


def _grid(table: ScoreTable, compact: bool, text_width: int, intervals: bool) -> Table:
    style: dict[str, Any] = {"box": box.HORIZONTALS, "padding": (0, 1, 0, 0)} if compact else {}
    grid = Table(title=escape(table.title), title_justify="left", header_style="bold", **style)
    for position, heading in enumerate(table.headings):
        if position < table.n_texts:
            grid.add_column(escape(heading), overflow="fold", max_width=max(text_width, len(heading)))
        else:
            bold = "bold" if heading == "Overall" else ""
            grid.add_column(escape(heading), justify="right", overflow="fold", style=bold,
                            max_width=max(text_width, len("100.0–100.0")))  # fmt: skip
    rows = list(_shown(table.lines))
    for (line, cells), following in zip(rows, [*(line for line, _ in rows[1:]), None]):
        texts = [_terminal_cell(cell, intervals) for cell in cells]
        ends = following is not None and following.opens
        grid.add_row(*texts, style="italic dim" if line.paper else None, end_section=ends)
    return grid


def _terminal_cell(cell: Cell, intervals: bool) -> Text:
    if isinstance(cell, str):
        return Text(cell)
    text = Text(f"{cell.value:.1f}")
    if intervals and cell.low is not None:
        text.append(f"\n{cell.low:.1f}–{cell.high:.1f}", style="dim not bold")
    return text


# --- Markdown
def markdown(
    tables: Sequence[ScoreTable], remarks: Sequence[str], signatures: Sequence[str] = (SIGNATURE,),
    pictures: Sequence[tuple[str, str]] = (),
) -> str:  # fmt: skip
    """All tables, the remarks, and the pictures (title, path)."""
    parts = []
    for table in tables:
        bars = [_markdown_line(table.headings)]
        bars.append(f"|{'---|' * table.n_texts}{'---:|' * (len(table.headings) - table.n_texts)}")
        bars += [_markdown_line([_markdown_cell(cell, line.paper) for cell in cells])
                 for line, cells in _shown(table.lines)]  # fmt: skip
        parts.append(f"### {_escaped_markdown(table.title)}\n\n" + "\n".join(bars))
        if table.note:
            parts.append(_escaped_markdown(table.note))
    parts.append("### How to read them")
    lines = [f"- {_escaped_markdown(remark)}" for remark in remarks]
    lines += [f"- signature: `{signature}`" for signature in signatures]
    parts.append("\n".join(lines))
    parts += [f"![{_escaped_markdown(title)}]({path})" for title, path in pictures]
    return "\n\n".join(parts) + "\n"


def _markdown_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_cell(cell: Cell, paper: bool) -> str:
    if isinstance(cell, str):
        text = _escaped_markdown(cell)
    else:
        text = f"{cell.value:.1f}" + (f" ({cell.low:.1f}–{cell.high:.1f})" if cell.low is not None else "")
    return f"*{text}*" if paper and text else text


def _escaped_markdown(text: str) -> str:
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", text).replace("\n", " ")


# --- LaTeX
_SYMBOLS = {
    "dsb": r"$D_{\mathrm{sb}}$",
    "dss": r"$D_{\mathrm{ss}}$",
    "dr": r"$D_{\mathrm{r}}$",
    "mdc_v2": r"$D_{\mathrm{mc}}$",
    "N": "$N$",
    "N+PosB": r"$N{+}\textsc{Pos}_{\textbf{B}}$",
    "N+PosB+S": r"$N{+}\textsc{Pos}_{\textbf{B}}{+}S$",
    "M_mc": r"$M_{\mathrm{mc}}$",
}
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "–": "--", "…": r"\ldots{}", "°": r"\textdegree{}", "×": r"$\times$",
}  # fmt: skip


def latex(tables: Sequence[ScoreTable], remarks: Sequence[str], signatures: Sequence[str] = (SIGNATURE,)) -> str:
    """Tables for a document with the packages booktabs and graphicx; the remarks are comments."""
    parts = [
        r"% \input this in a document with \usepackage{booktabs,graphicx}. Numbers of the paper are in italics; those",
        r"% below or beside a score are its interval. Tables that are too wide are scaled down.",
        *(f"% {' '.join(remark.split())}" for remark in remarks),
        *(f"% signature: {signature}" for signature in signatures),
    ]
    for table in tables:
        numbers = len(table.headings) - table.n_texts
        long = len(table.lines) > _LONG
        caption = escaped_latex(f"{table.title}. {table.note}".strip().removesuffix(".") + ".")
        parts += [
            "",
            r"\begin{table}[t]",
            r"\centering\small\setlength{\tabcolsep}{4pt}",
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            rf"\begin{{tabular}}{{@{{}}{'l' * table.n_texts}{'r' * numbers}@{{}}}}",
            r"\toprule",
            " & ".join(_symbol(heading) for heading in table.headings) + r" \\",
            r"\midrule",
        ]
        for position, (line, cells) in enumerate(_shown(table.lines)):
            if line.opens and position:
                parts.append(r"\midrule")
            texts = [_latex_cell(cell, line.paper) for cell in cells]
            intervals = [_latex_interval(cell) for cell in cells]
            if long:
                texts = [f"{text} {interval}".rstrip() for text, interval in zip(texts, intervals)]
            parts.append(" & ".join(texts) + r" \\")
            if any(intervals) and not long:
                parts.append(" & ".join(intervals) + r" \\")
        label = table.name.replace("_", "-")
        parts += [
            r"\bottomrule",
            r"\end{tabular}}",
            rf"\caption{{{caption}}}",
            rf"\label{{tab:{label}}}",
            r"\end{table}",
        ]
    return "\n".join(parts) + "\n"


def escaped_latex(text: str) -> str:
    """Text as LaTeX prints it.

    >>> escaped_latex("runs_50%")
    'runs\\\\_50\\\\%'
    """
    return "".join(_SPECIAL.get(character, character) for character in text)


def _symbol(text: str) -> str:
    return ", ".join(_SYMBOLS.get(part, escaped_latex(part)) for part in text.split(", "))


def _latex_cell(cell: Cell, paper: bool) -> str:
    text = _symbol(cell) if isinstance(cell, str) else f"{cell.value:.1f}"
    if text.startswith(("+", "-")) and text[1:2].isdigit():
        text = f"${text}$" if " " not in text else re.sub(r"[+-][\d.]+", lambda number: f"${number[0]}$", text)
    return rf"\textit{{{text}}}" if paper and text else text


def _latex_interval(cell: Cell) -> str:
    if isinstance(cell, Score) and cell.low is not None:
        return rf"{{\scriptsize {cell.low:.1f}--{cell.high:.1f}}}"
    return ""


# --- The folder
def check_folder(folder: Path, inputs: Iterable[Path]) -> None:
    """That a report can be written there without loss: a new folder, an empty one, or an earlier report's.

    Raises:
        PredictionError: for anything else.
    """
    if folder.exists() and not folder.is_dir():
        raise PredictionError(f"--out: {folder} is a file: name a folder")
    if not folder.exists() or not any(folder.iterdir()):
        return
    if any(path.absolute().is_relative_to(folder.absolute()) for path in inputs):
        raise PredictionError(f"--out: {folder} holds predictions: name a folder of the report's own")
    if _earlier(folder) is None:
        raise PredictionError(f"--out: {folder} is not empty and holds no report: name another folder, or empty it")


def _earlier(folder: Path) -> list[str] | None:
    """The files of the report that is there."""
    try:
        return list(dict(orjson.loads((folder / _RECORD).read_bytes()))["files"])
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write(
    folder: Path,
    report: Report,
    tables: Sequence[ScoreTable],
    bins: Mapping[tuple[str, str], Sequence[Bin]],
    plots: bool = True,
) -> list[str]:
    """Writes `report.md`, `report.tex`, `report.json`, scores, and with `plots` pictures; returns their paths in it.

    Files of an earlier report that are no longer made are deleted.

    Args:
        tables: of the report, without those of the error analysis.
        bins: of `bap_v2_dataset.evaluation.all_tasks.error_bins_of_all_tasks`.
    """
    errors = error_tables(report, bins)
    remarks = remarks_on(report)
    content: dict[str, bytes] = dict(score_files(report))
    pictures = []
    if plots:
        from bap_v2_dataset.evaluation.plots import drawn

        for title, name, images in drawn(report, bins):
            content |= {f"plots/{name}.{suffix}": data for suffix, data in images.items()}
            pictures.append((title, f"plots/{name}.png"))
    text = f"# Report\n\n{markdown([*tables, *errors], remarks, report.signatures, pictures)}"
    content |= {
        "report.md": text.encode(),
        "report.tex": latex([*tables, *errors], remarks, report.signatures).encode(),
    }
    stale = set(_earlier(folder) or ()) - content.keys()
    record = {
        "files": sorted({*content, *stale}),  # a killed report is known by this file, and all that it may leave
        "signature": "; ".join(report.signatures),
        "against": report.against,
        "resampling": vars(report.resampling),
        "remarks": remarks,
        "tests": [
            {
                **test.settings,
                "systems": orjson.Fragment(to_json([result for _, result in report.on(test)])),
                "errors": [
                    {"dimension": part.dimension.name, "bin": part.label, "items": part.n_items, "f1": part.f1,
                     "intervals": part.intervals}
                    for part in bins.get(test.key, ())
                ],
            }
            for test in report.tests
        ],
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / _RECORD, orjson.dumps(record, option=orjson.OPT_INDENT_2))
    for name, data in content.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    for name in stale:
        if (folder / name).resolve().is_relative_to(folder.resolve()):
            (folder / name).unlink(missing_ok=True)
    record["files"] = sorted(content)
    write_whole(folder / _RECORD, orjson.dumps(record, option=orjson.OPT_INDENT_2))
    return [_RECORD, *sorted(content)]
