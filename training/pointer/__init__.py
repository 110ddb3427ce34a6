"""The pointer transformer: a small Builder that learns net actions from simulated and human items."""
