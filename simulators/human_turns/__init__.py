"""Turns in which people change, repeat, mirror and extend what is there: the simulator `dh`."""
