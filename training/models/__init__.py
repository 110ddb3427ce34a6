"""Models that are made from a config, with random weights."""
