"""Benchmarks: figures for people, never part of the tests. See docs/internals/benchmarks.md."""
