"""The pictures of the README, in docs/pictures: `make pictures` draws them. The human one needs the human corpus."""

import sys
from pathlib import Path

from bap_v2_dataset.evaluation.systems import baseline_predictions
from bap_v2_dataset.human.corpus_files import CorpusError
from bap_v2_dataset.loading import lookup as sources
from bap_v2_dataset.pictures.columns import item_columns
from bap_v2_dataset.pictures.figure import image

EXAMPLES = {  # by file name: an item, and the baselines that are shown beside it
    "item-dr": ("dr-test-6/5", ()),
    "item-dsb": ("dsb-test-2/2", ()),
    "item-dss": ("dss-test-6/1", ()),
    "comparison": ("B36-A25-C148-1524179747169/8", ("symbolic", "stack")),
}
_DPI = 100


def example(item_id: str, baselines: tuple[str, ...]) -> bytes:
    """The PNG of an item. Raises what `sources.item` does."""
    found = sources.item(item_id)
    predictions = {name: baseline_predictions(name, [found.row])[0] for name in baselines}
    return image(
        item_columns(found.row, predictions, found.earlier), item_id, f"{found.config}, {found.split}", dpi=_DPI
    )


def main(folder: Path) -> None:
    """Writes all that can be drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (item_id, baselines) in EXAMPLES.items():
        try:
            data = example(item_id, baselines)
        except CorpusError as error:
            print(f"{name}.png is left as it is: {error}", file=sys.stderr)
            continue
        (folder / f"{name}.png").write_bytes(data)
        print(f"{folder / name}.png: {len(data) / 1000:,.0f} kB")


if __name__ == "__main__":
    main(Path(*sys.argv[1:]) if sys.argv[1:] else Path("docs/pictures"))
