"""`bap-v2 stats`, `compare-corpora` and `augment`: what the corpora are like."""

import os
from typing import Annotated

import typer
from rich.markup import escape

from bap_v2_dataset.cli.options import Json, Mdc
from bap_v2_dataset.cli.terminal import app, console, errors, print_json, read_human_games
from bap_v2_dataset.tasks.table import TASKS

_OTHER = next(task for task in TASKS.values() if task.stats_help)  # besides the human corpus


@app.command(rich_help_panel="Look")
def stats(
    mdc: Mdc = None,
    labels: Annotated[
        str | None,
        typer.Option(
            help="Labels of the test items: .jsonl or .csv, or [bold]ours[/bold]. Default: those of the last setup."
        ),
    ] = None,
    other: Annotated[bool, typer.Option(_OTHER.setup_option, help=_OTHER.stats_help)] = False,
    split: Annotated[str, typer.Option(help=f"With {_OTHER.setup_option}: the split that is counted.")] = "test",
    json: Json = False,
) -> None:
    """Show the counts of the human corpus, what was dropped and why, and the clean test set beside the paper's."""
    if other:
        report, records = _OTHER.stats(split)
        if json:
            print_json(records)
        else:
            console.print(report, highlight=False)
        return
    from bap_v2_dataset.analysis.stats import clean_test_counts, clean_test_report, corpus_report, to_dict
    from bap_v2_dataset.labels.label import AnnotationError
    from bap_v2_dataset.labels.label_file import labels_name, labels_path, read_labels

    games = read_human_games(mdc)
    path = labels_path(labels)
    source = labels_name(path)
    clean = problem = None
    try:
        clean = clean_test_counts(games, read_labels(path))
    except AnnotationError as error:
        if labels is not None:
            raise
        problem = error  # a corpus of somebody's own
    if json:
        facts = {**to_dict(games), "clean_test": clean and {"labels": source, **clean}}
        print_json(facts)
        return
    console.print(corpus_report(games), highlight=False)
    if clean is None:
        errors.print(f"No v2 test set: {escape(str(problem))}", style="yellow", highlight=False)
    else:
        console.print(clean_test_report(clean, source), highlight=False)


@app.command("compare-corpora", rich_help_panel="Look")
def compare_corpora(
    predictions: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    games: Annotated[int, typer.Option(help="Number of games of each simulator.", min=1)] = 400,
    seed: Annotated[int, typer.Option(help="Seed of the simulated games.")] = 0,
    sample: Annotated[
        int, typer.Option(help="Number of instructions of each corpus whose wording is compared.", min=10)
    ] = 1500,
    mdc: Mdc = None,
    json: Json = False,
) -> None:
    """Compare simulated games with human ones: where Builders stand, how Architects talk, what the simulators cover."""
    if predictions:
        files = " ".join(predictions)
        raise typer.BadParameter(f"this compares corpora; predictions are compared by: bap-v2 score {files}")
    from bap_v2_dataset.analysis.comparison import comparison, human_games, simulated_games
    from bap_v2_dataset.analysis.comparison_tables import report
    from bap_v2_dataset.human import game_store
    from bap_v2_dataset.human.corpus_files import CorpusError

    corpora = {}
    try:
        corpora["human"] = human_games(game_store.mdc_games(mdc))
    except CorpusError:
        if mdc is not None or os.environ.get(game_store.CORPUS_VARIABLE):
            raise
        errors.print("The human corpus is not set up: only simulated games are shown.", style="yellow")
    numbers = comparison({**corpora, **simulated_games(games, seed=seed)}, sample)
    if json:
        print_json(numbers)
    else:
        console.print(report(numbers), highlight=False)


@app.command(rich_help_panel="Look")
def augment(
    game_ids: Annotated[
        list[str] | None, typer.Argument(help="Ids of games of the human corpus. Default: random games.")
    ] = None,
    games: Annotated[int, typer.Option(help="Number of random games of the train split.", min=1)] = 2,
    seed: Annotated[int, typer.Option(help="Seed for choosing the random games.")] = 0,
    mdc: Mdc = None,
) -> None:
    """Show human games beside their augmented variants: rotated, recolored, paraphrased."""
    from bap_v2_dataset.augmentation.side_by_side import chosen_games, side_by_side
    from bap_v2_dataset.augmentation.variants import VARIANTS

    corpus = read_human_games(mdc)
    every = range(1, VARIANTS + 1)
    sheets = [every] if console.width >= 130 else [(variant,) for variant in every]  # or one beside the original
    for game in chosen_games(corpus, game_ids or (), games, seed):
        for variants in sheets:
            width = (console.width - 3 * len(variants)) // (1 + len(variants))
            console.print(side_by_side(game, width, variants) + "\n", markup=False, highlight=False, soft_wrap=True)
