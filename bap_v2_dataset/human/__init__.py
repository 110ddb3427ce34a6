"""The human corpus: its files as they are distributed, its logs as games, and where both are kept."""
