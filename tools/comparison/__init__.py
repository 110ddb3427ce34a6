"""Simulated corpora beside the human one: the numbers and tables of docs/data/comparison.md."""
