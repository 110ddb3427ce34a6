"""The item or the game of an id: from the rows of a config, from the human games, or simulated anew."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import datasets
import pyarrow.compute

from bap_v2_dataset.augmentation.variants import VARIANTS, augmented
from bap_v2_dataset.human import game_store
from bap_v2_dataset.human.mdc import SPLITS
from bap_v2_dataset.items import items
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.registration import DATASET_NAME
from bap_v2_dataset.rows import row
from bap_v2_dataset.sentences import no_such_game
from bap_v2_dataset.tasks import CONFIGS
from bap_v2_metric.errors import UserError
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.game import Game, read_games
from bap_v2_simulators.simulation import play

_SIMULATED = re.compile(
    rf"(?P<config>{'|'.join(SIMULATORS)})(?:-seed(?P<seed>-?[0-9]+))?-(?P<split>{'|'.join(SPLITS.values())})"
    r"-(?P<index>0|[1-9][0-9]*)"
)
_VARIANT = re.compile(rf"(?P<game>.+)-aug(?P<variant>[1-{VARIANTS}])")


class UnknownId(UserError):
    """An id that no item or game has; the message names those that are nearest."""


@dataclass(frozen=True)
class Found:
    """An item, and where it is from."""

    row: Mapping[str, Any]
    earlier: Mapping[str, Any] | None  # the row of the turn before, if there is one
    config: str
    split: str


def item(item_id: str, config: str | None = None, split: str | None = None, labels: str | None = None) -> Found:
    """The item of an id.

    Items of a simulated game are simulated anew, also of seeds and games that are in no config. Human items are looked
    for in `mdc_v2` and, since its test set holds clear items only, in `mdc`.

    Args:
        config, split: where to look. By default the id says it.
        labels: of the test items of mdc_v2, if not those of the set-up.
    Raises:
        UnknownId: with the nearest ids.
        bap_v2_dataset.human.corpus_files.CorpusError: for a human item, if the corpus is not set up.
    """
    if config is not None and config not in CONFIGS:
        raise UnknownId(f"unknown config {config!r} (expected one of {', '.join(CONFIGS)})")
    if (simulated := _SIMULATED.match(item_id)) and config in (None, simulated["config"]):
        return _simulated_item(item_id, split)
    configs = [config] if config else [name for name in ("mdc_v2", "mdc") if install.is_set_up(name)] or ["mdc"]
    known: dict[str, None] = {}
    for name in configs:
        own = {"labels": labels} if labels and name in ("mdc_v2", "all") else {}
        splits = datasets.load_dataset(DATASET_NAME, name, **own)
        if split is not None and split not in splits:
            raise UnknownId(f"the config {name} has no split {split!r}: it has {', '.join(splits)}")
        for where in [split] if split else splits:
            its = splits[where]
            place = _place(its, item_id)
            if place is not None:
                return Found(its[place], _earlier(its, item_id), name, where)
            known.update(dict.fromkeys(its["id"][:]))
    raise UnknownId(_no_such_item(item_id, known, f"{' or '.join(configs)}{f', {split}' if split else ''}"))


def game(name: str) -> Game:
    """The game of an id: a human one, one of its augmented variants, or a simulated one. Errors as for `item`."""
    name = name.partition("/")[0]  # an item's id will do
    if simulated := _SIMULATED.fullmatch(name):
        return play(
            SIMULATORS[simulated["config"]](), simulated["split"], int(simulated["index"]), int(simulated["seed"] or 0)
        )
    variant = _VARIANT.fullmatch(name)
    wanted = variant["game"] if variant else name
    kept = game_store.mdc_games()
    names = []
    for split in SPLITS.values():
        for its in read_games(kept.file(split)):
            if its.game_id == wanted:
                return augmented(its, int(variant["variant"])) if variant else its
            names.append(its.game_id)
    raise UnknownId(no_such_game(name, names, "the human corpus"))


def _simulated_item(item_id: str, split: str | None) -> Found:
    name, _, number = item_id.partition("/")
    whole = _SIMULATED.fullmatch(name)
    if whole is None:
        raise UnknownId(f"{item_id!r} is no id of a simulated item: they are like dss-test-12/0")
    if split not in (None, whole["split"]):
        raise UnknownId(f"{item_id} is an item of {whole['split']}, not of {split}: leave out --split")
    rows = [row(its) for its in items(game(name))]
    if not (number.isdecimal() and int(number) < len(rows)):
        raise UnknownId(f"there is no item {item_id}: the game {name} has the items {_ids(name, range(len(rows)))}")
    place = int(number)
    return Found(rows[place], rows[place - 1] if place else None, whole["config"], whole["split"])


def _place(rows: datasets.Dataset, item_id: str) -> int | None:
    """Where the id is in a split."""
    place = pyarrow.compute.index(rows.data.column("id"), item_id).as_py()
    return None if place < 0 else place


def _earlier(rows: datasets.Dataset, item_id: str) -> Mapping[str, Any] | None:
    name, _, number = item_id.rpartition("/")
    place = _place(rows, f"{name}/{int(number) - 1}") if number.isdecimal() else None
    return None if place is None else rows[place]


def _no_such_item(item_id: str, known: Iterable[str], where: str) -> str:
    """The sentence for an id that is not there: the items of its game, or the nearest games."""
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
