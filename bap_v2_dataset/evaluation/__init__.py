"""From files of predictions to the tables of the paper, an error analysis and a report."""
