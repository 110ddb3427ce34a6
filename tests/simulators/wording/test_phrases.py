"""Weighted tables: draws follow the counts, and what is rare is heard, too."""

from random import Random

import pytest

from bap_v2_simulators.language.words import Words
from bap_v2_simulators.wording.phrases import TAIL, Phrases

DRAWS = 20_000


def chi_square(table: Phrases, draws: int = DRAWS) -> float:
    words = Words(Random(f"draws from {table.name}"))
    drawn = dict.fromkeys(table, 0)
    for _ in range(draws):
        drawn[words.pick(table)] += 1
    return sum(
        (number - draws * share) ** 2 / (draws * share)
        for number, share in zip(drawn.values(), table.shares(), strict=True)
    )


EVEN, ZIPF, ONE, NONE = (1,) * 7, (500, 100, 50, 20, 10, 1, 0), (0, 0, 0, 7, 0, 0, 0), (0,) * 7


@pytest.mark.parametrize("counts", [EVEN, ZIPF, ONE, NONE])
def test_draws_follow_the_counts(counts):
    assert chi_square(Phrases("some", "abcdefg", counts)) < 22.5  # 6 degrees of freedom, 0.1%


def test_other_weights_would_be_noticed():
    table = Phrases("some", "abcdefg", (500, 100, 50, 20, 10, 1, 0))
    table.counts = (500, 100, 50, 10, 20, 1, 0)  # what it says now is not what it draws
    assert chi_square(table) > 22.5


def test_of_sequences_every_option_is_taken_equally_often():
    words = Words(Random("sequence"))
    drawn = dict.fromkeys("0123456", 0)
    for _ in range(7000):
        drawn[words.pick(tuple("0123456"))] += 1
    assert sum((number - 1000) ** 2 / 1000 for number in drawn.values()) < 22.5  # 6 degrees of freedom, 0.1%
    assert not any(words.chance(0.0) for _ in range(100)) and all(words.chance(1.0) for _ in range(100))


def test_every_random_number_draws_an_option():
    table = Phrases("some", "abc", (1, 2, 3))
    assert [table.at(share) for share in (0.0, 0.5, 1.0 - 2**-53)] == ["a", "b", "c"]


def test_what_nobody_said_has_its_part_of_the_tail():
    table = Phrases("some", "abcd", (97, 3, 0, 0))
    shares = dict(zip(table, table.shares()))
    assert shares["c"] == shares["d"] == TAIL / 4
    assert shares["a"] == pytest.approx((1 - TAIL) * 0.97 + TAIL / 4)
    assert sum(shares.values()) == pytest.approx(1.0)


FEW_AND_MANY = [((0, 0), 1.0), ((1, 0), 0.5), ((3, 1), 0.2), ((20, 4), 0.04), ((500, 1), 0.04)]


@pytest.mark.parametrize(("counts", "tail"), FEW_AND_MANY)
def test_the_fewer_uses_were_counted_the_longer_is_the_tail(counts, tail):
    table = Phrases("some", "ab", counts)
    assert table.tail == pytest.approx(tail)
    assert table.shares()[1] == pytest.approx(tail / 2 + (1 - tail) * counts[1] / max(1, sum(counts)))


def test_a_part_of_a_table_keeps_its_counts():
    table = Phrases("some", (("place", "placing"), ("put", "putting"), ("put down", "putting down")), (5, 3, 1))
    part = table.only(lambda verb: verb[0].startswith("put"))
    assert (list(part), part.counts, part.name) == ([("put", "putting"), ("put down", "putting down")], (3, 1), "some")


def test_options_that_become_equal_add_up():
    table = Phrases("some", ("{v} {np} {pp}", "{v} {np}", "just {v} {np}"), (4, 2, 1))
    changed = table.mapped(lambda frame: frame.removesuffix(" {pp}"))
    assert (list(changed), changed.counts) == (["{v} {np}", "just {v} {np}"], (6, 1))


def test_the_mirror_image_has_the_same_counts():
    table = Phrases("BESIDE.left", ("to the left of {r}", "on its left", "right of left"), (4, 2, 1))
    image = table.mirrored()
    assert list(image) == ["to the right of {r}", "on its right", "left of right"]
    assert image.counts == table.counts and list(image.mirrored()) == list(table)


@pytest.mark.parametrize(
    ("options", "counts", "problem"),
    [
        ((), None, "the table X has no option"),
        (("a", "b", "a"), None, "lists 'a' twice"),
        ((("put", "putting"), ("put", "put")), None, "lists 'put' twice"),
        (("a", "b"), (1,), "2 options and 1 counts"),
    ],
)
def test_a_table_that_cannot_be_drawn_from_is_an_error(options, counts, problem):
    with pytest.raises(ValueError, match=problem):
        Phrases("X", options, counts)


def test_a_part_without_options_is_an_error():
    with pytest.raises(ValueError, match="the table X has no option"):
        Phrases("X", "ab").only(lambda option: option == "c")
