"""The Space of the leaderboard: the checked records of a dataset of results, as a table.

`bap-v2 push-leaderboard --space` puts this file and `board.py` into the Space. The dataset is the one in `results.txt`,
unless BAP_V2_RESULTS names another, or a folder on this machine; for a private one the Space needs the secret HF_TOKEN.
"""

import logging
import os
import time
from pathlib import Path

import gradio
import huggingface_hub

try:
    from board import ALL, STYLE, Board, board_of, tables
except ImportError:  # where the package is installed, outside the Space
    from bap_v2_dataset.leaderboard.board import ALL, STYLE, Board, board_of, tables

FRESH = 60  # seconds for which the records are not asked for again
HOW = """
```text
bap-v2 submit predictions.jsonl --name "My model" --link https://... --push {results} --pull-request
```

The file has a line for each item of the test set: `{{"id": "dss-test-0/0", "prediction": "place red 0 1 0"}}`.
The command scores it, and sends the scores with the actions that it read. A submission is shown when its scores have
been computed again: with the same metric, labels and items they must be equal.
"""


class Results:
    """The records, asked for at most once a minute; while they cannot be had, those of before."""

    def __init__(self, named: str):
        self.named = named
        self._board: Board | None = None
        self._read = float("-inf")

    @property
    def board(self) -> Board:
        if self._board is None or time.monotonic() - self._read > FRESH:
            try:
                self._board = board_of(self._folder())
            except Exception:  # whatever keeps the Hub from answering
                if self._board is None:
                    raise
                logging.exception("%s cannot be read: the records of before are shown", self.named)
            self._read = time.monotonic()
        return self._board

    @property
    def link(self) -> str:
        """Where the records are, in Markdown."""
        is_here = Path(self.named).is_dir()
        return f"`{self.named}`" if is_here else f"[{self.named}](https://huggingface.co/datasets/{self.named})"

    def _folder(self) -> Path:
        if Path(self.named).is_dir():
            return Path(self.named)
        wanted = ["records/**", "checked.json"]
        return Path(huggingface_hub.snapshot_download(self.named, repo_type="dataset", allow_patterns=wanted))


def page_of(results: Results) -> gradio.Blocks:
    """The page."""

    def table(chosen: str) -> str:
        return tables(results.board, chosen)

    def opened(request: gradio.Request) -> tuple:
        names = [ALL, *results.board.test_sets]
        asked = request.query_params.get("test_set", ALL)
        chosen = asked if asked in names else ALL
        return gradio.Dropdown(choices=names, value=chosen), table(chosen)

    with gradio.Blocks(title="BAP v2 leaderboard") as page:
        gradio.Markdown(
            "# BAP v2 leaderboard\n\nWhich blocks does the Builder place and remove next? Systems by their F1, with "
            f"intervals. Results: {results.link}."
        )
        choice = gradio.Dropdown(choices=[ALL], value=ALL, label="Test set")
        shown = gradio.HTML()
        gradio.Markdown("## How to submit\n" + HOW.format(results=results.named))
        page.load(opened, None, [choice, shown], api_name=False)
        choice.change(table, choice, shown, api_name=False)
    return page


if __name__ == "__main__":
    named = os.environ.get("BAP_V2_RESULTS") or Path(__file__).with_name("results.txt").read_text(encoding="utf-8")
    page_of(Results(named.strip())).launch(css=STYLE, footer_links=[])
