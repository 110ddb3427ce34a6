"""The Python API in six functions: load data, ask a Builder or a chat model, score a model or a file, look at an item.

    import bap_v2_dataset as bap

    rows = bap.load("dss")                                  # a datasets.Dataset
    answer = bap.builder("compact")(rows[0])                # what a learned Builder does
    chat = bap.messages(rows[0], shots=5)                   # for any chat model
    result = bap.evaluate_model(my_function, "dss")         # the score table, with intervals
    result = bap.score_file("predictions.jsonl")            # the same for a file
    bap.show("dss-test-0/1", result)                        # a picture, or text

What a user can fix is a `bap_v2_metric.errors.UserError`, whose message names the value and the fix.
"""

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from bap_v2_dataset.evaluation.model_arguments import ArgumentError, named_model, texts_of
from bap_v2_dataset.interface.table import all_configs
from bap_v2_dataset.predictions.model_records import COMPACT
from bap_v2_metric.errors import UserError
from bap_v2_metric.scoring import SEED

if TYPE_CHECKING:
    import datasets

    from bap_v2_dataset.evaluation.model_evaluation import Evaluation
    from bap_v2_dataset.pictures.picture import Picture

Row: TypeAlias = Mapping[str, Any]
Rows: TypeAlias = "datasets.Dataset | Sequence[Row]"
_Function = TypeVar("_Function", bound=Callable[..., Any])
# A command between back-ticks, or an option with its value.
_OPTION = re.compile(r"(`[^`]*`)|--([a-z][a-z-]*)( (?!(?:and|are|for|if|in|is|or|to|where|with)\b)[\w./~+-]+)?")


def _in_python(text: str, function: Callable[..., Any]) -> str:
    """Return a sentence that names the parameters of a function in place of the options of the command line.

    >>> _in_python("pass --split with one of a, b, --config mdc or --subset; see `bap-v2 setup --mdc`", score_file)
    'pass split= with one of a, b, config=mdc or subset=True; see `bap-v2 setup --mdc`'
    """
    parameters = signature(function).parameters

    def named(match: re.Match) -> str:
        command, option, value = match[1], match[2], match[3] or ""
        if command or (parameter := parameters.get(option.replace("-", "_"))) is None:
            return command or f"`bap-v2` with {match[0]}"
        return f"{parameter.name}={f'True{value}' if parameter.annotation is bool else value.strip()}"

    return _OPTION.sub(named, text)


def _errors_in_python(function: _Function) -> _Function:
    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except UserError as error:
            error.args = (_in_python(str(error), function),)
            raise

    return called


@_errors_in_python
def load(
    config: str | None = None,
    split: str = "test",
    *,
    data: "str | Path | None" = None,
    mdc: str | None = None,
    labels: str | None = None,
    seed: int | None = None,
) -> "datasets.Dataset":
    """Return the rows of a split of a config, or of your own data.

    Args:
        config: mdc_v2, mdc, dr, dsb, dss, dh or all. The synthetic ones are generated on first use (`bap-v2 setup` does
            so beforehand), the human ones need the corpus.
        split: train, validation or test; a part such as "test[:100]" will do.
        data: your own items instead: a file, a folder, or USER/NAME of a dataset on the Hub. What their rows lack and
            can be derived, such as the prompts, is filled in.
        mdc: the human corpus, a directory or an archive, if it is not the one that was set up.
        labels: a label file for the test items of mdc_v2, if it is not the one that was set up.
        seed: of a synthetic config; the published ones have seed 0.
    Raises:
        UserError: for an unknown config or split, a corpus that is not set up (it says how), or data that cannot be
            read.
    """
    # A config, or own data.
    if (config is None) == (data is None):
        raise ArgumentError(
            f"pass a config, one of {', '.join(all_configs())}, or your own data as data=FILE, FOLDER or USER/NAME"
        )
    arguments = {"mdc": mdc, "labels": labels, "seed": seed}
    given = {name: value for name, value in arguments.items() if value is not None}
    if data is not None:
        if given:
            raise ArgumentError(f"{next(iter(given))}= is for a config: leave it out with data=")
        from bap_v2_dataset.loading.own_data import read_data

        own = read_data(str(data), split)
        return own.rows(split)[1]
    # Rows of a config.
    assert config is not None
    if config not in all_configs() and (Path(config).exists() or "/" in config):
        raise ArgumentError(f"{config!r} is not a config: for your own data pass data={config!r}")
    from bap_v2_dataset.evaluation.test_sets import split_rows

    return split_rows(config, split, **given)


