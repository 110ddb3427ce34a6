"""Training batches are a function of their number: the mix, the seed and who makes them decide, and nothing else."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from case_tables import cases_of
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.data import DataLoader

from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_metric.notation import format_action
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.settings import SettingsError
from bap_v2_simulators.simulation import play
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.net_actions import planned
from bap_v2_training.pointer import row_answers, stream
from bap_v2_training.pointer.augmentation import AugmentationSettings
from bap_v2_training.pointer.examples import centered, example_of_item, example_of_row
from bap_v2_training.pointer.features import EVERYTHING, UNKNOWN, vocabulary_of
from bap_v2_training.pointer.held_out import HeldOut
from bap_v2_training.pointer.row_answers import AnswerSettings, answers_of
from bap_v2_training.pointer.sources import COLUMNS, RowItems, SimulatedItems
from bap_v2_training.pointer.stream import Chunks, Sources, Stream, StreamSettings, alike

MIX = {"dr": 0.5, "dsb": 0.2, "dss": 0.3}


def chunks(**settings) -> Chunks:
    sources = Sources(StreamSettings(**{"mix": MIX, "seed": 1, "batch_size": 8, "chunk_items": 50, **settings}))
    return Chunks(sources, sources.vocabulary(40, least=1))


def digests(batches) -> list[bytes]:
    return [b"".join(values.tobytes() for values in batch.values()) for batch in batches]


def batches(number: int, of: Chunks, workers: int = 0, **place) -> list[bytes]:
    loader = DataLoader(Stream(of, **place), batch_size=None, num_workers=workers, collate_fn=lambda batch: batch)
    return digests(islice(loader, number))


@pytest.fixture
def human(monkeypatch) -> list[dict]:
    """Rows that stand for those of people: `rows_of` finds them under any name."""
    rows = [row(item) for index in range(4) for item in items(play(simulator_of("dsb"), "train", index, seed=9))]
    monkeypatch.setattr(stream, "rows_of", lambda name, split: rows)
    return rows


# --- the sources


def test_simulated_items_are_those_of_the_games():
    source = SimulatedItems("dr", seed=1, block=30)
    game = [centered(example_of_item(item)) for item in items(play(simulator_of("dr"), "train", 0, seed=1))]
    assert source.examples(0, 60)[: min(30, len(game))] == game[:30]
    next_block = play(simulator_of("dr"), "train", 1_000_000, seed=1)
    assert source.examples(30, 1) == [centered(example_of_item(next(iter(items(next_block)))))]


@pytest.mark.slow
@given(st.integers(0, 70), st.integers(0, 20), st.sampled_from([None, 7, 25]))
def test_a_stretch_of_items_is_the_same_in_whatever_pieces(start, number, limit):
    source = SimulatedItems("dss", seed=1, block=10, limit=limit)
    assert source.examples(start, number) == [source.examples(start + place, 1)[0] for place in range(number)]


def test_no_more_items_than_the_limit_and_the_smaller_pool_is_part_of_the_larger():
    few, more = (SimulatedItems("dsb", seed=1, block=10, limit=limit).examples(0, 90) for limit in (7, 25))
    assert (len(set(few)), len(set(more))) == (7, 25)
    assert set(few) <= set(more)
    assert few[:7] == few[7:14]


def test_a_simulated_item_comes_again_in_another_form():

    def elsewhere(example, rng):
        moved = tuple((kind, x + 1, y, z) for kind, x, y, z in example.net)
        return example._replace(pose=(*example.pose[:4], rng.random()), net=moved)

    source = SimulatedItems("dsb", 1, 10, limit=5, augmented=elsewhere)
    first, again = source.examples(0, 5), source.examples(5, 5)
    assert [example[:4] for example in first] == [example[:4] for example in again]
    assert all(centered(example) == example for example in first) and not all(example.blocks for example in first)
    assert all(one.pose != other.pose for one, other in zip(first, again))
    assert source.examples(7, 1) == again[2:3]


def test_settings_of_a_simulator_are_text_or_numbers():
    source = SimulatedItems("dsb", 1, 10, {"target.kinds": ["row"], "talk.ellipsis": 0})
    assert (source.simulator.talk.ellipsis, [kind.value for kind in source.simulator.target.kinds]) == (0.0, ["row"])
    with pytest.raises(SettingsError, match="unknown setting 'speed'"):
        SimulatedItems("dsb", 1, 10, {"speed": 1})


def test_rows_come_once_in_every_epoch_and_in_other_orders(human):
    source = RowItems("human", 3, human)
    n = len(human)
    assert any(example != centered(example) for example in source.originals)
    first, second = source.examples(0, n), source.examples(n, n)
    assert Counter(first) == Counter(second) == Counter(map(centered, source.originals))
    assert first != second
    assert source.examples(n - 2, 4) == first[-2:] + second[:2]


def test_turns_of_a_game_come_joined(human):
    games = [one["id"].rpartition("/")[0] for one in human]
    always, never, half = (
        RowItems("human", 3, human, answers=AnswerSettings(joined=rate)).examples(0, len(human))
        for rate in (1.0, 0.0, 0.5)
    )
    together = {one.dialogue: one for one in always}
    for first, second, game, same in zip(human, human[1:], games, games[1:]):
        one = example_of_row({**first, "dialogue": first["dialogue"] + second["dialogue"]})
        assert (one.dialogue in together) == (game == same)
        if game == same:
            both = example_of_row({**first, "actions": first["actions"] + second["actions"], "after": second["after"]})
            assert together[one.dialogue] == centered(both._replace(dialogue=one.dialogue))
    last = [one for one, game, following in zip(human, games, [*games[1:], None]) if game != following]
    assert all(centered(example_of_row(one)) in always for one in last)  # nothing follows
    assert 0 < sum(one in never for one in half) - len(last) < len(human) - len(last)
    with pytest.raises(UsageError, match="no row of human follows the one before it"):
        RowItems("human", 3, human[::2], answers=AnswerSettings(joined=0.3))


def annotated(rows: list[dict], *annotations: dict) -> list[dict]:
    """The rows with these annotations in turns; where one is clear, its reading has blocks in blue."""
    again = [{**row, "metadata": {"annotation": {**annotations[n % len(annotations)]}}} for n, row in enumerate(rows)]
    for one in again:
        cells = [line.split(maxsplit=2)[2] for line in one["actions"] if line.startswith("place")]
        one["metadata"]["annotation"]["reading"] = [f"place blue {cell}" for cell in cells]
    return again


def test_answers_of_rows_come_as_often_as_is_asked(human):
    turns = {"next_turn": "undone", "clear": True}, {"next_turn": "kept", "clear": True}, {"clear": False}
    rows = annotated(human, *turns)
    settings = AnswerSettings(readings=0.25, repairs=0.75, weights={"undone": 0.5, "unclear": 0.25})
    source = RowItems("human", 3, rows, answers=settings)
    # What one row is worth
    expected = ({"reading": 0.75, "built": 0.125}, {"reading": 0.25, "built": 0.75}, {"built": 0.25})
    answers = answers_of("human", rows, source.originals, settings)
    assert [{answer.kind: answer.weight for answer in own} for own in answers] == [
        expected[number % 3] for number in range(len(rows))
    ]
    # What is drawn: no row twice in an epoch, each answer by its weight
    worth: Counter = Counter()
    for _, example, weight in (answer for own in answers for answer in own):
        worth[centered(example)] += weight
    size, epochs = int(sum(worth.values()) + 1e-6), 400
    one = source.examples(0, size)
    assert (
        max(
            (Counter(example.pose for example in one) - Counter(row.pose for row in source.originals)).values(),
            default=0,
        )
        == 0
    )
    drawn = Counter(source.examples(0, epochs * size))
    assert set(drawn) == set(worth)
    for example, weight in worth.items():
        assert drawn[example] / epochs == pytest.approx(weight, abs=0.13), example


def test_on_an_empty_board_what_was_built_is_its_reading(human):
    rows = annotated(human, {"next_turn": "undone", "clear": True})
    answers = answers_of("human", rows, [*map(example_of_row, rows)], AnswerSettings(repairs=1.0))
    same = {bool(row["before"]): set() for row in rows}
    for one, (reading, built) in zip(rows, answers, strict=True):
        same[bool(one["before"])].add(reading.example == built.example)
    assert same[False] == {True} and False in same[True]


def test_joined_turns_are_worth_what_their_end_is(human):
    rows = annotated(human, {"next_turn": "undone"}, {"next_turn": "kept"})
    settings = AnswerSettings(joined=0.5, weights={"undone": 0.0})
    kinds = Counter(
        (number % 2, answer.kind, answer.weight)
        for number, own in enumerate(answers_of("human", rows, [*map(example_of_row, rows)], settings))
        for answer in own
        if len(own) > 1
    )
    assert set(kinds) == {(0, "joined", 0.5), (0, "built", 0.0), (1, "joined", 0.0), (1, "built", 0.5)}


def test_synthetic_instructions_come_as_often_as_is_asked(human, monkeypatch):
    said = [["<Architect> this"], ["<Architect> that", "<Builder> ok"]]
    monkeypatch.setattr(row_answers, "synthetic_dialogues", lambda row: said if row is human[0] else [])
    examples = [*map(example_of_row, human)]
    first, second, *_ = answers_of("human", human, examples, AnswerSettings(synthetic=0.5))
    other = [("synthetic", examples[0]._replace(dialogue=tuple(lines)), 0.25) for lines in said]
    assert (first, second) == ([*other, ("built", examples[0], 0.5)], [("built", examples[1], 1.0)])
    with pytest.raises(UsageError, match="there are none for the rows of human"):
        answers_of("human", human[1:], examples[1:], AnswerSettings(synthetic=0.5))


def test_paraphrases_are_of_people(human):
    for one in human:
        one["dialogue"] = ["<Architect> what nobody paraphrased"]
    for name in ("dss", "human"):
        forms = {name: AugmentationSettings(paraphrases=0.5)}
        with pytest.raises(UsageError, match=f"no line of {name} has paraphrases"):
            Sources(StreamSettings({name: 1.0}, seed=1, batch_size=8, rows={"human": "mdc"}, augmentation=forms))


def test_without_options_the_answers_are_those_that_were_built(human):
    rows = annotated(human, {"next_turn": "undone", "clear": True})
    expected = RowItems("human", 3, human).examples(0, 300)
    assert RowItems("human", 3, rows, answers=AnswerSettings()).examples(0, 300) == expected
    assert RowItems("human", 3, rows, answers=AnswerSettings(readings=0.5)).examples(0, 300) != expected
    with pytest.raises(UsageError, match="no row of human has a clear one"):
        RowItems("human", 3, human, answers=AnswerSettings(readings=0.5))
    with pytest.raises(UsageError, match="no row of human is left"):
        RowItems("human", 3, rows, answers=AnswerSettings(weights={"undone": 0.0}))


def test_another_form_of_a_row_depends_on_the_epoch_alone(human):
    source = RowItems("human", 3, human, lambda example, rng: example._replace(pose=(rng.random(),) * 5))
    n = len(human)
    poses = [{example[:4]: example.pose for example in source.examples(epoch * n, n)} for epoch in (0, 1)]
    shorter = RowItems("human", 3, human[:5], source.augmented)
    again = {example[:4]: example.pose for example in shorter.examples(5, 5)}
    assert all(poses[1][key] == pose for key, pose in again.items())
    assert all(poses[0][key] != pose for key, pose in poses[1].items())


def test_a_held_out_item_on_an_empty_board_is_right_in_any_place(human, monkeypatch):
    source = RowItems("human", 3, human)
    words = vocabulary_of(source.originals, least=1)
    held_out = HeldOut([{**row, "interpretations": "unique"} for row in human], words, EVERYTHING, batch_size=8)
    empty = [number for number, row in enumerate(human) if not row["before"]]
    assert empty
    middle = [planned(board, centered(example).net) for board, example in zip(held_out.boards, source.originals)]
    answers = ["\n".join(map(format_action, actions)) for actions in middle]
    assert any(answers[number] != "\n".join(human[number]["actions"]) for number in empty)
    monkeypatch.setattr(held_out, "predictions", lambda model, max_actions: answers)
    assert held_out.scores(None, 48)["fairer_f1"] == 1.0


# --- chunks and streams


def test_a_chunk_has_the_shares_of_the_mix(human):
    settings = StreamSettings({**MIX, "human": 0.25}, seed=1, batch_size=8, chunk_items=50, rows={"human": "mdc"})
    assert settings.items_per_chunk() == {"dr": 19, "dsb": 8, "dss": 11, "human": 10}
    sources = Sources(settings)
    assert sources.counts() == {"dr": None, "dsb": None, "dss": None, "human": len(human)}
    made = list(Chunks(sources, sources.vocabulary(40, 1)).chunk(2))
    assert [len(batch["words"]) for batch in made] == [8] * 6


@pytest.mark.slow
def test_chunks_differ_and_each_is_the_same_whenever_it_is_made():
    of = chunks()
    first = digests(of.chunk(0))
    assert len(set(first + digests(of.chunk(1)))) == 12
    assert digests(chunks().chunk(0)) == first
    assert digests(of.chunk(0, first=4)) == first[4:]
    assert digests(chunks(seed=2).chunk(0)) != first


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 1, 2])
def test_a_resumed_stream_has_the_batches_that_it_would_have_had(workers):
    of = chunks()
    whole = batches(30, of, workers)
    assert len(set(whole)) == 30
    for first in (1, 6, 11):
        assert batches(30 - first, of, workers, first=first) == whole[first:]


def test_two_processes_share_the_chunks():
    of = chunks()
    first, second = (batches(12, of, process=process, processes=2) for process in (0, 1))
    assert first == digests([*of.chunk(0), *of.chunk(2)])
    assert second == digests([*of.chunk(1), *of.chunk(3)])


def test_limited_items_come_again_and_again_in_other_batches():
    of = chunks(simulated_items=20)
    targets = [batch for number in range(3) for batch in of.chunk(number)]
    items_seen = {
        (batch["words"][i].tobytes().rstrip(b"\0"), batch["pose"][i].tobytes()) for batch in targets for i in range(8)
    }
    assert len(items_seen) == 20
    assert chunks(mix={"dr": 0.98, "dss": 0.02}, simulated_items=3)._sources.counts() == {"dr": 3, "dss": 1}
    assert digests(of.chunk(0)) != digests(of.chunk(1))


def test_words_are_dropped_at_the_rate_of_their_source(human):
    settings = {"mix": {"dr": 1.0, "human": 1.0}, "rows": {"human": "mdc"}, "batch_size": 100, "chunk_items": 400}
    plain, dropped = chunks(**settings), chunks(**settings, word_dropout={"human": 0.5})
    for batch, other in zip(plain.chunk(1), dropped.chunk(1), strict=True):
        gone = batch["words"] != other["words"]
        assert (other["words"][gone] == UNKNOWN).all()
        assert (batch["words"][gone] >= 4).all()  # not the speakers
        assert np.array_equal(batch["targets"], other["targets"])
    changed = sum((a["words"] != b["words"]).any(1).sum() for a, b in zip(plain.chunk(1), dropped.chunk(1)))
    assert 190 <= changed <= 200  # the rows of people, hardly one without a word dropped, and none of dr
    assert digests(dropped.chunk(1)) == digests(dropped.chunk(1))


def test_rows_are_learned_in_other_forms(human):
    settings = {"mix": {"human": 1.0}, "rows": {"human": "mdc"}}
    forms = AugmentationSettings(mirror=0.0, shift=0.0, synonyms=0.0)
    same = [np.sort(batch["pose"], 0) for batch in chunks(**settings).chunk(0)]
    other = [np.sort(batch["pose"], 0) for batch in chunks(**settings, augmentation={"human": forms}).chunk(0)]
    assert all(map(np.array_equal, same, other))  # new colors only
    assert digests(chunks(**settings).chunk(0)) != digests(chunks(**settings, augmentation={"human": forms}).chunk(0))


def test_batches_of_alike_items_need_little_padding():
    rng = np.random.default_rng(0)
    lengths = rng.integers(1, 40, (512, 3))
    order = rng.permutation(512)
    together = alike(lengths, order, 16)
    assert sorted(np.concatenate(together)) == list(range(512)) and {len(batch) for batch in together} == {16}

    def padded(parts) -> float:
        return np.mean([lengths[part].max(0).sum() for part in parts])

    assert padded(together) < 0.75 * padded(order.reshape(-1, 16))


@pytest.mark.parametrize(
    "settings, message",
    [
        *cases_of(__file__, "wrong_settings"),
        ({"augmentation": {"people": AugmentationSettings()}}, "augmentation: unknown source 'people'"),
    ],
)
def test_mistakes_in_the_settings_are_named(settings, message):
    with pytest.raises(UsageError, match=message):
        StreamSettings(**{"mix": MIX, "seed": 1, "batch_size": 8, **settings})


def test_rows_are_read_by_their_columns(mdc_rows):
    from bap_v2_training.pointer.sources import rows_of

    rows = rows_of("mdc", "validation", max_items=20)
    assert len(rows) == 20 and set(rows[0]) == {*COLUMNS, "interpretations", "metadata"}
    with pytest.raises(UsageError, match="unknown config"):
        rows_of("mdx", "train")
