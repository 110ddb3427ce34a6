"""From meaning to English: which block, where, and what to do, in words (BAP v2, 5.2.3 and 10)."""