@_errors_in_python
def builder(model: str = COMPACT, **options: Any) -> Callable[[Any], Any]:
    """Return a model of this machine as a function: of a row, its answer; of a list of rows, the list of their answers.

    Args:
        model: `compact`, which comes with the package, the folder of a run or an ensemble, or USER/NAME on the Hub.
        options: of `bap-v2 predict`, such as samples=16; one with an underscore may stand for a dash.
    Returns:
        For `evaluate_model`, with batch_size=64: a list is one batch. Rows need id, history, dialogue, pose and before.
    Raises:
        UserError: there is no such model or option, or torch is not installed.
    """
    from bap_v2_dataset.games.builders import answers_of

    answers = answers_of("--model", model, *(f"--{name}={value}" for name, value in options.items()))

    def answered(rows: Any) -> Any:
        return answers([rows])[0] if isinstance(rows, Mapping) else answers(rows)

    answered.__name__ = model
    return answered


@_errors_in_python
def messages(
    row: Row,
    shots: int | Sequence[Row] = 0,
    representation: str = "n_posb_s",
    *,
    pool: "str | Rows | None" = None,
    prompt: str = "direct",
    answer_form: str = "lines",
    history_lines: int | None = None,
    shot_history_lines: int | None = 8,
) -> list[dict[str, str]]:
    """Return what to ask a chat model about a row: the rules, solved items as earlier turns, and the row's prompt.

    Args:
        row: of the dataset.
        shots: how many solved items to show: the most similar ones of the train split by their words (BM25; needs the
            extra `icl`), of other games and other targets; or the rows to show, the most similar last.
        representation: what the model reads: "n" (dialogue and actions), "n_posb" (and the Builder's position), or
            "n_posb_s" (and the blocks that are there).
        pool: a config or train rows to take the shots from. By default the train split of the row's own config.
        prompt: "direct" asks for the actions at once; "reasoning" tells all conventions and lets the model think:
            `bap_v2_dataset.chat.final_answer` finds the answer in what it writes.
        answer_form: "lines", `place red 0 1 0`, or "calls", `place(color="red", x=0, y=1, z=0)`.
        history_lines: at most this many of the newest history entries of the row; by default all.
        shot_history_lines: the same for each shot.
    Returns:
        Messages with "role" and "content", as OpenAI's clients and `apply_chat_template` take them.
    Raises:
        UserError: for an unknown representation, prompt or answer form, a negative number of shots, a row that lacks
            a column or does not tell its config, or without bm25s.

    >>> row = {"history": [], "dialogue": ["<Architect> a red one"], "before": []}
    >>> print(messages(row, representation="n")[-1]["content"], end="")
    Predict the action sequence (AS) for the Minecraft excerpt:
    <Architect> a red one
    ### AS:
    """
    # Shots that are chosen for the row, or that were passed.
    from bap_v2_dataset.chat.messages import chat_messages, check_row

    check_row(row, representation)  # before a pool is made
    if isinstance(shots, int):
        if shots < 0:
            raise ArgumentError(f"shots is {shots}: expected at least 0")
        if shots:
            from bap_v2_dataset.loading.shot_pools import pool_for

            shots = pool_for(row, pool).with_similar_words(row, shots)
        else:
            shots = []

    # The conversation.
    return chat_messages(
        row,
        shots,
        representation,
        prompt=prompt,
        answer_form=answer_form,
        history_lines=history_lines,
        shot_history_lines=shot_history_lines,
    )


