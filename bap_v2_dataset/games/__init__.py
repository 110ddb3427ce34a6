"""Full games with a simulated Architect: the gymnasium environment, and Builders that play."""
