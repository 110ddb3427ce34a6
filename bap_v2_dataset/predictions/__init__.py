"""Files of predictions: the forms in which they come, what they answer, and what is recorded of their models."""
