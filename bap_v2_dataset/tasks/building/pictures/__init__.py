"""An item of building, or a game, as figures in the manner of the paper, pages, animations and text."""
