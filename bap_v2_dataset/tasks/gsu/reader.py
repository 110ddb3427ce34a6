"""The independent reader: answers every question of GSU from its text alone.

It shares nothing with what makes the questions: no geometry, no generator, no wording. Where both agree, the question
says all that its answer needs.
"""

from bap_v2_dataset.tasks.gsu.reading.phrases import GsuQuestionError
from bap_v2_dataset.tasks.gsu.reading.scenes import OutlookQuestion, SceneQuestion, read_outlook, read_scene
from bap_v2_dataset.tasks.gsu.reading.structures import StructureQuestion, read_structure
from bap_v2_dataset.tasks.gsu.reading.walks import WalkQuestion, read_walk

Question = WalkQuestion | SceneQuestion | StructureQuestion | OutlookQuestion


def read(question: str) -> str:
    """The answer to a question: a position, a chain of instructions, directions, or a sentence about a structure.

    Raises:
        GsuQuestionError: for a text that is not a question of GSU.

    >>> read(
    ...     "You walk on a grid, and you face north. To go left, right or backward you turn that way, walk, and go on "
    ...     "facing that way; to go forward you do not turn.\\nPath: east 2, east 1.\\nWhich instructions in your own "
    ...     "directions (left, right, forward, backward) lead along this path?"
    ... )
    'right 2, forward 1'
    """
    return parse(question).answer


def parse(question: str) -> Question:
    """Return what a question tells and asks. Raises: GsuQuestionError, for a text that is not a question of GSU."""
    if "as you see it after the walk?" in question:
        return read_outlook(question)
    if question.startswith("You walk on a grid"):
        return read_walk(question)
    if "\nDescribe the structure" in question:
        return read_structure(question)
    if "\nWhere is the " in question:
        return read_scene(question)
    raise GsuQuestionError(f"cannot find what is asked in {question[:80]!r}: expected a question of GSU")
