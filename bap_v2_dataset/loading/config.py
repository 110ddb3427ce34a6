"""What a config of `load_dataset("bap_v2", ...)` is made from."""

from collections.abc import Mapping
from typing import Any

import datasets

from bap_v2_dataset.items.versions import DATA_VERSION


class BapV2Config(datasets.BuilderConfig):
    """One config of the dataset.

    Args:
        mdc: the human corpus, a directory or an archive; by default what BAP_V2_MDC names or the last setup chose.
        labels: of the test items, a file of JSON lines or CSV; by default what the last setup chose, else ours.
        seed: of a synthetic corpus; the published ones have seed 0.
        settings: of its simulator, as for `bap-v2 generate --set`: {"preset": "paper"}, {"removal": 0.3}.
    """

    def __init__(
        self,
        mdc: str | None = None,
        labels: str | None = None,
        seed: int = 0,
        settings: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ):
        kwargs.setdefault("version", datasets.Version(DATA_VERSION))
        super().__init__(**kwargs)
        self.mdc = mdc
        self.labels = labels
        self.seed = seed
        self.settings = settings or {}
