"""The public name of a row's prompt in a representation of the board: `bap_v2_dataset.prompts.render`."""

from bap_v2_dataset.items.prompts import render

__all__ = ["render"]
