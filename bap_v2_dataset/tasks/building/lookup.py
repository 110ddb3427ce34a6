"""The item or the game of an id: simulated again, or from the rows of a config and the human games.

A simulated item needs no rows, so `datasets`, whose import takes half a second, is imported only where rows are read.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.loading.registration import DATASET_NAME
from bap_v2_dataset.sentences import no_such_game, unknown_name
from bap_v2_dataset.tasks.architect.ids import item_id_of
from bap_v2_dataset.tasks.building.items import items
from bap_v2_dataset.tasks.building.rows import perturbation_of, row
from bap_v2_dataset.tasks.robustness.task import BASE_OF as BASE_OF_ROBUST
from bap_v2_dataset.tasks.table import ITEM_CONFIGS, LABELED_CONFIGS, all_configs, unknown_config
from bap_v2_metric.errors import UserError
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.game import Game, read_games
from bap_v2_simulators.simulation import SPLITS, play

if TYPE_CHECKING:
    import datasets

    from bap_v2_dataset.loading.own_splits import OwnData
    from bap_v2_dataset.tasks.robustness.variant_rows import VariantName

_SIMULATED = re.compile(
    rf"(?P<config>{'|'.join(SIMULATORS)})(?:-seed(?P<seed>-?[0-9]+))?-(?P<split>{'|'.join(SPLITS)})"
    r"-(?P<index>0|[1-9][0-9]*)"
)


class NotFoundError(UserError):
    """An item, game, config or split that does not exist; the message names the nearest ones."""


@dataclass(frozen=True)
class LocatedItem:
    """The row of an item, and where it is from."""

    row: Mapping[str, Any]
    earlier: Mapping[str, Any] | None  # the row of the turn before, if there is one
    config: str  # or the name of own data
    split: str
    parent: Mapping[str, Any] | None = None  # of a variant: the row of the item that it was made of


def own_item(data: "OwnData", item_id: str, split: str | None = None) -> LocatedItem:
    """The item of an id in own data: of the named split, else of the first that has it.

    Raises:
        NotFoundError: with the nearest ids.
        bap_v2_dataset.loading.own_data.DataError: for a split that they do not have.
    """
    splits = data.splits if split is None else {name: data.splits[name] for name in [data.split_named(split)]}
    for name, rows in splits.items():
        if (position := _position(rows, item_id)) is not None:
            located = LocatedItem(rows[position], _earlier(rows, item_id), data.name, name)
            return replace(located, parent=_parent_in(data, located.row))
    ids = [known for rows in splits.values() for known in rows["id"][:]]
    near = [known for known in ids if known.startswith(item_id)][:3] or get_close_matches(item_id, ids, 3, 0.4)
    nearest = ", ".join(near or ids[:1])
    raise NotFoundError(
        f"there is no item {item_id} in {data.name}{f', {split}' if split else ''}; it has e.g. {nearest}"
    )


def item(item_id: str, config: str | None = None, split: str | None = None, labels: str | None = None) -> LocatedItem:
    """The item of an id.

    Items of a simulated game are simulated again, also of seeds and games that are in no config. Human items are
    looked up in `mdc_v2` and, since its test set holds clear items only, in `mdc`. A variant, with an id like
    dss-test-0~sa_turn-1/3, is made again from its parent, of whatever split.

    Args:
        config, split: where to look. By default the id tells. Of a variant they may be those of the parent, too.
        labels: of the test items of mdc_v2, if not those of the setup.
    Raises:
        NotFoundError: with the nearest ids.
        bap_v2_dataset.human.corpus_files.CorpusError: for a human item, if the corpus is not set up.
    """
    if made_of := item_id_of(item_id):
        raise NotFoundError(
            f"{item_id} is a row of Architect generation, which is shown as the item that it is made of: "
            f"bap-v2 show {made_of}"
        )
    if config is not None and config not in ITEM_CONFIGS:
        raise NotFoundError(unknown_config(config, ITEM_CONFIGS))
    if name := _variant_name(item_id):
        return _variant(item_id, name, config, split, labels)
    if config in BASE_OF_ROBUST:  # the items that variants are made of
        if split not in (None, "original", "probe", "test"):
            raise NotFoundError(
                f"{item_id} is no variant, and {split} of {config} holds those of one family: leave out --split, or "
                f"name a variant, e.g. {_variant_id(item_id, split)}"
            )
        config, split = BASE_OF_ROBUST[config], "test"
    if (simulated := _SIMULATED.match(item_id)) and config in (None, simulated["config"]):
        return _simulated_item(item_id, split)
    return _published_item(item_id, config, split, labels)


def game(name: str) -> Game:
    """The game of an id: a human one, one of its augmented variants, or a simulated one. Errors as for `item`."""
    name = name.partition("/")[0]  # the id of an item will do
    if variant := _variant_name(name):
        raise NotFoundError(
            f"{name} is no game: variants are made of single items. Show one of them, {name}/NUMBER, or the game of "
            f"the items, --game {variant.parent}"
        )
    if simulated := _SIMULATED.fullmatch(name):
        return play(
            SIMULATORS[simulated["config"]](), simulated["split"], int(simulated["index"]), int(simulated["seed"] or 0)
        )
    return _human_game(name)


def _variant_name(row_id: str) -> "VariantName | None":
    """What the id of a variant says; None for other ids, for which nothing is imported."""
    if "~" not in row_id:
        return None
    from bap_v2_dataset.tasks.robustness.variant_rows import variant_name

    return variant_name(row_id)


def _variant(
    item_id: str, name: "VariantName", config: str | None, split: str | None, labels: str | None
) -> LocatedItem:
    """The variant of an id, made again from its parent. It is in the same robust config that the parent's test set has.

    Args:
        config, split: of the variant, or of its parent.
    """
    from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_of

    if name.family not in FAMILIES:
        raise NotFoundError(f"there is no item {item_id}: {unknown_name('family', name.family, FAMILIES)}")
    if split in FAMILIES and split != name.family:
        raise NotFoundError(f"{item_id} is a variant of the family {name.family}, not of {split}: leave out --split")
    of_parent = None if split in (*FAMILIES, "original", "probe") else split
    parent = item(name.parent, BASE_OF_ROBUST.get(config or "", config), of_parent, labels)
    variants = variants_of(parent.row, name.family, config=parent.config)
    rows = {row["metadata"]["perturbation"]["variant"]: row for row in variants}
    if name.number not in rows:
        there = ", ".join(row["id"] for row in variants)
        others = f"it has {there}" if there else f"the item {name.parent} has no variant of {name.family}"
        raise NotFoundError(f"there is no item {item_id}: {others}")
    robust = next((robust for robust, base in BASE_OF_ROBUST.items() if base == parent.config), None)
    in_test = parent.split == "test" and not parent.row["metadata"].get("seed")
    published = robust is not None and in_test and name.family in all_configs()[robust].splits
    where = (robust, name.family) if published else (parent.config, parent.split)
    return LocatedItem(rows[name.number], None, *where, parent.row)


def _variant_id(item_id: str, family: str) -> str:
    """That of an item's first variant.

    >>> _variant_id("dss-test-0/1", "sa_turn")
    'dss-test-0~sa_turn-1/1'
    """
    game_id, _, number = item_id.rpartition("/")
    return f"{game_id}~{family}-1/{number}"


def _parent_in(data: "OwnData", row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The parent of a variant in own data: among them, else from its config; None for other items, or if it is gone."""
    parent = perturbation_of(row).get("parent")
    if not isinstance(parent, str):
        return None
    for rows in data.splits.values():
        if (position := _position(rows, parent)) is not None:
            return rows[position]
    try:
        return item(parent).row
    except UserError:  # it is from other own data, or the corpus is not here
        return None


