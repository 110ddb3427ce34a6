"""What the card of building says of variants: the blocks of the template `card.md`."""

from bap_v2_dataset.publishing.published import PublishedConfigs
from bap_v2_dataset.publishing.template import rendered_blocks
from bap_v2_dataset.tasks.building.card import simulators_of
from bap_v2_dataset.tasks.building.task import BUILDING
from bap_v2_dataset.tasks.robustness.families import FAMILIES
from bap_v2_dataset.tasks.robustness.task import BASE_OF
from bap_v2_dataset.tasks.robustness.versions import PERTURBATION_VERSION

_TITLES = {
    "original": "the test items",
    **{name: family.title for name, family in FAMILIES.items()},
    "probe": "200 test items, and the first variant of each family: for models that are slow or dear",
}


def pieces(published: PublishedConfigs) -> dict[str, str]:
    """Texts by the places of `building/card.md` where they stand; without variants only how they are made."""
    # The splits of the variants that are published.
    sizes = {
        name: {split.name: split.num_examples for split in published.infos[name].splits.values()}
        for name in BASE_OF
        if name in published.infos
    }
    # What the template needs of them.
    facts = {
        "repo_id": published.repo_id,
        "robust": list(sizes),
        "bases": [BASE_OF[name] for name in sizes],
        "items_too": any(name in BUILDING.configs for name in published.infos),
        "synthetic": simulators_of(published),
        "splits": {
            split: (title, [sizes[name].get(split) for name in sizes])
            for split, title in _TITLES.items()
            if any(split in sizes[name] for name in sizes)
        },
        "perturbation_version": PERTURBATION_VERSION,
    }
    return rendered_blocks("robustness/card.md", facts)
