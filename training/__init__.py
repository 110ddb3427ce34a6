"""Learned Builders: language models, GRUs and pointer transformers, how they are trained and what they answer."""
