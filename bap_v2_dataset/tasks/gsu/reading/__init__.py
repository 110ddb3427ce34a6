"""Reads the questions of GSU as a person would: from the text alone, with a geometry of its own."""
