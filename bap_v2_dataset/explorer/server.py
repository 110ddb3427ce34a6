"""Serves the explorer on this machine, and to nobody else unless asked."""

import errno
import os
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from bap_v2_metric.errors import UserError

if TYPE_CHECKING:
    from gradio import Blocks

    from bap_v2_dataset.explorer.sources import RowSource
    from bap_v2_dataset.explorer.split import PredictedModel
    from bap_v2_dataset.games.play import Session
    from bap_v2_dataset.games.talk import Talk, Talker

HOST = "127.0.0.1"
_PORTS = range(7860, 7960)
_LARGEST_UPLOAD = "500mb"  # answers to all items there are, with their reasons; visitors of a Space share its memory


class ServeError(UserError):
    """The page cannot be served; the message says what to do."""


@contextmanager
def _asked_directly() -> Iterator[None]:
    """Leave out proxies and certificates of the environment: gradio asks no other address than that of its own page.

    A proxy may not lead back to this machine, and of SOCKS or a missing file of certificates httpx makes an error.
    """
    names = [name for name in os.environ if name.upper().endswith("_PROXY") or name.startswith("SSL_CERT_")]
    kept = {name: os.environ.pop(name) for name in names}
    try:
        yield
    finally:
        os.environ |= kept


def import_gradio() -> None:
    """Import gradio, which sends no statistics of use.

    Raises:
        ServeError: if it is not installed.
    """
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        with _asked_directly():
            import gradio  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "gradio":
            raise
        raise ServeError('the page needs gradio: pip install "bap-v2[explore]"') from None


def import_gradio_meanwhile() -> threading.Thread:
    """Import it in a thread, which is done when it has been joined; its errors come with the next import."""

    def imported() -> None:
        with suppress(Exception):
            import_gradio()

    thread = threading.Thread(target=imported, daemon=True)
    thread.start()
    return thread


def free_port(port: int | None, host: str = HOST) -> int:
    """Return the port, or the first that is free.

    Args:
        port: None: any from 7860.
        host: an address of this machine.
    Raises:
        ServeError: if it is taken, or if the host is no address of this machine.
    """
    # The first candidate that this machine lets us have; a host that is not its own has none.
    for candidate in _PORTS if port is None else [port]:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, candidate))
            except (OSError, OverflowError) as error:
                if isinstance(error, socket.gaierror) or getattr(error, "errno", None) == errno.EADDRNOTAVAIL:
                    raise ServeError(
                        f"host {host!r} is not an IPv4 address of this machine: omit --host, or pass 0.0.0.0 to serve "
                        "the page to other machines"
                    ) from None
                continue
            return probe.getsockname()[1]

    # All are taken: say so.
    if port is None:
        raise ServeError(f"all ports from {_PORTS[0]} to {_PORTS[-1]} are in use; choose another with --port")
    raise ServeError(f"port {port} is in use or not permitted; choose another or omit --port")


def is_local(host: str) -> bool:
    """Return whether nobody but this machine can reach the host."""
    return host == "localhost" or host.startswith("127.")


def has_display() -> bool:
    """Return whether the user sees a browser that is opened here: not over ssh, not without a screen."""
    if os.environ.get("SSH_CONNECTION") or not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )  # fmt: skip


def serve(
    source: "RowSource",
    models: "Sequence[PredictedModel]" = (),
    start: tuple[str, str] | None = None,
    port: int | None = None,
    host: str = HOST,
) -> str | None:
    """Serve the page.

    Args:
        source, models, start: see `page.page`.
        port: one that is free: the page is served in threads that end with this process, and its address on this
            machine returned. None: where gradio serves by default, as a Space expects, until the process is stopped.
        host: the address that it is served at; by default this machine alone reaches it.
    """
    import_gradio()
    from bap_v2_dataset.explorer.page import page

    return _launched(page(source, models, start), port, host)


def serve_games(first: "Session | None" = None, port: int | None = None, host: str = HOST) -> str | None:
    """Serve a page on which a person is the Builder of full games.

    Args:
        first: the game that is shown first.
        port, host: as for `serve`.
    """
    import_gradio()
    from bap_v2_dataset.explorer.game_tab import play_page

    return _launched(play_page(first), port, host)


def serve_talk(talker: "Talker", first: "Talk", port: int | None = None, host: str = HOST) -> str | None:
    """Serve a page on which a person is the Architect. Args: first: what is shown first; others as for `serve`."""
    import_gradio()
    from bap_v2_dataset.explorer.talk_page import talk_page

    return _launched(talk_page(talker, first), port, host)


def serve_page(page: bytes, port: int, host: str = HOST) -> str:
    """Serve one page of HTML, in threads that end with this process; return its address on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_page = self.path.partition("?")[0] == "/"
            self.send_response(200 if is_page else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page) if is_page else 0))
            self.end_headers()
            if is_page:
                self.wfile.write(page)

        def log_message(self, format: str, *args: Any) -> None:
            """Print nothing."""

    threading.Thread(target=ThreadingHTTPServer((host, port), Handler).serve_forever, daemon=True).start()
    return _address(port, host)


def _address(port: int, host: str) -> str:
    """Return the address of a page on this machine."""
    return f"http://{HOST if host == '0.0.0.0' else host}:{port}"


def _launched(blocks: "Blocks", port: int | None, host: str) -> str | None:
    from bap_v2_dataset.explorer.style import CSS, START, THEME

    local = {"server_name": host, "server_port": port, "prevent_thread_lock": True, "quiet": True}
    while True:
        try:
            with _asked_directly():
                blocks.launch(
                    share=False, max_file_size=_LARGEST_UPLOAD, footer_links=[], run_history=False, theme=THEME,
                    css=CSS, js=START, **(local if port is not None else {}),
                )  # fmt: skip
        except OSError:
            if port not in _PORTS or (another := free_port(None, host)) == port:
                raise
            port = local["server_port"] = another  # taken since it was found free
        else:
            return None if port is None else _address(port, host)
