"""`bap-v2 submit`, `leaderboard` and `push-leaderboard`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from bap_v2_dataset.cli.options import DryRun, IdField, PredictionField, Private, among
from bap_v2_dataset.cli.push import hub_for, send, show_outcome
from bap_v2_dataset.cli.terminal import app, console, errors, hide_progress_bars, say
from bap_v2_dataset.sentences import counted

if TYPE_CHECKING:
    from bap_v2_dataset.tables.cells import ScoreTable

ACTIONS = ("show", "check")


@app.command(rich_help_panel="Leaderboard")
def submit(
    predictions: Annotated[
        str | None,
        typer.Argument(help="A prediction file, as for `bap-v2 score`, for all of a test set.", show_default=False),
    ] = None,
    name: Annotated[str, typer.Option(help="The name of the system.")] = "",
    submitter: Annotated[str, typer.Option(help="Who submits it, as shown.", metavar="WHO")] = "",
    link: Annotated[str, typer.Option(help="The address of the model or a paper.", metavar="URL")] = "",
    baseline: Annotated[
        str | None, typer.Option(help="Submit a baseline of this project, without a file: stack, symbolic, ...")
    ] = None,
    config: Annotated[
        str | None, typer.Option(help="The config. Default: that of the predictions; mdc_v2 for --baseline.")
    ] = None,
    split: Annotated[str | None, typer.Option(help="The split. Default: the one of the predictions.")] = None,
    id_field: IdField = None,
    prediction_field: PredictionField = None,
    out: Annotated[
        Path,
        typer.Option(help="The folder of results that the record and its predictions are added to.", metavar="FOLDER"),
    ] = Path("results"),
    replace: Annotated[bool, typer.Option("--replace", help="Replace an earlier record of this name.")] = False,
    push: Annotated[
        str | None, typer.Option(help="Also send both to this dataset of results on the Hub.", metavar="USER/NAME")
    ] = None,
    pull_request: Annotated[
        bool, typer.Option("--pull-request", help="Send them as a pull request: for a dataset of somebody else.")
    ] = False,
) -> None:
    """Make a record for the leaderboard from a prediction file; with --push, send it."""
    from bap_v2_dataset.leaderboard.record import SubmissionError
    from bap_v2_dataset.leaderboard.submission import submission, written
    from bap_v2_dataset.predictions.entries import Fields

    if (predictions is None) == (baseline is None):
        raise SubmissionError("pass a prediction file or --baseline, one of the two")
    if predictions is not None and not name:
        raise SubmissionError("name the system: --name 'My model'")
    if pull_request and not push:
        raise SubmissionError("--pull-request belongs to --push USER/NAME")
    if predictions is not None and _are_games(predictions):
        raise SubmissionError(
            f"{predictions} holds full games, and full games have no leaderboard: `bap-v2 score` prints their measures"
        )
    if push:
        from bap_v2_dataset.publishing.hub import Repository, checked_id

        repository = Repository(checked_id(push), "dataset")
        hub = hub_for(dry_run=False)
    hide_progress_bars()
    with errors.status("scoring"):
        record, data = submission(
            predictions, name=name, submitter=submitter, link=link, config=config, split=split, baseline=baseline,
            entry_fields=Fields(id_field, prediction_field),
        )  # fmt: skip
        written(record, data, out, replace)
    interval = "" if record.low is None else f" ({100 * record.low:.1f}–{100 * record.high:.1f})"
    score = f"{record.score} {100 * record.value:.1f}{interval}"
    say(f"{out / record.path}: {record.name}, {record.config}, {record.split}: {score}")
    if push:
        from bap_v2_dataset.publishing.results import submission_of

        show_outcome(hub.push(submission_of(repository, record, data), pull_request=pull_request))


def _are_games(argument: str) -> bool:
    from bap_v2_dataset.evaluation.systems_of_files import named_file
    from bap_v2_dataset.games.tables import are_games

    return are_games(named_file(argument)[1])


@app.command(rich_help_panel="Leaderboard")
def leaderboard(
    action: Annotated[
        str,
        typer.Argument(
            help="show: the table of checked records. check: compute all scores again, and write checked.json.",
            autocompletion=among(ACTIONS),
        ),
    ],
    results: Annotated[Path, typer.Argument(help="The folder of results.")] = Path("results"),
    config: Annotated[str | None, typer.Option(help="show: only this test set.")] = None,
    out: Annotated[Path | None, typer.Option(help="show: write a page (.html) instead of printing.")] = None,
) -> None:
    """Show a leaderboard, or check all submissions. Code 1 if one of them is not right."""
    from bap_v2_dataset.leaderboard.record import SubmissionError

    if action not in ACTIONS:
        raise SubmissionError(f"unknown action {action!r} (expected one of {', '.join(ACTIONS)})")
    if not results.is_dir():
        raise SubmissionError(f"there is no folder {results}: `bap-v2 submit` makes one")
    if action == "check":
        if config or out:
            raise SubmissionError(f"{'--config' if config else '--out'} is for show")
        if not _checked(results):
            raise typer.Exit(1)
    else:
        _show(results, config, out)


def _checked(results: Path) -> bool:
    """Checks all records, prints the verdicts, and returns whether all are right."""
    from bap_v2_dataset.leaderboard.checking import check, write_checked

    hide_progress_bars()
    with errors.status("checking") as status:
        verdicts = check(results, lambda path: status.update(f"checking {path}"))
        write_checked(results, verdicts)
    for verdict in verdicts:
        console.print(
            Text("ok      ", "green") if verdict.right else Text("refused ", "red"), Text(verdict.path), soft_wrap=True
        )
        for problem in verdict.problems:
            console.print(Text(f"        {problem}"), soft_wrap=True)
    wrong = sum(not verdict.right for verdict in verdicts)
    console.print(f"{len(verdicts) - wrong} right, {wrong} refused", highlight=False)
    return not wrong


def _show(results: Path, config: str | None, page_file: Path | None) -> None:
    from bap_v2_dataset.leaderboard.board import board_of, page
    from bap_v2_dataset.leaderboard.record import SubmissionError
    from bap_v2_dataset.tables.fitted import fitted
    from bap_v2_simulators.atomic_files import atomic_write, check_file

    board = board_of(results)
    if config is not None and config not in board.test_sets:
        known = ", ".join(board.test_sets) or "none"
        raise SubmissionError(f"no checked record is of {config} (there are records of {known})")
    if page_file is not None:
        check_file(page_file)
        data = page(board).encode()
        atomic_write(page_file, data)
        say(f"{page_file}: {len(data) / 1000:,.0f} kB", to=errors)
    else:
        for name in [config] if config else board.test_sets:
            console.print(fitted(terminal_table(name, board.of(name))))
    remark = f"{board.note}: run `bap-v2 leaderboard check {results}`" if board.note else ""
    if not board.records and not board.unchecked:
        remark = "no records yet: `bap-v2 submit` makes one"
    if remark:
        say(remark, "yellow", errors)


@app.command("push-leaderboard", rich_help_panel="Publish")
def push_leaderboard(
    results: Annotated[Path, typer.Argument(help="The folder of results.")],
    repo_id: Annotated[str, typer.Option(help="The dataset of results: USER/bap_v2_results.")],
    space: Annotated[
        str | None,
        typer.Option(help="Also push the page, to this Space: USER/bap_v2_leaderboard.", metavar="USER/NAME"),
    ] = None,
    delete_missing: Annotated[
        bool,
        typer.Option("--delete-missing", help="Delete the records of the dataset that the folder has not."),
    ] = False,
    private: Private = False,
    dry_run: DryRun = False,
) -> None:
    """Check a folder of results, and publish it as a dataset, with a Space that shows it."""
    from bap_v2_dataset.leaderboard.record import SubmissionError
    from bap_v2_dataset.publishing.hub import Repository, checked_id
    from bap_v2_dataset.publishing.results import only_there, results_of
    from bap_v2_dataset.publishing.spaces import leaderboard_of

    dataset = Repository(checked_id(repo_id), "dataset", private)
    page = space and Repository(checked_id(space), "space", private)
    if not results.is_dir():
        raise SubmissionError(f"there is no folder {results}: `bap-v2 submit` makes one")
    hub = hub_for(dry_run)
    if not _checked(results):
        raise SubmissionError("some records were refused (above): delete them, or submit them again; nothing was sent")
    missing = only_there(hub, dataset, results)
    if missing:
        files = counted(len(missing), "file")
        gone = "would be deleted" if dry_run else "are deleted"
        what = gone if delete_missing else "stay there, unchecked; --delete-missing deletes them"
        for line in (f"{dataset} has {files} that {results} has not: they {what}", *(f"  {path}" for path in missing)):
            say(line, "yellow", errors)
    publications = [
        results_of(dataset, results, missing if delete_missing else ()),
        *([leaderboard_of(page, repo_id)] if page else []),
    ]
    send(hub, publications, dry_run)


def terminal_table(name: str, records: Sequence[dict[str, Any]]) -> "ScoreTable":
    """The records of a test set, the best first; who submitted them only if somebody is named."""
    from bap_v2_dataset.leaderboard.board import HEADINGS, headings_of, lines_of
    from bap_v2_dataset.tables.cells import Line, ScoreTable

    at_the_left = [HEADINGS.index(heading) for heading in ("#", "System", "Submitted by")]
    texts = at_the_left if any(record["submitter"] for record in records) else at_the_left[:-1]
    order = [*texts, *(position for position in range(len(HEADINGS)) if position not in at_the_left)]
    headings = headings_of(records)
    return ScoreTable(
        "leaderboard", name, [headings[position] for position in order],
        [Line([line[position] for position in order]) for line in lines_of(records)], n_texts=len(texts),
    )  # fmt: skip
