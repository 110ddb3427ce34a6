"""What a model answers to an item of GSU, read from its text: positions, walks, directions and descriptions."""
