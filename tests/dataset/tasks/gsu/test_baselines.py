"""What the baselines of GSU score: exactly, by enumerating all items, and sampled, on items of the simulators."""

import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest

from bap_v2_dataset.tasks.gsu.baselines import BASELINES
from bap_v2_dataset.tasks.gsu.counts import score_items
from bap_v2_dataset.tasks.gsu.solved import solved
from bap_v2_simulators.gsu.configs import CONFIGS, config_of

WORDS = ("left", "right", "forward", "backward", "up", "down")
VECTORS = dict(zip(WORDS, ((-1, 0, 0), (1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))))
RELATIONS = (("left", "", "right"), ("behind", "", "front"), ("below", "", "above"))
SPLITS = ("train", "train", "validation", "test")  # half of all items belong to train, a quarter to each other


# Exact: walks. All chains of directions, and for each all lengths at once.


def chains(dims, n):
    for words in product(WORDS[: 2 * dims], repeat=n):
        if all(a != b for a, b in pairwise(words)):
            yield words


def own_way(word, heading):
    """The way of a direction for somebody with this heading, and the heading after it."""
    x, y, _ = heading
    ways = {"forward": (x, y, 0), "backward": (-x, -y, 0), "right": (y, -x, 0), "left": (-y, x, 0)}
    return (ways[word], ways[word]) if word in ways else (VECTORS[word], heading)


def ways(words, turns):
    heading, result = (0, 1, 0), []
    for word in words:
        way, after = own_way(word, heading)
        result.append(way if turns else VECTORS[word])
        heading = after
    return result


def words_along(path, turns):
    heading, result = (0, 1, 0), []
    for way in path:
        result.append(next(word for word in WORDS if (own_way(word, heading)[0] if turns else VECTORS[word]) == way))
        heading = own_way(result[-1], heading)[1]
    return tuple(result)


def ends(vectors):
    """Where walks along these vectors end, for all lengths from 1 to 10."""
    lengths = np.stack(np.meshgrid(*[np.arange(1, 11)] * len(vectors)), -1).reshape(-1, len(vectors))
    return lengths @ np.array(vectors)


def error_of_cardinal_reader(words, asked, turns):
    """For each step the difference between where it leads and where the cardinal reader's step leads."""
    right = ways(words, turns)
    wrong = ways(words, not turns) if asked == "end" else ways(words_along(right, not turns), turns)
    return tuple(sorted(tuple(a - b for a, b in zip(*pair)) for pair in zip(right, wrong)))


@cache
def cardinal_reader(dims, asked, turns):
    """Accuracy by number of steps, and the distance for all."""
    accuracies, distances = [], []
    for n in (1, 2, 3, 4):
        all_words = list(chains(dims, n))
        errors = Counter(error_of_cardinal_reader(words, asked, turns) for words in all_words)
        found = {error: ends(error) for error in errors}
        at_end = {error: Fraction(int((~end.any(axis=1)).sum()), 10**n) for error, end in found.items()}
        same = sum(words_along(ways(words, turns), not turns) == words for words in all_words)
        reached = sum(count * at_end[error] for error, count in errors.items())
        accuracies.append(Fraction(reached if asked == "end" else same) / len(all_words))
        lengths = {error: float(np.sqrt((end.astype(float) ** 2).sum(axis=1)).mean()) for error, end in found.items()}
        distances.append(sum(count * lengths[error] for error, count in errors.items()) / len(all_words))
    return accuracies, sum(distances) / 4


