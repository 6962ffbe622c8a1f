"""Tests of the map, with real mouse and key events."""
