"""Tests of the state without Qt: fast, and without a window."""
