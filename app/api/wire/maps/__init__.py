"""Parts of maps: the style and its layers, and markers."""
