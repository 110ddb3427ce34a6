"""What the corpora are like: counts, and comparison with human games."""
