"""Benchmarks: figures for people, never part of the tests. See docs/benchmarks.md."""
