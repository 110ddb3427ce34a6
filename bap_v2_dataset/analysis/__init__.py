"""What the corpora are like: counts, comparison with human games, a gallery."""
