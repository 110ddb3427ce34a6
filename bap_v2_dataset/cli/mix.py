"""`bap-v2 mix`."""

import time
from pathlib import Path
from typing import Annotated

import typer

from bap_v2_dataset.cli.options import NumProc, Output, output_of
from bap_v2_dataset.cli.terminal import app, console, one_a_core, say
from bap_v2_dataset.tables.fitted import WordTable


@app.command()
def mix(
    output: Output = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder to write: train.parquet, validation.parquet, mix.json.", metavar="FOLDER"),
    ] = None,
    mdc_v2: Annotated[str, typer.Option(help="Items of mdc_v2, or all.")] = "0",
    mdc: Annotated[str, typer.Option(metavar="N", help="Items of mdc, or all.")] = "0",
    dr: Annotated[str, typer.Option(help="Items of dr, or all; may be more than are published.")] = "0",
    dsb: Annotated[str, typer.Option(help="Items of dsb, as for dr.")] = "0",
    dss: Annotated[str, typer.Option(help="Items of dss, as for dr.")] = "0",
    dh: Annotated[str, typer.Option(help="Items of dh, as for dr.")] = "0",
    written: Annotated[str, typer.Option(help="Items of written, or all.")] = "0",
    seed: Annotated[int, typer.Option(help="Seed of the order, and of the sample of a human corpus.")] = 0,
    num_proc: NumProc = None,
) -> None:
    """Write a mix of the corpora in your own proportions, with validation items to match."""
    import datasets

    from bap_v2_dataset.loading.mix import MixError, write_mix

    # The amounts, by config.
    output = output_of(output, out)
    started = time.perf_counter()
    amounts: dict[str, int | None] = {}
    options = {"mdc_v2": mdc_v2, "mdc": mdc, "dr": dr, "dsb": dsb, "dss": dss, "dh": dh, "written": written}
    for name, text in options.items():
        if text != "all" and not text.isdecimal():
            raise MixError(f"--{name.replace('_', '-')} {text}: expected a number of items, or all")
        amounts[name] = None if text == "all" else int(text)
    # Make the mix, and show how much of it is of which config.
    with console.status("mixing"):
        datasets.disable_progress_bars()
        counts = write_mix(output, amounts, seed=seed, num_proc=num_proc or one_a_core())
    table = WordTable(title=str(output))
    table.add_column("items of")
    for split in counts:
        table.add_column(split, justify="right")
    for name in counts["train"]:
        table.add_row(name, *(f"{parts[name]:,}" for parts in counts.values()))
    table.add_section()
    table.add_row("all", *(f"{sum(parts.values()):,}" for parts in counts.values()))
    console.print(table)
    summary = f'load_dataset("{output}") reads it; {time.perf_counter() - started:.1f} s'
    say(summary, "dim")
