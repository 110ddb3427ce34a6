"""What a card, or the part of it that a task writes, is about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import datasets

from bap_v2_dataset.human.game_store import KeptGames
from bap_v2_dataset.interface.task import Config, Task
from bap_v2_dataset.publishing.template import rendered


@dataclass(frozen=True)
class PublishedConfigs:
    """The content of a repository, as far as a card or a part of it is about it."""

    repo_id: str
    infos: Mapping[str, datasets.DatasetInfo]  # by config, in the usual order; at least one
    rows: Mapping[str, Mapping[str, datasets.Dataset]]  # config -> split -> rows; what is missing has no statistics
    default: str | None  # the config that is loaded if none is named
    metric_space: str | None
    labels: str | None
    games: KeptGames | None
    tasks: Sequence[Task]  # all that there are
    others: Sequence[tuple[str, str]] | None = None  # of the whole card: titles and parts of other tasks

    @property
    def known(self) -> Mapping[str, Config]:
        """All configs of all tasks."""
        return {name: config for task in self.tasks for name, config in task.configs.items()}

    @property
    def pieces(self) -> Sequence[Mapping[str, str]]:
        """Texts that other tasks have in the card, by the places of its template."""
        return [task.card_pieces(self) for task in self.tasks]

    def rendered(self, template: str, **facts: Any) -> str:
        """Return the whole card, with the parts of other tasks; or a part, whose headings are a level deeper.

        Args:
            facts: what the template names besides the facts that all cards have.
        """
        # The config in the example, and its test split if it has one.
        configs = list(self.infos)
        loaded = self.default if self.default in self.infos else configs[0]
        splits = list(self.infos[loaded].splits)
        # What every card says, in headings of its level.
        common = {
            "top": "##" if self.others is None else "#",
            "sub": "###" if self.others is None else "##",
            "repo_id": self.repo_id,
            "configs": configs,
            "sizes": {
                name: {split.name: split.num_examples for split in info.splits.values()}
                for name, info in self.infos.items()
            },
            "loaded": loaded,
            "loaded_split": next((name for name in splits if name.startswith("test")), splits[0]),
            "features": self.infos[configs[0]].features,
            "metric_space": self.metric_space,
            "package_version": version("bap-v2"),
            "other_titles": [title for title, _ in self.others or ()],
            "other_parts": [part for _, part in self.others or ()],
        }
        return rendered(template, common | facts).strip()
