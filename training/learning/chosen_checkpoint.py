"""A checkpoint as the model of its run."""

import json
import re
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bap_v2_dataset.predictions.model_records import TRAINING_RUN
from bap_v2_simulators.whole_files import replacing, write_whole
from bap_v2_training.errors import UsageError

CHOSEN = "chosen_checkpoint"  # its place in the record of the run
_WEIGHTS = re.compile(r"(adapter_)?model(-\d+-of-\d+)?\.safetensors|model\.safetensors\.index\.json")


def keep_checkpoint(run_folder: Path, checkpoint: Path, why: Mapping[str, Any]) -> None:
    """Puts the weights of a checkpoint in the place of those that its run ended with, and records it.

    After a kill, the same call completes it.

    Args:
        why: what to record.
    Raises:
        UsageError: the checkpoint has no weights that a model is loaded from.
    """
    weights = [path for path in checkpoint.iterdir() if _WEIGHTS.fullmatch(path.name)]
    if not weights:
        raise UsageError(
            f"{checkpoint} has no weights of one process (model.safetensors); with FSDP, fsdp_state_dict_type: "
            "FULL_STATE_DICT saves them"
        )
    for path in weights:
        with replacing(run_folder / path.name) as unfinished:
            shutil.copyfile(path, unfinished)
    for path in run_folder.iterdir():
        if _WEIGHTS.fullmatch(path.name) and not (checkpoint / path.name).exists():
            path.unlink()  # of another number of parts
    record = run_folder / TRAINING_RUN
    run = json.loads(record.read_bytes())
    ended = run.get(CHOSEN, {}).get("training_finished", run["finished"])
    # Another time, so that answers of the model that was here before are not taken for those of this one.
    run["finished"] = datetime.now(UTC).isoformat(timespec="microseconds")
    run[CHOSEN] = {"checkpoint": checkpoint.name, "training_finished": ended, **why}
    write_whole(record, (json.dumps(run, indent=2) + "\n").encode())
