"""The console that all commands print to: no control character in the texts of others reaches the terminal."""

from collections.abc import Iterable

import rich.console
from rich.segment import Segment

from bap_v2_dataset.sentences import visible


class Console(rich.console.Console):
    """A console of rich whose texts are `visible`."""

    def render(
        self, renderable: rich.console.RenderableType, options: rich.console.ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield the segments, as rich does."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))