@cache
def end_points(dims, turns):
    """How likely each end of a walk is, by its coordinates + 40, in parts of the second value."""
    denominator = len(list(chains(dims, 4))) * 10**4 * 4
    parts = np.zeros((81, 81, 81), dtype=np.int64)
    for n in (1, 2, 3, 4):
        paths = Counter(tuple(sorted(ways(words, turns))) for words in chains(dims, n))
        for path, count in paths.items():
            places, times = np.unique((ends(path) + 40) @ (81 * 81, 81, 1), return_counts=True)
            parts.reshape(-1)[places] += count * times * (denominator // (paths.total() * 10**n * 4))
    return parts, denominator


@pytest.mark.parametrize("turns", [True, False])
@pytest.mark.parametrize(
    ("dims", "by_steps", "total"),
    [
        (2, (1, Fraction(1, 4), Fraction(1, 72), Fraction(13, 1350)), 0.31838),
        (3, (1, Fraction(7, 10), Fraction(109, 300), Fraction(521, 3125)), 0.55751),
    ],
)
def test_a_follower_in_the_wrong_frame(dims, by_steps, total, turns):
    accuracies, distance = cardinal_reader(dims, "end", turns)
    assert tuple(accuracies) == by_steps
    assert float(sum(accuracies) / 4) == pytest.approx(total, abs=5e-6)
    assert distance == pytest.approx({2: 7.240, 3: 4.295}[dims], abs=5e-4)


@pytest.mark.parametrize("turns", [True, False])
@pytest.mark.parametrize(
    ("dims", "by_steps", "total", "distances"),
    [
        (2, (1, Fraction(1, 4), 0, 0), 0.3125, (7.533, 7.449)),
        (3, (1, Fraction(7, 10), Fraction(9, 25), Fraction(4, 25)), 0.555, (4.363, 4.375)),
    ],
)
def test_an_instructor_in_the_wrong_frame(dims, by_steps, total, distances, turns):
    accuracies, distance = cardinal_reader(dims, "steps", turns)
    assert tuple(accuracies) == by_steps and float(sum(accuracies) / 4) == total
    assert distance == pytest.approx(distances[turns], abs=5e-4)


@pytest.mark.parametrize(
    ("dims", "turns", "best", "origin", "distance"),
    [
        (2, True, 0.012337, 0.009333, 8.497),
        (2, False, 0.011979, 0.010759, 7.336),
        (3, True, 0.006328, 0.005125, 8.461),
        (3, False, 0.006242, 0.005824, 7.973),
    ],
)
def test_the_best_constant_point_and_the_origin(dims, turns, best, origin, distance):
    parts, denominator = end_points(dims, turns)
    assert parts.sum() == denominator and parts.max() == parts[41, 40, 40]
    assert parts[41, 40, 40] / denominator == pytest.approx(best, abs=5e-7)
    assert parts[40, 40, 40] / denominator == pytest.approx(origin, abs=5e-7)
    lengths = np.sqrt(sum((axis - 40.0) ** 2 for axis in np.indices(parts.shape)))
    assert (parts * lengths).sum() / denominator == pytest.approx(distance, abs=5e-4)


# Exact: scenes. All signs of (right, ahead, up), each as likely as it is drawn.


def overlap(predicted, answer):
    predicted, answer = set(predicted), set(answer)
    return Fraction(len(predicted & answer), len(predicted | answer))


def words(signs):
    return tuple(of_axis[sign + 1] for sign, of_axis in zip(signs, RELATIONS) if sign)


def two_cells(extent):
    """The sign of the difference of two numbers from -extent to extent."""
    n = 2 * extent + 1
    return {-1: Fraction(extent, n), 0: Fraction(1, n), 1: Fraction(extent, n)}


def two_cells_ahead(extent=15):
    """The same for a target from 1 on and a reference from 2 on."""
    signs = Counter((t > r) - (t < r) for t in range(1, extent + 1) for r in range(2, extent + 1))
    return {sign: Fraction(count, signs.total()) for sign, count in signs.items()}


def scene_chances(kind, dims):
    axes = {
        "adjacent": [dict.fromkeys((-1, 0, 1), Fraction(1, 3))] * 3,
        "random": [two_cells(10)] * 3,
        "random allocentric": [two_cells(15), two_cells_ahead(), two_cells(15)],
    }[kind][:dims]
    chances = {
        signs: math.prod(axis[sign] for axis, sign in zip(axes, signs)) for signs in product((-1, 0, 1), repeat=dims)
    }
    del chances[(0,) * dims]
    total = sum(chances.values())
    return {signs: chance / total for signs, chance in chances.items()}


def quarter_turned(signs, times):
    right, ahead, *up = signs
    for _ in range(times):
        right, ahead = ahead, -right
    return right, ahead, *up


SYSTEMS = {
    "random": lambda signs: [words(other) for other in product((-1, 0, 1), repeat=len(signs)) if any(other)],
    "constant": lambda signs: [words((1, -1, 1)[: len(signs)])],  # of allocentric scenes; -1 ahead is front there
    "all-words": lambda signs: [[word for of_axis in RELATIONS[: len(signs)] for word in of_axis if word]],
    "vertical": lambda signs: [words((0, 0, *signs[2:]))],
    "facing-y": lambda signs: [words(quarter_turned(signs, times)) for times in range(4)],
    "front-behind-exchanged": lambda signs: [words((signs[0], -signs[1], *signs[2:]))],
    "both-exchanged": lambda signs: [words((-signs[0], -signs[1], *signs[2:]))],
}


@cache
def expected_overlap(system, kind, dims):
    total = Fraction(0)
    for signs, chance in scene_chances(kind, dims).items():
        predictions = SYSTEMS[system](signs)
        total += chance * sum(overlap(prediction, words(signs)) for prediction in predictions) / len(predictions)
    return total


OVERLAPS = {  # in per cent: adjacent 3D, 2D; random egocentric 3D, 2D; random allocentric 3D, 2D
    "random": (24.08, 29.17, 28.52, 32.58, 28.58, 32.54),
    "constant": (29.23, 33.33, 37.37, 40.15, 38.56, 41.76),
    "all-words": (34.62, 37.50, 47.62, 47.73, 47.82, 47.63),
    "vertical": (33.33, 0, 33.33, 0, 33.93, 0),
    "facing-y": (50.26, 33.33, 53.96, 40.15, 54.16, 40.09),
    "front-behind-exchanged": (56.41, 41.67, 50.83, 34.85, 52.31, 36.64),
    "both-exchanged": (24.10, 0, 20.37, 0, 20.74, 0),
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_expected_overlaps_in_per_cent(system):
    kinds = product(("adjacent", "random", "random allocentric"), (3, 2))
    assert tuple(round(float(100 * expected_overlap(system, *kind)), 2) for kind in kinds) == OVERLAPS[system]


def test_the_overlap_of_a_random_answer_is_407_of_1690():
    assert expected_overlap("random", "adjacent", 3) == Fraction(407, 1690)


def test_no_constant_answer_is_better_than_one_word_for_each_axis():
    for kind, dims in product(("adjacent", "random", "random allocentric"), (2, 3)):
        chances = scene_chances(kind, dims)
        of_answers = [
            sum(chance * overlap(words(one), words(other)) for other, chance in chances.items()) for one in chances
        ]
        assert max(of_answers) == expected_overlap("constant", kind, dims)


# Sampled


def rows(config, n):
    """n items of all splits in the shares in which items belong to them, without what only answers tell."""
    for index in range(n):
        item = solved(config, SPLITS[index // 4 % 4], 0, index)
        row = {"task": config.task, "frame": config.frame, "dims": config.dims, "question": item.question}
        yield row, item


def numbers(text):
    return [int(number) for number in text.strip("()").split(", ")]


def sampled(name, settings, system, n):
    """The accuracies and distances, or the overlaps, of a system on n items."""
    config, predict = config_of(name, settings), BASELINES[system]
    scores = []
    for row, item in rows(config, n):
        prediction = predict(row).removeprefix("Answer: ")
        if config.task == "localization":
            scores.append(float(overlap(prediction.split(", "), item.answer.split(", "))))
        else:
            scores.append(float(prediction == item.answer))
    return scores


def assert_within_four_standard_errors(scores, expected):
    mean, spread = np.mean(scores), np.std(scores)
    assert abs(mean - expected) <= 4 * spread / math.sqrt(len(scores)), (mean, expected)


WALKS = [
    (name, "cardinal-reader")
    for name, config in CONFIGS.items()
    if config.task in ("follower", "instructor", "card2ego")
]
SCENES = [
    (name, dims, system)
    for name, dims in (
        ("gsu_ego_adjacent", 3),
        ("gsu_ego_random_distractors", 2),
        ("gsu_allo_y_adjacent", 3),
        ("gsu_allo_reference_random", 3),
    )
    for system in SYSTEMS
    if system != "vertical" and not (system == "facing-y" and "_y_" in name)
]


def check_walks(name, system, n):
    config = CONFIGS[name]
    accuracies, _ = cardinal_reader(
        config.dims, "end" if config.task == "follower" else "steps", config.frame == "egocentric"
    )
    assert_within_four_standard_errors(sampled(name, {}, system, n), float(sum(accuracies) / 4))


def check_scenes(name, dims, system, n):
    kind = "adjacent" if "adjacent" in name else "random allocentric" if "allo" in name else "random"
    expected = float(expected_overlap(system, kind, dims))
    assert_within_four_standard_errors(sampled(name, {"dims": str(dims)}, system, n), expected)


@pytest.mark.parametrize(("name", "system"), WALKS)
def test_walks_in_the_wrong_frame_score_as_expected(name, system):
    check_walks(name, system, 400)


@pytest.mark.parametrize(("name", "dims", "system"), SCENES)
def test_baselines_of_scenes_score_as_expected(name, dims, system):
    check_scenes(name, dims, system, 250)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "system"), WALKS)
def test_ten_thousand_walks_in_the_wrong_frame_score_as_expected(name, system):
    check_walks(name, system, 10_000)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "dims", "system"), SCENES)
