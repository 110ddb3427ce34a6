"""What goes to the Hub: data, the metric's Space, models, and their cards."""
