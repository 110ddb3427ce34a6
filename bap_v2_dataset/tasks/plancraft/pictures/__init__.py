"""Pictures of episodes of Plancraft: frames, animations, pages that play them, and text."""
