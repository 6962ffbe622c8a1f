"""Clients that mean harm, or are merely broken, against the program as its users run it."""
