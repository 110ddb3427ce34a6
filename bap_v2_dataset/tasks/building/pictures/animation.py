"""A game as an animated GIF: the board, the target, and what is said and done beside them."""

from collections.abc import Callable, Sequence

from matplotlib.figure import Figure

from bap_v2_dataset.pictures.cubes import target_cubes
from bap_v2_dataset.pictures.figures import gif, wrapped
from bap_v2_dataset.tasks.building.pictures.columns import TARGET, BoardColumn
from bap_v2_dataset.tasks.building.pictures.figure import draw_board, shared_view
from bap_v2_dataset.tasks.building.pictures.game_frames import GameFrame, fitted_target, frames
from bap_v2_simulators.game import Game

_WIDTH, _HEIGHT = 7.2, 4.3  # inches
_BOARD, _GAP, _TOP, _BOTTOM = 4.4, 0.12, 0.34, 0.1  # inches
_TARGET_HEIGHT = 1.55
_SIZE, _LINE = 8.5, 0.17
_LAST = 3000  # milliseconds that the last frame stays
_COLORS = 128


def animation(game: Game, progress: Callable[[int, int], None] = lambda done, of: None) -> bytes:
    """Return the GIF, which plays again and again.

    All frames are seen from the side on which the Builder was in the end.

    Args:
        progress: is called after each frame, with the number of frames drawn and of all.
    """
    shown = list(frames(game))
    pose = shown[-1].pose
    columns = [BoardColumn("", "", frame.cubes, frame.pose) for frame in shown]
    target = [BoardColumn(TARGET, "", target_cubes(fitted_target(game)), pose)]
    views = shared_view(columns), shared_view(target, with_builder=False)

    def draw(page: Figure, number: int) -> None:
        _draw(page, game.game_id, shown[: number + 1], len(shown), columns[number], target[0], views)

    times = [*(frame.milliseconds for frame in shown[:-1]), _LAST]
    return gif((_WIDTH, _HEIGHT), draw, times, _COLORS, progress)


def _draw(
    page: Figure,
    title: str,
    shown: Sequence[GameFrame],
    of: int,
    column: BoardColumn,
    target: BoardColumn,
    views: tuple,
) -> None:
    """Draws the last of the frames that are shown so far."""

    def write(text: str, left: float, top: float, size: float = _SIZE, **style: object) -> None:
        page.text(left / _WIDTH, 1 - top / _HEIGHT, text, fontsize=size, va="top", ha="left", **style)

    def board(column: BoardColumn, view: tuple, left: float, top: float, width: float, height: float) -> None:
        camera, ground, frame = view
        scale = max((frame[2] - frame[0]) / width, (frame[3] - frame[1]) / height)  # cells in an inch
        place = (left / _WIDTH, 1 - (top + height) / _HEIGHT, width / _WIDTH, height / _HEIGHT)
        size = width * scale, height * scale
        draw_board(page.add_axes(place), column, camera, ground, frame, size, scale, column is not target)

    # The board on the left, as large as the page.
    write(title, _GAP, 0.09, 10.5, fontweight="bold")
    board(column, views[0], _GAP, _TOP, _BOARD, _HEIGHT - _TOP - _BOTTOM)
    beside = 2 * _GAP + _BOARD
    width = _WIDTH - beside - _GAP
    low = _HEIGHT - _BOTTOM
    # The target above on the right.
    if target.cubes:
        low -= _TARGET_HEIGHT
        board(target, views[1], beside, low, width, _TARGET_HEIGHT)
        write("target: what the Architect sees", beside, low - 0.19, color="#444444")
        low -= 0.3
    # The dialogue so far; the newest line is bold, and of a long one the end is shown.
    lines: list[tuple[str, dict]] = []
    for number, frame in enumerate(shown):
        text = f"{frame.speaker}: {frame.text}" if frame.speaker else frame.text
        style = {"color": "#1c1c1c" if frame.speaker else "#5a626a", "fontstyle": "normal"}
        if number + 1 == len(shown):
            style["fontweight"] = "bold"
        lines += [(line, style) for line in wrapped(text, width, _SIZE, bold=True)]
    write(f"{len(shown) - 1} of {of - 1}", beside, 0.11, color="#444444")
    room = int((low - _TOP) / _LINE)
    for number, (line, style) in enumerate(lines[-room:]):
        write(line, beside, _TOP + _LINE * number, **style)
