"""Tables as Markdown, LaTeX and HTML.

Numbers of the paper stand apart everywhere: a column names the source, and they are in italics.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape

from bap_v2_dataset.tables.cells import Cell, ScoreTable, Value, shown

CITATION_KEY = "jayannavar2025bapv2"  # as in the citation of the metric and of the cards
_LONG = 24  # lines of a LaTeX table, from which on intervals stand beside the scores, for the sake of the page


# --- Markdown
def markdown(
    tables: Sequence[ScoreTable], remarks: Sequence[str], signatures: Sequence[str],
    pictures: Sequence[tuple[str, str]] = (),
) -> str:  # fmt: skip
    """Format all tables, the remarks, and the pictures (title, path) as Markdown."""
    parts = []
    for table in tables:
        bars = [_markdown_line(table.headings)]
        bars.append(f"|{'---|' * table.n_texts}{'---:|' * (len(table.headings) - table.n_texts)}")
        bars += [_markdown_line([_markdown_cell(cell, line.paper) for cell in cells])
                 for line, cells in shown(table.lines)]  # fmt: skip
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
    text = _escaped_markdown(_plain(cell))
    return f"*{text}*" if paper and text else text


def _plain(cell: Cell) -> str:
    """Format a cell on one line: `33.3 (30.1–36.5)`, `33.3 ± 2.0`."""
    if isinstance(cell, str):
        return cell
    form = f".{cell.digits}f"
    text = f"{cell.value:{form}}" + (f" ({cell.low:{form}}–{cell.high:{form}})" if cell.low is not None else "")
    return text + (f" ± {cell.deviation:{form}}" if cell.deviation is not None else "")


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


def latex(tables: Sequence[ScoreTable], remarks: Sequence[str], signatures: Sequence[str]) -> str:
    """Format tables for a document with the packages booktabs and graphicx; the remarks are comments."""
    # Comments.
    keys = " or ".join(dict.fromkeys(table.paper or CITATION_KEY for table in tables)) or CITATION_KEY
    parts = [
        r"% \input this in a document with \usepackage{booktabs,graphicx,natbib}. Numbers of the paper are in italics;",
        r"% those below or beside a score are its interval, or the spread of several runs. Tables that are too wide",
        rf"% are scaled down. Captions cite the paper as {keys}, its key in CITATION and in the metric.",
        *(f"% {' '.join(remark.split())}" for remark in remarks),
        *(f"% signature: {signature}" for signature in signatures),
    ]

    # Each table with its heading, lines and caption.
    for table in tables:
        numbers = len(table.headings) - table.n_texts
        long = len(table.lines) > _LONG
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
        for position, (line, cells) in enumerate(shown(table.lines)):
            if line.opens and position:
                parts.append(r"\midrule")
            texts = [_latex_cell(cell, line.paper) for cell in cells]
            intervals = [_latex_interval(cell) for cell in cells]
            if long:
                texts = [f"{text} {interval}".rstrip() for text, interval in zip(texts, intervals)]
            parts.append(" & ".join(texts) + r" \\")
            if any(intervals) and not long:
                parts.append(" & ".join(intervals) + r" \\")
        parts += [
            r"\bottomrule",
            r"\end{tabular}}",
            rf"\caption{{{_caption(table)}}}",
            rf"\label{{tab:{table.name.replace('_', '-')}}}",
            r"\end{table}",
        ]
    return "\n".join(parts) + "\n"


def _caption(table: ScoreTable) -> str:
    """Return a caption for a paper, which numbers its tables itself: `As Table 6 of \\citet{jayannavar2025bapv2}: ...`.

    >>> _caption(ScoreTable("table_6", "Table 6: model and input", (), (), 0, "Paper: Llama-3-8B."))
    'As Table 6 of \\\\citet{jayannavar2025bapv2}: model and input. Paper: Llama-3-8B.'
    """
    number, colon, rest = table.title.partition(": ")
    of_paper = colon and number.startswith("Table ")
    text = escaped_latex(f"{rest if of_paper else table.title}. {table.note}".strip().removesuffix(".") + ".")
    return rf"As {number} of \citet{{{table.paper or CITATION_KEY}}}: {text}" if of_paper else text


def escaped_latex(text: str) -> str:
    """Return text as LaTeX prints it.

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
    if isinstance(cell, Value) and cell.low is not None:
        return rf"{{\scriptsize {cell.low:.{cell.digits}f}--{cell.high:.{cell.digits}f}}}"
    if isinstance(cell, Value) and cell.deviation is not None:
        return rf"{{\scriptsize $\pm$ {cell.deviation:.{cell.digits}f}}}"
    return ""


# --- HTML
def html(tables: Sequence[ScoreTable], sentences: Sequence[str]) -> str:
    """Format tables for a notebook, texts to the left and numbers to the right, and small print below them."""
    parts = []
    for table in tables:
        # The cells of a line, each on its side.
        sides = ["left"] * table.n_texts + ["right"] * (len(table.headings) - table.n_texts)

        def cells(tag: str, values: Iterable[str], sides: Sequence[str] = sides) -> str:
            return "".join(
                f"<{tag} style='text-align:{side}'>{escape(value)}</{tag}>" for side, value in zip(sides, values)
            )

        # The lines between heading and foot.
        body = "\n".join(f"<tr>{cells('td', map(_plain, line))}</tr>" for _, line in shown(table.lines))
        caption = f"<caption style='text-align:left'><b>{escape(table.title)}</b></caption>\n" if table.title else ""
        parts.append(
            f"<table>\n{caption}<thead><tr>{cells('th', table.headings)}</tr></thead>\n"
            f"<tbody>\n{body}\n</tbody>\n</table>"
        )
    notes = [*(table.note for table in tables if table.note), *sentences]
    return "\n".join([*parts, f"<small>{'<br>'.join(map(escape, notes))}</small>"])
