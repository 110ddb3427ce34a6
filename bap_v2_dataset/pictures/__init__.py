"""Pictures of items and games: figures in the paper's manner, interactive pages, replays and animations.

`columns` is what a figure shows (BAP v2, 2.2: "How to interpret BAP item figures"), `projection` makes polygons of
cubes, `figure` draws PNG, SVG and PDF, `page` an item as HTML, `replay` and `animation` the `game_frames` of a game as
HTML and GIF, `text` both in a terminal, with the boards of `terminal_board`. All start from rows and games:
`loading.lookup` has those of an id.
"""
