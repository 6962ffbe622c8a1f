"""Dialogs of simulated devices: noise and fleets."""
