"""Dialogs about webhooks."""
