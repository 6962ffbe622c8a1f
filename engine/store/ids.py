"""Identifiers: 24 hexadecimal digits that grow with time, as clients of this interface know them."""

from itertools import count
from secrets import randbits, token_hex

from engine.domain.ports import Clock


class IdMaker:
    """Makes unique identifiers: seconds, a random part for the process, a counter."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._process = token_hex(5)
        self._counter = count(randbits(20))

    def __call__(self) -> str:
        """Return the next identifier."""
        seconds = int(self._clock.now().timestamp()) & 0xFFFFFFFF
        return f"{seconds:08x}{self._process}{next(self._counter) & 0xFFFFFF:06x}"
