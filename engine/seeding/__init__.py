"""Loading a seed into a new workspace, resetting to it, and the snapshot that can be the next seed."""