@_errors_in_python
def evaluate_model(
    model: "str | Callable[[dict[str, Any]], str] | Callable[[list[dict[str, Any]]], Sequence[str]]",
    config: str | None = None,
    split: str = "test",
    *,
    data: "str | Path | Rows | None" = None,
    name: str | None = None,
    batch_size: int | None = None,
    workers: int = 1,
    max_items: int | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    unit: str | None = None,
) -> "Evaluation":
    """Return how a Python function does as a model: asks it about every row of a test set, and scores its answers.

    Args:
        model: gets a row (a dict) and returns its answer as text, `place COLOR X Y Z` or `pick X Y Z` on each line. It
            must not read `target`, `after`, `actions`, `completion` and `metadata`: they reveal the answer. Or the
            name of a baseline: do-nothing, stack, first-ten, replay or symbolic; of GSU e.g. cardinal-reader.
        config, split: the test set, by default "dss".
        data: your own items instead: as for `load`, a `datasets.Dataset`, or a list of rows.
        name: of the model, in tables; by default that of the function.
        batch_size: give the model a list of this many rows, for a list of answers.
        workers: threads that call the model: for endpoints, which answer several requests at a time.
        max_items: only this many items, drawn at random but always the same ones: those of `bap-v2 predict --limit`.
        out: a prediction file, to which each answer is appended at once. After a kill or an error the same call
            resumes there, and `bap-v2 score FILE` reads it (with --subset if it is not complete).
        overwrite: replace the file instead.
        n_resamples, confidence, seed: of the intervals, as for `compute` of the metric; 0 resamples for none.
        unit: what a resample draws: "item", or "target", with all items about it. By default targets of human test
            sets, else items.
    Raises:
        bap_v2_dataset.evaluation.model_run.ModelError: if the model fails or does not return text; names the item.
        UserError: for arguments that cannot be, and a file that was made by another model or for other rows.

    >>> items = [{"id": "my-game/0", "dialogue": ["<Architect> a red one"], "before": [], "after": ["red 0 1 0"]}]
    >>> def model(row):
    ...     return "place red 0 1 0" if "red" in row["dialogue"][-1] else ""
    >>> evaluate_model(model, data=items).scores["fairer_f1"]
    1.0
    """
    from bap_v2_dataset.evaluation.model_evaluation import Evaluation
    from bap_v2_dataset.evaluation.model_items import digest, items_of, limited
    from bap_v2_dataset.evaluation.model_run import run_model
    from bap_v2_dataset.evaluation.results import Resampling, scored
    from bap_v2_dataset.evaluation.scoring import clusters_of, warnings_on
    from bap_v2_dataset.predictions.answer_files import earlier_answers

    # Arguments are checked before the model is asked.
    for argument, value in {"batch_size": batch_size, "workers": workers, "max_items": max_items}.items():
        if value is not None and value < 1:
            raise ArgumentError(f"{argument} is {value}: expected at least 1")
    resampling = Resampling(n_resamples, confidence, seed, unit)  # checked before the model is asked
    test, origin = items_of(config, split, data)
    if test.task.played:
        command = f"bap-v2 play-games {next(iter(test.task.configs))}{' --data FILE' if data is not None else ''}"
        raise ArgumentError(
            f"{test.config} is played turn by turn: let a model play with `{command}`, and score the episodes with "
            "score_file; baselines with `bap-v2 score --baseline`"
        )
    # Answers of an earlier run are taken from its file.
    function, name = named_model(model, name, batch_size, test.task)
    answered: dict[str, str] = {}
    if out is not None:
        settings = {"model": name, **origin, "split": test.split, "rows_sha256": digest(test.rows)}
        fix = "choose another out=, or replace it with overwrite=True"
        answered = earlier_answers(Path(out), settings, overwrite, fix)
    # The model answers the rest.
    test = limited(test, max_items)
    resampling = resampling.on(test)
    clusters = clusters_of(test.rows, resampling.unit, test.task, test.title) if n_resamples else None
    answers = run_model(
        function, test.rows, name=name, batch_size=batch_size, workers=workers, answered=answered,
        out=None if out is None else Path(out),
    )  # fmt: skip
    # Answers are scored, and what looks wrong is said.
    predictions = [answers[row["id"]] for row in test.rows]
    scores = test.task.scores
    references = [scores.scorer.reference_of(row) for row in test.rows]
    taken = scores.answers(test.rows, predictions, name)
    result = scored(taken, references, scores.scorer, resampling, clusters, test.signed)
    if not isinstance(model, str):
        for warning in warnings_on(test, result):
            warnings.warn(_in_python(warning, evaluate_model), stacklevel=3)
    return Evaluation(test, result, resampling)