def _simulated_item(item_id: str, split: str | None) -> LocatedItem:
    name, _, number = item_id.partition("/")
    match = _SIMULATED.fullmatch(name)
    if match is None:
        raise NotFoundError(f"{item_id!r} is not the id of a simulated item: they are like dss-test-12/0")
    if split not in (None, match["split"]):
        raise NotFoundError(f"{item_id} is an item of {match['split']}, not of {split}: leave out --split")
    rows = [row(each) for each in items(game(name))]
    if not (number.isdecimal() and int(number) < len(rows)):
        raise NotFoundError(f"there is no item {item_id}: the game {name} has the items {_ids(name, range(len(rows)))}")
    place = int(number)
    return LocatedItem(rows[place], rows[place - 1] if place else None, match["config"], match["split"])


def _published_item(item_id: str, config: str | None, split: str | None, labels: str | None) -> LocatedItem:
    """The item of an id in the rows of a config."""
    from bap_v2_dataset.loading import install

    configs = [config] if config else [name for name in ("mdc_v2", "mdc") if install.is_set_up(name)] or ["mdc"]
    known: dict[str, None] = {}
    for name in configs:
        splits = _splits(name, labels)
        if split is not None and split not in splits:
            raise NotFoundError(f"the config {name} has no split {split!r}: it has {', '.join(splits)}")
        for split_name in [split] if split else splits:
            rows = splits[split_name]
            position = _position(rows, item_id)
            if position is not None:
                return LocatedItem(rows[position], _earlier(rows, item_id), name, split_name)
            known.update(dict.fromkeys(rows["id"][:]))
    raise NotFoundError(_no_such_item(item_id, known, f"{' or '.join(configs)}{f', {split}' if split else ''}"))


