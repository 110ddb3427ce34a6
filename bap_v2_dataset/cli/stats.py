"""`bap-v2 stats`: what the human corpus is like."""

from pathlib import Path

from rich.markup import escape

from bap_v2_dataset.cli.options import SIMULATORS
from bap_v2_dataset.cli.terminal import app, console, errors, print_json, read_human_games
from bap_v2_dataset.interface.table import TASKS

_OTHER = next(task for task in TASKS.values() if task.stats_help)  # besides the human corpus
_MADE = (*SIMULATORS, "written")


@app.command(words={"OPTION": _OTHER.setup_option, "HELP": _OTHER.stats_help, "MADE": _MADE})
def stats(
    mdc: Path | None = None,
    labels: str | None = None,
    other: bool = False,
    split: str = "test",
    config: str | None = None,
    json: bool = False,
) -> None:
    """Show the counts of the human corpus, what was dropped and why, and the clean test set beside the paper's."""
    # Another task counts for itself.
    if other:
        report, records = _OTHER.stats(split)
        if json:
            print_json(records)
        else:
            console.print(report, highlight=False)
        return
    # Simulated games.
    if config is not None:
        from bap_v2_dataset.sentences import unknown_name
        from bap_v2_dataset.tasks.building.corpus_stats import config_counts, counts_table
        from bap_v2_metric.errors import UserError

        if config not in _MADE:
            raise UserError(unknown_name("config of games", config, _MADE))
        with errors.status(f"counting {config}"):
            counts = config_counts(config)
        print_json(counts) if json else console.print(counts_table(config, counts), highlight=False)
        return
    from bap_v2_dataset.labels.label import AnnotationError
    from bap_v2_dataset.labels.label_file import labels_name, labels_path, read_labels
    from bap_v2_dataset.tasks.building.corpus_stats import clean_test_counts, clean_test_report, corpus_report, to_dict

    # The human corpus, and the clean test set if the labels fit it.
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
    # Print the counts.
    if json:
        facts = {**to_dict(games), "clean_test": clean and {"labels": source, **clean}}
        print_json(facts)
        return
    console.print(corpus_report(games), highlight=False)
    if clean is None:
        errors.print(f"No v2 test set: {escape(str(problem))}", style="yellow", highlight=False)
    else:
        console.print(clean_test_report(clean, source), highlight=False)
