"""Models that play: episodes of Plancraft, and full games with the simulated Architect."""
