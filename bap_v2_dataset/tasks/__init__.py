"""The tasks: a room for each, what a task is (`task`), and the table of them (`table`)."""
