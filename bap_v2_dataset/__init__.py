"""The BAP v2 configs of `datasets`: from games to rows, to the caches and to the Hub.

Importing this package registers the builder, so that `datasets.load_dataset("bap_v2", ...)` knows the name. It does not
import `datasets`: the command line starts in a fraction of a second.
"""

from bap_v2_dataset.loading.registration import register_with_datasets

register_with_datasets()
