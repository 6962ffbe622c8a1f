"""Processing of a window's events for a while, together with the threads that work for it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, Qt, QTimer


def let_work(milliseconds: int) -> None:
    """Process events for some time, and delete objects whose deletion was deferred.

    `QTest.qWait` does so, too, but holds the interpreter lock while it sleeps. Other threads would run only for a
    moment between two such waits, so that opening a workspace would take ten times as long.
    """
    loop = QEventLoop()
    timer = QTimer(loop, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
    timer.timeout.connect(loop.quit)
    timer.start(milliseconds)
    loop.exec()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
