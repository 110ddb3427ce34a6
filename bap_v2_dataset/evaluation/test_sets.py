"""The rows that systems are tested on, and whose labels say which of them count."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.predictions.files import PredictionError
from bap_v2_dataset.tasks import Task, all_configs, part, task_of, task_of_columns, unknown_config
from bap_v2_metric.errors import UserError
from bap_v2_simulators.corpora import SIMULATORS

if TYPE_CHECKING:
    import datasets


_SIMULATED_ID = re.compile(rf"(?P<config>{'|'.join(SIMULATORS)})-(?P<split>train|validation|test)-[0-9]+/")


@dataclass(frozen=True)
class ScoredSplit:
    """The items of a test set that are scored."""

    config: str  # or the name of own data
    split: str
    rows: Sequence[Mapping]
    split_items: int  # of the split, of which `rows` may be a part
    source: str = ""  # where own data are from, as it was passed; "" for a config of ours

    @property
    def key(self) -> tuple[str, str]:
        return self.config, self.split

    @property
    def task(self) -> Task:
        task = task_of_columns(self.rows[0]) if self.source else task_of(self.config)
        assert task is not None, self.config  # rows of own data are complete
        return task

    @cached_property
    def labels(self) -> str:
        """Whose labels say which items count."""
        return part(self.task.labels)(self.rows, self.config)

    @property
    def settings(self) -> dict[str, Any]:
        """What is written beside scores."""
        own = {"data": self.source} if self.source else {}
        return {"config": self.config, **own, "split": self.split, "items": len(self.rows),
                "split_items": self.split_items, "labels": self.labels}  # fmt: skip

    @property
    def is_subset(self) -> bool:
        """Whether only a part of the split was scored."""
        return len(self.rows) != self.split_items

    @property
    def title(self) -> str:
        """`dss`, `dss validation`, `dss (200 of 1,000 items)`."""
        part = f" ({len(self.rows):,} of {self.split_items:,} items)" if self.is_subset else ""
        return f"{self.config}{'' if self.split == 'test' else f' {self.split}'}{part}"

    @property
    def file_name(self) -> str:
        """`dss`, `dss_validation`, `USER_NAME` of own data on the Hub."""
        name = self.config if self.split == "test" else f"{self.config}_{self.split}"
        return re.sub(r"[^\w.+-]+", "_", name).strip("_.")


def split_rows(config: str, split: str, hint: str = "it has", **arguments: Any) -> "datasets.Dataset":
    """The rows of a split.

    Args:
        hint: what an error says before the names of the splits that there are.
        arguments: of `load_dataset("bap_v2", ...)`: mdc, labels or seed.
    Raises:
        PredictionError: if there is no such config, or if it has no such split.
    """
    import datasets

    if config not in all_configs():
        raise PredictionError(f"{unknown_config(config)}; for data of your own pass --data")
    try:
        return datasets.load_dataset("bap_v2", config, split=split, **arguments)
    except ValueError as error:
        if isinstance(error, UserError):
            raise
        if "corresponds to no data" in str(error):
            raise PredictionError(f"{split!r} of the config {config} holds no items: choose a larger part") from None
        info = datasets.load_dataset_builder("bap_v2", config, **arguments).info
        splits = info.splits  # known: load_dataset has built them
        if splits is None or _is_part_of(split, {name: info.num_examples for name, info in splits.items()}):
            raise
        raise PredictionError(f"the config {config} has no split {split!r}: {hint} {', '.join(splits)}") from None


def _is_part_of(split: str, sizes: Mapping[str, int]) -> bool:
    """Whether these splits have it: one of them, or parts such as `train+test[:10]`."""
    import datasets

    try:
        datasets.ReadInstruction.from_spec(split).to_absolute(sizes)
    except (ValueError, AssertionError):  # an unknown name; an unknown form, a percentage beyond 100
        return False
    return re.fullmatch(r"[\w.+:%\[\]-]+", split) is not None


def scored_rows(split: "datasets.Dataset") -> list[dict]:
    """The rows of a split of the dataset with the columns that scoring and baselines need."""
    return split.remove_columns([name for name in split.column_names if name.startswith("prompt_")]).to_list()


def split_of_simulated(row_id: str) -> tuple[str, str] | None:
    """The config and split of a simulated item.

    >>> split_of_simulated("dss-test-12/0"), split_of_simulated("B1-A3-C5-1522432776975/0")
    (('dss', 'test'), None)
    """
    match = _SIMULATED_ID.match(row_id)
    return (match["config"], match["split"]) if match else None


def labels_of(rows: Sequence[Mapping], config: str) -> str:
    """Whose labels say which items can be scored and which have several interpretations; shown with every score."""
    is_own = config not in all_configs()
    annotations = [row["metadata"].get("annotation") for row in rows]
    sources = {value.get("labels") for value in annotations if isinstance(value, Mapping)} - {None}
    if sources and not (is_own and not all(isinstance(name, str) for name in sources)):
        return "; ".join(sorted(sources))
    if config == "mdc":
        return "none (legacy MDC): every item counts, with a unique interpretation"
    if all(row["metadata"].get("source") == "simulated" for row in rows):
        return "none needed (synthetic): items on an empty board have multiple interpretations"
    if is_own:
        return "none (own data): every item counts, with the interpretations that it names"
    return "none: of human items, every one counts, with a unique interpretation"


def human_config() -> str:
    """The human config that is scored where nothing says which."""
    from bap_v2_dataset.loading import install

    return "mdc_v2" if install.is_set_up("mdc_v2") else "mdc"


def human_test_set(predictions: Mapping[str, str], split: str) -> tuple[str, str]:
    """The config and split whose items these are: of the human ones that are set up, the first that holds them all."""
    from bap_v2_dataset.loading import install

    configs = [name for name in ("mdc_v2", "mdc") if install.is_set_up(name)]
    for name in configs:
        if predictions.keys() <= set(split_rows(name, split)["id"]):
            return name, split
    return (configs or ["mdc_v2"])[0], split
