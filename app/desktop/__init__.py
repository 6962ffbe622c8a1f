"""The Qt desktop: windows, panels, models and the map."""
