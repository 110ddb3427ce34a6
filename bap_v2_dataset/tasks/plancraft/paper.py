"""What the paper on Plancraft reports, as data: Tables 2, 3 and 5 to 7 (Dagan, Keller and Lascarides, 2025).

Success is in 0..1, of solvable tasks; turns, thoughts, searches and such are means of an episode. Table 4, the sizes of
the splits, is that of the package's files. Numbers of the Llama models are probably too low: see LLAMA_NOTE.
"""

from collections.abc import Iterator
from typing import NamedTuple

KEY = "dagan2025plancraft"  # in the citation of the dataset
LLAMA_NOTE = (
    "Llama: reported too low, says issue #2 of the authors' repository (2025-11-07): until 2025-05-14 a craft failed "
    "whose quantity was not the whole output"
)
HEADINGS = {  # of Table 2 and 7, by the keys of the metric
    "easy_success": "Easy",
    "medium_success": "Medium",
    "hard_success": "Hard",
    "success": "Overall",
    "think": "think",
    "search": "search",
    "impossible": "impossible",
    "impossible_f1": "Impossible F1",
    "turns": "Plan length",
    "ae_turns": "AE",
    "tokens": "Tokens",
}
RECIPE_HEADINGS = {
    "smelting_success": "Smelting",
    "shapeless_success": "Shapeless",
    "shaped_success": "Shaped",
    "mixed_success": "Mixed",
}


class PublishedAgent(NamedTuple):
    """A row of a table."""

    tools: str  # in letters, e.g. "M S T"
    model: str
    scores: dict[str, float | None]  # by the keys of the metric; None: "-"


