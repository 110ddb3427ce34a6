"""The small test sets with variants in evaluation harnesses, asked and scored as those of building."""

from collections.abc import Mapping

from bap_v2_dataset.interface.question_format import HarnessTask, QuestionFormat
from bap_v2_dataset.tasks.robustness.task import BASE_OF

QUESTION_FORMATS: Mapping[str, QuestionFormat] = {}
GROUPS = {"bap_v2_probe": {f"bap_v2_probe_{base}": HarnessTask("bap", name, "probe") for name, base in BASE_OF.items()}}
