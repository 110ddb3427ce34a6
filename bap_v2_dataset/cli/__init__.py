"""The console command `bap-v2`: a module for each of its commands, or for a few that belong together.

The commands are imported by `main`, which first takes charge of Ctrl-C, and when `app`, `console` or `errors` is used.
"""

from typing import Any

from bap_v2_simulators.interrupts import ends_at_once_on_ctrl_c

__all__ = ["app", "console", "errors", "main"]


def main() -> None:
    """Runs the command of `sys.argv`, and ends the process if it fails."""
    with ends_at_once_on_ctrl_c("stopped before it began"):
        from bap_v2_dataset.cli.command_line import run

        run()


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bap_v2_dataset.cli import command_line

    return getattr(command_line, name)
