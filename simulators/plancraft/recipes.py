"""The recipes of the package, in one order on every machine, and what a crafting grid makes."""

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from bap_v2_simulators.plancraft.package import module

KINDS = ("smelting", "shapeless", "shaped")  # the order in which recipes of one item are told
_CACHED_GRIDS = 100_000

Recipe = Any  # of `plancraft.environment.recipes`
Grid = tuple[str | None, ...]  # nine items or None, row by row


class Crafted(NamedTuple):
    """The product of a grid."""

    item: str
    count: int
    used: tuple[int, ...]  # cells of the grid, 0 to 8, that are used up


@cache
def recipes_of(item: str) -> tuple[Recipe, ...]:
    """Return the recipes of an item: by kind, then by ingredients. The package has the order of the file system."""
    recipes = module("environment.recipes").RECIPES
    return tuple(sorted(recipes.get(item, ()), key=_order))


@cache
def stack_sizes() -> dict[str, int]:
    """Return by item how many of it one slot holds."""
    return module("environment.planner").MAX_STACK_SIZE


@cache
def choices(recipe: Recipe) -> list[list[list[str | None]]]:
    """The items that each cell of a shaped recipe takes, in alphabetical order, by row and column; [None]: none."""
    name = module("environment.recipes").id_to_item
    return [[sorted(map(name, cell), key=lambda item: item or "") for cell in row] for row in recipe.kernel]


@cache
def ingredient_sets(recipe: Recipe) -> list[dict[str, int]]:
    """Return the sets of ingredients of a shapeless recipe, in one order."""
    return sorted(recipe.ingredients, key=lambda counts: json.dumps(sorted(counts.items())))


@lru_cache(maxsize=_CACHED_GRIDS)
def crafted(grid: Grid) -> Crafted | None:
    """Return what a grid makes; None if it is no recipe. No grid fits two recipes with different results."""
    items = [item for item in grid if item is not None]
    if not items:
        return None
    by_ingredient, ids = _by_ingredient(), _ids()
    candidates = min((by_ingredient.get(item, ()) for item in items), key=len)
    if not candidates:
        return None
    table = np.array([len(ids) if item is None else ids[item] for item in grid]).reshape(3, 3)
    for recipe in candidates:
        if found := recipe.craft(table):
            result, used = found
            return Crafted(result.item, result.count, tuple(used))
    return None


@cache
def _ids() -> dict[str, int]:
    return {item: number for number, item in enumerate(module("environment.items").ALL_ITEMS)}


@cache
def _by_ingredient() -> dict[str, Sequence[Recipe]]:
    """Return by item the crafting recipes that it is an ingredient of."""
    of_item: dict[str, list[Recipe]] = {}
    for result in sorted(module("environment.recipes").RECIPES):
        for recipe in recipes_of(result):
            if recipe.recipe_type != "smelting":
                for item in sorted(recipe.inputs):
                    of_item.setdefault(item, []).append(recipe)
    return of_item


def _order(recipe: Recipe) -> tuple[int, str]:
    kind = recipe.recipe_type
    if kind == "smelting":
        ingredients: Any = sorted(recipe.ingredient)
    elif kind == "shapeless":
        ingredients = [sorted(counts.items()) for counts in ingredient_sets(recipe)]
    else:
        ingredients = choices(recipe)
    return KINDS.index(kind), json.dumps(ingredients)
