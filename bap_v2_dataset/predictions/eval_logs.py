"""Logs of evaluation libraries, read without them: of lm-eval, inspect and LightEval.

That is lm-eval's `--log_samples`, inspect's `.eval` and `.json`, and LightEval's `--save-details`. A row's id is what
pairs an answer with its row. In lm-eval it stands in `doc`, as the column of the task's data; in inspect it is the id
of the sample (`FieldSpec(id="id")`), or `id` in its metadata; in LightEval, as our tasks write it, it stands in
`specific`. What is scored is the model's raw answer, before lm-eval's filters. Answers of several repeats or epochs are
several runs.
"""

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bap_v2_dataset.interface.table import task_of_columns
from bap_v2_dataset.predictions.entries import Content, Entry, PredictionError
from bap_v2_metric.prediction_records import calls_of

_ZSTD = 93  # of the zip format; the standard library reads it from Python 3.14 on
_DAMAGE = (zipfile.BadZipFile, zlib.error, ValueError, EOFError, OSError, struct.error, RuntimeError)
LIGHTEVAL_COLUMNS = ("doc", "model_response")
_LM_EVAL_FILES, _INSPECT_FILES = "samples_*.jsonl", "*.eval"


class OtherTaskError(PredictionError):
    """A log of a task that is not ours, as a folder of logs may hold them, or whose rows have lost their ids."""


def log_files(folder: Path) -> list[Path]:
    """Return the logs in a folder that lm-eval or inspect has written, in the order of their names.

    Raises:
        PredictionError: if there is none, or if lm-eval has run a task twice.
    """
    # What is there.
    samples, logs = sorted(folder.rglob(_LM_EVAL_FILES)), sorted(folder.rglob(_INSPECT_FILES))
    if not samples and not logs:
        raise PredictionError(
            f"{folder} is a directory without logs ({_LM_EVAL_FILES} of lm-eval, {_INSPECT_FILES} of inspect) or files "
            "of bap-v2 predict: name a prediction file"
        )

    # Of each task lm-eval has one file.
    earlier: dict[tuple[Path, str], Path] = {}
    for path in samples:
        task = path.parent, lm_eval_task(path)
        if task in earlier:
            raise PredictionError(
                f"{folder} holds two runs of {task[1]}: name one, {earlier[task].name} or {path.name}, or both as runs "
                "of one system (NAME=FILE NAME=FILE)"
            )
        earlier[task] = path
    return samples + logs


def lm_eval_task(path: Path) -> str:
    """Return the task in the name of a file of lm-eval; "" for other files.

    >>> lm_eval_task(Path("samples_bap_v2_dss_2026-11-22T03-56-46.522970.jsonl"))
    'bap_v2_dss'
    """
    name = path.name.removesuffix(".gz").removesuffix(".jsonl")
    task, _, time = name.removeprefix("samples_").rpartition("_")
    return task if name.startswith("samples_") and time[:2].isdigit() and "T" in time else ""


def lm_eval_model(path: Path) -> str:
    """Read the model in the results of lm-eval that stand beside its samples; "" if there are none."""
    time = path.name.removesuffix(".gz").removesuffix(".jsonl").rpartition("_")[2]
    try:
        results = json.loads(path.with_name(f"results_{time}.json").read_bytes())
    except (OSError, ValueError):
        return ""
    name = results.get("model_name") if isinstance(results, dict) else None
    return name if isinstance(name, str) else ""


def is_lm_eval_record(record: Any) -> bool:
    return isinstance(record, Mapping) and isinstance(record.get("doc"), Mapping) and "resps" in record


def lm_eval_entries(records: Iterable[tuple[str, Any]], source: str, id_field: str) -> Iterator[Entry]:
    """Read the answers in a file of samples; a task with several filters writes every answer once for each."""
    used: Any = None
    for position, (place, record) in enumerate(records):
        if not is_lm_eval_record(record):
            raise PredictionError(f'{source}, {place} has no "doc" and "resps" as the lines before: is it whole?')
        # Of several filters the first.
        if not position:
            used = record.get("filter")
        if record.get("filter") != used:
            continue
        row_id = record["doc"].get(id_field.removeprefix("doc."))
        if not isinstance(row_id, str):
            raise OtherTaskError(
                f'{source}, {place}: "doc" has no string {id_field!r} (it has {", ".join(record["doc"])}): keep the '
                "rows' ids in the data of the task, or name their column with --id-field"
            )

        # The answers, which may be several, of repeats.
        responses = record["resps"]
        answers = responses[0] if isinstance(responses, list) and len(responses) == 1 else None
        answers = [answers] if isinstance(answers, str) else answers
        if not isinstance(answers, list) or not answers or not all(isinstance(text, str | None) for text in answers):
            raise OtherTaskError(
                f'{source}, {place}: "resps" is not the text of an answer: the task needs `output_type: generate_until`'
            )
        for run, text in enumerate(answers):
            yield Entry(place, row_id, None if text is None else _prediction(record["doc"], text), run)


