"""`bap-v2 push-model`."""

from pathlib import Path
from typing import Annotated

import typer

from bap_v2_dataset.cli.push import show_outcome, show_plans
from bap_v2_dataset.cli.terminal import app, console, errors


@app.command("push-model", rich_help_panel="Publish")
def push_model(
    folder: Annotated[Path, typer.Argument(help="What training/train_sft.py wrote: an adapter or a whole model.")],
    repo_id: Annotated[str, typer.Option(help="The model repository: USER/NAME.")],
    results: Annotated[
        list[Path] | None,
        typer.Option(help="Scores of `bap-v2 score --json`, one file for each test set (repeatable)."),
    ] = None,
    base_model: Annotated[
        str | None, typer.Option(help="What was fine-tuned, if the run took it from a local folder: a name of the Hub.")
    ] = None,
    dataset_repo: Annotated[
        str | None, typer.Option(help="Where the data are on the Hub: USER/bap_v2. Results are listed under it.")
    ] = None,
    metric_space: Annotated[str | None, typer.Option(help="The Space of the metric, for the card.")] = None,
    license: Annotated[str | None, typer.Option(help="Default: that of the base model, else apache-2.0.")] = None,
    private: Annotated[bool, typer.Option("--private", help="Make the repository private.")] = False,
    revision: Annotated[str, typer.Option(help="The branch; it is made if it does not exist.")] = "main",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go there, and send nothing.")] = False,
) -> None:
    """Publish a fine-tuned adapter or model with its card and results; the token is HF_TOKEN's or `hf auth login`'s."""
    import huggingface_hub

    from bap_v2_dataset.publishing import dataset as publish
    from bap_v2_dataset.publishing import model as publish_model

    repository = publish.Repository(publish.checked_id(repo_id), "model", private, publish.checked_branch(revision))
    model = publish_model.model_of(
        repo_id, folder, results or (), base_model=base_model, dataset_repo=dataset_repo, metric_space=metric_space,
        license=license,
    )  # fmt: skip
    publication = publish_model.publication(repository, model)
    hub = publish.Hub()
    if not dry_run:
        hub.log_in()
        if not errors.is_terminal:
            huggingface_hub.utils.disable_progress_bars()
    for result in model.facts.results:
        said = f"{result.config}, {result.split}: Overall F1 {100 * result.scores['fairer_f1']:.1f} ({result.name})"
        console.print(f"result: {said}", highlight=False, soft_wrap=True, markup=False)
    for said in model.unlisted:
        errors.print(f"not in .eval_results: {said}", style="yellow", highlight=False, soft_wrap=True, markup=False)
    if model.left_out:
        said = f"not sent: {', '.join(model.left_out)}"
        errors.print(said, style="dim", highlight=False, soft_wrap=True, markup=False)
    if dry_run:
        show_plans([hub.preview(publication)])
    else:
        show_outcome(hub.push(publication))
