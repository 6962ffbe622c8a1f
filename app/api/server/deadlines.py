"""How long a client may keep its connection waiting: for a request, for its body, for an answer to be read."""

from typing import Final

from app.api.http.limits import BODY_DEADLINE_S, HEAD_DEADLINE_S, KEEP_ALIVE_S, LINGER_S, PROGRESS, PROGRESS_EVERY_S

LATE_BODY: Final = (
    f"The request's body did not arrive in time: it takes at least {PROGRESS} bytes every {PROGRESS_EVERY_S:g} "
    f"seconds, and all of it within {BODY_DEADLINE_S:g}."
)

UNUSED_S: Final = 0.25
"""So long after a connection was opened the request arrives that it was opened for; browsers open some for none."""


def late_head(*, begun: bool) -> str:
    """Return what a client is told whose request did not arrive in time."""
    return f"{"The request's head" if begun else 'A request'} did not arrive within {HEAD_DEADLINE_S:g} seconds."


class Patience:
    """Since when a connection waits for its client to send, by the loop's time."""

    __slots__ = ("_body_since", "_progress", "since")

    def __init__(self, now: float) -> None:
        self.since: float | None = now
        """None while it does not wait: it is answering a request."""
        self._body_since = 0.0
        self._progress = 0

    def begin(self, now: float) -> None:
        """Wait from now on."""
        self.since = now

    def begin_body(self, now: float) -> None:
        """Wait for a body from now on."""
        self.since = self._body_since = now
        self._progress = 0

    def end(self) -> None:
        """Wait no more: it is the client that waits."""
        self.since = None

    def note_progress(self, size: int, now: float) -> None:
        """Count bytes of a body; enough of them grant time for the next."""
        self._progress += size
        if self._progress >= PROGRESS:
            self._progress = 0
            self.since = now

    def lingers_too_long(self, now: float) -> bool:
        """Whether a refused client has not closed its side in time."""
        return self._waited_s(now) > LINGER_S

    def is_idle(self, now: float) -> bool:
        """Whether no further request has begun for so long that the connection may go."""
        return self._waited_s(now) > KEEP_ALIVE_S

    def head_is_late(self, now: float) -> bool:
        """Whether a request's head has not arrived in time."""
        return self._waited_s(now) > HEAD_DEADLINE_S

    def body_is_late(self, now: float) -> bool:
        """Whether a body comes too slowly, or has not arrived in time."""
        return self._waited_s(now) > PROGRESS_EVERY_S or now - self._body_since > BODY_DEADLINE_S

    def _waited_s(self, now: float) -> float:
        return 0.0 if self.since is None else now - self.since


class Unread:
    """What of the answers a client has not taken yet."""

    __slots__ = ("_size", "since")

    def __init__(self) -> None:
        self._size = 0
        self.since: float | None = None
        """Since when it has taken too little, by the loop's time; None where all is taken."""

    def is_stuck(self, size: int, now: float) -> bool:
        """Note how much is unread now; return whether the client has not taken enough of it for too long."""
        if not size:
            self._size, self.since = 0, None
        elif self.since is None or size <= self._size - PROGRESS:
            self._size, self.since = size, now
        else:
            self._size = max(size, self._size)
            return now - self.since > PROGRESS_EVERY_S
        return False
