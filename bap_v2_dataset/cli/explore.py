"""`bap-v2 explore`."""

from typing import TYPE_CHECKING

from bap_v2_dataset.cli.terminal import app, errors, hide_progress_bars, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from bap_v2_dataset.explorer.sources import RowSource
    from bap_v2_dataset.explorer.split import PredictedModel
    from bap_v2_dataset.interface.task import Task
    from bap_v2_dataset.loading.own_splits import OwnData


@app.command()
def explore(
    predictions: list[str] | None = None,
    beside: list[str] | None = None,
    data: str | None = None,
    config: str | None = None,
    split: str | None = None,
    port: int | None = None,
    host: str = "127.0.0.1",
    open_browser: bool | None = None,
) -> None:
    """Browse items and model predictions, or the episodes of games, in the browser: this machine serves the page."""
    from bap_v2_dataset.explorer import server

    # What is shown, and at which address.
    files = predictions or []
    shown = [*([data] if data else []), *files, *(beside or [])]
    say(f"starting the explorer{' with ' * bool(shown)}{', '.join(shown)} ...", to=errors)
    check_place(port, host)
    own = None
    if data is not None:
        from bap_v2_dataset.loading.own_data import read_data

        hide_progress_bars()
        own = read_data(data)
    # The page of a task with turns, of one's own.
    task = _task(files, config, own)
    if task is not None and task.played:
        hide_progress_bars()
        from bap_v2_dataset.evaluation.answered_splits import read_files_for

        with errors.status("loading episodes") as status:
            page = task.viewer.page(files, split, own, read=read_files_for, progress=status.update)
        stay(server.serve_page(page, server.free_port(port, host), host), open_browser)
        return
    # The page of items; gradio is imported while they are read.
    gradio = server.import_gradio_meanwhile()
    with errors.status("loading items, predictions and gradio"):
        from bap_v2_dataset.explorer.sources import InstalledSource, OwnSource
        from bap_v2_dataset.explorer.split import read_models

        source = InstalledSource() if own is None else OwnSource(own)
        models = read_models(files, source, beside or ())
        start = _start(source, models, config, split)
        gradio.join()
        address = server.serve(source, models, start, server.free_port(port, host), host)
    stay(address, open_browser)


def check_place(port: int | None, host: str) -> None:
    """Report at once a port that is taken, and what everyone can see. Raises: ServeError."""
    from bap_v2_dataset.explorer import server

    if port is not None:
        server.free_port(port, host)
    if not server.is_local(host):
        warning = f"warning: at {host} everyone who can reach this machine can see the page; it has no password"
        say(warning, "yellow", errors)


def serve_until_ctrl_c(serve: "Callable[[int, str], str | None]", port: int | None, host: str) -> None:
    """Serve a page of gradio. Args: serve: takes a free port and the host, and returns the address."""
    from bap_v2_dataset.explorer import server

    check_place(port, host)
    with errors.status("loading gradio"):
        address = serve(server.free_port(port, host), host)
    stay(address, None)


def stay(address: str | None, open_browser: bool | None) -> None:
    """Say the address, open it if it shall be opened, and wait for Ctrl-C."""
    import threading

    from bap_v2_dataset.explorer import server

    say(f"{address}  (Ctrl-C to stop)")
    if open_browser or (open_browser is None and server.has_display()):
        import webbrowser

        if not webbrowser.open(address):
            say("no browser was found: open the address yourself", "yellow", errors)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        errors.print("stopped")


def _task(files: list[str], config: str | None, own: "OwnData | None") -> "Task | None":
    """Return the task to explore, if it is not the usual one: by own data, the config, or the first file."""
    from bap_v2_dataset.evaluation.system_names import named_file
    from bap_v2_dataset.interface.table import TASKS, task_of

    if own is not None:
        return own.task
    if config is not None or not files:
        return task_of(config or "")
    path = named_file(files[0])[1]
    if not path.is_file():
        return None
    with path.open("rb") as file:
        line = file.readline()
    return next((task for task in TASKS.values() if task.is_prediction(line)), None)


def _start(
    source: "RowSource", models: "list[PredictedModel]", config: str | None, split: str | None
) -> tuple[str, str]:
    """Return the config and split that are shown first."""
    if not models:
        return source.start(config or source.configs[0], split or "")
    predicted = next(iter(models[0].predictions))
    return source.start(
        config or predicted[0], split or (predicted[1] if config in (None, predicted[0]) else "")
    )  # fmt: skip
