"""Full games: the Architect sees what was built, and corrects it until the structure stands."""
