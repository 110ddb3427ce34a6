"""Builder Action Prediction: which blocks does the Builder place and remove next? Rows, prompts, baselines, tables."""
