"""The Qt application: made once, before any widget, with WebEngine told what it needs first."""

from __future__ import annotations

import os
import sys

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.desktop.icons import application_icon
from app.desktop.webengine import prepare_webengine
from engine.domain.errors import FencewrightError

PLATFORM = "QT_QPA_PLATFORM"
NAME = "fencewright"


def has_display() -> bool:
    """Whether a window could be seen here."""
    if sys.platform != "linux":
        return True
    platform = os.environ.get(PLATFORM)
    if platform:
        return platform.partition(":")[0] not in ("offscreen", "minimal")
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def check_display() -> None:
    """Raise `FencewrightError` where a window would open unseen; who names a platform has asked for that one."""
    if not has_display() and not os.environ.get(PLATFORM):
        raise FencewrightError("There is no display here; `fencewright serve` runs without one.")


def make_application() -> QApplication:
    """Return the application; without a display its windows are drawn in memory."""
    present = QApplication.instance()
    if isinstance(present, QApplication):
        return present
    if not has_display():
        os.environ[PLATFORM] = "offscreen"
    prepare_webengine()
    QGuiApplication.setDesktopFileName(NAME)
    application = QApplication([NAME])
    application.setApplicationName(NAME)
    application.setApplicationDisplayName("Fencewright")
    application.setWindowIcon(application_icon())
    # The window ends what it holds in the background after it is hidden, and says when that is done.
    application.setQuitOnLastWindowClosed(False)
    return application
