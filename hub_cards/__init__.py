"""The cards that are published with datasets and models: Jinja2 templates, filled in by `bap_v2_dataset.publishing`."""
