"""Answers from a model: on this machine, with vLLM, of a chat endpoint, and in the notation only."""
