"""Any number of simulated games as files, on one machine or on many."""
