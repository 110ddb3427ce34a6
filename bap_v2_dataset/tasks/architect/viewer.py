"""A row of Architect generation is shown as the item that it is made of."""

from collections.abc import Callable

from bap_v2_dataset.tasks.architect.ids import item_id_of
from bap_v2_dataset.tasks.viewer import Located, NotFoundError, Viewer


class ArchitectViewer(Viewer):
    """Rows that have no picture of their own."""

    def locate(
        self,
        item_id: str,
        config: str | None = None,
        split: str | None = None,
        labels: str | None = None,
        is_set_up: Callable[[str], bool] = lambda config: True,
    ) -> Located:
        if made_of := item_id_of(item_id):
            raise NotFoundError(
                f"{item_id} is a row of Architect generation, which is shown as the item that it is made of: "
                f"bap-v2 show {made_of}"
            )
        return super().locate(item_id, config, split, labels, is_set_up)
