"""State of the window for a workspace, saved with the workspace and restored when it is opened again."""
