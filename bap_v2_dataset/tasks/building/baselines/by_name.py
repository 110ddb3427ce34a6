"""The baselines of building by their names, as `bap-v2 score --baseline` takes them."""

from bap_v2_dataset.tasks.building.baselines.rules import do_nothing, first_ten, reading, replay, stack
from bap_v2_dataset.tasks.building.baselines.symbolic_reader import symbolic

BASELINES = {
    "do-nothing": do_nothing,
    "stack": stack,
    "first-ten": first_ten,
    "replay": replay,
    "reading": reading,
    "symbolic": symbolic,
}
