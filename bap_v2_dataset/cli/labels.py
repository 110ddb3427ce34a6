"""`bap-v2 annotate` and `agreement`: labels of the test items."""

from pathlib import Path

from rich.text import Text

from bap_v2_dataset.cli.options import output_of
from bap_v2_dataset.cli.terminal import app, console, errors, print_json, read_human_games


@app.command()
def annotate(
    output: Path | None = None,
    out: Path | None = None,
    game: list[str] | None = None,
    only: str = "unlabeled",
    earlier: str | None = None,
    other: str | None = None,
    annotator: str | None = None,
    sample: int | None = None,
    blind: bool = False,
    split: str = "test",
    mdc: Path | None = None,
) -> None:
    """Label the items of human games by hand, or check labels; every answer is saved at once."""
    from bap_v2_dataset.human.mdc import SPLITS
    from bap_v2_dataset.labels import annotator as session
    from bap_v2_dataset.labels.label import AnnotationError
    from bap_v2_dataset.labels.label_file import labels_file
    from bap_v2_dataset.labels.terminal_keys import keys
    from bap_v2_simulators.game import read_games

    # Options that exclude each other.
    output = output_of(output, out)
    if split not in SPLITS.values():
        raise AnnotationError(f"unknown split {split!r} (expected one of {', '.join(SPLITS.values())})")
    if blind and (earlier or other):
        raise AnnotationError("--blind and --from are mutually exclusive: blind answers are given without other labels")
    if blind and split != "test":
        raise AnnotationError(f"--blind --split {split}: only test items have labels to compare with")
    # The session, and after a blind one the agreement.
    games = read_human_games(mdc)
    with keys(console) as ask:
        session.annotate(
            list(read_games(games.file(split))), output, console, ask, game_ids=game or (), only=only,
            earlier=earlier and labels_file(earlier), other=other and labels_file(other), annotator=annotator,
            sample=sample,
        )  # fmt: skip
    if blind and output.exists():
        agreement(str(output), "ours", everything=False, json=False)


@app.command()
def agreement(
    first: str | None = None,
    second: str = "ours",
    everything: bool = False,
    json: bool = False,
) -> None:
    """Compare the labels of two annotators: raw agreement, Cohen's kappa, and where they differ."""
    from bap_v2_dataset.labels.agreement import agreement_report, annotators_of, compared
    from bap_v2_dataset.labels.label_file import OUR_LABELS, labels_file, whole_labels

    # Two files, or the two annotators of ours; files of the same name are told apart by their folders.
    if first is None:
        labels, names = annotators_of(), ("annotator A", "annotator B")
    else:
        paths = (labels_file(first), labels_file(second))
        labels = tuple(whole_labels(path, lambda text: errors.print(Text(text, "yellow"))) for path in paths)
        names = tuple("our labels" if path == OUR_LABELS else path.name for path in paths)
        if names[0] == names[1]:
            names = (first, second)
    # The comparison, as JSON or as tables.
    comparison = compared(*labels)
    if json:
        numbers = {"first": names[0], "second": names[1], **comparison.to_dict()}
        print_json(numbers)
    else:
        console.print(agreement_report(comparison, names, everything), highlight=False)
