"""An item as an HTML page with a 3D board in each column: one file that needs no network, unless it is to be small."""

import html
from collections.abc import Collection, Sequence
from dataclasses import asdict
from itertools import zip_longest

from plotly.offline import get_plotlyjs, get_plotlyjs_version

from bap_v2_dataset.pictures import board_figure
from bap_v2_dataset.pictures.camera import clear_yaw, turn_in_words
from bap_v2_dataset.pictures.cubes import counts_in_words, legend
from bap_v2_dataset.pictures.html_document import html_document
from bap_v2_dataset.tasks.building.paper import SHORT_COLUMNS
from bap_v2_dataset.tasks.building.pictures.columns import MARKED_LEGEND, PAPER_NAMES, BoardColumn


def page(
    columns: Sequence[BoardColumn],
    title: str,
    subtitle: str = "",
    from_network: bool = False,
    yaw: float | None = None,
) -> str:
    """Return the page. All boards are seen by one camera, and turn together.

    Args:
        from_network: as for `document`.
        yaw: of the camera, in degrees; by default from the side of the Builder in the last column, or 30 degrees
            beside it if that shows much more.
    """
    # Every board is seen from the same side.
    poses, boards = [asdict(column.pose) for column in columns], [column.cubes for column in columns]
    if yaw is None:
        every = [cube for cubes in boards for cube in cubes]
        yaw = clear_yaw(boards, poses[-1]["yaw"], lambda yaw: board_figure.board_camera(every, yaw, poses, 1.0).eye)
    figures = board_figure.plotly_figures(boards, pose={**poses[-1], "yaw": yaw}, poses=poses)
    sections = "\n".join(
        _section(column, number, board_figure.n_hidden(figure))
        for number, (column, figure) in enumerate(zip(columns, figures))
    )
    # The legend names only what is there.
    used = {cube.look for column in columns for cube in column.cubes}
    keys = [words for look, words in legend().items() if look in used]
    keys += [board_figure.HIDDEN_LEGEND] * any(map(board_figure.n_hidden, figures))
    keys += [board_figure.LEGEND, *turn_in_words(yaw, poses[-1]["yaw"]), "drag to rotate, scroll to zoom"]
    marked = any(any(excerpt.changed) for column in columns for excerpt in column.excerpts)
    keys += [MARKED_LEGEND] * marked + [PAPER_NAMES] * (not any(column.excerpts for column in columns))
    # The page.
    body = (
        f"<main>\n<h1>{html.escape(title)}</h1>\n<p class='where'>{html.escape(subtitle)}</p>\n"
        f"<div class='columns'>\n{sections}\n</div>\n<p class='legend'>{html.escape(' · '.join(keys))}</p>\n</main>"
    )
    kind = f"item of {subtitle}" if subtitle else "item"
    return document(f"{title}: {kind} — bap_v2", body, figures, "item.js", from_network)


def document(title: str, body: str, data: object, script: str, from_network: bool = False) -> str:
    """Return a page with plotly, the data, and a script of ours that reads them.

    Args:
        from_network: load plotly.js from its own server: 5 MB less, for notebooks with many pages.
    """
    plotly = f"<script>{get_plotlyjs()}</script>"
    if from_network:
        plotly = (
            f"<script src='https://cdn.plot.ly/plotly-{get_plotlyjs_version()}.min.js' charset='utf-8'></script>\n"
            "<script>if (!window.Plotly) document.body.insertAdjacentHTML('beforeend', '<p>plotly.js, which draws the "
            'boards, comes from the network. The page that .save("item.html") writes needs none.</p>\')</script>'
        )
    return html_document(title, body, data, __package__, script, plotly, board_figure.ROTATE_TOGETHER)


def _section(column: BoardColumn, number: int, hidden: int) -> str:
    small = f" <small>{html.escape(column.title)}</small>" if column.title else ""
    # The heading and the board.
    parts = [
        f"<section>\n<h2>{html.escape(column.name)}{small}</h2>",
        f"<div class='board' id='board-{number}' role='group' aria-label='{html.escape(column.in_words)}'></div>",
    ]
    # Scores of a prediction.
    if column.scores is not None:
        parts.append(f"<p class='counts'>{counts_in_words(column.cubes, hidden)}</p>")
        heads = "".join(f"<th scope='col'>{title}</th>" for title in SHORT_COLUMNS.values())
        cells = "".join(f"<td>{100 * column.scores[measure]:.1f}</td>" for measure in SHORT_COLUMNS)
        parts.append(f"<table><caption>F1</caption><tr>{heads}</tr><tr>{cells}</tr></table>")
    if column.note and not column.excerpts:
        parts.append(f"<p class='note'>{html.escape(column.note)}</p>")
    # What was said, and other excerpts with what was changed.
    if column.dialogue:
        lines = "\n".join(utterance(line) for line in column.dialogue)
        parts.append(f"<h3>{html.escape(column.dialogue_name)}</h3>\n<div class='dialogue'>\n{lines}\n</div>")
    for excerpt in column.excerpts:
        lines = "\n".join(
            utterance(line, changed) for line, changed in zip_longest(excerpt.lines, excerpt.changed, fillvalue=())
        )
        heading = html.escape(f"{excerpt.name} {excerpt.words}")
        parts.append(f"<h3>{heading}</h3>\n<div class='dialogue'>\n{lines}\n</div>")
    if column.note and column.excerpts:
        parts.append(f"<p class='note'>{html.escape(column.note)}</p>")
    return "\n".join([*parts, "</section>"])


def utterance(line: str, changed: Collection[int] = ()) -> str:
    """Return a line of the chat, `<Architect> text`, or of actions.

    Args:
        changed: the numbers of the words that are marked.
    """
    words = [
        f"<mark>{html.escape(word)}</mark>" if number in changed else html.escape(word)
        for number, word in enumerate(line.split(" ") if changed else [line])
    ]
    if not line.startswith("<"):
        return f"<p>{' '.join(words)}</p>"
    speaker, _, text = line.removeprefix("<").partition("> ")
    said = " ".join(words[1:]) if changed else html.escape(text)
    return f"<p class='{speaker.lower()}'><b>{speaker}</b> {said}</p>"
