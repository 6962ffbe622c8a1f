"""Dialogs for webhooks."""
