"""Keeping what was used last, up to some weight."""

from collections.abc import Callable


class Recent[K, T]:
    """Things by key. The least recently used are dropped when the others weigh more than `most`, and twice at most.

    Two generations: what is asked for comes into the young one; when that is full, it becomes the old one, and what
    was the old one is dropped. Any thread may use it without a lock: at worst a thing is kept for a shorter time.
    """

    def __init__(self, most: int, weigh: Callable[[T], int]) -> None:
        self._most = most
        self._weigh = weigh
        self._weight = 0
        self._young: dict[K, T] = {}
        self._old: dict[K, T] = {}

    def get(self, key: K) -> T | None:
        """Return a thing if it is still there."""
        if (found := self._young.get(key)) is None and (found := self._old.get(key)) is not None:
            self.put(key, found)
        return found

    def put(self, key: K, thing: T) -> None:
        """Keep a thing."""
        self._young[key] = thing
        self._weight += self._weigh(thing)
        if self._weight > self._most:
            self._old, self._young, self._weight = self._young, {}, 0
