"""Checks of the map page's JavaScript."""
