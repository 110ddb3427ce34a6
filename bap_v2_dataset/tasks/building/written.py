"""The config `written`: games of the simulators, whose words a large language model wrote anew, turn by turn.

What is built, and so the right answers, are the simulators'. Turns whose words did not say what was built are left out
of the items. The games lie in the package (`data/written`) and stay as they are when the simulators move on;
`data/README.md` says how they were made.
"""

from importlib.resources import files
from pathlib import Path

from bap_v2_dataset.loading.shards import KeptShard, kept_shards


def written_shards(split: str) -> list[KeptShard]:
    """Return the games of a split, in order."""
    return kept_shards(Path(str(files("bap_v2_dataset") / "data" / "written" / f"{split}.jsonl.gz")))
