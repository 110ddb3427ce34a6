"""The crafting table without pictures: the rules are the package's, what a grid makes is looked up.

The environment of the package reads 976 pictures when it is made, and tries all recipes at each step.
"""

from collections.abc import Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any

from bap_v2_metric.errors import UserError
from bap_v2_simulators.plancraft.package import module
from bap_v2_simulators.plancraft.recipes import crafted
from bap_v2_simulators.plancraft.turns import MAX_QUANTITY, N_SLOTS, slot_name

OUTPUT = 0
GRID = range(1, 10)
INVENTORY = range(10, N_SLOTS)

State = dict[int, dict[str, Any]]  # by slot {"type": item, "quantity": number}; empty slots are left out


class InventoryError(UserError):
    """An inventory that an episode cannot begin with; the message names the slot."""


def crafting_environment(inventory: Mapping[int, Mapping[str, Any]]) -> Any:
    """Return a crafting table: a `PlancraftEnvironment` with `state`, `move_item`, `smelt_item` and `clean_state`.

    Args:
        inventory: by slot its `type` and `quantity`. It is copied.
    Raises:
        InventoryError: slots outside the inventory, unknown items, and quantities that no slot holds.
        PlancraftMissing: without the package.
    """
    known = module("environment.planner").MAX_STACK_SIZE
    for slot, item in inventory.items():
        if slot not in INVENTORY:
            raise InventoryError(
                f"slot {slot!r}: an episode begins with items in {slot_name(10)} to {slot_name(45)} alone"
            )
        if item["type"] not in known:
            raise InventoryError(f"slot {slot_name(slot)}: unknown item {item['type']!r}")
        if not 1 <= item["quantity"] <= MAX_QUANTITY:
            raise InventoryError(f"slot {slot_name(slot)}: quantity {item['quantity']} (expected 1 to {MAX_QUANTITY})")
    return environment_class()(inventory)


def copied(state: Mapping[int, Mapping[str, Any]]) -> State:
    """Return a state that shares nothing with this one."""
    return {slot: {"type": item["type"], "quantity": item["quantity"]} for slot, item in state.items()}


@cache
def environment_class() -> type:
    """Return the class of crafting tables; made when it is first needed, because it derives from one of the package."""
    # The package's recipes in an order that does not depend on the machine.
    base = module("environment.env").PlancraftEnvironment
    recipes = module("environment.recipes")
    smelting = [
        recipe
        for item in sorted(recipes.RECIPES)
        for recipe in recipes.RECIPES[item]
        if recipe.recipe_type == "smelting"
    ]
    # The table is not drawn.
    drawing = ("clear", "add_item_to_slot", "remove_item_from_slot")
    no_picture = SimpleNamespace(**dict.fromkeys(drawing, lambda *args, **options: None))  # where the table is drawn

    class CraftingEnvironment(base):  # type: ignore[misc, valid-type]
        def __init__(self, inventory: Mapping[int, Mapping[str, Any]], ingredients: tuple[int, ...] = ()) -> None:
            self.table = no_picture
            self.table_indexes = GRID
            self.output_index = OUTPUT
            self.smelting_recipes = smelting
            self.state = copied(inventory)
            self.ingredients_idxs = ingredients

        def fork(self) -> "CraftingEnvironment":
            return CraftingEnvironment(self.state, self.ingredients_idxs)

        def populate_craft_slot_craft_item(self) -> None:
            state = self.state
            made = crafted(tuple(state[slot]["type"] if slot in state else None for slot in GRID))
            if made is None:
                self.ingredients_idxs = ()
                state.pop(OUTPUT, None)
                return
            self.ingredients_idxs = made.used
            state[OUTPUT] = {"type": made.item, "quantity": made.count}

    return CraftingEnvironment
