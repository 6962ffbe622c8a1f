"""Dialogs about integrations with other systems."""
