"""Variants of human train games: rotation, color permutation and synonyms (BAP v2, 2.3)."""
