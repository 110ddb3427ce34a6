"""The rows of the robustness configs: test items as they are, and their variants, a split for each family."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import datasets
import orjson

from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import hashed, row
from bap_v2_dataset.loading.sampling import sampled
from bap_v2_dataset.loading.shards import MixedShard, rows_shards
from bap_v2_dataset.tasks.building import dataset as bap
from bap_v2_dataset.tasks.robustness.families import FAMILIES, PERTURBATION_VERSION, variants_in_all
from bap_v2_dataset.tasks.robustness.side_words import mirror_tokens_digest
from bap_v2_dataset.tasks.robustness.synonyms import CONCEPTS, STRICT_LEXICON
from bap_v2_dataset.tasks.robustness.task import BASE_OF, ROBUSTNESS
from bap_v2_simulators.corpora import PUBLISHED, SIMULATORS
from bap_v2_simulators.simulation import play

if TYPE_CHECKING:
    from bap_v2_dataset.loading.config import BapV2Config

PROBE = 200  # parents of the split `probe`
_CITATION = """\
@inproceedings{dan2021generalization,
  title = {Generalization in Instruction Following Systems},
  author = {Dan, Soham and Zhou, Michael and Roth, Dan},
  booktitle = {Proceedings of the 2021 Conference of the North American Chapter of the Association for Computational
               Linguistics: Human Language Technologies},
  year = {2021}
}
"""


class PerturbedShard(NamedTuple):
    """The variants of the rows of another shard."""

    shard: MixedShard
    config: str  # of those rows
    families: tuple[str, ...]
    most: int | None = None  # variants of a family
    with_parents: bool = False  # each row in front of its variants

    def rows(self) -> Iterator[dict[str, Any]]:
        for parent in self.shard.rows():
            if self.with_parents:
                yield parent
            yield from variants_in_all(parent, self.families, self.most, self.config)


def description(config: str) -> str:
    """One line about a config."""
    return f"Robustness: the test items of {BASE_OF[config]}, and variants of them whose right answer is known."


def info(config: str) -> datasets.DatasetInfo:
    """The columns of a config, which are those of the items, and whose data they are."""
    base = bap.info(BASE_OF[config])
    base.description = "Builder Action Prediction (BAP) v2 under perturbations: is a Builder right on every variant?"
    base.citation = f"{base.citation}\n{_CITATION}"
    return base


def shards(
    config: "BapV2Config", rows_of: Callable[[str], Mapping[str, datasets.Dataset]]
) -> dict[str, Sequence[MixedShard | PerturbedShard]]:
    """The shards of each split: `original`, the families that have variants, and `probe`.

    Args:
        rows_of: gives the splits of another config, made from the same corpus and labels.
    """
    base = BASE_OF[config.name]
    splits = rows_of(base)
    if "test" not in splits:
        return {}
    original = rows_shards(splits["test"])
    families = families_of(config.name, (row for shard in original for row in shard.rows()))
    probe = rows_shards(splits["test"], sampled(splits["test"]["id"][:], PROBE))
    return {
        "original": original,
        **{family: [PerturbedShard(shard, base, (family,)) for shard in original] for family in families},
        "probe": [PerturbedShard(shard, base, families, 1, True) for shard in probe],
    }


def families_of(config: str, rows: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """The families of a config's splits of which any of these rows has a variant: others would be empty splits."""
    families = tuple(name for name in ROBUSTNESS.configs[config].splits if name in FAMILIES)
    missing = set(families)
    for parent in rows:
        missing -= {family for family in missing if any(True for _ in variants_in_all(parent, (family,), 1))}
        if not missing:
            break
    return tuple(family for family in families if family not in missing)


def depends_on(config: str, mdc: str | None = None, labels: str | None = None) -> list[str]:
    """What the rows of a config depend on: those of its base, and how variants are made of them.

    Also a digest of some variants: a change whose author forgot to raise the version is not served from the cache.
    """
    base = BASE_OF[config]
    words = [repr(STRICT_LEXICON), repr(CONCEPTS), mirror_tokens_digest()]
    return [config, hashed(bap.depends_on(base, mdc, labels)), PERTURBATION_VERSION, *words, _digest()]


def labels_of(rows: Sequence[Mapping], config: str) -> str:
    """Whose labels were used, which are those of the base; shown with every score."""
    return bap.labels_of(rows, BASE_OF[config])


def _digest() -> str:
    """Of the variants of some simulated items."""
    games = (play(SIMULATORS[name](), "test", 0) for name in PUBLISHED)
    parents = (row(item) for game in games for item in islice(items(game), 3, 5))
    variants = [variant for parent in parents for variant in variants_in_all(parent, most=1)]
    return hashlib.sha256(orjson.dumps(variants)).hexdigest()
