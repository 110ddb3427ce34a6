"""Grid Spatial Understanding (GSU): rows, prompts, reasoning traces, a reader, baselines, the paper's numbers."""
