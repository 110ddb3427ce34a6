"""One level of the board from above, as buttons: pressing one adds an action to the text box of the page."""

from html import escape

from bap_v2_dataset.pictures.drawing import RGB, ink_on
from bap_v2_metric.actions import Place, Remove
from bap_v2_metric.blocks import X_MAX, X_MIN, Cell, Color, Structure
from bap_v2_metric.notation import format_action
from bap_v2_simulators.view import Offset, View

_HALF = X_MAX  # the board is as deep as it is wide, and its center is 0, 0
assert X_MIN == -X_MAX

# A button of the map writes its action on a line of its own into the box, which tells the server.
PRESSED = """
    document.addEventListener("click", (event) => {
        const button = event.target.closest("#map button[data-action]");
        const box = button && document.querySelector("#turn textarea");
        if (!box) return;
        box.value = (box.value ? box.value.replace(/\\n*$/, "\\n") : "") + button.dataset.action;
        box.dispatchEvent(new Event("input", { bubbles: true }));
    });
"""
CSS = """
#map table { border-collapse: collapse; margin: 0 auto; }
#map table, #map tr { border: none !important; }
#map th { font-size: 11px; font-weight: 400; width: 24px; padding: 0; border: none; text-align: center; }
#map td { padding: 1px; border: none; }
#map button { width: 28px; height: 28px; border: 1px solid #8a9097; border-radius: 3px; font-size: 12px; padding: 0; }
#map button.empty { background: #eef0f2; color: #3d444b; }
#map button.below { background: #d5dadf; }
#map p { font-size: 12px; margin: 2px 0; text-align: center; }
"""


def map_html(board: Structure, level: int, color: Color, yaw: float) -> str:
    """A level of the board, from the Builder's side: it looks up the page.

    Args:
        board: as it is after the actions that are typed.
        level: y, from 1.
        color: of the blocks that the buttons of empty cells place.
        yaw: of the Builder, in degrees.
    """
    view, colors = View.of(yaw), board.colors()
    along_z = view.away[1] != 0  # whether the rows differ in z
    rows, cells = [], []
    for away in range(_HALF, -_HALF - 1, -1):
        cells = [view.cell(Cell(0, level, 0), Offset(left, 0, away)) for left in range(_HALF, -_HALF - 1, -1)]
        number = f"<th scope='row'>{cells[0].z if along_z else cells[0].x}</th>"
        rows.append(f"<tr>{number}{''.join(_cell(cell, colors, color) for cell in cells)}</tr>")
    numbers = "".join(f"<th scope='col'>{cell.x if along_z else cell.z}</th>" for cell in cells)
    corner = "<th>z\\x</th>" if along_z else "<th>x\\z</th>"
    return (
        f"<table aria-label='Level {level} from above'>{''.join(rows)}<tr>{corner}{numbers}</tr></table>"
        "<p>▲ you look this way · letters: blocks, pressing one takes it away · dark: a block below</p>"
    )


def _cell(cell: Cell, colors: dict[Cell, Color], color: Color) -> str:
    there = colors.get(cell)
    action = format_action(Place(color, cell) if there is None else Remove(cell))
    if there is None:
        kind = "empty below" if Cell(cell.x, cell.y - 1, cell.z) in colors else "empty"
        look, letter = f"class='{kind}'", "·"
    else:
        style = f"background:rgb{RGB[there]};color:rgb{ink_on(RGB[there])}"
        look, letter = f"style='{style}'", there.value[0].upper()
    words = escape(action, quote=True)
    return f"<td><button {look} data-action='{words}' title='{words}' aria-label='{words}'>{letter}</button></td>"
