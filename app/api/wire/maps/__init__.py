"""What maps are made of: the style and its layers, and markers."""
