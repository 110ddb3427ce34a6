"""What the human corpus holds: counts."""
