"""The timeline, a graph of distances to geofences over time.

Only the graph and its items import pyqtgraph.
"""