_TABLE_2 = """
M S        | Llama 8B      | 0.10 | 0.00 | 0.00 | 0.04 |     - |    - |    - |    - | 29.06 | 4.38 | 88.9k
M S        | Llama 70B     | 0.38 | 0.12 | 0.00 | 0.18 |     - |    - |    - |    - | 25.57 | 2.38 | 76.3k
M S        | gpt-4o-mini   | 0.16 | 0.00 | 0.00 | 0.07 |     - |    - |    - |    - | 28.12 | 0.48 | 82.1k
M S        | Llama 8B FT   | 0.63 | 0.48 | 0.11 | 0.40 |     - |    - |    - |    - | 20.29 | 0.14 | 56.5k
M S        | Gemma 12B     | 0.16 | 0.03 | 0.00 | 0.07 |     - |    - |    - |    - | 28.12 | 0.85 | 79.4k
M S        | Gemma 27B     | 0.24 | 0.08 | 0.01 | 0.12 |     - |    - |    - |    - | 27.13 | 1.85 | 67.5k
M S        | Qwen3 30B A3B | 0.49 | 0.21 | 0.04 | 0.27 |     - |    - |    - |    - | 24.29 | 3.66 | 93.6k
M S T      | Llama 8B      | 0.14 | 0.00 | 0.00 | 0.06 | 11.31 |    - |    - |    - | 28.80 | 6.67 | 68.3k
M S T      | Llama 70B     | 0.45 | 0.30 | 0.02 | 0.26 | 11.79 |    - |    - |    - | 24.34 | 3.32 | 58.7k
M S T      | gpt-4o-mini   | 0.21 | 0.05 | 0.01 | 0.10 | 15.43 |    - |    - |    - | 27.65 | 3.63 | 58.4k
M S T      | Llama 8B FT   | 0.61 | 0.48 | 0.10 | 0.39 |  0.07 |    - |    - |    - | 20.59 | 0.26 | 58.9k
M S T      | Gemma 12B     | 0.20 | 0.06 | 0.00 | 0.10 | 17.53 |    - |    - |    - | 27.82 | 2.85 | 57.2k
M S T      | Gemma 27B     | 0.38 | 0.20 | 0.00 | 0.20 | 15.56 |    - |    - |    - | 25.70 | 3.56 | 56.4k
M S T      | Qwen3 30B A3B | 0.34 | 0.23 | 0.03 | 0.20 | 15.49 |    - |    - |    - | 25.61 | 2.90 | 73.1k
M S T I    | Llama 70B     | 0.45 | 0.29 | 0.03 | 0.26 |  6.98 |    - | 0.43 | 0.45 | 16.81 | 2.75 | 40.3k
M S T I    | Gemma 27B     | 0.30 | 0.15 | 0.00 | 0.16 |  2.82 |    - | 0.82 | 0.34 |  7.68 | 2.89 | 14.0k
M S T I    | Qwen3 30B A3B | 0.29 | 0.17 | 0.01 | 0.16 |  3.04 |    - | 0.71 | 0.37 |  8.72 | 1.88 | 25.1k
M S T SE   | Llama 8B      | 0.44 | 0.14 | 0.02 | 0.22 |  6.23 | 3.73 |    - |    - | 25.23 | 4.48 | 63.0k
M S T SE   | Llama 70B     | 0.91 | 0.83 | 0.31 | 0.67 |  4.80 | 2.51 |    - |    - | 16.99 | 3.95 | 38.0k
M S T SE   | gpt-4o-mini   | 0.46 | 0.13 | 0.02 | 0.23 | 13.24 | 1.93 |    - |    - | 25.46 | 5.55 | 55.4k
M S T SE   | Llama 8B FT   | 0.62 | 0.54 | 0.10 | 0.41 |  0.03 | 0.08 |    - |    - | 20.31 | 0.39 | 60.0k
M S T SE   | Gemma 12B     | 0.53 | 0.30 | 0.03 | 0.29 | 13.09 | 1.85 |    - |    - | 23.75 | 3.36 | 49.8k
M S T SE   | Gemma 27B     | 0.83 | 0.69 | 0.08 | 0.52 |  8.77 | 2.75 |    - |    - | 19.57 | 4.06 | 43.6k
M S T SE   | Qwen3 30B A3B | 0.48 | 0.38 | 0.07 | 0.30 | 11.59 | 0.79 |    - |    - | 23.60 | 2.84 | 72.9k
M S T SE I | Llama 8B      | 0.28 | 0.03 | 0.00 | 0.12 |  2.06 | 1.81 | 0.85 | 0.32 |  8.29 | 2.90 | 15.4k
M S T SE I | Llama 70B     | 0.88 | 0.82 | 0.30 | 0.65 |  4.57 | 2.42 | 0.08 | 0.71 | 16.30 | 3.96 | 36.7k
M S T SE I | gpt-4o-mini   | 0.40 | 0.13 | 0.02 | 0.20 |  6.90 | 1.20 | 0.60 | 0.39 | 15.67 | 5.12 | 32.6k
M S T SE I | Llama 8B FT   | 0.62 | 0.55 | 0.10 | 0.41 |  0.01 | 0.12 |    - | 0.00 | 20.24 | 0.38 | 60.3k
M S T SE I | Gemma 12B     | 0.43 | 0.28 | 0.02 | 0.25 |  2.91 | 0.58 | 0.71 | 0.36 |  9.05 | 2.87 | 19.1k
M S T SE I | Gemma 27B     | 0.78 | 0.62 | 0.07 | 0.48 |  2.73 | 1.22 | 0.51 | 0.45 |  8.90 | 3.80 | 17.5k
M S T SE I | Qwen3 30B A3B | 0.32 | 0.28 | 0.03 | 0.20 |  1.69 | 0.15 | 0.68 | 0.38 |  7.88 | 2.33 | 25.5k
"""
_TABLE_3 = """
Llama 8B R-CNN      | 0.00 | 30.00 |    - |  84.5k
Llama 70B R-CNN     | 0.13 | 27.03 | 2.97 |  79.5k
gpt-4o-mini R-CNN   | 0.04 | 28.93 | 3.31 |  82.3k
Gemma 3 12B IMG     | 0.00 | 29.96 | 0.00 | 137.7k
Gemma 3 27B IMG     | 0.00 | 29.94 | 1.00 | 117.6k
Qwen 2.5 VL 72B IMG | 0.01 | 29.89 | 0.50 | 181.1k
gpt-4o-mini IMG     | 0.02 | 29.45 | 2.50 |  11.6M
"""
_TABLE_5 = """
M S        | Llama 70B   | 0.91 | 0.51 | 0.12 | 0.07
M S T      | Llama 70B   | 0.69 | 0.57 | 0.25 | 0.12
M S T SE   | Llama 70B   | 1.00 | 0.80 | 0.80 | 0.42
M S T SE I | Llama 70B   | 1.00 | 0.78 | 0.79 | 0.39
M S        | Llama 8B    | 0.09 | 0.20 | 0.01 | 0.02
M S T      | Llama 8B    | 0.18 | 0.23 | 0.02 | 0.03
M S T SE   | Llama 8B    | 0.98 | 0.37 | 0.22 | 0.10
M S T SE I | Llama 8B    | 0.66 | 0.24 | 0.10 | 0.06
M S        | Llama 8B FT | 0.88 | 0.77 | 0.41 | 0.22
M S T      | Llama 8B FT | 0.65 | 0.81 | 0.42 | 0.19
M S T SE   | Llama 8B FT | 0.86 | 0.77 | 0.43 | 0.21
M S T SE I | Llama 8B FT | 0.86 | 0.78 | 0.44 | 0.20
M S        | gpt-4o-mini | 0.58 | 0.26 | 0.00 | 0.04
M S T      | gpt-4o-mini | 0.51 | 0.34 | 0.04 | 0.05
M S T SE   | gpt-4o-mini | 0.71 | 0.32 | 0.26 | 0.09
M S T SE I | gpt-4o-mini | 0.76 | 0.26 | 0.24 | 0.07
"""
_TABLE_6 = """
M S        | Llama 70B   | 2.88
M S T      | Llama 70B   | 0.03
M S T SE   | Llama 70B   | 0.02
M S T SE I | Llama 70B   | 0.01
M S        | Llama 8B    | 6.85
M S T      | Llama 8B    | 0.20
M S T SE   | Llama 8B    | 0.44
M S T SE I | Llama 8B    | 0.04
M S        | Llama 8B FT | 0.02
M S T      | Llama 8B FT | 0.00
M S T SE   | Llama 8B FT | 0.01
M S T SE I | Llama 8B FT | 0.01
M S        | gpt-4o-mini | 1.53
M S T      | gpt-4o-mini | 0.02
M S T SE   | gpt-4o-mini | 0.04
M S T SE I | gpt-4o-mini | 0.00
"""
_TABLE_7 = """
Zero-shot | Llama 70B | 0.75 | 0.57 | 0.26 | 0.53 | 4.36 | 1.63 | 0.17 | 0.58 | 17.63 | 4.98 | 32.6k
Few-shot  | Llama 70B | 0.88 | 0.82 | 0.30 | 0.65 | 4.57 | 2.42 | 0.08 | 0.71 | 16.30 | 3.96 | 36.7k
"""
_UNITS = {"k": 1e3, "M": 1e6}


