"""The BAP v2 configs of `datasets`: from games to rows, to the caches and to the Hub.

Importing this package registers the builder, so that `datasets.load_dataset("bap_v2", ...)` knows the name.
"""

from bap_v2_dataset.loading.builder import register

register()
