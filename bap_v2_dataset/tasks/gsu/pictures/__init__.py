"""Pictures of GSU items: figures, and maps of characters for a terminal."""
