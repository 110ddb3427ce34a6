"""What the environment answers to a search: the recipes of an item, each as one grid that makes it.

The words are those of the package, whose function is run on recipes that are in our order and draw from a random number
generator of their own: the same search has the same answer on every machine.
"""

from random import Random
from types import FunctionType
from typing import Any

from bap_v2_simulators.plancraft.package import module
from bap_v2_simulators.plancraft.recipes import Recipe, choices, ingredient_sets, recipes_of


def search_reply(item: str, random: Random) -> str:
    """Return the reply to `search: ITEM`, as `plancraft.environment.search.gold_search_recipe` words it.

    Args:
        random: which of the grids of a recipe is told.
    Raises:
        PlancraftMissing: without the package.
    """
    function: Any = module("environment.search").gold_search_recipe
    recipes = {item: [_RecipeView(recipe, random) for recipe in recipes_of(item)]} if recipes_of(item) else {}
    return str(FunctionType(function.__code__, {**function.__globals__, "RECIPES": recipes})(item))


class _RecipeView:
    """A recipe as the package's function reads it."""

    def __init__(self, recipe: Recipe, random: Random) -> None:
        self._recipe, self._random = recipe, random
        self.recipe_type = recipe.recipe_type
        self.ingredient = _SortedSet(recipe.ingredient) if self.recipe_type == "smelting" else None

    def sample_input_crafting_grid(self) -> list[dict[str, Any]]:
        """Return one grid that makes what the recipe makes."""
        recipe, random = self._recipe, self._random
        if self.recipe_type == "shapeless":
            counts = random.choice(ingredient_sets(recipe))
            slots = random.sample(range(1, 10), sum(counts.values()))
            items = [item for item, count in counts.items() for _ in range(count)]
            return [{"type": item, "slot": slot} for item, slot in zip(items, slots)]
        first_row, first_column = random.choice(recipe.possible_kernel_positions())
        return [
            {"type": item, "slot": (first_row + row) * 3 + first_column + column + 1}
            for row, cells in enumerate(choices(recipe))
            for column, items in enumerate(cells)
            if (item := random.choice(items)) is not None
        ]


class _SortedSet(frozenset[str]):
    """A set that is printed in alphabetical order."""

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, sorted(self))) + "}"

    __str__ = __repr__
