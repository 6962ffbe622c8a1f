"""The Qt application: made once, before any widget, with WebEngine told what it needs first."""

from __future__ import annotations

import os

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.desktop.collecting import GuiCollector
from app.desktop.icons import application_icon
from app.desktop.language.catalogue import translate_qt
from app.desktop.platforms import PLATFORM, has_display
from app.desktop.style import FUSION
from app.desktop.webengine import prepare_webengine

NAME = "fencewright"


def make_application() -> QApplication:
    """Return the application; without a display its windows are drawn in memory."""
    present = QApplication.instance()
    if isinstance(present, QApplication):
        return present
    if not has_display():
        os.environ.setdefault(PLATFORM, "offscreen")
    prepare_webengine()
    QGuiApplication.setDesktopFileName(NAME)
    application = QApplication([NAME])
    application.setApplicationName(NAME)
    application.setApplicationDisplayName("Fencewright")
    # Before there are widgets, each of which would be told.
    application.setStyle(FUSION)
    application.setWindowIcon(application_icon())
    translate_qt(application)
    # The window ends what it holds in the background after it is hidden, and says when that is done.
    application.setQuitOnLastWindowClosed(False)
    GuiCollector(application)
    return application
