"""The test sets of building in evaluation harnesses."""

from functools import partial

from bap_v2_dataset.interface.question_format import HarnessTask, QuestionFormat, Row, counts
from bap_v2_metric.scoring import SCORER


def _question(row: Row) -> dict:
    return {**row, "prompt": row["prompt_n_posb_s"]}


QUESTION_FORMATS = {
    "bap": QuestionFormat(
        scores=("fairer_f1", "strict_f1", "type_f1", "color_f1", "location_f1", "shape_f1"),
        max_tokens=640,  # hold any human answer
        question=_question,
        counts_of=partial(counts, SCORER),
        aggregate=SCORER.aggregate,
    )
}
GROUPS = {"bap_v2": {f"bap_v2_{name}": HarnessTask("bap", name) for name in ("mdc_v2", "dr", "dsb", "dss")}}
