"""The tasks: a room for each, and the table of them (`table`). What a task is stands in `bap_v2_dataset.interface`."""
