"""Findings of checks and differences between Test and Live, as shown in the window."""
