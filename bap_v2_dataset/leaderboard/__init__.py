"""A leaderboard: submissions as records with their predictions, the check that recomputes them, and the table."""
