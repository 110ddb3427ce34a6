"""The collaborative building game: what a game is, where the Builder stands, who plays it and how they talk."""
