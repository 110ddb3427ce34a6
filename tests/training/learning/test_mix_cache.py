"""Mixes that are named on the command line."""

import os

import pytest

pytest.importorskip("trl", reason="the training extra is not installed")
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: nothing here needs the Hub

from bap_v2_training.errors import UsageError
from bap_v2_training.learning.mix_cache import mix_in_cache


@pytest.mark.parametrize("mix", ["dss", "dss=", "dss=many", "dss=-3"])
def test_a_wrong_mix_is_an_error_with_an_example(mix):
    with pytest.raises(UsageError, match="expected for example dr=8000"):
        mix_in_cache(mix)
