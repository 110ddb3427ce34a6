"""The Plancraft task of an id, from the files of the package, and episodes as pictures: nothing has to be set up."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import RenderableType

from bap_v2_dataset.interface.viewer import ItemLocation, ItemQuery, NotFoundError, Predicted, Viewer
from bap_v2_dataset.pictures.picture import Picture, Progress
from bap_v2_dataset.pictures.terminal_colors import Palette
from bap_v2_dataset.sentences import unknown_name
from bap_v2_dataset.tasks.plancraft.pictures.frames import Shown, gold_episode, shown_episode
from bap_v2_dataset.tasks.plancraft.pictures.text import task_text, title
from bap_v2_dataset.tasks.plancraft.rows import task_row
from bap_v2_dataset.tasks.plancraft.task_files import FILES, records

if TYPE_CHECKING:
    from bap_v2_dataset.evaluation.runs import SystemPredictions
    from bap_v2_dataset.loading.own_splits import OwnData

CONFIG = "plancraft"


class PlancraftViewer(Viewer):
    """Tasks of Plancraft, each with episodes of systems; without systems with the gold plan."""

    formats = (".png", ".svg", ".pdf", ".html", ".gif")

    def locate(self, wanted: ItemQuery) -> ItemLocation:
        """Find a task, by default in the whole split that its id names.

        Raises:
            NotFoundError: there is no such task, or not there.
            PlancraftMissing: without the package.
        """
        item_id, config, split, *_ = wanted
        told = self.task.split_of_id(item_id)
        if told is None:
            raise NotFoundError(f"{item_id} is no id of Plancraft (expected e.g. TEST0000)")
        if config not in (None, CONFIG):
            raise NotFoundError(f"{item_id} is a task of {CONFIG}, not of {config}: leave out --config")
        split = split or told[1]
        if split not in FILES:
            raise NotFoundError(unknown_name("split", split, FILES))
        for record in records(split):
            if record["id"] == item_id:
                return ItemLocation(task_row(record), CONFIG, split)
        ids = [record["id"] for record in records(split)]
        raise NotFoundError(f"there is no task {item_id} in {split}: it has {ids[0]} to {ids[-1]}")

    def picture(self, item: ItemLocation, predictions: Mapping[str, Predicted], interactive: bool = False) -> Picture:
        episodes = [shown_episode(item.row, one.text, name, one.settings) for name, one in predictions.items()]
        return PlancraftPicture(item.row, episodes or [gold_episode(item.row)], item.place)

    def page(
        self,
        files: Sequence[str],
        split: str | None = None,
        data: "OwnData | None" = None,
        *,
        read: Callable[..., tuple[str, str, Sequence["SystemPredictions"]]],
        progress: Callable[[str], None] = lambda text: None,
    ) -> bytes:
        """Make a page of every task that all files answer, or of the gold plans of a split.

        Raises:
            NotFoundError: no task has an episode of every file.
            bap_v2_dataset.predictions.entries.PredictionError: files that cannot be read, or answer other tasks.
            PlancraftMissing: without the package.
        """
        from bap_v2_dataset.evaluation import test_sets
        from bap_v2_dataset.tasks.plancraft.pictures.replay import gallery

        # The tasks of the files, or of a split.
        config, split, systems = read(files, None if data is not None or files else CONFIG, split, data)
        rows: Sequence[Mapping[str, Any]] = (
            data.splits[split] if data is not None else test_sets.split_rows(config, split, "pass --split with one of")
        ).to_list()
        progress(f"playing episodes of {config}, {split}")
        # Only tasks that every file answers; without files the gold plan.
        played: list[tuple[Mapping[str, Any], list[Shown]]] = []
        for row in rows:
            texts = [(file, file.predictions[row["id"]]) for file in systems if row["id"] in file.predictions]
            if len(texts) == len(systems):
                episodes = [shown_episode(row, text, file.label, file.settings) for file, text in texts]
                played.append((row, episodes or [gold_episode(row)]))
        if not played:
            raise NotFoundError(
                f"no task of {config}, {split} has an episode of every file: explore them one by one"
            )  # fmt: skip
        return gallery(played, f"{config}, {split}").encode()


@dataclass(frozen=True, repr=False)
class PlancraftPicture(Picture):
    """A task of Plancraft with episodes of systems: pictures of every turn in a notebook, text when printed.

    A file is a strip of all turns (.png, .svg, .pdf), an animation of the first episode (.gif) or a page (.html).

    Attributes:
        row: of the task.
        episodes: of systems.
        place: where the task is from.
    """

    row: Mapping[str, Any]
    episodes: Sequence[Shown]
    place: str = ""
    formats: ClassVar = PlancraftViewer.formats
    dots: ClassVar = (110, 90)

    @property
    def title(self) -> str:
        return self.row["id"]

    @property
    def subtitle(self) -> str:
        return " · ".join(filter(None, (title(self.row), self.place)))

    def parts(self, width: int, colors: Palette | None) -> Iterable[RenderableType]:
        return task_text(self.row, self.episodes)

    def remark(self, suffix: str) -> str:
        if suffix != ".gif" or len(self.episodes) == 1:
            return ""
        return (
            f"an animation shows one system: {self.episodes[0].name}; a page (.html) or a figure (.png) shows all"
        )  # fmt: skip

    def drawn(self, format: str, notebook: bool = False, progress: Progress = lambda done, of: None) -> bytes:
        if format == "html":
            from bap_v2_dataset.tasks.plancraft.pictures.replay import replay

            return replay(self.row, self.episodes, self.place or "own task").encode()
        from bap_v2_dataset.tasks.plancraft.pictures.animation import animation, strip

        if format == "gif":
            return animation(self.episodes[0], self.title, progress)
        return strip(self.episodes, " · ".join(filter(None, (self.title, self.place))), format)


VIEWER = PlancraftViewer  # what `Task.viewer` makes
