"""Postal addresses: checked, corrected and taken apart."""