def _rows(table: str) -> Iterator[list[str]]:
    return ([cell.strip() for cell in line.split("|")] for line in table.strip().splitlines())


def _number(cell: str) -> float | None:
    if cell == "-":
        return None
    unit = _UNITS.get(cell[-1])
    return float(cell) if unit is None else round(float(cell[:-1]) * unit)


def _published(table: str, keys: tuple[str, ...]) -> tuple[PublishedAgent, ...]:
    return tuple(
        PublishedAgent(tools, model, dict(zip(keys, map(_number, cells), strict=True)))
        for tools, model, *cells in _rows(table)
    )


TABLE_2 = _published(_TABLE_2, tuple(HEADINGS))
# Of image observations, with move and smelt.
TABLE_3 = tuple(
    PublishedAgent(
        "M S", model, dict(zip(("success", "turns", "ae_turns", "tokens"), map(_number, cells), strict=True))
    )
    for model, *cells in _rows(_TABLE_3)
)
TABLE_5 = _published(_TABLE_5, tuple(RECIPE_HEADINGS))
TABLE_6 = _published(_TABLE_6, ("invalid",))
# All tools; with two solved tasks in the prompt, and without.
TABLE_7 = tuple(
    PublishedAgent("M S T SE I", f"{model}, {shots.lower()}", dict(zip(HEADINGS, map(_number, cells), strict=True)))
    for shots, model, *cells in _rows(_TABLE_7)
)
