"""Pictures of items and games: figures in the paper's manner, interactive pages, and animated replays.

`columns` is what a figure shows (BAP v2, 2.2: "How to interpret BAP item figures"), `projection` makes polygons of
cubes, `figure` draws PNG and SVG, `page` an item as HTML, `replay` a game action by action, `text` both in a terminal.
`sources` finds the item or game of an id.
"""
