"""Answers from a model: on this machine, with vLLM, and in the notation only."""
