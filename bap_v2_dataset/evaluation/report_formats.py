"""Tables of scores in the terminal, as Markdown and as LaTeX.

Numbers of the paper stand apart everywhere: a column names the source, and they are in italics.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.evaluation.score_tables import Fitting
from bap_v2_dataset.evaluation.table_cells import Cell, Line, Score, ScoreTable, two_lines
from bap_v2_dataset.paper import HEADLINE
from bap_v2_metric import SIGNATURE

_FOLDED = (24, 16, 12, 7)  # widths of columns of text where the table would be too wide
CITATION_KEY = "jayannavar2025bapv2"  # as in the citation of the metric and of the cards
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
        layouts = [grid(table, compact, width, True) for compact in (False, True) for width in widths]
        layouts.append(grid(table, True, widths[-1], False))
        parts += [Fitting(layouts), *([Text(table.note, style="dim")] if table.note else []), Text()]
    parts += [Text(f"- {remark}") for remark in remarks]
    parts += [Text(f"signature: {signature}", style="dim", no_wrap=True, overflow="ignore") for signature in signatures]
    return Group(*parts)


def grid(table: ScoreTable, compact: bool, text_width: int, intervals: bool) -> Table:
    """A table for a terminal, with or without lines between its columns, and intervals."""
    style: dict[str, Any] = {"box": box.HORIZONTALS, "padding": (0, 1, 0, 0)} if compact else {}
    grid = Table(title=escape(table.title), title_justify="left", header_style="bold", **style)
    for position, heading in enumerate(table.headings):
        if position < table.n_texts:
            grid.add_column(escape(heading), overflow="fold", max_width=max([text_width, *map(len, heading.split())]))
        else:
            bold = "bold" if heading == HEADLINE else ""
            grid.add_column(
                escape(two_lines(heading) if intervals else heading.replace(" ", "\n")), justify="right",
                overflow="fold", style=bold, min_width=max(map(len, heading.split()), default=1),
                max_width=max(text_width, len("100.0–100.0")),
            )  # fmt: skip
    rows = list(_shown(table.lines))
    for (line, cells), following in zip(rows, [*(line for line, _ in rows[1:]), None]):
        texts = [_terminal_cell(cell, intervals) for cell in cells]
        ends = following is not None and following.opens
        grid.add_row(*texts, style="italic dim" if line.paper else None, end_section=ends)
    return grid


def _terminal_cell(cell: Cell, intervals: bool) -> Text:
    if isinstance(cell, str):
        return Text(cell)
    form = f".{cell.digits}f"
    text = Text(f"{cell.value:{form}}")
    if cell.deviation is not None:
        text.append(f"\n± {cell.deviation:{form}}", style="dim not bold")
    if intervals and cell.low is not None:
        text.append(f"\n{cell.low:{form}}–{cell.high:{form}}", style="dim not bold")
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
        form = f".{cell.digits}f"
        text = f"{cell.value:{form}}" + (f" ({cell.low:{form}}–{cell.high:{form}})" if cell.low is not None else "")
        text += f" ± {cell.deviation:{form}}" if cell.deviation is not None else ""
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
    "|": r"\textbar{}", "–": "--", "…": r"\ldots{}", "°": r"\textdegree{}", "×": r"$\times$", "±": r"$\pm$",
}  # fmt: skip


def latex(tables: Sequence[ScoreTable], remarks: Sequence[str], signatures: Sequence[str] = (SIGNATURE,)) -> str:
    """Tables for a document with the packages booktabs and graphicx; the remarks are comments."""
    keys = " or ".join(dict.fromkeys(table.paper or CITATION_KEY for table in tables)) or CITATION_KEY
    parts = [
        r"% \input this in a document with \usepackage{booktabs,graphicx,natbib}. Numbers of the paper are in italics;",
        r"% those below or beside a score are its interval, or the spread of several runs. Tables that are too wide",
        rf"% are scaled down. Captions cite the paper as {keys}, its key in CITATION and in the metric.",
        *(f"% {' '.join(remark.split())}" for remark in remarks),
        *(f"% signature: {signature}" for signature in signatures),
    ]
    for table in tables:
        numbers = len(table.headings) - table.n_texts
        long = len(table.lines) > _LONG
        caption = _caption(table)
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


def _caption(table: ScoreTable) -> str:
    """Fit for a paper, which numbers its tables itself: `As Table 6 of \\citet{jayannavar2025bapv2}: ...`.

    >>> _caption(ScoreTable("table_6", "Table 6: model and input", (), (), 0, "Paper: Llama-3-8B."))
    'As Table 6 of \\\\citet{jayannavar2025bapv2}: model and input. Paper: Llama-3-8B.'
    """
    number, colon, rest = table.title.partition(": ")
    of_paper = colon and number.startswith("Table ")
    text = escaped_latex(f"{rest if of_paper else table.title}. {table.note}".strip().removesuffix(".") + ".")
    return rf"As {number} of \citet{{{table.paper or CITATION_KEY}}}: {text}" if of_paper else text


def escaped_latex(text: str) -> str:
    """Text as LaTeX prints it.

    >>> escaped_latex("runs_50%")
    'runs\\\\_50\\\\%'
    """
    return "".join(_SPECIAL.get(character, character) for character in text)


def _symbol(text: str) -> str:
    return ", ".join(_SYMBOLS.get(part, escaped_latex(part)) for part in text.split(", "))


def _latex_cell(cell: Cell, paper: bool) -> str:
    text = _symbol(cell) if isinstance(cell, str) else f"{cell.value:.{cell.digits}f}"
    if text.startswith(("+", "-")) and text[1:2].isdigit():
        text = f"${text}$" if " " not in text else re.sub(r"[+-][\d.]+", lambda number: f"${number[0]}$", text)
    if text.startswith(("[", "*")):  # behind the end of a line these would be an argument of it
        text = f"{{}}{text}"
    return rf"\textit{{{text}}}" if paper and text else text


def _latex_interval(cell: Cell) -> str:
    if isinstance(cell, Score) and cell.low is not None:
        return rf"{{\scriptsize {cell.low:.{cell.digits}f}--{cell.high:.{cell.digits}f}}}"
    if isinstance(cell, Score) and cell.deviation is not None:
        return rf"{{\scriptsize $\pm$ {cell.deviation:.{cell.digits}f}}}"
    return ""
