"""Plancraft: tasks, gold plans and dialogues, prompts and policies (Dagan et al. 2025)."""
