"""The console command `bap-v2`: a module for each of its commands, or for a few that belong together.

The commands are imported by `main`, and when `app`, `console` or `errors` is used.
"""

import os
import signal
import sys
import threading
from typing import Any

from bap_v2_dataset.failures import Stopped
from bap_v2_dataset.streams import readable_streams

__all__ = ["app", "console", "errors", "main"]


def main() -> None:
    """Run the command of `sys.argv`, and ends the process if it fails or is interrupted."""
    ended = threading.Event()

    def repeat_interrupt(error: "sys.UnraisableHookArgs") -> None:
        """Repeat a Ctrl-C that came while Python ran a destructor or a callback, where it only notes exceptions."""
        if not issubclass(error.exc_type, KeyboardInterrupt):
            sys.__unraisablehook__(error)
            return
        again = threading.Timer(0.1, lambda: ended.is_set() or os.kill(os.getpid(), signal.SIGINT))
        again.daemon = True
        again.start()

    # Ctrl-C becomes one sentence, wherever it comes.
    sys.unraisablehook = repeat_interrupt
    try:
        with readable_streams():
            # The main help imports none of the commands.
            asks_for_help = sys.argv[1:] in ([], ["--help"]) and "_BAP_V2_COMPLETE" not in os.environ
            if asks_for_help:
                from bap_v2_dataset.cli.main_help import print_main_help as run
            else:
                from bap_v2_dataset.cli.command_line import run

            run()
    except KeyboardInterrupt:
        ended.set()
        print("\nstopped; nothing is left half done, and the same command does the rest", file=sys.stderr)
        raise Stopped(130) from None
    finally:
        ended.set()


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bap_v2_dataset.cli import command_line

    return getattr(command_line, name)
