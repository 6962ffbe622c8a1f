"""What the window looked like over a workspace: kept with the workspace, and restored when it is opened again."""
