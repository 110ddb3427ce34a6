"""Episodes of Plancraft, played by models: who answers, and many episodes at once."""
