"""The test sets of GSU in evaluation harnesses."""

from functools import partial

from bap_v2_dataset.interface.question_format import HarnessTask, QuestionFormat, counts
from bap_v2_dataset.tasks.gsu.scorer import SCORER
from bap_v2_dataset.tasks.gsu.task import GSU, JOINT

QUESTION_FORMATS = {
    "gsu": QuestionFormat(
        scores=(GSU.headline,),
        max_tokens=512,
        question=dict,
        counts_of=partial(counts, SCORER),
        aggregate=SCORER.aggregate,
    )
}
GROUPS = {"bap_v2_gsu": {f"bap_v2_{name}": HarnessTask("gsu", name) for name in GSU.configs if name != JOINT}}
