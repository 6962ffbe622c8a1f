"""Tests of what panels are made of."""
