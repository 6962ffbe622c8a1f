"""Validation of postal addresses: checking, correcting and parsing."""
