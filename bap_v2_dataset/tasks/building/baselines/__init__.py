"""Rules that predict without learning, as bounds for what a model's score means."""
