"""How boards are drawn, for anybody: in a terminal, by matplotlib, and by plotly on a page.

`cubes` is what a board holds and what each block tells, `drawing` how a cube looks, `figurine` the Builder, `camera`
from where they are seen. `projection` makes polygons of them, which `figures` paints; `plotly_traces` and
`board_figure` make an interactive figure; `terminal_board` draws in characters. A `picture` is what `bap-v2 show`
prints or writes: each task makes its own, of whatever it is about.
"""
