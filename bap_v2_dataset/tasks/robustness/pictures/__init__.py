"""An item and a variant of it side by side: what was changed, in words and in pictures."""
