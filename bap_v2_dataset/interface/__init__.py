"""What engines know of a task: its interface (`task`), how its items are found and shown (`viewer`), its questions."""
