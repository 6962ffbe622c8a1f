"""The request log as the window has it, without Qt."""
