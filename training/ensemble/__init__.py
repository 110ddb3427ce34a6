"""Several Builders that answer together."""