@_errors_in_python
def score_file(
    path: "str | Path | Sequence[str | Path] | Any",
    *,
    name: str | None = None,
    config: str | None = None,
    split: str | None = None,
    data: str | Path | None = None,
    id_field: str | None = None,
    prediction_field: str | None = None,
    subset: bool = False,
    partial: bool = False,
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    unit: str | None = None,
) -> "Evaluation":
    """Return how the predictions of a file, or of a table, do: what `bap-v2 score FILE` prints.

    Args:
        path: JSON lines with "id" and "prediction", or another form that `bap-v2 score` reads. Several files are runs
            of one model, e.g. of several seeds: the scores are their means. Or a table with these columns: a
            DataFrame, a Dataset, a list of objects, texts by id.
        name: of the model; by default as `bap-v2 score` names it.
        id_field, prediction_field: where ids and predictions stand, if not under one of the usual names.
        config, split: by default those that the file was made for.
        data: your own items, which the file answers; a file of `evaluate_model` or `predict.py` names its own.
        subset: score only the items that have a prediction.
        partial: score items without a prediction as empty.
        n_resamples, confidence, seed: of the intervals, as for `compute` of the metric; 0 resamples for none.
        unit: what a resample draws: "item", or "target", with all items about it. By default targets of human test
            sets, else items.
    Raises:
        UserError: for a file that cannot be read, or that answers other items.
    """
    from bap_v2_dataset.evaluation.answered_splits import read_files_for
    from bap_v2_dataset.evaluation.model_evaluation import Evaluation
    from bap_v2_dataset.evaluation.results import Resampling
    from bap_v2_dataset.evaluation.scoring import scored_split
    from bap_v2_dataset.evaluation.system_files import read_systems
    from bap_v2_dataset.interface.table import task_of_test
    from bap_v2_dataset.loading.own_data import read_data
    from bap_v2_dataset.predictions.entries import Fields

    # The files and the test set that they answer.
    own = None if data is None else read_data(str(data))
    paths = [path] if isinstance(path, (str, Path)) else path
    if not hasattr(path, "__getitem__") and not isinstance(path, Path):
        raise ArgumentError(f"path is {path!r}: expected a file, several of one model, or a table")
    fields = Fields(id_field, prediction_field)
    if isinstance(paths, (list, tuple)) and paths and all(isinstance(each, (str, Path)) for each in paths):
        files = read_systems([f"{name}={each}" if name else str(each) for each in paths], fields)
    else:
        files = read_systems([f"{name or 'predictions'}=the {type(path).__name__}"], fields, path)
    config, split, files = read_files_for(files, config, split, own)
    # One model is scored.
    resampling = Resampling(n_resamples, confidence, seed, unit)
    own = own or files[0].data
    test, results, notes = scored_split(
        task_of_test(config, own), config, split, files, subset=subset, partial=partial, resampling=resampling,
        hint="pass --split with one of", data=own,
    )  # fmt: skip
    for note in [*notes, *(warning for result in results for warning in result.warnings)]:
        warnings.warn(_in_python(note, score_file), stacklevel=3)
    if len(results) > 1:
        models = ", ".join(result.name for result in results)
        raise ArgumentError(f"these are the files of several models, {models}: score each alone, or pass name=")
    return Evaluation(test, results[0], resampling.on(test))


@_errors_in_python
def show(
    item: "str | Row",
    predictions: "str | Mapping[str, str] | Evaluation | Sequence[Evaluation] | None" = None,
    *,
    baseline: str | Sequence[str] = (),
    config: str | None = None,
    split: str | None = None,
    labels: str | None = None,
    data: str | Path | None = None,
    interactive: bool = False,
) -> "Picture":
    """Return an item with its dialogue, boards and models: a picture in a notebook, `bap-v2 show` when printed.

    Args:
        item: an id of any config, e.g. GAME/NUMBER, or a row, which may lack what can be derived. A variant, by its
            id, is shown beside the item that it was made of. What is shown depends on the task: boards, or e.g. a map
            with a question and its answer, or the turns of an episode.
        predictions: what models built: an answer, answers by the name of their models, or what `evaluate_model` or
            `score_file` returned, one or several.
        baseline: the name of a baseline, or several, to be shown too.
        config, split, labels: where to look for the id, if it does not tell.
        data: your own items, one of which the id names.
        interactive: boards to rotate in a notebook. They load plotly.js from the network (5 MB, once); the page that
            `.save("item.html")` writes needs no network.
    Returns:
        The picture; `.save("item.png")` (or .svg, .html) writes it.
    Raises:
        UserError: for an unknown id (it names the nearest), an item that an evaluation does not hold, a row that
            cannot be completed, or an argument that is not for items of this task.

    >>> print(show("dss-test-0/1", "place red 0 1 0", baseline="stack"))  # doctest: +ELLIPSIS
    dss-test-0/1 dss, test
    ...
    """
    from bap_v2_dataset.interface.table import first_task, task_of_columns
    from bap_v2_dataset.interface.viewer import ItemLocation, Predicted
    from bap_v2_dataset.tasks.shown import located_item, picture_of

    # The item, of own data, of a config, or a row that was passed.
    own = None
    if data is not None:
        from bap_v2_dataset.loading.own_data import read_data

        own = read_data(str(data))
    if isinstance(item, str):
        task, located = located_item(item, config, split, labels, own)
    else:
        task = task_of_columns(item) or first_task()  # says which columns an item needs
        located = ItemLocation(task.viewer.complete(item))
    # Options that would do nothing are refused.
    given = {"labels": (labels, task.viewer.labeled), "interactive": (interactive, task.viewer.rotates)}
    for name, (value, allowed) in given.items():
        if value and not allowed:
            raise ArgumentError(f"{name}={value!r} does nothing for items of {task.title}: leave it out")
    # What systems and baselines predict.
    texts = texts_of(predictions, located.row["id"])
    baselines = [baseline] if isinstance(baseline, str) and baseline else baseline
    return picture_of(task, located, {name: Predicted(text) for name, text in texts.items()}, baselines, interactive)
