"""What `load_dataset` gives: configs and splits, the caches that serve them, mixes, and items by id."""
