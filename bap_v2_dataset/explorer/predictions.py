"""What models predict, from prediction files."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bap_v2_dataset.explorer.sources import Source
from bap_v2_dataset.predictions.answered_rows import matched
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.predictions.files import read_predictions


@dataclass(frozen=True, eq=False)
class PredictedModel:
    """The predictions of one system, from one or several files.

    An id is looked up in the predictions for the split that is shown, then in the others: the test items of `mdc_v2`
    are also items of `mdc`, and those of `dss` are also in `all`.
    """

    name: str
    predictions: Mapping[tuple[str, str], Mapping[str, str]]  # by config and split: raw texts by row id

    def __deepcopy__(self, memo: dict) -> "PredictedModel":  # nobody changes it, and every visitor of a page has it
        return self

    def prediction(self, split: tuple[str, str], item: str) -> str | None:
        """The raw text for an item of this split; None if there is none."""
        own = self.predictions.get(split, {})
        if item in own:
            return own[item]
        return next((texts[item] for texts in self.predictions.values() if item in texts), None)


def read_models(files: Sequence[str], source: Source) -> list[PredictedModel]:
    """The models of prediction files, `FILE` or `NAME=FILE`; files of one system are one model.

    Raises:
        PredictionError: a file that cannot be read, is for data of the user's own that the source does not show, or
            has ids that its split lacks.
        SourceError: a file for a config that is not set up.
    """
    if not files:
        return []
    from bap_v2_dataset.evaluation.systems_of_files import read_files  # only where there are files

    models: dict[str, dict[tuple[str, str], Mapping[str, str]]] = {}
    for answers in read_files(files, source.data):
        if answers.data is not None and answers.data is not source.data:
            raise PredictionError(f"{answers.path} has predictions for own items: pass --data {answers.data.source}")
        splits = answers.split.split("+")  # of variants they are often answered together
        ids = [own_id for split in splits for own_id in source.rows(answers.config, split)["id"][:]]
        matched(answers.predictions, ids, answers.source, partial=True)
        for split in splits:
            models.setdefault(answers.label, {})[answers.config, split] = answers.predictions
    return [PredictedModel(name, predictions) for name, predictions in models.items()]


def uploaded_model(file: Path, split: tuple[str, str], ids: Sequence[str], names: Collection[str]) -> PredictedModel:
    """The model of a file that a visitor uploads for the split that is shown.

    Args:
        file: of predictions; its name is that of the model, with a number if there is one of that name.
        split: config and split.
        ids: of the items of the split.
        names: of the models there are.
    Raises:
        PredictionError: a file that cannot be read, or that has a prediction for no item of the split.
    """
    try:
        predictions = read_predictions(file)
    except PredictionError as error:  # the folder that gradio put it into says nothing
        raise PredictionError(str(error).replace(str(file), file.name)) from None
    if not predictions.keys() & set(ids):
        raise PredictionError(
            f"no id of {file.name} is in {split[0]}, {split[1]}, e.g. {next(iter(predictions))!r} (the split "
            f"has e.g. {ids[0]!r}): choose the config and split that it was made for"
        )
    name, number = file.stem, 2
    while name in names:
        name, number = f"{file.stem} {number}", number + 1
    return PredictedModel(name, {split: predictions})
