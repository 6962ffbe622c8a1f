"""Injected faults: how they are asked for and answered."""
