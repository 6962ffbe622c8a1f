"""From any thread to the window's: at once when it is quiet, gathered while there is a flood."""

from threading import Lock

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

INTERVAL_MS = 100


class Relay(QObject):
    """Rings in the thread it lives in, at most once per interval, however often it is rung from wherever."""

    rung = Signal()
    _asked = Signal()

    def __init__(self, parent: QObject | None = None, interval_ms: int = INTERVAL_MS) -> None:
        super().__init__(parent)
        self._lock = Lock()
        self._pending = False
        self._interval_ms = interval_ms
        self._since = QElapsedTimer()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.deliver)
        self._asked.connect(self._schedule, Qt.ConnectionType.QueuedConnection)

    def ring(self) -> None:
        """Ask for `rung`; may be called from any thread."""
        with self._lock:
            if self._pending:
                return
            self._pending = True
        self._asked.emit()

    def deliver(self) -> None:
        """Ring now where it was asked for."""
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
