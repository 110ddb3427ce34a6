"""`bap-v2 mix`."""

import time
from pathlib import Path

from bap_v2_dataset.cli.options import output_of
from bap_v2_dataset.cli.terminal import app, console, one_a_core, say
from bap_v2_dataset.tables.fitted import WordTable


@app.command()
def mix(
    output: Path | None = None,
    out: Path | None = None,
    mdc_v2: str = "0",
    mdc: str = "0",
    dr: str = "0",
    dsb: str = "0",
    dss: str = "0",
    dh: str = "0",
    written: str = "0",
    seed: int = 0,
    num_proc: int | None = None,
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
