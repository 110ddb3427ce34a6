"""The Space of the dataset: its items to look at, and what models made of them.

`bap-v2 push --explorer-space` puts this file and the packages that it needs into the Space. The dataset is the one in
`dataset.txt`, unless BAP_V2_DATASET names another; for a private one the Space needs the secret HF_TOKEN.
"""

import os
from pathlib import Path

from bap_v2_dataset.explorer import server
from bap_v2_dataset.explorer.sources import HubSource

if __name__ == "__main__":
    named = os.environ.get("BAP_V2_DATASET") or Path(__file__).with_name("dataset.txt").read_text(encoding="utf-8")
    server.serve(HubSource(named.strip()))
