"""What training knows of each task: its texts and settings for language models, and its rewards."""
