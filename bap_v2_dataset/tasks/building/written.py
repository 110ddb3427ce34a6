"""The config `written`: games of the simulators, whose words a large language model wrote anew, turn by turn.

What is built, and so the right answers, are the simulators'. The games lie in the package (`data/written`) and stay as
they are when the simulators move on; `data/README.md` says how they were made.
"""

from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.loading.shards import KeptShard, kept_shards


class WrittenShard(NamedTuple):
    """A run of games, without the turns whose words did not say what was built: those are history alone."""

    shard: KeptShard

    def rows(self) -> Iterator[dict[str, Any]]:
        for game in self.shard.games():
            yield from (row(item) for item in items(game) if not item.metadata.get("left_out"))


def written_shards(split: str) -> Sequence[WrittenShard]:
    """Return the games of a split, in order."""
    path = Path(str(files("bap_v2_dataset") / "data" / "written" / f"{split}.jsonl.gz"))
    return [WrittenShard(shard) for shard in kept_shards(path)]
