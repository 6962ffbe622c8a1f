"""Tests of the parts of panels."""
