"""`bap-v2 push-model`."""

from pathlib import Path
from typing import Annotated

import typer

from bap_v2_dataset.cli.push import show_outcome, show_plans
from bap_v2_dataset.cli.terminal import app, console, errors


@app.command("push-model", rich_help_panel="Publish")
def push_model(
    folder: Annotated[
        Path,
        typer.Argument(
            help="The output_dir of a training run: an adapter, a whole model, a GRU or a pointer transformer."
        ),
    ],
    repo_id: Annotated[str, typer.Option(help="The model repository: USER/NAME.")],
    results: Annotated[
        list[Path] | None,
        typer.Option(help="Scores written by `bap-v2 score --json`, one file per test set (repeatable)."),
    ] = None,
    base_model: Annotated[
        str | None,
        typer.Option(
            help="The name on the Hub of the model that was fine-tuned, if the run read it from a local folder."
        ),
    ] = None,
    dataset_repo: Annotated[
        str | None, typer.Option(help="The dataset repository on the Hub: USER/bap_v2. Results are listed under it.")
    ] = None,
    metric_space: Annotated[str | None, typer.Option(help="The Space of the metric, named in the card.")] = None,
    license: Annotated[
        str | None, typer.Option(help="The license. Default: that of the base model, else apache-2.0.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Create the repository as private.")] = False,
    revision: Annotated[str, typer.Option(help="The branch to push to; created if it does not exist.")] = "main",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be pushed, and send nothing.")] = False,
) -> None:
    """Publish an adapter or model with its card and results, with HF_TOKEN or the token of `hf auth login`."""
    import huggingface_hub

    from bap_v2_dataset.publishing.base_licenses import left_to_do
    from bap_v2_dataset.publishing.hub import Hub, Repository, checked_branch, checked_id
    from bap_v2_dataset.publishing.model import model_of, publication_of
    from bap_v2_dataset.publishing.model_facts import learned_task

    repository = Repository(checked_id(repo_id), "model", private, checked_branch(revision))
    model = model_of(
        repo_id, folder, results or (), base_model=base_model, dataset_repo=dataset_repo, metric_space=metric_space,
        license=license,
    )  # fmt: skip
    publication = publication_of(repository, model)
    for sentence in left_to_do(repo_id, model.facts.base_model):
        errors.print(sentence, style="yellow", highlight=False, soft_wrap=True, markup=False)
    hub = Hub()
    if not dry_run:
        hub.log_in()
        if not errors.is_terminal:
            huggingface_hub.utils.disable_progress_bars()
    for result in model.facts.results:
        task = learned_task(model.facts)
        score = f"{task.model_card.HEADLINE} {100 * result.scores[task.headline]:.1f} ({result.name})"
        console.print(
            f"result: {result.config}, {result.split}: {score}", highlight=False, soft_wrap=True, markup=False
        )
    for reason in model.unlisted:
        errors.print(f"not in .eval_results: {reason}", style="yellow", highlight=False, soft_wrap=True, markup=False)
    if model.left_out:
        left_out = f"not sent: {', '.join(model.left_out)}"
        errors.print(left_out, style="dim", highlight=False, soft_wrap=True, markup=False)
    if dry_run:
        show_plans([hub.preview(publication)])
    else:
        show_outcome(hub.push(publication))
