"""Tests of what would have been."""
