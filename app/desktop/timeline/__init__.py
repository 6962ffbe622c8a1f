"""The timeline: distances to geofences over time. Nothing here but `graphs` and what it needs imports pyqtgraph."""
