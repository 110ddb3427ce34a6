"""Questions about a walk and what one sees then: where a structure is relative to another one."""

from typing import NamedTuple

from bap_v2_dataset.tasks.gsu.reading.block_lists import read_blocks
from bap_v2_dataset.tasks.gsu.reading.boxes import CORNERS, Bounds, boxes
from bap_v2_dataset.tasks.gsu.reading.phrases import GsuQuestionError, found
from bap_v2_dataset.tasks.gsu.reading.scenes import SceneQuestion, Sides, Spans, read_sides
from bap_v2_dataset.tasks.gsu.reading.walks import WalkQuestion, read_instructions, read_own_start


class OutlookQuestion(NamedTuple):
    """A walk, and two of the structures that stand around its end."""

    walk: WalkQuestion
    sides: Sides
    target: Spans
    base: Spans

    @property
    def scene(self) -> SceneQuestion:
        """What there is to see at the end of the walk."""
        return SceneQuestion(self.walk.walked[1], self.sides, self.target, self.base)

    @property
    def answer(self) -> str:
        """Every direction that applies."""
        return self.scene.answer


def read_outlook(question: str) -> OutlookQuestion:
    """The walk and the structures that a question is about.

    Raises:
        GsuQuestionError: for a text that is not such a question.
    """
    walk = WalkQuestion(3, True, read_own_start(question), steps=read_instructions(question))
    found("A direction applies if the whole of one lies beyond the whole of the other", question, "what applies")
    names: dict[str, Bounds] = {}
    for color, bounds in boxes(read_blocks(question), CORNERS):
        name = f"{color} {bounds.kind}"
        if name in names:
            raise GsuQuestionError(f"two structures are a {name}: expected one")
        names[name] = bounds
    asked = found(
        r"\nWhere is the (\w+ \w+) relative to the (\w+ \w+), as you see it after the walk\?", question, "the question"
    )
    for name in asked.groups():
        if name not in names:
            raise GsuQuestionError(f"no {name}: expected one of {', '.join(names)}")
    return OutlookQuestion(walk, read_sides(question), _spans(names[asked[1]]), _spans(names[asked[2]]))


def _spans(bounds: Bounds) -> Spans:
    x, y, z = zip(*bounds)
    return x, y, z
