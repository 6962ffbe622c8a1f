"""Notifications from any thread to the window's thread, immediate when rare and collected when frequent."""

from threading import Lock

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

INTERVAL_MS = 100


class Relay(QObject):
    """Emits `rung` in its own thread at most once per interval, regardless of the number of calls."""

    rung = Signal()
    _requested = Signal()

    def __init__(self, parent: QObject | None = None, interval_ms: int = INTERVAL_MS) -> None:
        super().__init__(parent)
        self._lock = Lock()
        self._pending = False
        self._interval_ms = interval_ms
        self._since = QElapsedTimer()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.deliver)
        self._requested.connect(self._schedule, Qt.ConnectionType.QueuedConnection)

    def ring(self) -> None:
        """Request `rung`. This method may be called from any thread."""
        with self._lock:
            if self._pending:
                return
            self._pending = True
        self._requested.emit()

    def deliver(self) -> None:
        """Emit `rung` immediately if it was requested."""
        with self._lock:
            pending, self._pending = self._pending, False
        self._timer.stop()
        if pending:
            self._since.start()
            self.rung.emit()

    def _schedule(self) -> None:
        waited = self._since.elapsed() if self._since.isValid() else self._interval_ms
        if waited >= self._interval_ms:
            self.deliver()
        elif not self._timer.isActive():
            self._timer.start(int(self._interval_ms - waited))
