"""Episodes of Plancraft in the explorer: a page of all tasks that files answer, served without gradio."""

import threading
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.evaluation import test_sets
from bap_v2_dataset.evaluation.systems_of_files import read_files_for
from bap_v2_dataset.explorer.sources import SourceError
from bap_v2_dataset.tasks.plancraft.pictures.frames import Shown, gold_episode, shown_episode
from bap_v2_dataset.tasks.plancraft.pictures.replay import gallery

if TYPE_CHECKING:
    from bap_v2_dataset.loading.own_splits import OwnData

CONFIG = "plancraft"


def crafting_page(
    files: Sequence[str],
    split: str | None = None,
    data: "OwnData | None" = None,
    progress: Callable[[str], None] = lambda text: None,
) -> bytes:
    """The page: every task that all files answer, or the gold plans of a split.

    Args:
        progress: called with what is being done.
    Raises:
        SourceError: no task has an episode of every file.
        bap_v2_dataset.predictions.entries.PredictionError: files that cannot be read, or answer other tasks.
        PlancraftMissing: without the package.
    """
    config, split, systems = read_files_for(files, None if data is not None or files else CONFIG, split, data)
    rows: Sequence[Mapping[str, Any]] = (
        data.splits[split] if data is not None else test_sets.split_rows(config, split, "pass --split with one of")
    ).to_list()
    progress(f"playing episodes of {config}, {split}")
    played: list[tuple[Mapping[str, Any], list[Shown]]] = []
    for row in rows:
        texts = [(file, file.predictions[row["id"]]) for file in systems if row["id"] in file.predictions]
        if len(texts) == len(systems):
            shown = [shown_episode(row, text, file.label, file.settings) for file, text in texts]
            played.append((row, shown or [gold_episode(row)]))
    if not played:
        raise SourceError(f"no task of {config}, {split} has an episode of every file: explore them one by one")
    return gallery(played, f"{config}, {split}").encode()


def serve_page(page: bytes, port: int, host: str) -> str:
    """Serves one page, in threads that end with this process; returns its address on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path.partition("?")[0] == "/"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page) if found else 0))
            self.end_headers()
            if found:
                self.wfile.write(page)

        def log_message(self, format: str, *args: Any) -> None:
            """Prints nothing."""

    server = ThreadingHTTPServer((host, port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"
