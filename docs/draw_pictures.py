"""The pictures of the README, in docs/pictures: `make pictures` draws them. The human one needs the human corpus."""

import io
import sys
from dataclasses import replace
from pathlib import Path

from PIL import Image

from bap_v2_dataset.evaluation.scoring import baseline_predictions
from bap_v2_dataset.games.play import Games
from bap_v2_dataset.human.corpus_files import CorpusError
from bap_v2_dataset.interface.table import first_task
from bap_v2_dataset.tasks.building.pictures.animation import animation
from bap_v2_dataset.tasks.building.pictures.columns import BoardColumn, item_columns
from bap_v2_dataset.tasks.building.pictures.figure import image, sheet
from bap_v2_dataset.tasks.gsu.baselines import BASELINES
from bap_v2_dataset.tasks.gsu.pictures import figure as gsu_figure
from bap_v2_dataset.tasks.gsu.pictures.answers import answered
from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_of
from bap_v2_dataset.tasks.robustness.pictures.columns import variant_columns
from bap_v2_dataset.tasks.shown import located_item

EXAMPLES = {  # by file name: an item, and the baselines that are shown beside it
    "item-dr": ("dr-test-6/5", ()),
    "item-dsb": ("dsb-test-2/2", ()),
    "item-dss": ("dss-test-6/1", ()),
    "item-dh": ("dh-test-5/3", ()),
    "comparison": ("B36-A25-C148-1524179747169/8", ("symbolic", "stack")),
}
OF_GSU = {  # by file name: an item, and the baselines that are shown with it
    "gsu-follower": ("gsu_follower_ego_3d-test-11", ("cardinal-reader",)),
    "gsu-instructor": ("gsu_instructor_ego_2d-test-2", ("cardinal-reader",)),
    "gsu-card2ego": ("gsu_card2ego_2d-test-7", ()),
    "gsu-localization": ("gsu_ego_adjacent_distractors-test-5", ("symbolic", "facing-y")),
    "gsu-structure": ("gsu_structure-test-5", ("groups",)),
    "gsu-combined": ("gsu_combined-test-3", ("facing-y",)),
}
GAME = "dss-test-0"
PLAYED = {  # full games by file name: simulator, Builder, seed
    "full-game-won": ("dss", "symbolic", 36),
    "full-game-repaired": ("dss", "symbolic_err25", 2),
    "full-game-lost": ("dss", "stack", 36),
}
PERTURBED = "dsb-test-9/5"  # has a variant in every family
_DPI = 120
_METHOD = Image.Quantize.MAXCOVERAGE  # the others lose colors of few dots


def example(item_id: str, baselines: tuple[str, ...]) -> bytes:
    """The PNG of an item. Raises what `locate` does."""
    _, item = located_item(item_id)
    predictions = {name: baseline_predictions(name, [item.row], first_task())[0] for name in baselines}
    columns = item_columns(item.row, predictions, item.earlier)
    return image(columns, item_id, item.place, dpi=_DPI)


def family_columns(parent: dict, variant: dict, family: str, title: str) -> list[BoardColumn]:
    """A pair for a picture of many families: named for the family, and with what was changed alone.

    Args:
        title: what the family changes.
    """
    pair = variant_columns(parent, variant)
    changed = {excerpt.name for column in pair for excerpt in column.excerpts if any(excerpt.changed)}
    cut = [[excerpt for excerpt in column.excerpts if excerpt.name in changed] for column in pair]
    return [
        replace(pair[0], name=family, title=title, excerpts=cut[0]),
        replace(pair[1], name="→", title="variant", excerpts=cut[1]),
    ]


def perturbed(item_id: str) -> bytes:
    """The PNG of an item beside its first variant in each family, two families in a row."""
    parent = located_item(item_id)[1].row
    pairs = [
        family_columns(parent, variants_of(parent, name, 1)[0], name, family.title) for name, family in FAMILIES.items()
    ]
    rows = [[*first, *second] for first, second in zip(pairs[::2], pairs[1::2])]
    said = " / ".join(line.partition("> ")[2] for line in parent["dialogue"])
    picture = sheet(rows, "Ten families of perturbations", f"of {item_id}: {said}", dpi=_DPI, yaw=parent["pose"]["yaw"])
    return smaller(picture)


def of_gsu(item_id: str, baselines: tuple[str, ...]) -> bytes:
    """The PNG of an item of GSU."""
    _, item = located_item(item_id)
    answers = answered(item.row, {name: BASELINES[name](item.row) for name in baselines})
    return smaller(gsu_figure.image(item.row, answers, item.place, dpi=_DPI))


def smaller(picture: bytes) -> bytes:
    """The same PNG with few colors."""
    with_few = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as whole:
        whole.convert("RGB").quantize(256, _METHOD, dither=Image.Dither.NONE).save(with_few, "PNG", optimize=True)
    return with_few.getvalue()


def main(folder: Path) -> None:
    """Writes all that can be drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (item_id, baselines) in EXAMPLES.items():
        try:
            data = example(item_id, baselines)
        except CorpusError as error:
            print(f"{name}.png is left unchanged: {error}", file=sys.stderr)
            continue
        _write(folder / f"{name}.png", data)
    _write(folder / "robustness.png", perturbed(PERTURBED))
    for name, (item_id, baselines) in OF_GSU.items():
        _write(folder / f"{name}.png", of_gsu(item_id, baselines))
    _write(folder / "game.gif", animation(first_task().viewer.game(GAME)))
    for name, (simulator, builder, seed) in PLAYED.items():
        (game,) = Games(simulator, builder, 1, seed).records()
        _write(folder / f"{name}.gif", animation(game))


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    print(f"{path}: {len(data) / 1000:,.0f} kB")


if __name__ == "__main__":
    main(Path(*sys.argv[1:]) if sys.argv[1:] else Path("docs/pictures"))
