"""Cards from the templates of `hub_cards`: Jinja2, and a value that is missing is an error, not a gap."""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import jinja2

from bap_v2_metric.errors import UserError


class CardError(UserError):
    """Facts that do not make a card; the message names what is wrong."""


def rendered(template: str, facts: Mapping[str, Any]) -> str:
    """The text of a template with these values.

    Args:
        template: the name of its file, "dataset_card.md".
        facts: every value that it names.
    """
    environment = jinja2.Environment(
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["n"] = "{:,}".format
    environment.filters["percent"] = "{:.0%}".format
    environment.filters["score"] = lambda fraction: f"{100 * fraction:.1f}"
    text = environment.from_string((files("bap_v2_hub_cards") / template).read_text(encoding="utf-8")).render(facts)
    return re.sub(r"\n{3,}", "\n\n", text)  # what a condition leaves behind
