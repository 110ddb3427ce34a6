"""The other tables of the paper on GSU, as data: 2 to 7 and 9 to 15. Tables 1 and 8 are in `gsu.paper`.

Numbers are as printed: accuracy in 0..1, distance in cells, everything else in percent; None where a table has a dash.
Rows have the paper's names, in its order. Columns say which score on the test set of which config a number is. A note
says where a table contradicts the others or itself, or has lost something in the only text that there is of it.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bap_v2_dataset.tasks.gsu.paper import FULL, LORA, PROMPTED

UNKNOWN = "unknown"  # of a group whose name is lost


class Measured(NamedTuple):
    """What a column has: a score on the test set of a config."""

    config: str
    score: str  # in those of the metric
    group: str = ""  # of the items that it is of; "" for all, UNKNOWN if the text does not say
    representation: str = ""  # of the blocks, of `blocks.REPRESENTATIONS`; "" for the usual one


class PaperRow(NamedTuple):
    """A model in one setting."""

    name: str  # as in Table 1, with (vision) for the vision-language models that it marks
    training: str  # PROMPTED, FULL or LORA
    shots: int | None  # None for trained models, and where the paper does not say how many
    values: tuple[float | None, ...]  # as the columns


class PaperTable(NamedTuple):
    """A table of results."""

    number: int
    title: str
    columns: tuple[Measured, ...]
    rows: tuple[PaperRow, ...]
    notes: tuple[str, ...] = ()

    def row(self, name: str, training: str = PROMPTED, shots: int | None = 1) -> PaperRow:
        """The first row of a model in a setting. Raises: StopIteration, if there is none.

        >>> TABLE_11.row("GPT-4o").values
        (1.0, 0.72, 0.68, 0.44)
        """
        return next(row for row in self.rows if row[:3] == (name, training, shots))


def _rows(training: str, shots: int | None, text: str) -> Iterator[PaperRow]:
    """The rows of a text that has a model per line: its name, a bar, and its numbers."""
    for line in text.strip().splitlines():
        name, numbers = line.split("|")
        values = tuple(None if number == "-" else float(number) for number in numbers.split())
        yield PaperRow(name.strip(), training, shots, values)


def _columns(*pairs: str, group: str = "", representation: str = "") -> tuple[Measured, ...]:
    """Columns from texts with a config and its scores."""
    named = [(config, score) for config, *scores in map(str.split, pairs) for score in scores]
    return tuple(Measured(config, score, group, representation) for config, score in named)


# Shares of the items of test sets, in percent, by the words of ours.

TABLE_2: Mapping[str, Mapping[str, float]] = {
    "gsu_follower_ego_2d": {"left": 30.4, "right": 29.6, "forward": 20.8, "backward": 19.2, "up": 0, "down": 0},
    "gsu_follower_ego_3d": {
        "left": 17.69, "right": 18.77, "forward": 13.72, "backward": 13.72, "up": 20.94, "down": 15.16,
    },
    "gsu_follower_cardinal_2d": {
        "left": 21.33, "right": 34.67, "forward": 25.33, "backward": 18.67, "up": 0, "down": 0,
    },
    "gsu_follower_cardinal_3d": {
        "left": 16.67, "right": 14.58, "forward": 12.5, "backward": 13.54, "up": 29.17, "down": 13.54,
    },
}  # fmt: skip
TABLE_3: Mapping[str, Mapping[str, float]] = {
    "gsu_ego_adjacent_distractors": {
        "left": 18.88, "right": 18.37, "front": 16.84, "behind": 14.80, "above": 20.41, "below": 14.29,
    },
    "gsu_allo_y_adjacent": {
        "left": 18.69, "right": 13.64, "front": 17.17, "behind": 6.57, "above": 18.37, "below": 13.64,
    },
}  # fmt: skip
TABLE_5: Mapping[str, Mapping[str, float]] = {
    "relations": {
        "above": 19.67, "below": 21.2, "front": 19.67, "behind": 10.61, "left": 12.12, "right": 16.67,
    },
    "colors": {"red": 16.3, "orange": 11.96, "yellow": 21.73, "green": 16.85, "blue": 17.39, "purple": 15.76},
    "shapes": {"cube": 27.7, "tower": 24.7, "row": 19.88, "column": 9.64, "plane": 18.07},
}  # fmt: skip
BALANCE_NOTES: Mapping[int, tuple[str, ...]] = {
    2: (
        "The shares are multiples of 1/250, 1/277, 1/75 and 1/96: these sets do not all have 100 walks of 2.5 steps.",
        "Section A.0.1 says that 49.8% of the steps in ego 3D change the heading: that is the share of those that do "
        "not, forward, up and down.",
    ),
    3: (
        "The shares are multiples of 1/196 (ego) and 1/198 (allo), but add up to 103.6% and 88.1%: above of allo, "
        "18.37, is a multiple of 1/196.",
    ),
    5: (
        "19.67 is 13 of 66 relations, which is 19.70.",
        "Section A.0.3 says that 35%, 35% and 40% of the structures have fewer than 15, up to 85, and more blocks: "
        "110% in all.",
        "It says that 49%, 18% and 33% have one, two and three colors: not a third of each class, if every cohesive "
        "structure has two. The 184 words for colors of Table 5 equal 49 + 2 x 18 + 3 x 33.",
    ),
}


# Structures in four representations.

_STRUCTURE = "gsu_structure structure_spatial structure_color structure_shape"
_THREE = "The names of the three scores are lost: the third is taken for shape."
TABLE_4 = PaperTable(
    4,
    "Structures as plain, dict and set",
    tuple(
        column for representation in ("plain", "dict", "set")
        for column in _columns(_STRUCTURE, representation=representation)
    ),
    (
        *_rows(PROMPTED, 0, """
            Mistral-7b           | 15.92 42.64 12.45  13.72 47.93 10.87  15.88 46.70 13.83
            Pixtral (vision)     | 37.67 74.36 14.64  44.67 70.13 13.62  32.08 72.91 7.25
            Llama-8b             | 21.29 63.90 13.00  22.78 63.91 15.56  25.47 68.83 18.65
            LlamaVL-11b (vision) | 35.83 69.07 11.83  24.57 60.48 12.09  20.94 62.14 13.37
            Qwen-7b              | 32.17 68.72 11.48  40.03 68.32 16.73  28.52 62.76 16.65
            QwenVL-7b (vision)   | 18.21 60.37 8.08   33.47 52.78 12.81  30.32 45.83 11.62
        """),
        *_rows(PROMPTED, 1, """
            Mistral-7b           | 27.56 58.54 13.41  32.00 55.90 13.06  38.44 71.95 11.75
            Pixtral (vision)     | 64.58 82.49 24.20  63.00 81.98 20.22  64.20 89.59 31.18
            Llama-8b             | 59.90 63.37 17.81  55.83 66.74 20.83  59.70 85.83 30.19
            LlamaVL-11b (vision) | 63.83 64.75 22.54  59.50 79.86 16.40  60.33 88.96 27.35
            Qwen-7b              | 50.75 76.25 16.00  63.65 81.87 23.08  54.00 88.80 29.67
            QwenVL-7b (vision)   | 52.52 65.72 8.24   55.67 62.57 13.38  66.90 85.27 23.37
        """),
        *_rows(FULL, None, """
            FlanT5               | 92.92 70.32 81.59  84.25 67.27 80.88  90.08 68.07 79.68
        """),
    ),
    (
        _THREE,
        "The rows for one shot as set are those of Table 15 for a few shots, where Qwen-7b has 29.69 for 29.67: how "
        "many shots they had is open.",
        "The last two rows for one shot are both called Qwen-7b: the second is taken for QwenVL-7b. LlamaVL-11b is "
        "called Llama-11b there.",
    ),
)  # fmt: skip
TABLE_15 = PaperTable(
    15,
    "Structures as set and text, with one and with a few shots",
    tuple(
        column for representation in ("set", "text")
        for column in _columns(_STRUCTURE, representation=representation)
    ),
    (
        *_rows(PROMPTED, 1, """
            Mistral-7b | 26.14 54.12 15.18  34.73 57.10 24.22
            Llama-8b   | 59.98 63.58 18.69  60.26 67.05 22.16
            Qwen-7b    | 54.70 74.86 20.85  57.18 71.78 19.14
        """),
        *_rows(PROMPTED, None, """
            Mistral-7b | 38.44 71.95 11.75  49.75 72.60 26.33
            Llama-8b   | 59.70 85.83 30.19  62.04 86.69 26.10
            Qwen-7b    | 54.00 88.80 29.69  54.58 85.43 25.67
        """),
    ),
    (
        _THREE,
        "A few shots are not defined; Table 1 has three. As text, its spatial and color scores are these, its third "
        "and fourth are others.",
    ),
)  # fmt: skip


# Small models, before training and after.

_ACCURACY_AND_DISTANCE = (
    "gsu_follower_ego_2d follower_accuracy follower_distance",
    "gsu_follower_ego_3d follower_accuracy follower_distance",
    "gsu_instructor_cardinal_2d instructor_accuracy instructor_distance",
    "gsu_instructor_ego_2d instructor_accuracy instructor_distance",
    "gsu_card2ego_2d card2ego_accuracy card2ego_distance",
)
TABLE_6 = PaperTable(
    6,
    "Walks: small models before training and after",
    _columns(*_ACCURACY_AND_DISTANCE),
    (
        *_rows(PROMPTED, None, "FlanT5 | 0    34.64  0    28.28  0    8.79  0   7.82  0    8.23"),
        *_rows(FULL, None, "     FlanT5 | 0.3  4.21   0.71 1.68   0.99 0.02  0.9 0.42  1.0  0"),
        *_rows(PROMPTED, None, "BART   | 0    34.64  0    28.28  0    8.22  0   7.44  0    8.21"),
        *_rows(FULL, None, "     BART   | 0.24 2.37   0.09 7.82   0.26 2.72  0   6.29  0.85 1.37"),
    ),
    (
        "Models that answer nothing have the distance 34.64 in 2D and 28.28 in 3D, 20 times the square root of 3 and "
        "of 2: exchanged.",
        "Trained FlanT5 has 0.3, 0.71 and 0.9 for Follower ego 2D, 3D and Instructor ego; Table 1 has 0.80, 0.82 and "
        "0.95. Its distances are those of Table 8.",
    ),
)
TABLE_7 = PaperTable(
    7,
    "Localization and structures: FlanT5 before training and after",
    _columns(
        "gsu_ego_adjacent_distractors localization_overlap",
        "gsu_allo_y_adjacent localization_overlap",
        "gsu_structure structure_spatial structure_color structure_number structure_shape",
    ),
    (
        *_rows(PROMPTED, None, "FlanT5 | 16.5 16.67 67 7.11  16.6  8.9"),
        *_rows(FULL, None, "     FlanT5 | 19.5 94.5  99 96.17 88.83 97.07"),
    ),
    (
        "67 for spatial before training is the share of structures without relations, of which there are 34 + 33 in "
        "100: no relation where there is none scores 1.",
        "Ego hardly grows by training, from 16.5 to 19.5, but is 73.03 in Table 14.",
    ),
)


# More settings of walks.

TABLE_9 = PaperTable(
    9,
    "Follower in 3D, with one shot with reasoning and with a few shots without",
    _columns(
        "gsu_follower_cardinal_3d follower_accuracy follower_distance",
        "gsu_follower_ego_3d follower_accuracy follower_distance",
    ),
    (
        *_rows(PROMPTED, 1, """
            Mistral-7b | 0.48 4.14  0.38 6.14
            Llama-8b   | 0.62 2.65  0.47 4.85
            Qwen-7b    | 0.63 7.79  0.19 20.44
        """),
        *_rows(PROMPTED, None, """
            Mistral-7b | 0.19 6.23  0.17 8.32
            Llama-8b   | 0.32 4.84  0.20 7.69
            Qwen-7b    | 0.50 4.31  0.29 7.07
        """),
    ),
    (
        "How many shots are a few is not said.",
        "D.1 says that one shot with reasoning is better than a few without: not for Qwen-7b in ego, 0.19 and 0.29.",
    ),
)  # fmt: skip
TABLE_10 = PaperTable(
    10,
    "Follower and Instructor in both frames",
    _columns(
        "gsu_follower_cardinal_2d follower_accuracy follower_distance",
        "gsu_follower_cardinal_3d follower_accuracy follower_distance",
        "gsu_follower_ego_2d follower_accuracy follower_distance",
        "gsu_follower_ego_3d follower_accuracy follower_distance",
        "gsu_instructor_cardinal_2d instructor_accuracy",
        "gsu_instructor_cardinal_3d instructor_accuracy",
        "gsu_instructor_ego_2d instructor_accuracy",
        "gsu_instructor_ego_3d instructor_accuracy",
    ),
    (
        *_rows(PROMPTED, 0, """
            Mistral-7b           | 0.35 6.15  0.24 14.56  0.22 9.92  0.09 17.49  0.01 0.04  0.0  0.01
            Pixtral (vision)     | 0.85 2.39  0.54 5.34   0.29 7.34  0.34 7.05   0.21 0.10  0.09 0.07
            Llama-8b             | 0.81 2.34  0.35 8.52   0.33 6.86  0.36 6.55   0.05 0.11  0.02 0.02
            LlamaVL-11b (vision) | 0.80 2.28  0.37 9.20   0.28 7.55  0.38 6.13   0.06 0.10  0.03 0.04
            Qwen-7b              | 0.96 0.49  0.86 0.85   0.56 4.45  0.53 5.41   0.20 0.19  0.16 0.14
            QwenVL-7b (vision)   | 0.82 2.92  0.78 3.05   0.35 9.13  0.48 6.75   0.11 0.05  0.09 0.06
            Qwen-72b             | -    -     0.67 2.40   -    -     0.36 6.21   -    0.62  -    0.37
        """),
        *_rows(PROMPTED, 1, """
            Mistral-7b           | 0.88 0.92  0.48 4.14   0.30 6.85  0.38 6.14   0.59 0.38  0.15 0.11
            Pixtral (vision)     | 0.97 0.37  0.67 4.20   0.33 6.31  0.50 5.60   0.87 0.80  0.26 0.28
            Llama-8b             | 0.99 0.04  0.62 2.65   0.33 7.03  0.47 4.85   0.69 0.54  0.06 0.23
            LlamaVL-11b (vision) | 1.00 0.0   0.60 2.94   0.32 7.36  0.47 5.78   0.74 0.59  0.14 0.21
            Qwen-7b              | 0.89 3.11  0.63 7.79   0.09 22.54 0.19 20.44  0.76 0.83  0.21 0.19
            QwenVL-7b (vision)   | 1.0  0.0   0.90 1.02   0.29 7.9   0.21 12.91  0.44 0.66  0.21 0.23
            Qwen-72b             | -    -     1.00 0.00   -    -     0.75 3.66   -    0.99  -    0.54
        """),
        *_rows(FULL, None, """
            FlanT5               | -    -     0.94 0.09   -    -     0.82 13.14  -    0.90  -    0.85
        """),
    ),
    (
        "FlanT5 has the distance 13.14 in Follower ego 3D; Tables 6 and 8 have 1.68.",
        "D.1 says that one shot improves on none: as Follower ego Qwen-7b falls from 0.56 to 0.09 and from 0.53 to "
        "0.19.",
    ),
)  # fmt: skip
TABLE_11 = PaperTable(
    11,
    "Follower ego 2D by number of steps",
    tuple(Measured("gsu_follower_ego_2d", "follower_accuracy", group) for group in "1234"),
    tuple(_rows(PROMPTED, 1, """
        Qwen-7b            | 1.0  0.24 0.08 0.08
        QwenVL-7b (vision) | 0.92 0.2  0.04 0
        Qwen-72b           | 1.0  0.56 0.28 0.12
        GPT-4o             | 1.0  0.72 0.68 0.44
    """)),
    (
        "The means are the scores of Table 1 but for Qwen-7b, which has 0.35 here and 0.09 there.",
        "QwenVL-7b is called Qwen-7b-v, and GPT-4o Chat-GPT.",
    ),
)  # fmt: skip


# More settings of scenes.

TABLE_12 = PaperTable(
    12,
    "Localization ego by heading",
    tuple(
        Measured("gsu_ego_adjacent_distractors", "localization_overlap", group)
        for group in ("+y", UNKNOWN, UNKNOWN, UNKNOWN)
    ),
    tuple(_rows(PROMPTED, None, """
        Mistral-7b | 36.90 34.98 29.13 32.26
        Llama-8b   | 51.33 40.23 43.80 37.84
        Qwen-7b    | 77.27 52.10 38.26 44.32
    """)),
    (
        "The headings are lost: that the first is +y follows from the text, the order of the others is unknown.",
        "The number of shots is not said.",
    ),
)  # fmt: skip
TABLE_13 = PaperTable(
    13,
    "Localization allo of Mistral-7b, looking along +y and at the reference block",
    _columns(
        "gsu_allo_y_adjacent localization_overlap",
        "gsu_allo_y_random localization_overlap",
        "gsu_allo_reference_adjacent localization_overlap",
        "gsu_allo_reference_random localization_overlap",
    ),
    (
        *_rows(PROMPTED, 0, "Mistral-7b | 32.90 38.67 29.67 38.12"),
        *_rows(PROMPTED, 1, "Mistral-7b | 46.50 39.83 32.32 41.75"),
    ),
    ("A.0.2 says that near blocks are harder here too: not along +y with one shot, 46.50 and 39.83.",),
)
TABLE_14 = PaperTable(
    14,
    "Localization with and without other blocks, near and far",
    _columns(
        "gsu_ego_adjacent localization_overlap",
        "gsu_ego_random localization_overlap",
        "gsu_ego_adjacent_distractors localization_overlap",
        "gsu_ego_random_distractors localization_overlap",
        "gsu_allo_y_adjacent localization_overlap",
        "gsu_allo_reference_adjacent localization_overlap",
    ),
    (
        *_rows(PROMPTED, 0, """
            Mistral-7b           | 30.87 34.67  30.20 31.90  32.90 29.67
            Pixtral (vision)     | 35.22 42.54  31.42 46.73  40.73 34.43
            Llama-8b             | 36.52 38.78  37.08 33.10  37.11 35.52
            LlamaVL-11b (vision) | 35.33 41.50  33.08 36.55  41.08 39.72
            Qwen-7b              | 53.55 48.20  53.07 49.02  51.75 46.82
            QwenVL-7b (vision)   | 26.18 37.83  31.98 36.15  46.75 43.25
        """),
        *_rows(PROMPTED, 1, """
            Mistral-7b           | 30.30 40.22  30.32 39.61  46.50 32.32
            Pixtral (vision)     | 57.55 65.87  40.83 54.30  48.18 42.25
            Llama-8b             | 48.48 52.82  46.17 50.28  50.18 42.37
            LlamaVL-11b (vision) | 53.56 58.27  48.40 51.55  48.08 48.20
            Qwen-7b              | 53.80 59.70  52.81 55.42  54.78 47.93
            QwenVL-7b (vision)   | 51.78 52.42  48.67 52.42  44.95 41.08
            QwenVL-72b (vision)  | -     -      79.53 79.45  53.83 47.62
        """),
        *_rows(LORA, None, """
            Mistral-7b           | -     -      36.72 62.62  59.03 47.89
            Llama-8b             | -     -      80.05 72.60  61.58 84.03
        """),
        *_rows(FULL, None, """
            FlanT5               | 98.08 65.75  73.03 62.50  100   96.1
        """),
    ),
    (
        "QwenVL-72b has the scores of Qwen-72b in Table 1.",
        "FlanT5 has 73.03 and 100 for adjacent blocks; Tables 1 and 7 have 19.5 and 94.5. Llama-8b with LoRA has 80.05 "
        "and 61.58; Table 1 has 87.23 and 81.83.",
        "A.0.2 says that near blocks are harder: not for trained FlanT5 and Llama-8b.",
    ),
)  # fmt: skip

TABLES: Mapping[int, PaperTable] = {
    table.number: table
    for table in (TABLE_4, TABLE_6, TABLE_7, TABLE_9, TABLE_10, TABLE_11, TABLE_12, TABLE_13, TABLE_14, TABLE_15)
}
