"""What names the rows in the cache, and their prompts: importing this imports nothing that makes them."""

GSU_DATA_VERSION = "1.0.0"  # raised whenever columns change; simulators and prompts have versions of their own
QUESTION_VERSION = "1"  # raised whenever a question, a trace or an answer changes by a character
PROMPT_VERSION = f"{QUESTION_VERSION}.1"  # the second part is raised whenever what surrounds questions changes
