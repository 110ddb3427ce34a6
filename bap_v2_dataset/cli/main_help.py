"""What `bap-v2 --help` prints: one screen, which imports none of the commands."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

# The commands of a user's way, and the names of the others by group; a test compares them with those that there are.
MAIN: Mapping[str, str] = {
    "setup": "Make load_dataset and evaluate.load work, also offline.",
    "show": "Show an item or a game: in the terminal, as a figure or a page.",
    "explore": "Browse items and model predictions in the browser.",
    "talk": "Tell a Builder what to build, and see it.",
    "train": "Fine-tune a language model.",
    "predict": "Write what a model answers.",
    "score": "Print the score tables of prediction files.",
    "report": "Make the tables of the paper, with tests and an error analysis.",
}
OTHERS: Mapping[str, Sequence[str]] = {
    "data": ("generate", "mix", "perturb", "convert", "stats", "info"),
    "models": ("ensemble", "merge", "play", "play-games", "harness"),
    "labels": ("annotate", "agreement"),
    "publish": ("push", "push-model"),
}


def names() -> list[str]:
    """Return the names of all commands, in the order of this help."""
    return [*MAIN, *(name for group in OTHERS.values() for name in group)]


def print_main_help() -> None:
    """Print the help of `bap-v2` itself: at most 24 lines of 80 columns."""
    console = Console(highlight=False)
    console.print("Builder Action Prediction v2: data, metric and scores.\n\n[bold]Usage:[/bold] bap-v2 COMMAND ...\n")
    table = Table.grid(padding=(0, 2))
    for name, line in MAIN.items():
        table.add_row(f"  [bold cyan]{name}[/bold cyan]", line)
    table.add_row()
    for group, others in OTHERS.items():
        table.add_row(f"  [dim]{group}[/dim]", ", ".join(others))
    console.print(table)
    console.print(
        "\n[bold]Options:[/bold] --help, --version, --install-completion, --show-completion\n"
        "[bold]Begin:[/bold] bap-v2 setup, bap-v2 show dss-test-0/1. More: bap-v2 COMMAND --help"
    )
