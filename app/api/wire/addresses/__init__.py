"""Addresses, regions and places on the wire."""
