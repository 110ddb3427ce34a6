"""Grid Spatial Understanding (GSU): walks, blocks around a viewer, and structures of boxes."""
