"""The words of the simulated players: tables of ways to say each thing, weighted by how often people say it."""
