"""Leaves out warnings of libraries that ask for nothing. A script imports this before those libraries."""

import logging

# bitsandbytes, whenever it is imported: a faster 4-bit product for the CPU is not installed. Nobody has to install it.
logging.getLogger("bitsandbytes.backends.cpu.ops").setLevel(logging.ERROR)