def test_baselines_of_ten_thousand_scenes_score_as_expected(name, dims, system):
    check_scenes(name, dims, system, 10_000)


@pytest.mark.slow
@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize(("frame", "turns"), [("ego", True), ("cardinal", False)])
def test_ten_thousand_constant_points_score_as_expected(dims, frame, turns):
    parts, denominator = end_points(dims, turns)
    scores = sampled(f"gsu_follower_{frame}_{dims}d", {}, "constant", 10_000)
    assert_within_four_standard_errors(scores, parts[41, 40, 40] / denominator)


# Structures: no closed form, so within what 6,000 items give


STRUCTURES = {  # spatial, color, number, shape in per cent
    "empty": (66.67, 0, 0, 0),
    "constant": (66.67, 0, 0, 44.3),
    "colors": (66.67, 97.8, 0, 44.3),
    "groups": (66.67, 97.8, 78.3, 75.2),
    "all-words": (77.8, 0, 0, 44.3),
    "symbolic": (100, 100, 100, 100),
    "cardinal-reader": (100, 100, 100, 100),
    "facing-y": (100, 100, 100, 100),
}


def structure_scores(predict, n):
    """The mean of each measure over n structures, in per cent."""
    config = CONFIGS["gsu_structure"]
    predictions, references = [], []
    for row, item in rows(config, n):
        predictions.append(predict(row))
        references.append(
            {**{key: row[key] for key in ("task", "frame", "dims")}, "group": item.group, "answer": item.answer}
        )
    scores = score_items(predictions, references)
    return [
        100 * float(np.mean([score[measure] for score in scores]))
        for measure in ("spatial", "color", "number", "shape")
    ]


