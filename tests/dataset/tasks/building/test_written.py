"""The config `written`: its games are the simulators', turn by turn, and stay as they are."""

from itertools import pairwise

import pytest
from digests import digest_of

from bap_v2_dataset.tasks.building.written import written_shards
from bap_v2_metric.actions import execute
from bap_v2_metric.notation import format_structure, parse_action, parse_structure
from bap_v2_simulators.corpus_table import SIZES, VERSIONS

# Of all rows of a split. If they were changed on purpose: raise VERSIONS["written"], and say it in the CHANGELOG.
DIGESTS = {"2.0.0": {"train": "e36808b403739745", "validation": "5f08c54dd09f41ce", "test": "799870c79df34714"}}


@pytest.fixture(scope="module")
def rows():
    return {split: [row for shard in written_shards(split) for row in shard.rows()] for split in SIZES["written"]}


def test_the_rows_are_those_of_the_version(rows):
    assert {split: len(own) for split, own in rows.items()} == SIZES["written"]
    assert {split: digest_of(own)[:16] for split, own in rows.items()} == DIGESTS[VERSIONS["written"]]


def test_what_is_built_is_feasible_and_each_game_keeps_to_its_split(rows):
    games = {}
    for split, own in rows.items():
        for row in own:
            done = execute(parse_structure(row["before"]), [parse_action(action) for action in row["actions"]])
            assert (sorted(format_structure(done.after)), done.infeasible) == (sorted(row["after"]), 0), row["id"]
            written = row["metadata"]["written"]
            games[row["game_id"]] = (written["from"], written["version"])
            assert written["from"].split("-")[1] == split
    assert len(set(games.values())) == len(games) == 2104


def test_turns_that_are_left_out_are_history(rows):
    left_out = 0
    for own in rows.values():
        for before, after in pairwise(own):
            (game, first), (other, second) = (row["id"].split("/") for row in (before, after))
            if game == other:
                left_out += int(second) - int(first) - 1
                seen = [*before["history"], *before["dialogue"], *before["actions"]]
                assert after["history"][: len(seen)] == seen
                assert (len(after["history"]) > len(seen)) == (int(second) - int(first) > 1)
    assert left_out == 2254
