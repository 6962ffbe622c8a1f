"""Findings of checks, and what differs between Test and Live, as the window shows them."""
