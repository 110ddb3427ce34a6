"""Architect generation, the other role of building: what does the Architect say next?"""

from collections.abc import Mapping
from pathlib import Path

from bap_v2_dataset.interface.task import Config, ScoreOption, Task
from bap_v2_dataset.tasks.building.task import CONFIGS

BASE_OF = {f"architect_{name}": name for name in ("dr", "dsb", "dss", "mdc")}  # the items that rows are made of
_MEGABYTES = {"dr": 66, "dsb": 44, "dss": 32, "mdc": 30}


class Architect(Task):
    """The next words of the Architect, scored by what a Builder builds on them."""

    name = "architect"
    title = "Architect generation"
    parts = ("viewer",)
    configs: Mapping[str, Config] = {
        name: Config(
            arguments=("mdc",) if base == "mdc" else (),
            by_default=False,
            made_of=(base,),
            unit=CONFIGS[base].unit,
            megabytes=_MEGABYTES[base],
        )
        for name, base in BASE_OF.items()
    }
    setup_option = "--architect"
    setup_help = "The configs of the Architect's next utterance, architect_*, and what they are made of."
    examples = {"setup": (("what the Architect says next", "bap-v2 setup --architect"),)}
    own_columns = ("id", "utterances", "before")
    baselines = ("gold", "next-block", "repeat", "silent")
    reported = tuple(BASE_OF)
    headline = "reads_f1"
    units = ("target",)
    score_options = (
        ScoreOption(
            "built",
            "What a Builder did on the words (of bap-v2 predict), or a baseline such as replay, in place of the "
            "symbolic reader. SYSTEM=FILE where several systems are scored. Repeatable.",
            list[str],
            "FILE",
        ),
        ScoreOption("builder_items", "Also write the items in which a Builder reads the words (.jsonl).", Path, "FILE"),
    )
    of_items = f"Architect generation ({', '.join(BASE_OF)}, own data)"

    def split_of_id(self, row_id: str) -> tuple[str, str] | None:
        return self.part("ids").split_of_id(row_id)


ARCHITECT = Architect()
