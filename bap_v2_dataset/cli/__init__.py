"""The console command `bap-v2`: a module for each of its commands, or for a few that belong together."""

from bap_v2_dataset.cli import set_up, generate, mix, convert, look, show, explore  # noqa: F401, I001 (the order of --help)
from bap_v2_dataset.cli import labels, score, report, push, push_model  # noqa: F401
from bap_v2_dataset.cli.main import main
from bap_v2_dataset.cli.terminal import app, console, errors

__all__ = ["app", "console", "errors", "main"]
