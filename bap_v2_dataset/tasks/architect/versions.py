"""What names the rows in the cache, and their prompts: importing this imports nothing that makes them."""

ARCHITECT_DATA_VERSION = "1.0.0"  # raised whenever rows change; prompts have a version of their own
PROMPT_VERSION = "1"  # raised whenever a prompt changes by a character
