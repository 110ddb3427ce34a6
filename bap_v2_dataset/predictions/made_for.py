"""The config and split that prediction files were made for: by their settings, else by the ids of their rows."""

from collections.abc import Callable, Sequence
from pathlib import Path

import orjson

from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tasks.table import TASKS


def made_for(
    files: Sequence[Path],
    config: str | None,
    split: str | None,
    row_id: str = "",
    default: Callable[[], str] = lambda: "mdc_v2",
) -> tuple[str, str]:
    """The config and split to score on: as given, as in `<file>.settings.json`, as the ids say, or else by default.

    Args:
        row_id: of one of the predictions.
        default: gives the config; asked only if nothing else says it. The split is "test".

    Raises:
        PredictionError: if the files were made for different ones, or not for those given.
    """
    settled = {"dataset_config": ("--config", config), "split": ("--split", split)}
    for file in files:
        settings_file = file.with_name(f"{file.name}.settings.json")
        if not settings_file.is_file():
            continue
        try:
            settings = dict(orjson.loads(settings_file.read_bytes()))
        except (ValueError, TypeError) as error:
            raise PredictionError(f"{settings_file} does not hold the settings of {file.name}: {error}") from None
        if settings.get("dataset_path"):
            raise PredictionError(
                f"{file} was made for own data ({settings['dataset_path']}), not for a config: pass them with --data"
            )
        for key, (option, value) in settled.items():
            if settings.get(key) is None:
                continue
            if not isinstance(settings[key], str):
                raise PredictionError(f"{settings_file}: {key} is {settings[key]!r} (expected a name)")
            if value not in (None, settings[key]):
                raise PredictionError(
                    f"{file} was made for {key} {settings[key]!r}, not {value!r} (according to {settings_file.name}): "
                    f"pass the matching {option}, or score the files apart"
                )
            settled[key] = (option, settings[key])
    config, split = settled["dataset_config"][1], settled["split"][1]
    if config is None:
        by_id = (task.split_of_id(row_id) for task in TASKS.values())
        config, id_split = next(filter(None, by_id), (None, None))
        split = split or id_split
    return config or default(), split or "test"
