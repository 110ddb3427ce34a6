"""Serves the explorer on this machine, and to nobody else unless asked."""

import os
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from bap_v2_metric.errors import UserError

if TYPE_CHECKING:
    from bap_v2_dataset.explorer.predictions import PredictedModel
    from bap_v2_dataset.explorer.sources import Source

HOST = "127.0.0.1"
_PORTS = range(7860, 7960)


class ServeError(UserError):
    """The page cannot be served; the message says what to do."""


def import_gradio() -> None:
    """Imports gradio, which sends no statistics of use.

    Raises:
        ServeError: if it is not installed.
    """
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        import gradio  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "gradio":
            raise
        raise ServeError('the explorer needs gradio: pip install "bap-v2[explore]"') from None


def import_gradio_meanwhile() -> threading.Thread:
    """The same in a thread, which is done when it has been joined; its errors come with the next import."""

    def imported() -> None:
        with suppress(Exception):
            import_gradio()

    thread = threading.Thread(target=imported, daemon=True)
    thread.start()
    return thread


def free_port(port: int | None) -> int:
    """The port, or the first that is free.

    Raises:
        ServeError: if it is taken.
    """
    for candidate in _PORTS if port is None else [port]:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, candidate))
            except (OSError, OverflowError):
                continue
            return probe.getsockname()[1]
    if port is None:
        raise ServeError(f"all ports from {_PORTS[0]} to {_PORTS[-1]} are taken: choose another with --port")
    raise ServeError(f"port {port} is taken or not allowed: choose another, or leave out --port")


def serve(
    source: "Source",
    models: "Sequence[PredictedModel]" = (),
    start: tuple[str, str] | None = None,
    port: int | None = None,
) -> str | None:
    """Serves the page.

    Args:
        source, models, start: see `page.page`.
        port: of this machine alone, one that is free: the page is served in threads that end with this process, and
            its address returned. None: where gradio serves by default, as a Space expects, until the process is
            stopped.
    """
    import_gradio()
    from bap_v2_dataset.explorer.page import page
    from bap_v2_dataset.explorer.scripts import START
    from bap_v2_dataset.explorer.style import CSS, THEME

    local = {"server_name": HOST, "server_port": port, "prevent_thread_lock": True, "quiet": True}
    page(source, models, start).launch(
        share=False, footer_links=[], run_history=False, theme=THEME, css=CSS, js=START,
        **(local if port is not None else {})
    )
    return None if port is None else f"http://{HOST}:{port}"
