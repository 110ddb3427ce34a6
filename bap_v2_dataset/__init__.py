"""The BAP v2 configs of `datasets`: from games to rows, to the caches and to the Hub.

Importing this package registers the builder and the metric, so that `datasets.load_dataset("bap_v2", ...)` and
`evaluate.load("bap_v2")` know the name. It imports neither library: the command line starts in a fraction of a second.
"""

from bap_v2_dataset.loading.registration import register_when_imported

register_when_imported()
