"""A line on standard error for each request, written by a separate thread so that clients do not wait for it."""

import sys
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

from app.exchanges import Exchange, Requests, RequestSummary
from engine.domain.text import printable
from engine.domain.words import count

MAX_PATH: Final = 200
LEFT: Final = "client disconnected"
DROPPED: Final = "dropped"


class RequestLines:
    """Writes the lines while it is used as a context manager; the remaining lines are written at its end."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._news = Event()
        self._ending = False
        self._last = 0
        self._thread = Thread(target=self._write_all, name="fencewright-request-lines", daemon=True)

    def __enter__(self) -> Self:
        self._unsubscribe = self._requests.subscribe(self._news.set)
        self._thread.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._unsubscribe()
        self._ending = True
        self._news.set()
        self._thread.join()

    def _write_all(self) -> None:
        try:
            while not self._ending:
                self._news.wait()
                self._news.clear()
                self._write_news()
            self._write_news()
        except OSError:
            return  # the reader has closed the stream

    def _write_news(self) -> None:
        for exchange in self._requests.snapshot():
            if exchange.number > self._last:
                self._note_missed(exchange)
                self._last = exchange.number
                sys.stderr.write(f"{request_line(self._requests.summary(exchange))}\n")
        sys.stderr.flush()

    def _note_missed(self, exchange: Exchange) -> None:
        missed = exchange.number - self._last - 1
        if missed:
            sys.stderr.write(f"… {count(missed, 'more request')} …\n")


def request_line(summary: RequestSummary) -> str:
    """Return a request as a line: time, request, status, duration, faults, device, user, events and near misses."""
    at = summary.at.astimezone()
    path = summary.path if len(summary.path) <= MAX_PATH else f"{summary.path[:MAX_PATH]}…"
    status = str(summary.status) if summary.status else DROPPED if summary.faults else LEFT
    parts = [f"{at:%H:%M:%S}.{at.microsecond // 1000:03}", summary.method, path, status]
    parts.append(f"{summary.duration_s * 1000:.1f} ms")
    parts += ["live"] * bool(summary.live)
    parts += [f"[{', '.join(summary.faults)}]"] * bool(summary.faults)
    parts += filter(None, (summary.device_id, summary.user_id))
    parts += [event.type for event in summary.events]
    hints = "; ".join(each.message for each in summary.near_misses)
    return printable(f"{' '.join(parts)}  ! {hints}" if hints else " ".join(parts))
