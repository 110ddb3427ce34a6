"""Tables of scores: cells and lines, and how a terminal, Markdown, LaTeX and HTML show them."""
