"""Pictures of items and games: figures in the paper's manner, interactive pages, and animated replays.

`columns` is what a figure shows (BAP v2, 2.2: "How to interpret BAP item figures"), `projection` makes polygons of
cubes, `figure` draws PNG and SVG, `page` an item as HTML, `replay` a game action by action, `text` both in a terminal,
with the boards of `terminal_board`. All start from rows and games: `loading.lookup` has those of an id.
"""
