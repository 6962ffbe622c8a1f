"""The request log of the window, independent of Qt."""
