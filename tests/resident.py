"""What outlives a test because the next one goes on with it; nothing that a test itself has started."""

from weakref import WeakSet

RESIDENT: WeakSet[object] = WeakSet()
"""Threads and timers that a shared fixture has started."""
