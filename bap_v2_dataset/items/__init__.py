"""Items of Builder Action Prediction: from a game to rows and prompts, below everything that loads or scores them."""
