"""Letting a window work for a while, together with the threads that work for it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, Qt, QTimer


def let_work(milliseconds: int) -> None:
    """Handle events for some time, and delete what is to be deleted later.

    `QTest.qWait` does so, too, but holds Python's lock while it sleeps: a thread would go on for a moment between two
    such waits, which makes opening a workspace take ten times as long.
    """
    loop = QEventLoop()
    timer = QTimer(loop, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
    timer.timeout.connect(loop.quit)
    timer.start(milliseconds)
    loop.exec()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
