"""Objects that outlive a test because the next one uses them, too; none started by a test itself."""

from weakref import WeakSet

RESIDENT: WeakSet[object] = WeakSet()
"""Threads and timers started by shared fixtures."""