def _splits(config: str, labels: str | None) -> "datasets.DatasetDict":
    """The rows of a config, loaded without progress bars."""
    import datasets

    arguments = {"labels": labels} if labels and config in LABELED_CONFIGS else {}
    shown = not datasets.are_progress_bars_disabled()
    datasets.disable_progress_bars()
    try:
        return datasets.load_dataset(DATASET_NAME, config, **arguments)
    finally:
        if shown:
            datasets.enable_progress_bars()


def _position(rows: "datasets.Dataset", item_id: str) -> int | None:
    """The position of an id in a split."""
    import pyarrow.compute

    position = pyarrow.compute.index(rows.data.column("id"), item_id).as_py()
    return None if position < 0 else position


def _earlier(rows: "datasets.Dataset", item_id: str) -> Mapping[str, Any] | None:
    name, _, number = item_id.rpartition("/")
    position = _position(rows, f"{name}/{int(number) - 1}") if number.isdecimal() else None
    return None if position is None else rows[position]


def _human_game(name: str) -> Game:
    from bap_v2_dataset.augmentation.variants import VARIANTS, augmented
    from bap_v2_dataset.human import game_store

    variant = re.fullmatch(rf"(?P<game>.+)-aug(?P<number>[1-{VARIANTS}])", name)
    original = variant["game"] if variant else name
    games = game_store.mdc_games()
    names = []
    for split in SPLITS:
        for human_game in read_games(games.file(split)):
            if human_game.game_id == original:
                return augmented(human_game, int(variant["number"])) if variant else human_game
            names.append(human_game.game_id)
    raise NotFoundError(no_such_game(name, names, "the human corpus"))


def _no_such_item(item_id: str, known: Iterable[str], where: str) -> str:
    """The sentence for an id that does not exist: the items of its game, or the nearest games."""
    games: dict[str, list[int]] = {}
    for name, _, number in (other.rpartition("/") for other in known):
        games.setdefault(name, []).append(int(number))
    name = item_id.rpartition("/")[0] or item_id
    if name in games:
        return f"there is no item {item_id} in {where}: it has {_ids(name, sorted(games[name]))}"
    begun = [other for other in games if other.startswith(name)]
    near = begun[:3] or get_close_matches(name, games, 3, 0.4)
    nearest = ", ".join(f"{other}/{min(games[other])}" for other in near)
    return f"there is no item {item_id} in {where}" + (f" (the nearest: {nearest})" if near else "")


def _ids(name: str, numbers: Iterable[int]) -> str:
    numbers = list(numbers)
    shown = [f"{name}/{number}" for number in numbers]
    return ", ".join(shown) if len(shown) < 4 else f"{shown[0]}, {shown[1]}, ... {shown[-1]}"
