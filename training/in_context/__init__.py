"""In-context learning: questions with shots, and the endpoints that answer them."""
