"""What a training run needs besides its trainer: examples as tokens, stages, checkpoints, a dry run."""
