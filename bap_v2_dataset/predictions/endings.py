"""Why an answer is not whole, as its record says: a line of `bap-v2 predict`, or what APIs and logs write."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bap_v2_metric.prediction_records import calls_of

_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
UNFINISHED: dict[str, str] = _FILE["reasons"]  # the reasons, in words
ENDINGS = {name: why for why, names in _FILE["called"].items() for name in names}


def ending(value: Any, run: int = 0) -> str:
    """Return why the answer of a record or a message is not whole: a key of UNFINISHED; "" if nothing says so.

    Args:
        run: which of several choices it is, from 0.

    >>> ending({"choices": [{"finish_reason": "length"}]}), ending({"finish_reason": "STOP"})
    ('length', '')
    """
    # Of choices the one of the run, of messages and parts the last.
    if isinstance(value, list) and value:
        last = run >= len(value) or (isinstance(value[run], Mapping) and "role" in value[run])
        return ending(value[-1 if last else run])
    if not isinstance(value, Mapping) or (own := str(value.get("unfinished"))) in UNFINISHED:
        return own if isinstance(value, Mapping) else ""
    # What stands in the record, then what it says itself.
    told = [ending(value.get(name), run) for name in _FILE["fields"]["inside"]]
    told += [ENDINGS.get(str(value.get(name)).lower(), "") for name in _FILE["fields"]["names"]]
    for name, why in (("refusal", "refused"), ("error", "error")):
        told.append(why * bool(isinstance(value.get(name), str | Mapping) and value[name]))
    told.append("length" * (str(value.get("finished")).lower() == "false"))
    if value.keys() & {"content", "type"} and not (value.get("content") or calls_of(value)):
        thoughts = map(value.get, ("reasoning_content", "reasoning", "thinking"))
        told.append("tool_calls" * bool(value.get("tool_calls")))
        told.append("thoughts" * any(isinstance(thought, str) and thought for thought in thoughts))
    return next((why for why in told if why not in ("", "thoughts")), "thoughts" * ("thoughts" in told))
