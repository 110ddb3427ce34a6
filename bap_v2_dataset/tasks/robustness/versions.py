"""The version that names variants in the cache: importing this imports nothing that makes them."""

PERTURBATION_VERSION = "1.1.0"  # raised whenever a variant would come out differently
