"""Where the shots of a row are from: the train split of its config, or rows of the user's own."""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from bap_v2_dataset.chat.retrieval import COLUMNS, Pool, RetrievalError
from bap_v2_dataset.interface.table import first_task, unknown_config
from bap_v2_dataset.items.rows import metadata_of
from bap_v2_dataset.registration import DATASET_NAME

if TYPE_CHECKING:
    import datasets

PoolSource: TypeAlias = "str | datasets.Dataset | Sequence[Mapping[str, Any]]"

_NEEDED = (*COLUMNS, "pose", "completion")
_KEPT = 2  # pools in memory: that of mdc_v2 takes most of a second to make
_pools: "OrderedDict[Hashable, tuple[object, Pool]]" = OrderedDict()

_lock = threading.Lock()


def pool_for(row: Mapping[str, Any], source: "PoolSource | None" = None) -> Pool:
    """Return the rows that shots for a row are drawn from; the last ones are kept in memory.

    Args:
        source: a config, whose train split is meant, or rows; by default the config that the row is of.
    Raises:
        RetrievalError: if the row does not tell its config, or rows lack columns.
    """
    source = _config_of(row) if source is None else source
    if isinstance(source, str) and source not in first_task().configs:
        raise RetrievalError(f"pool: expected a config or train rows: {unknown_config(source, first_task().configs)}")
    # The source itself is kept too, so that no other object can get its id.
    key = source if isinstance(source, str) else getattr(source, "_fingerprint", (id(source), len(source)))
    with _lock:  # models may be called in threads
        if key not in _pools:
            _pools[key] = (source, Pool(_rows(source)))
            if len(_pools) > _KEPT:
                _pools.popitem(last=False)
        _pools.move_to_end(key)
        return _pools[key][1]


def _config_of(row: Mapping[str, Any]) -> str:
    """Return the config of a published row."""
    metadata = metadata_of(row)
    if metadata.get("source") == "human":
        from bap_v2_dataset.loading import install

        return "mdc_v2" if install.is_set_up("mdc_v2") else "mdc"
    config = metadata.get("simulator")
    if config not in first_task().configs:
        raise RetrievalError(
            f"{row.get('id', 'the row')} does not tell its config: pass pool= with train rows, or a config"
        )
    return config


def _rows(source: PoolSource) -> list[Mapping[str, Any]]:
    import datasets

    if isinstance(source, str):
        source = datasets.load_dataset(DATASET_NAME, source, split="train")
    columns = source.column_names if isinstance(source, datasets.Dataset) else list(source[0]) if len(source) else []
    if missing := [name for name in _NEEDED if name not in columns]:
        raise RetrievalError(f"pool: the rows have no column {', '.join(missing)}")
    if isinstance(source, datasets.Dataset):
        return source.select_columns(list(_NEEDED)).to_list()
    return list(source)
