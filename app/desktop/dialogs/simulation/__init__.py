"""Dialogs for simulated devices: noise and fleets."""
