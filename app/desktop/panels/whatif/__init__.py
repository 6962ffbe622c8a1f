"""The panel of What if, and the banner over the map."""
