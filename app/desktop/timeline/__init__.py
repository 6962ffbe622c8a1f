"""The timeline: distances to geofences over time. Only the graph and what it draws with import pyqtgraph."""
