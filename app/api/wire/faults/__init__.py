"""Injected faults: requests and responses."""
