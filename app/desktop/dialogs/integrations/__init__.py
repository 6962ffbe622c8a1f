"""Dialogs for integrations with other systems."""
