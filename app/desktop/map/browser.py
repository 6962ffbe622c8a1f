"""The browser widget of the map: no keys of its own, no navigation, and a filtered console log."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QChildEvent, QEvent, QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeyEvent
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineSettings
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QWidget

from app.desktop.map.profile import MapProfile
from app.desktop.map.scheme import PAGE_URL

_log = logging.getLogger(__name__)
_ATTENDED = (QEvent.Type.FocusIn, QEvent.Type.FocusOut, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease)
_Level = QWebEnginePage.JavaScriptConsoleMessageLevel


class MapPage(QWebEnginePage):
    """Shows our page and nothing else; links of the attribution open in the user's own browser."""

    def __init__(self, profile: MapProfile, parent: QObject) -> None:
        super().__init__(profile, parent)
        settings = self.settings()
        for attribute in (
            QWebEngineSettings.WebAttribute.JavascriptCanOpenWindows,
            QWebEngineSettings.WebAttribute.LocalStorageEnabled,
            QWebEngineSettings.WebAttribute.PluginsEnabled,
            QWebEngineSettings.WebAttribute.ErrorPageEnabled,
        ):
            settings.setAttribute(attribute, False)

    def acceptNavigationRequest(  # noqa: N802 (Qt's name)
        self, address: QUrl | str, kind: QWebEnginePage.NavigationType, _main_frame: bool
    ) -> bool:
        """Stay on our page."""
        target = QUrl(address)
        if target == PAGE_URL:
            return True
        clicked = kind == QWebEnginePage.NavigationType.NavigationTypeLinkClicked
        if clicked and target.scheme() == "https":
            QDesktopServices.openUrl(target)
        return False

    def javaScriptConsoleMessage(  # noqa: N802 (Qt's name)
        self, level: QWebEnginePage.JavaScriptConsoleMessageLevel, message: str, line: int, source: str
    ) -> None:
        """Log errors of our own code as errors, but not Chromium's messages about a missing network."""
        ours = source.startswith(PAGE_URL.toString()) and not message.startswith("Failed to load resource")
        severity = logging.ERROR if ours and level == _Level.ErrorMessageLevel else logging.DEBUG
        _log.log(severity, "map page: %s (%s:%d)", message, source, line)


class MapBrowser(QWebEngineView):
    """A web view that leaves the keyboard to the window.

    Chromium's own widget swallows keys before the window's shortcuts see them. A filter on it offers every key to
    `handles` and passes the others on, so that they arrive at the window as if the map were an ordinary widget.
    `attend` receives changes of the keyboard focus, and presses and releases of mouse buttons.
    """

    def __init__(
        self, handles: Callable[[QKeyEvent, bool], bool], attend: Callable[[QEvent], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._handles, self._attend = handles, attend
        # The page handles the right button, which removes a vertex.
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)

    def childEvent(self, event: QChildEvent) -> None:  # noqa: N802 (Qt's name)
        """Filter each new widget, since Chromium replaces its widget when a page is loaded."""
        if event.type() == QEvent.Type.ChildPolished and isinstance(event.child(), QWidget):
            event.child().installEventFilter(self)
        super().childEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Handle keys and leave everything else to the page."""
        if not isinstance(event, QKeyEvent):
            if event.type() in _ATTENDED:
                self._attend(event)
            return super().eventFilter(watched, event)
        override = event.type() == QEvent.Type.ShortcutOverride
        pressed = event.type() == QEvent.Type.KeyPress
        if (override or pressed) and self._handles(event, pressed):
            event.accept()
        else:
            event.ignore()
        return True
