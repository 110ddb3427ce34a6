"""What one record of predictions says: its id, its answers, or why it has none. `prediction_files` reads the records.

A prediction is a text, a list of its lines, or what an API answers; several choices are several runs, and so are
the texts in a list of "outputs", "choices" or "generated_text". Of a task that is played it is an episode,
{"turns": [...], "success": ..., "tokens": ...}, which becomes JSON, and a line may say which "run" of its item it is,
from 1. A failed request and a null are entries without a prediction.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, NamedTuple

from .errors import UserError

ID_FIELDS = ("custom_id", "id", "item_id")  # of a batch "id" is that of the request
# "prediction" where it is there, otherwise the only one of the others, otherwise a conversation. Not "completion" or
# "text": rows of the dataset have a "completion", which is the right answer.
PREDICTION_FIELDS = ("prediction", "response", "output", "generated_text")
_OF_APIS = {"result": Mapping, "outputs": list, "choices": list}  # usual names of what is no text
_CONVERSATIONS = ("completion", "messages")
# Texts that may stand beside a conversation; any other may be the answer.
_BESIDE = {*ID_FIELDS, *_CONVERSATIONS, "prompt", "model", "before", "after", "interpretations"}
_SEVERAL = {"outputs", "choices", "generated_text"}  # texts under these names are choices, elsewhere lines
# Where a text stands in what an API answers; "output" before "text", which in the responses API is a format.
_INSIDE = ("body", "message", "choices", "outputs", "output", "content", "text", "generated_text")
_TEXTS = {"text", "output_text"}  # types of parts of a message; others are thoughts, calls and pictures
_CALLS = {"function_call", "tool_use"}
_OWN_TOOLS = {"try_actions", "cells_from"}  # of `bap_v2_dataset.chat.tools`: they change nothing
KEEP_ONE = "keep one of the two, or write the answers of each run into a file of its own"
FORM = 'write one object per line, e.g. {"id": "dss-test-0/0", "prediction": "place red 0 1 0"}'
_SHOWN = 80  # characters of what an error quotes


class PredictionError(UserError):
    """A prediction file that cannot be scored; the message names the file, the line and the fix."""


class Entry(NamedTuple):
    """A prediction, and where it stands."""

    place: str  # `line 3`
    row_id: str | None  # None: its item is known by the order
    prediction: str | None  # None: there is none
    run: int = 0  # of several answers of one model to an item
    why: str = "null"  # there is no prediction
    record: Any = None  # that it was read from


@dataclass(frozen=True)
class Fields:
    """The names under which ids and predictions stand; None: the usual ones.

    A name with dots that is not a field itself leads into objects and lists: `doc.id`, `choices.0.text`, `choices[0]`.
    """

    id: str | None = None
    prediction: str | None = None


AUTOMATIC = Fields()


def excerpt(text: str) -> str:
    """Return the beginning of a text, for an error, as any terminal can print it.

    >>> excerpt("place red \\ud83d")
    'place red ?'
    """
    text = text.encode(errors="replace").decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def reasons(why: Iterable[str]) -> str:
    """Name the reasons why predictions are missing, with counts.

    >>> reasons(["null", "expired", "null"])
    '2 × null, 1 × expired'
    """
    return ", ".join(f"{n:,} × {reason}" for reason, n in Counter(why).most_common())


def entries(
    values: Iterable[tuple[str, Any]], source: str, fields: Fields = AUTOMATIC, by_id: bool = True
) -> Iterator[Entry]:
    """Yield the predictions of `records`, all under the names that the first object has.

    Args:
        by_id: whether objects have to have ids. Without, other ids than strings are taken too.
    Raises:
        PredictionError: while iterating, for a record without an id or a prediction that can be read.
    """
    names: tuple[str, str] | None = None
    ordered: bool | None = None
    last = -1  # number of a request
    for place, record in values:
        # The id of the record and its answer, or why it has none.
        where = f"{source}, {place}"
        if isinstance(record, Mapping):
            names = names or names_of(record, fields, where)
            if names[1] in _CONVERSATIONS:  # the answer may be null in the first record
                names_of(record, fields, where)
            row_id, (there, value), why = _found(record, names[0])[1], _found(record, names[1]), _failure(record)
            # Without ids objects are in order only where nobody could give them one: a name may be misspelled.
            in_order = row_id is None and (not by_id or (fields.id is None and is_request_output(record)))
            if in_order and is_request_output(record):
                last = _number(record, last, where)
        else:
            row_id, there, value, why, in_order = None, True, record, "", True
        # One answer or several; an episode is one.
        row_id, run = row_id if by_id or row_id is None else str(row_id), 0
        if isinstance(value, Mapping) and "turns" in value:  # an episode
            texts, run = [json.dumps(value)], _run(record, where)
        else:
            texts = [None] if why else answers_in(value, names[1] if names else "") if there else None
        # A record that is not a prediction is refused, as is one without an id among others with one.
        if texts is None or not (in_order or isinstance(row_id, str)) or (by_id and ordered not in (None, in_order)):
            id_field, prediction_field = names or (ID_FIELDS[1], PREDICTION_FIELDS[0])
            hint = "" if fields != AUTOMATIC or not by_id else " (or name other fields: --id-field, --prediction-field)"
            text = excerpt(json.dumps(record, ensure_ascii=False, default=str))
            needed = f'the strings "{id_field}" and "{prediction_field}"' if by_id else f'a text "{prediction_field}"'
            raise PredictionError(f"{where} needs {needed}{hint}: {text}")
        ordered = in_order
        for number, answer in enumerate(texts, start=run):
            yield Entry(place, row_id, answer if answer is None else _plain(answer), number, why or "null", record)


def names_of(names: Iterable[str], fields: Fields, where: str) -> tuple[str, str]:
    """Under which of the names of a record, or of a heading, the ids and the predictions stand."""
    record = names if isinstance(names, Mapping) else {}
    names = list(names)
    usual = [name for name in PREDICTION_FIELDS if name in names]
    usual += [name for name, kind in _OF_APIS.items() if isinstance(record.get(name), kind)]
    if fields.prediction is None and len(usual) > 1 and usual[0] != "prediction":
        raise PredictionError(f"{where} has {' and '.join(usual)}: name the one to score with --prediction-field")
    if not usual and (usual := [name for name in _CONVERSATIONS if isinstance(record.get(name), list)]):
        others = [name for name in names if name not in {fields.id, *_BESIDE} and _may_be_answer(record[name])]
        if fields.prediction is None and (others or len(usual) > 1):
            problem = f"{where} has {' and '.join(usual + others)}"
            raise PredictionError(f"{problem}: name the one to score with --prediction-field")
    return (
        fields.id or next((name for name in ID_FIELDS if name in names), "id"),
        fields.prediction or (usual or PREDICTION_FIELDS)[0],
    )


def _may_be_answer(value: Any) -> bool:
    return isinstance(value, str) or any(answers_in(value) or ())


def _found(record: Any, name: str) -> tuple[bool, Any]:
    """Return whether a record has a name, if only with nothing on the way to it, and what stands there."""
    if isinstance(record, Mapping) and name in record:
        return True, record[name]
    for step in re.sub(r"\[(\d+)\]", r".\1", name).split("."):
        if isinstance(record, list) and step.isdigit() and int(step) < len(record):
            record = record[int(step)]
        elif isinstance(record, Mapping) and step in record:
            record = record[step]
        else:
            return record is None or record == [], None
    return True, record


def _failure(record: Mapping[str, Any]) -> str:
    """Return why a request of a batch has no answer; "" if it has one, and for other records."""
    if "custom_id" not in record:
        return ""
    response, result, error = record.get("response"), record.get("result"), record.get("error")
    if isinstance(result, Mapping) and result.get("type") in ("errored", "canceled", "expired"):
        return result["type"]
    if isinstance(response, Mapping) and response.get("status_code", 200) != 200:
        return f"status {response['status_code']}"
    if error:
        code = error.get("code") or error.get("message") if isinstance(error, Mapping) else error
        return excerpt(str(code or "error"))
    return ""


def is_request_output(record: Mapping[str, Any]) -> bool:
    """Return whether it is one of vLLM, which numbers the prompts in their order, and knows no other ids."""
    return isinstance(record.get("outputs"), list) and "request_id" in record and record.keys().isdisjoint(ID_FIELDS)


def _number(record: Mapping[str, Any], last: int, where: str) -> int:
    """Return the number of a request of vLLM, which is after the last one."""
    number = str(record["request_id"])
    if not number.isdecimal() or int(number) <= last:
        raise PredictionError(
            f'{where}: "request_id" is {excerpt(json.dumps(record["request_id"]))} (outputs without ids are in the '
            'order of the rows, numbered upwards): sort them so, or add the field "id"'
        )
    return int(number)


def calls_of(message: Mapping[str, Any]) -> str:
    """Return the calls of tools in a message or a part of one, but for those of our own: a line of JSON each.

    >>> calls_of({"tool_calls": [{"function": {"name": "pick", "arguments": '{"x": 0, "y": 2, "z": 0}'}}]})
    '{"name": "pick", "arguments": {"x": 0, "y": 2, "z": 0}}'
    """
    lines, calls = [], message.get("tool_calls") or [message.get("function_call")]
    for call in [message] if message.get("type") in _CALLS else calls:
        function = call.get("function", call) if isinstance(call, Mapping) else {}
        named = {**call, "name": function} if isinstance(function, str) else function
        arguments = named.get("arguments", named.get("input"))
        with suppress(ValueError, TypeError, RecursionError):  # else as the model wrote them
            arguments = json.loads(arguments)
        if (name := named.get("name")) and name not in _OWN_TOOLS:
            lines.append(json.dumps({"name": name, "arguments": arguments}))
    return "\n".join(lines)


def answers_in(value: Any, name: str = "") -> list[str | None] | None:
    """Return the texts of a prediction, several of several choices; None for anything else.

    Args:
        name: under which it stands, which says whether a list of texts is of choices or of lines.

    >>> answers_in({"choices": [{"message": {"role": "assistant", "content": "pick 0 1 0"}}]})
    ['pick 0 1 0']
    >>> answers_in(["pick 0 1 0", "pick 0 2 0"])
    ['pick 0 1 0\\npick 0 2 0']
    >>> answers_in(["pick 0 1 0", "pick 0 2 0"], "outputs")
    ['pick 0 1 0', 'pick 0 2 0']
    """
    # No answer, or plain text.
    if value is None or value != value:  # nan
        return [None]
    if isinstance(value, str):
        return [value]
    # An object of an API holds the answer in one of its fields.
    if isinstance(value, Mapping):
        if value.get("content", "") is None and isinstance(value.get("refusal"), str):
            return [value["refusal"]]
        name, calls = next((name for name in _INSIDE if name in value), None), calls_of(value)
        if name is None:
            return [calls] if calls else None
        texts = answers_in(value[name], name) if value[name] != [] or name == "content" else [None]
        return ["\n".join(filter(None, (text, calls))) for text in texts] if texts and calls else texts
    # A list: of texts, of messages, of parts of one message, or of several answers.
    if not isinstance(value, list):
        return None
    if all(isinstance(part, str) for part in value):
        return (value or [None]) if name.rpartition(".")[2] in _SEVERAL else ["\n".join(value)]
    if not all(isinstance(part, Mapping) for part in value):
        return None
    if any("role" in part for part in value):  # the last text of a model, and the calls of its turn
        turn = takewhile(lambda part: part.get("role") not in ("user", "system", "developer"), reversed(value))
        own = [part for part in turn if part.get("role") in ("assistant", "model") or part.get("type") in _CALLS]
        last = next((part for part in own if "role" in part), {"content": None})
        if (said := answers_in(last)) is None:
            return None
        texts = [calls_of(part) for part in reversed(own) if part is not last]
        return ["\n".join(filter(None, (*said, *texts)))] if any(texts) else said
    if all(isinstance(part.get("type"), str) for part in value):
        calls = [f"\n{call}\n" if (call := calls_of(part)) else part.get("refusal") for part in value]
        texts = [part.get("text") if part["type"] in _TEXTS else call for part, call in zip(value, calls)]
        texts = [text for text in texts if isinstance(text, str)]
        return ["".join(texts) if texts else None]
    several = [answers_in(part) for part in value]
    return None if None in several else [text for texts in several for text in texts]


def _plain(text: str) -> str:
    """Return the text with line ends where Excel has written those of Windows as `_x000D_`."""
    return re.sub(r"_x000D_(\r\n|\r|\n)?", "\n", text) if "_x000D_" in text else text


def _run(record: Mapping[str, Any], where: str) -> int:
    """Read the number of an episode among the runs of its item, from 0."""
    run = record.get("run", 1)
    if isinstance(run, bool) or not isinstance(run, int) or run < 1:
        raise PredictionError(f'{where}: "run" is {excerpt(json.dumps(run))} (expected the number of the run, from 1)')
    return run - 1
