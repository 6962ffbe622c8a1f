"""Ctrl+C and SIGTERM, which close the window like its own close button."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSocketNotifier

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def on_signals(close: Callable[[], object]) -> Iterator[None]:
    """Call `close` in the window's thread when a signal asks the program to end."""
    # No Python code runs while Qt waits, so a handler alone would come too late. The byte that the interpreter writes
    # on a signal wakes up Qt.
    reader, writer = socket.socketpair()
    for end in (reader, writer):
        end.setblocking(False)
    wake_before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    before = {each: signal.signal(each, lambda *_: None) for each in _SIGNALS}
    notifier = QSocketNotifier(reader.fileno(), QSocketNotifier.Type.Read)

    def wake() -> None:
        if set(reader.recv(64)) & set(_SIGNALS):
            close()

    notifier.activated.connect(wake)
    try:
        yield
    finally:
        notifier.setEnabled(False)
        signal.set_wakeup_fd(wake_before)
        for each, handler in before.items():
            signal.signal(each, handler)
        reader.close()
        writer.close()
