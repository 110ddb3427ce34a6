"""The GRU baseline of Builder Action Prediction: words and a grid in, actions out (BAP v2, 2.6)."""
