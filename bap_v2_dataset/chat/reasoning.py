"""The prompt for models that reason before they answer: everything that there is to know, and then freedom.

The rules are those of the data, the metric and the simulators, written for a reader who has only this text; the tests
compare what it says of directions, supports and its worked example with the code.
"""

import tomllib
from pathlib import Path

from bap_v2_dataset.chat.final_answer import MARKER
from bap_v2_dataset.items.prompts import representation_of

_TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def system_message(representation: str, form: str, example_lines: list[str], tools: bool) -> str:
    """Return the rules as a system message.

    Args:
        representation: of `bap_v2_dataset.items.prompts`: how cells are named, and what is told.
        form: how actions are written, a line for each kind.
        example_lines: the actions of the worked example (`example`) in that form.
        tools: whether the model can call them.
    """
    # How cells are named, and what of the board and the actions is told.
    seen, texts = representation_of(representation), _TEXTS
    named = "ego" if seen.egocentric else "world"
    view = texts[f"{named}_view" if seen.egocentric or seen.pose else "no_view"]
    rules = texts["rules"].format(
        history=texts["history"][named], structure=texts["structure"]["told" if seen.structure else "untold"], form=form
    )
    # The example needs the yaw.
    shown = texts[f"{named}_example"].format(example="\n".join([MARKER, *example_lines])) if seen.pose else ""
    tools_text = texts["tools"] if tools else ""
    return texts["task"] + view + rules + shown + tools_text + texts["answer"].format(marker=MARKER)


def example(representation: str) -> tuple[str, ...]:
    """Return the actions of the worked example, in the notation."""
    return tuple(_TEXTS["actions"]["ego" if representation_of(representation).egocentric else "world"])


def user_message(prompt: str) -> str:
    """Return what is asked about an item, from its prompt as `bap_v2_dataset.items.prompts.render` gives it.

    The heading and the ending of Table 5 are left out: they ask for actions at once.
    """
    _, _, body = prompt.partition("\n")
    return _TEXTS["user"].format(body=body.removesuffix("### AS:\n"), marker=MARKER)


def answer_message(actions: str) -> str:
    """Return the answer of a shot."""
    return f"{MARKER}\n{actions}"
