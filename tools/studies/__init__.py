"""Studies: the same Builder trained in several ways (arms) with several seeds, tested and compared."""
