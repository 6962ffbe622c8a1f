"""Tests of hypothetical changes."""
