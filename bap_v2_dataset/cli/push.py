"""`bap-v2 push` and `push-model`."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from bap_v2_dataset.cli.options import with_task_options
from bap_v2_dataset.cli.terminal import app, console, errors, say
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tables.fitted import WordTable

if TYPE_CHECKING:
    from bap_v2_dataset.publishing.hub import File, Hub, Outcome, Publication, PushPlan


@app.command()
@with_task_options(lambda task: task.push_help)
def push(
    repo_id: str,
    config: list[str] | None = None,
    human: bool = False,
    tasks: Sequence[Task] = (),
    metric_space: str | None = None,
    explorer_space: str | None = None,
    games_space: str | None = None,
    talk_space: str | None = None,
    talk_model: str | None = None,
    private: bool = False,
    revision: str = "main",
    dry_run: bool = False,
) -> None:
    """Publish configs, metric and explorer on the Hugging Face Hub, with HF_TOKEN or the token of `hf auth login`."""
    import datasets

    from bap_v2_dataset.games.builders import BUILDERS, usual_builder
    from bap_v2_dataset.predictions.model_records import packaged_builder
    from bap_v2_dataset.publishing.dataset import chosen_configs, dataset_of, staged
    from bap_v2_dataset.publishing.hub import PublishError, Repository, checked_branch, checked_id
    from bap_v2_dataset.publishing.spaces import explorer_of, games_of, metric_of, talk_of

    # What is published where, before anything is built or sent.
    configs = chosen_configs(config or (), human, tasks)
    revision = checked_branch(revision)
    dataset = Repository(checked_id(repo_id), "dataset", private, revision)
    named = {"metric": metric_space, "explorer": explorer_space, "games": games_space, "talk": talk_space}
    spaces = {name: Repository(checked_id(space), "space", private, revision) for name, space in named.items() if space}
    for (name, space), (other, same) in combinations(spaces.items(), 2):
        if space == same:
            raise PublishError(f"{space} cannot hold both the {name} and the {other}: name two Spaces")
    if (
        talk_model
        and not (talk_model in BUILDERS or packaged_builder(talk_model))
        and Path(checked_id(talk_model)).exists()
    ):
        raise PublishError(f"--talk-model {talk_model}: a Space cannot read a folder: push it, and name it USER/NAME")
    # The rows are written as files first, and the dataset comes before its Spaces.
    hub = hub_for(dry_run)
    datasets.disable_progress_bars()
    with (
        errors.status("writing Parquet files") as status,
        staged(configs, lambda name: status.update(f"writing {name}")) as rows,
    ):
        status.stop()
        contents = {
            "metric": metric_of, "explorer": partial(explorer_of, dataset_id=repo_id), "games": games_of,
            "talk": lambda space: talk_of(space, talk_model or usual_builder(partial(say, to=errors))),
        }  # fmt: skip
        publications = [contents[name](space) for name, space in spaces.items()]
        send(hub, [dataset_of(dataset, rows, metric_space), *publications], dry_run)


def hub_for(dry_run: bool) -> "Hub":
    """Return the Hub, logged in unless nothing is sent; its progress bars are for terminals."""
    import huggingface_hub

    from bap_v2_dataset.publishing.hub import Hub

    hub = Hub()
    if not dry_run:
        hub.log_in()
    if not errors.is_terminal:
        huggingface_hub.utils.disable_progress_bars()
    return hub


def send(hub: "Hub", publications: "Sequence[Publication]", dry_run: bool) -> None:
    """Push, and print what that did; of a dry run, print what it would do."""
    if dry_run:
        show_plans([hub.plan(publication, offline=True) for publication in publications])
        return
    for publication in publications:
        show_outcome(hub.push(publication))


def show_plans(plans: "Sequence[PushPlan]") -> None:
    """Print what a push would do."""
    # The files, those that are deleted among them.
    table = WordTable(title="Would be published")
    table.add_column("where")
    table.add_column("file", overflow="fold")
    for heading in ("rows", "bytes"):
        table.add_column(heading, justify="right")
    for plan in plans:
        for path, rows, size in _with_code_together(plan.files):
            table.add_row(plan.repository.name, path, "" if rows is None else f"{rows:,}", f"{size:,}")
        for path in plan.old:
            table.add_row(plan.repository.name, path, "", "deleted")
        table.add_section()
    console.print(table, highlight=False)
    # What is not known of the repositories, and which of them are new.
    for note in dict.fromkeys(plan.note for plan in plans if plan.note):
        errors.print(f"Cannot check the Hub: {escape(note)}", style="yellow", soft_wrap=True, highlight=False)
    for plan in plans:
        if plan.head is None:
            console.print(f"There is no {plan.repository.name} that you can see: it would be created.", highlight=False)
    console.print("Nothing was sent.")


def _with_code_together(files: "Sequence[File]") -> list[tuple[str, int | None, int]]:
    """Return path, rows and bytes of each file, with one line in place of those to the code of a package."""
    lines = []
    code: dict[str, list[int]] = {}
    for file in files:
        package, slash, _ = file.path.partition("/")
        if slash and package.startswith("bap_v2_"):
            code.setdefault(package, []).append(file.size)
        else:
            lines.append((file.path, file.rows, file.size))
    return lines + [(f"{name}/ ({counted(len(sizes), 'file')})", None, sum(sizes)) for name, sizes in code.items()]


def show_outcome(outcome: "Outcome") -> None:
    """Print what a push did."""
    plan = outcome.plan
    if not outcome.is_changed:
        say(f"{plan.repository}: nothing to do, it is up to date")
        return
    size = sum(file.size for file in plan.files) / 1e6
    deleted = f", {counted(len(plan.old), 'old file')} deleted" if plan.old else ""
    say(f"{plan.repository}: {counted(len(plan.files), 'file')} ({size:.1f} MB){deleted}: {plan.repository.url}")


@app.command("push-model")
def push_model(
    folder: Path,
    repo_id: str,
    results: list[Path] | None = None,
    base_model: str | None = None,
    dataset_repo: str | None = None,
    metric_space: str | None = None,
    license: str | None = None,
    private: bool = False,
    revision: str = "main",
    dry_run: bool = False,
) -> None:
    """Publish an adapter or model with its card and results, with HF_TOKEN or the token of `hf auth login`."""
    from bap_v2_dataset.predictions.model_records import packaged_builder
    from bap_v2_dataset.publishing.base_licenses import left_to_do
    from bap_v2_dataset.publishing.hub import Repository, checked_branch, checked_id
    from bap_v2_dataset.publishing.model import model_of, publication_of
    from bap_v2_dataset.publishing.model_facts import training_task

    # What is published, read before the Hub is asked.
    repository = Repository(checked_id(repo_id), "model", private, checked_branch(revision))
    model = model_of(
        repo_id, packaged_builder(str(folder)) or folder, results or (), base_model=base_model,
        dataset_repo=dataset_repo, metric_space=metric_space, license=license,
    )  # fmt: skip
    publication = publication_of(repository, model)
    for sentence in left_to_do(repo_id, model.facts.base_model):
        say(sentence, "yellow", errors)
    # The results in the card, those that are not listed, and what stays here are said before it is sent.
    hub = hub_for(dry_run)
    for result in model.facts.results:
        task = training_task(model.facts)
        score = f"{task.model_card.HEADLINE} {100 * result.scores[task.headline]:.1f} ({result.name})"
        say(f"result: {result.config}, {result.split}: {score}")
    for reason in model.unlisted:
        say(f"not in .eval_results: {reason}", "yellow", errors)
    if model.left_out:
        left_out = f"not sent: {', '.join(model.left_out)}"
        say(left_out, "dim", errors)
    send(hub, [publication], dry_run)
