"""An episode of Plancraft as an HTML page that plays it: the table after every turn, the turns beside it."""

import base64
import html
import io
from collections.abc import Sequence

from PIL import Image

from bap_v2_dataset.pictures.html_document import html_document
from bap_v2_dataset.pictures.plancraft_frames import Frame, Shown
from bap_v2_dataset.pictures.plancraft_table import table_image
from bap_v2_metric.plancraft_turns import slot_name

_COLORS = 128
_BODY = """\
<main class='fills'>
<h1>{title} <small>{where}</small></h1>
<div class='controls' role='group' aria-label='Replay'>
<button id='previous' aria-label='Previous turn' title='previous turn (←)'>◀</button>
<button id='play' aria-label='Play' title='play or pause (space)'>▶ play</button>
<button id='next' aria-label='Next turn' title='next turn (→)'>▶</button>
<input id='frame' type='range' min='0' max='{last}' value='0' aria-label='Turn'>
<output id='count' for='frame'></output>
{choice}
</div>
<div class='replay crafted'>
<img id='table' alt=''>
<div class='beside'>
<ol id='events' aria-label='Turns'></ol>
<p class='legend' id='verdict'></p>
</div>
</div>
<p class='legend'>space: play or pause · ← →: previous or next turn · Home, End: first or last turn ·
orange: taken from here · blue: put there</p>
</main>"""


def replay(episodes: Sequence[Shown], title: str, where: str) -> str:
    """The page; of several systems one can be chosen.

    Args:
        title: the id of the task.
        where: what is to be crafted, and where the task is from.
    """
    options = "".join(
        f"<option value='{number}'>{html.escape(one.name)}</option>" for number, one in enumerate(episodes)
    )
    choice = f"<label>system <select id='system'>{options}</select></label>"
    body = _BODY.format(
        title=html.escape(title), where=html.escape(where), last=len(episodes[0].frames) - 1, choice=choice
    )
    pictures: dict[str, int] = {}  # the same one is stored once
    data = {
        "episodes": [
            {
                "verdict": one.verdict,
                "frames": [
                    {
                        "picture": pictures.setdefault(_png(frame), len(pictures)),
                        "turn": frame.turn or "at the beginning",
                        "words": frame.words,
                        "slots": in_words(frame),
                        "milliseconds": frame.milliseconds,
                    }
                    for frame in one.frames
                ],
            }
            for one in episodes
        ],
        "pictures": list(pictures),
    }
    return html_document(f"{title}: {where} — bap_v2", body, data, "table_replay.js")


def in_words(frame: Frame) -> str:
    """What is in the slots: `[A1] oak_log, [I3] 5 oak_log`."""
    amounts = ((slot, item["type"], item["quantity"]) for slot, item in sorted(frame.state.items()))
    items = (f"{slot_name(slot)} {f'{n} ' if n > 1 else ''}{name}" for slot, name, n in amounts)
    return ", ".join(items) or "nothing"


def _png(frame: Frame) -> str:
    data = io.BytesIO()
    picture = table_image(frame.state, marked=frame.slots).quantize(_COLORS, dither=Image.Dither.NONE)
    picture.save(data, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}"
