"""The collaborative building game: what a game is, where the Builder stands, and (to come) who plays it."""
