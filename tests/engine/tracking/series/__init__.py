"""Tests of series of fixes."""
