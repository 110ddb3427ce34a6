"""The pointer transformer: a compact Builder that learns net actions from simulated and human items."""