@pytest.mark.parametrize("system", STRUCTURES)
def test_baselines_of_structures_score_as_expected(system):
    assert structure_scores(BASELINES[system], 240) == pytest.approx(STRUCTURES[system], abs=6)


@pytest.mark.slow
@pytest.mark.parametrize("system", STRUCTURES)
def test_baselines_of_6_000_structures_score_as_expected(system):
    assert structure_scores(BASELINES[system], 6_000) == pytest.approx(STRUCTURES[system], abs=1.5)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "shape"), [("cube", 36.9), ("column", 33.3), ("row", 28.0), ("plane", 19.9)])
def test_no_kind_is_named_as_well_as_a_tower(kind, shape):
    assert structure_scores(lambda row: f"Answer: a {kind}", 6_000) == pytest.approx((66.67, 0, 0, shape), abs=1.5)


# Every baseline answers every question


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("system", BASELINES)
def test_every_baseline_answers_every_question(system, name):
    predict = BASELINES[system]
    for row, _ in rows(CONFIGS[name], 8):
        prediction = predict(row)
        assert prediction == predict(row)
        assert prediction == "" if system == "empty" else prediction.startswith("Answer:")


def test_no_baseline_reads_the_answer():
    """All of them answer from the four columns that `rows` gives; nothing else is there to read."""
    (row, _), *_ = rows(CONFIGS["gsu_combined"], 1)
    assert sorted(row) == ["dims", "frame", "question", "task"]


def test_the_symbolic_baseline_is_always_right():
    for name, config in CONFIGS.items():
        for row, item in rows(config, 6):
            if name != "gsu_structure":
                assert BASELINES["symbolic"](row) == f"Answer: {item.answer}"


@pytest.mark.parametrize(
    ("system", "prediction"),
    [
        ("symbolic", "Answer: left, behind"),
        ("facing-y", "Answer: left, front"),
        ("cardinal-reader", "Answer: left, front"),
        ("front-behind-exchanged", "Answer: left, front"),
        ("both-exchanged", "Answer: right, front"),
        ("constant", "Answer: right, front"),
        ("all-words", "Answer: left, right, front, behind"),
    ],
)
def test_one_scene_read_by_every_baseline(system, prediction):
    """The target is at (-1, 1) of somebody who faces positive x: one behind, one to the left."""
    question = (
        "A position is (x, y). To somebody who faces positive y, positive x is on the right. You are at (0, 0), facing "
        "positive x. There is a red block at (-1, 1).\nWhere is the red block relative to you? Front is the way you "
        "face.\nEnd with one line: ..."
    )
    row = {"task": "localization", "frame": "egocentric", "dims": 2, "question": question}
    assert BASELINES[system](row) == prediction
