"""Items as questions to a chat model: the rules, solved train items as earlier turns, and the item."""
