"""The synthetic corpora, without the simulators that make them: titles, versions and sizes (BAP v2, Table 3).

`written` has no simulator of its own: it is games of the others, in words that a language model wrote.
"""

from collections.abc import Mapping

PUBLISHED = ("dr", "dsb", "dss")  # those of the paper; `dh` and `written` are ours
TITLES: Mapping[str, str] = {
    "dr": "D_r: single blocks, placed and removed at random",
    "dsb": "D_sb: structures of three shapes, block by block",
    "dss": "D_ss: structures of two shapes, shape by shape",
    "dh": "D_h, ours: turns that change, repeat, mirror and extend what is there",
    "written": "ours: simulated games in words that a language model wrote",
}
VERSIONS: Mapping[str, str] = {"dr": "2.0.0", "dsb": "2.0.0", "dss": "2.0.0", "dh": "2.0.0", "written": "2.0.0"}
SIZES: Mapping[str, Mapping[str, int]] = {  # items
    "dr": {"train": 15_825, "validation": 1_161, "test": 1_089},
    "dsb": {"train": 9_890, "validation": 1_186, "test": 1_181},
    "dss": {"train": 11_868, "validation": 1_000, "test": 1_000},
    "dh": {"train": 10_000, "validation": 1_000, "test": 1_000},
    "written": {"train": 19_305, "validation": 1_103, "test": 1_117},
}
