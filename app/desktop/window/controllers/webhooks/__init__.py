"""Webhooks in the window."""
