"""A row of Architect generation is shown as the item that it is made of."""

from bap_v2_dataset.interface.viewer import ItemLocation, ItemQuery, NotFoundError, Viewer
from bap_v2_dataset.tasks.architect.ids import item_id_of


class ArchitectViewer(Viewer):
    """Rows that have no picture of their own."""

    def locate(self, wanted: ItemQuery) -> ItemLocation:
        if made_of := item_id_of(wanted.item_id):
            raise NotFoundError(
                f"{wanted.item_id} is a row of Architect generation, which is shown as the item that it is made of: "
                f"bap-v2 show {made_of}"
            )
        return super().locate(wanted)


VIEWER = ArchitectViewer  # what `Task.viewer` makes
