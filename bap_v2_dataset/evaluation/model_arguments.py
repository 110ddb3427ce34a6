"""Models and their predictions, as they may be passed in a Python session."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bap_v2_dataset.interface.task import Task
from bap_v2_metric.errors import UserError


class ArgumentError(UserError):
    """Arguments that do not go together, or a value that cannot be; the message names the fix."""


def named_model(model: Any, name: str | None, batch_size: int | None, task: Task) -> tuple[Callable[..., Any], str]:
    """Return the function to be called, and the name of the model; a name alone is that of a baseline."""
    if isinstance(model, str):
        if model not in task.baselines:
            known = ", ".join(task.baselines)
            raise ArgumentError(f"unknown baseline {model!r} (expected one of {known}, or a function)")
        baseline = task.baseline(model)
        return (baseline if batch_size is None else lambda rows: [baseline(row) for row in rows]), name or model
    if not callable(model):
        raise ArgumentError(f"the model is {model!r}: expected a function, or the name of a baseline")
    own = getattr(model, "__name__", type(model).__name__)
    return model, name or ("model" if own == "<lambda>" else own)


def texts_of(predictions: Any, row_id: str) -> dict[str, str]:
    """Return the predictions for an item, by the names of their models."""
    # An answer, or answers by the names of their models.
    if predictions is None:
        return {}
    if isinstance(predictions, str):
        return {"model": predictions}
    if isinstance(predictions, Mapping):
        for name, text in predictions.items():
            if not isinstance(text, str):
                raise ArgumentError(f"the prediction of {name} is {text!r}: expected text, an action on each line")
        return dict(predictions)

    # Evaluations, of which each run has answers.
    from bap_v2_dataset.evaluation.model_evaluation import Evaluation

    results = [predictions] if isinstance(predictions, Evaluation) else predictions
    if not isinstance(results, Sequence) or not all(isinstance(result, Evaluation) for result in results):
        raise ArgumentError(
            f"predictions is {predictions!r}: expected an answer, answers by the names of their models, or what "
            "evaluate_model or score_file returned"
        )
    texts = {}
    for result in results:
        if row_id not in result.ids:
            raise ArgumentError(f"{result.name} was not evaluated on {row_id}, but on {result.test.title}")
        for run in result.runs or [result]:
            texts[run.name] = run.predictions[run.ids.index(row_id)]
    return texts
