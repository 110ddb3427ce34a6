"""`bap-v2 explore`."""

from typing import Annotated

import typer

from bap_v2_dataset.cli.terminal import app, console, errors


@app.command(rich_help_panel="Look")
def explore(
    predictions: Annotated[
        list[str] | None,
        typer.Argument(
            help='JSON lines with "id" and "prediction", of any splits. NAME=FILE names the system.', show_default=False
        ),
    ] = None,
    more: Annotated[
        list[str] | None, typer.Option("--predictions", help="The same (repeatable).", show_default=False)
    ] = None,
    config: Annotated[
        str | None, typer.Option(help="What is shown first. Default: that of the predictions, else mdc_v2.")
    ] = None,
    split: Annotated[str | None, typer.Option(help="Default: that of the predictions, else test.")] = None,
    port: Annotated[int | None, typer.Option(help="Default: the first free one from 7860.", min=0, max=65535)] = None,
) -> None:
    """Look at items and at what models made of them, in the browser; the page is served on this machine only."""
    import threading

    from bap_v2_dataset.explorer import server
    from bap_v2_dataset.explorer.sources import Installed

    port = server.free_port(port)
    gradio = server.import_gradio_meanwhile()
    with errors.status("opening"):
        source = Installed()
        files = [*(more or ()), *(predictions or ())]  # `--predictions a b`: b is an argument
        models, start = [], (config or source.configs[0], split or "")
        if files:
            from bap_v2_dataset.explorer.predictions import read_models

            models = read_models(files, source)
            answered = next(iter(models[0].answers))
            start = (config or answered[0], split or (answered[1] if config in (None, answered[0]) else ""))
        start = source.start(*start)
        gradio.join()
        address = server.serve(source, models, start, port)
    console.print(f"{address}  (Ctrl-C ends it)", highlight=False, soft_wrap=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        errors.print("stopped")