def is_lighteval_row(row: Any) -> bool:
    return isinstance(row, Mapping) and tuple(row) == LIGHTEVAL_COLUMNS


def lighteval_details(rows: Iterable[tuple[str, Any]], source: str) -> Content:
    """Read the answers in a table of details that LightEval has written (`--save-details`)."""

    def entries() -> Iterator[Entry]:
        for place, row in rows:
            specific = (row["doc"] or {}).get("specific") or {}
            answers = (row["model_response"] or {}).get("text")
            if not isinstance(specific.get("id"), str) or not answers:
                raise PredictionError(
                    f"{source} is not a table of details of our tasks for LightEval: name a prediction file"
                )
            for run, text in enumerate(answers):
                yield Entry(place, specific["id"], _prediction(specific, text), run)

    return Content(entries())


def is_inspect_log(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("eval"), Mapping) and "model" in value["eval"]


def inspect_log(log: Mapping, source: str) -> Content:
    """Read the answers in a `.json` log of inspect."""
    samples = log.get("samples") or []
    if not isinstance(samples, list):
        raise PredictionError(f'{source}: "samples" is not a list')
    entries = (_of_sample(sample, f"sample {n}", source) for n, sample in enumerate(samples, start=1))
    return Content(entries, str(log["eval"]["model"]))


def inspect_archive(data: bytes, source: str) -> Content:
    """Read the answers in an `.eval` log of inspect: a zip file with the header and the samples as JSON."""
    # The header, which says that it is a log.
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = {member.filename: member for member in archive.infolist()}  # what was written last holds
        header = next((name for name in ("header.json", "_journal/start.json") if name in members), None)
        record = json.loads(_content_of(members[header], archive, data)) if header else None
    except _DAMAGE as error:
        raise PredictionError(f"{source} is not a log of inspect ({error}): pass an .eval file that is whole") from None
    if not is_inspect_log(record):
        raise PredictionError(f"{source} is a zip file, and not an .eval log of inspect: unpack it")

    # The samples, read one by one.
    def entries() -> Iterator[Entry]:
        for name, member in members.items():
            if not name.startswith("samples/") or not name.endswith(".json"):
                continue
            try:
                sample = json.loads(_content_of(member, archive, data))
            except _DAMAGE as error:
                raise PredictionError(f"{source}, {name} is damaged ({error})") from None
            yield _of_sample(sample, name, source)

    return Content(entries(), str(record["eval"]["model"]))


def _content_of(member: zipfile.ZipInfo, archive: zipfile.ZipFile, data: bytes) -> bytes:
    """Unpack a file of the archive."""
    if member.compress_type != _ZSTD:
        return archive.read(member)
    import pyarrow

    name_and_extra = struct.unpack_from("<HH", data, member.header_offset + 26)  # lengths, in the local header
    start = member.header_offset + 30 + sum(name_and_extra)
    packed = pyarrow.py_buffer(data[start : start + member.compress_size])
    content = pyarrow.input_stream(packed, compression="zstd").read()
    if zlib.crc32(content) != member.CRC:
        raise zipfile.BadZipFile(f"Bad CRC-32 for file {member.filename!r}")
    return content


def _of_sample(sample: Any, place: str, source: str) -> Entry:
    """Return the answer to a sample; one that failed leaves its item without a prediction."""
    if not isinstance(sample, Mapping) or not isinstance(output := sample.get("output"), Mapping):
        raise PredictionError(f'{source}, {place} has no "output"')

    # Whose answer it is, and in which run.
    metadata = sample.get("metadata") if isinstance(sample.get("metadata"), Mapping) else {}
    ids = sample.get("id"), metadata.get("id")
    row_id = next((value for value in ids if isinstance(value, str)), None)
    if row_id is None:
        raise OtherTaskError(
            f"{source}, {place}: the id of the sample is {sample.get('id')!r}, not that of a row: pass "
            'FieldSpec(id="id") where the task reads its data'
        )
    epoch = sample.get("epoch", 1)
    if not isinstance(epoch, int) or epoch < 1:
        raise PredictionError(f'{source}, {place}: "epoch" is {epoch!r} (expected a number from 1)')

    # The answer.
    if not output.get("choices"):
        return Entry(place, row_id, None, epoch - 1, "failed")
    text, choice = output.get("completion"), output["choices"][0]
    if not isinstance(text, str):
        raise PredictionError(f'{source}, {place}: "completion" is not a string')
    message = choice.get("message") if isinstance(choice, Mapping) else None
    text = "\n".join(filter(None, (text, calls_of(message) if isinstance(message, Mapping) else "")))
    return Entry(place, row_id, _prediction(metadata, text), epoch - 1, record=choice)


def _prediction(row: Mapping, answer: str) -> str:
    """Return the prediction that an answer to a question about a row is, as the row's task says."""
    task = task_of_columns(row)
    return answer if task is None else task.prediction_of(row, answer)
