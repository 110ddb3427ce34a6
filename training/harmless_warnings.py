"""Leaves out warnings of libraries that ask for nothing. A script imports this before those libraries."""

import logging
import warnings

# bitsandbytes, whenever it is imported: a faster 4-bit product for the CPU is not installed. Nobody has to install it.
logging.getLogger("bitsandbytes.backends.cpu.ops").setLevel(logging.ERROR)
# peft asks transformers for the older name; no user can fix that.
warnings.filterwarnings("ignore", message=".*is_gradient_checkpointing.*", category=FutureWarning)
