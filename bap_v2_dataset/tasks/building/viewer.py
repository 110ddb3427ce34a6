"""The item or the game of an id of building: simulated again, or from the rows of a config and the human games.

A simulated item needs no rows, so `datasets`, whose import takes half a second, is imported only where rows are read.
"""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from bap_v2_dataset.interface.task import Row
from bap_v2_dataset.interface.viewer import ItemLocation, ItemQuery, NotFoundError, Predicted, Viewer
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.prompts import render
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.pictures.picture import Picture
from bap_v2_dataset.sentences import no_such_game
from bap_v2_dataset.tasks.building.own_rows import own_row
from bap_v2_dataset.tasks.building.pictures.item import FORMATS, ItemPicture
from bap_v2_simulators.corpora import SIMULATORS, games_of, simulator_of
from bap_v2_simulators.corpus_table import SIZES
from bap_v2_simulators.game import Game, read_games
from bap_v2_simulators.simulation import SPLITS, play

_SIMULATED = re.compile(
    rf"(?P<config>{'|'.join(SIMULATORS)})(?:-seed(?P<seed>-?[0-9]+))?-(?P<split>{'|'.join(SPLITS)})"
    r"-(?P<index>0|[1-9][0-9]*)"
)
_DRAWN = {"id", "history", "dialogue", "pose", "before", "after", "actions", "interpretations"}  # of a row


class BuildingViewer(Viewer):
    """Items of games, with their boards."""

    formats = FORMATS
    rotates = True

    def locate(self, wanted: ItemQuery) -> ItemLocation:
        """Items of a simulated game are simulated again, also of seeds and games that are in no config. Human items are
        looked up in `mdc_v2` and, since its test set holds clear items only, in `mdc`.

        Raises:
            bap_v2_dataset.human.corpus_files.CorpusError: for a human item, if the corpus is not set up.
        """
        item_id, config, split, labels, is_set_up = wanted
        if (simulated := _SIMULATED.match(item_id)) and config in (None, simulated["config"]):
            return _simulated_item(item_id, split)
        if config is None and not re.search("[0-9]", item_id):
            raise NotFoundError(f"{item_id!r} is not the id of an item: those are GAME/NUMBER, like dss-test-0/1")
        human = [name for name in ("mdc_v2", "mdc") if is_set_up(name)] or ["mdc"]
        return self.in_rows(item_id, [config] if config else human, split, labels)

    def no_such_item(self, item_id: str, ids: Iterable[str], where: str) -> str:
        """With the items of its game, or the nearest games."""
        games: dict[str, list[int]] = {}
        for name, _, number in (other.rpartition("/") for other in ids):
            games.setdefault(name, []).append(int(number))
        name = item_id.rpartition("/")[0] or item_id
        if name in games:
            return f"there is no item {item_id} in {where}: it has {_ids(name, sorted(games[name]))}"
        begun = [other for other in games if other.startswith(name)]
        near = begun[:3] or get_close_matches(name, games, 3, 0.4)
        nearest = ", ".join(f"{other}/{min(games[other])}" for other in near)
        if not near:
            nearest = f"{next(iter(games))}/{min(games[next(iter(games))])}; an id is that of a game, and a number"
        return f"there is no item {item_id} in {where} ({'the nearest' if near else 'one that is'}: {nearest})"

    def complete(self, row: Row) -> Row:
        return row if _DRAWN.issubset(row) else own_row(row)

    def game(self, name: str) -> Game:
        return game(name)

    def prompt(self, row: Row, representation: str) -> str:
        return render(row, representation)

    def picture(self, item: ItemLocation, predictions: Mapping[str, Predicted], interactive: bool = False) -> Picture:
        return ItemPicture.of(item, predictions, interactive)


def game(name: str) -> Game:
    """The game of an id: a human one, one of its augmented variants, or a simulated one. Errors as for an item."""
    name = name.partition("/")[0]  # the id of an item will do
    if simulated := _SIMULATED.fullmatch(name):
        return play(
            SIMULATORS[simulated["config"]](), simulated["split"], int(simulated["index"]), int(simulated["seed"] or 0)
        )
    return _human_game(name)


def _simulated_item(item_id: str, split: str | None) -> ItemLocation:
    name, _, number = item_id.partition("/")
    match = _SIMULATED.fullmatch(name)
    if match is None:
        raise NotFoundError(f"{item_id!r} is not the id of a simulated item: they are like dss-test-12/0")
    if split not in (None, match["split"]):
        raise NotFoundError(f"{item_id} is an item of {match['split']}, not of {split}: leave out --split")
    rows = [row(each) for each in items(game(name))]
    if not (number.isdecimal() and int(number) < len(rows)):
        raise NotFoundError(f"there is no item {item_id}: the game {name} has the items {_ids(name, range(len(rows)))}")
    place, config, of, index = int(number), match["config"], match["split"], int(match["index"])
    # Of the games of a split some of the last ones are not published, or only in part.
    games = games_of(simulator_of(config), of, SIZES[config][of]) if int(match["seed"] or 0) == 0 else ()
    published = index < SIZES[config][of] and any(game == index and place < items for game, items in games)
    note = "" if published else "(made from its id: the published rows do not have it)"
    return ItemLocation(rows[place], config, of, note, rows[place - 1] if place else None)


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
    raise NotFoundError(no_such_game(name, names, "the human corpus") + "; simulated ones are like dss-test-3")


def _ids(name: str, numbers: Iterable[int]) -> str:
    ids = [f"{name}/{number}" for number in numbers]
    return ", ".join(ids) if len(ids) < 4 else f"{ids[0]}, {ids[1]}, ... {ids[-1]}"


VIEWER = BuildingViewer  # what `Task.viewer` makes
