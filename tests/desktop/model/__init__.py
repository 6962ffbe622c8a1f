"""Tests of the state without Qt, which are fast and need no window."""
