"""What a script does before it imports libraries: it leaves out warnings that ask for nothing, and answers --help."""

import logging
import sys
import warnings
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent

# bitsandbytes, whenever it is imported: a faster 4-bit product for the CPU is not installed. Nobody has to install it.
logging.getLogger("bitsandbytes.backends.cpu.ops").setLevel(logging.ERROR)
# peft asks transformers for the older name; no user can fix that.
warnings.filterwarnings("ignore", message=".*is_gradient_checkpointing.*", category=FutureWarning)


def print_kept_help(command: str) -> None:
    """Print the help of a command and end, if nothing else is asked for: libraries need seconds to be imported.

    `PYTHONPATH=tests/support python tests/training/test_commands.py` writes the files that it is kept in.
    """
    kept = _FOLDER / "help" / f"{command.replace(' ', '_')}.txt"
    if sys.argv[1:] in (["--help"], ["-h"]) and kept.is_file():
        print(kept.read_text(encoding="utf-8"), end="")
        sys.exit()


if Path(sys.argv[0]).resolve().parent == _FOLDER:
    print_kept_help(Path(sys.argv[0]).name)
