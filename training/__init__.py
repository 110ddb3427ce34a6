"""Who learns from the games: fine-tuning of language models on rendered items, and their predictions."""
