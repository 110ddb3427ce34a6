"""`bap-v2 push`."""

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from bap_v2_dataset.cli.task_options import with_task_options
from bap_v2_dataset.cli.terminal import app, console, errors, widen
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks.task import Task

if TYPE_CHECKING:
    from bap_v2_dataset.publishing.hub import Change, Outcome, PushPlan


@app.command(rich_help_panel="Publish")
@with_task_options(lambda task: task.push_help)
def push(
    repo_id: Annotated[str, typer.Option(help="The dataset repository: USER/bap_v2.")],
    config: Annotated[
        list[str] | None,
        typer.Option(
            "--config",
            "--configs",
            help="Push only this config (repeatable). Default: the synthetic ones; with --human, all.",
        ),
    ] = None,
    human: Annotated[
        bool, typer.Option("--human", help="Also push the configs with human dialogues, with the corpus's license.")
    ] = False,
    tasks: Sequence[Task] = (),
    metric_space: Annotated[str | None, typer.Option(help="Also push the metric, to this Space: USER/bap_v2.")] = None,
    explorer_space: Annotated[
        str | None, typer.Option(help="Also push the explorer of this dataset, to this Space: USER/bap_v2_explorer.")
    ] = None,
    games_space: Annotated[
        str | None, typer.Option(help="Also push the page on which people play full games, to this Space.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Create the repositories as private.")] = False,
    revision: Annotated[str, typer.Option(help="The branch to push to; created if it does not exist.")] = "main",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be pushed, and send nothing.")] = False,
) -> None:
    """Publish configs, metric and explorer on the Hugging Face Hub, with HF_TOKEN or the token of `hf auth login`."""
    import datasets
    import huggingface_hub

    from bap_v2_dataset.publishing.dataset import chosen_configs, dataset_of, staged
    from bap_v2_dataset.publishing.hub import Hub, PublishError, Repository, checked_branch, checked_id
    from bap_v2_dataset.publishing.spaces import explorer_of, games_of, metric_of

    configs = chosen_configs(config or (), human, tasks)
    revision = checked_branch(revision)
    dataset = Repository(checked_id(repo_id), "dataset", private, revision)
    metric = metric_space and Repository(checked_id(metric_space), "space", private, revision)
    explorer = explorer_space and Repository(checked_id(explorer_space), "space", private, revision)
    games = games_space and Repository(checked_id(games_space), "space", private, revision)
    spaces = [(name, space) for name, space in (("metric", metric), ("explorer", explorer), ("games", games)) if space]
    for (name, space), (other, same) in combinations(spaces, 2):
        if space == same:
            raise PublishError(f"{space} cannot hold both the {name} and the {other}: name two Spaces")
    hub = Hub()
    if not dry_run:
        hub.log_in()
    datasets.disable_progress_bars()
    if not errors.is_terminal:
        huggingface_hub.utils.disable_progress_bars()
    with (
        errors.status("writing Parquet files") as status,
        staged(configs, lambda name: status.update(f"writing {name}")) as rows,
    ):
        status.stop()
        publications = [dataset_of(dataset, rows, metric_space)]
        if metric:
            publications.append(metric_of(metric))
        if explorer:
            publications.append(explorer_of(explorer, repo_id))
        if games:
            publications.append(games_of(games))
        if dry_run:
            show_plans([hub.preview(publication) for publication in publications])
            return
        for publication in publications:
            show_outcome(hub.push(publication))


def show_plans(plans: "list[PushPlan]") -> None:
    """What a push would do."""
    table = Table(title="Would be published", title_justify="left", header_style="bold")
    table.add_column("where")
    table.add_column("file", overflow="fold")
    for heading in ("rows", "bytes"):
        table.add_column(heading, justify="right")
    table.add_column("on the Hub")
    for plan in plans:
        for change in _with_code_together(plan.changes):
            rows = "" if change.rows is None else f"{change.rows:,}"
            table.add_row(plan.repository.name, change.path, rows, f"{change.size:,}", change.state)
        table.add_section()
    widen(120)
    console.print(table, highlight=False)
    for note in dict.fromkeys(plan.note for plan in plans if plan.note):
        errors.print(f"Cannot check the Hub: {escape(note)}", style="yellow", soft_wrap=True, highlight=False)
    for plan in plans:
        if plan.is_new and not plan.note:
            console.print(f"There is no {plan.repository.name} that you can see: it would be created.", highlight=False)
    console.print("Nothing was sent.")


def _with_code_together(changes: "Sequence[Change]") -> "list[Change]":
    """The changes, with one in place of those to the code of a package."""
    from bap_v2_dataset.publishing.hub import Change

    shown: list[Change] = []
    code: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        package, slash, _ = change.path.partition("/")
        if slash and package.startswith("bap_v2_"):
            code.setdefault((package, change.state), []).append(change)
        else:
            shown.append(change)
    for (package, state), files in code.items():
        size = sum(change.size for change in files)
        shown.append(Change(f"{package}/ ({counted(len(files), 'file')})", None, size, state))
    return shown


def show_outcome(outcome: "Outcome") -> None:
    """What a push did."""
    repository = outcome.plan.repository
    if outcome.commit_url is None:
        console.print(f"{repository}: nothing to do, it is up to date", highlight=False, soft_wrap=True)
        return
    sent = [change for change in outcome.plan.changes if change.state in ("new", "changed")]
    old = sum(change.state == "old" for change in outcome.plan.changes)
    size = sum(change.size for change in sent) / 1e6
    if "/discussions/" in outcome.commit_url:
        size_text = f"{counted(len(sent), 'file')} ({size:.1f} MB)"
        request = f"{repository}: a pull request with {size_text}: {outcome.commit_url}"
        console.print(request, highlight=False, soft_wrap=True)
        return
    summary = f"{len(sent)} new or changed files ({size:.1f} MB)" + (f", {old} old ones deleted" if old else "")
    console.print(f"{repository}: {summary}: {repository.url}", highlight=False, soft_wrap=True)
