"""Cards from templates: Jinja2, and a value that is missing is an error, not a gap.

Those of a task are in its room (`building/card.md` of `bap_v2_dataset.tasks`), the others in `hub_cards`.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2

import bap_v2_hub_cards
from bap_v2_dataset import tasks
from bap_v2_metric.errors import UserError

_FOLDERS = [Path(package.__file__).parent for package in (bap_v2_hub_cards, tasks)]


class CardError(UserError):
    """Facts that do not make a card; the message names what is wrong."""


def rendered(template: str, facts: Mapping[str, Any]) -> str:
    """Return the text of a template with these values.

    Args:
        template: the path of its file, "model_card.md" or "building/card.md".
        facts: every value that it names.
    """
    text = _environment().get_template(template).render(facts)
    return re.sub(r"\n{3,}", "\n\n", text)  # what a condition leaves behind


def rendered_blocks(template: str, facts: dict[str, Any]) -> dict[str, str]:
    """Return the text of each block of a template, by its name."""
    parts = _environment().get_template(template)
    return {name: "".join(block(parts.new_context(facts))) for name, block in parts.blocks.items()}


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDERS), trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )  # fmt: skip
    environment.filters["n"] = "{:,}".format
    environment.filters["percent"] = "{:.0%}".format
    environment.filters["score"] = lambda fraction: f"{100 * fraction:.1f}"
    environment.filters["type"] = _type_name
    environment.filters["names"] = _names
    return environment


def _names(names: Sequence[str]) -> str:
    """Return names as in a sentence.

    >>> _names(["dr", "dsb", "dss"]), _names(["dr"])
    ('`dr`, `dsb` and `dss`', '`dr`')
    """
    *others, last = (f"`{name}`" for name in names)
    return f"{', '.join(others)} and {last}" if others else last


def _type_name(feature: Any) -> str:
    """Return the type of a column of `datasets` in words."""
    import datasets

    if isinstance(feature, dict):
        types = {_type_name(part) for part in feature.values()}
        return f"{{{', '.join(feature)}}} of {' or '.join(sorted(types))}"
    if isinstance(feature, datasets.List):
        return f"list of {_type_name(feature.feature)}"
    return "JSON" if isinstance(feature, datasets.Json) else feature.dtype
