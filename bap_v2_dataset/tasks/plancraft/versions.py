"""What names the rows in the cache, and their prompts: importing this imports nothing that makes them."""

PLANCRAFT_DATA_VERSION = "1.0.0"  # raised whenever columns or plans change
PROMPT_VERSION = "1"  # raised whenever a text changes
