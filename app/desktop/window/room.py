"""The toolbar in the room that there is: the search is always at hand, whatever else is shortened for it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from app.desktop.window.actions import Actions
from app.desktop.window.toolbar import Toolbar

SMALLEST = 960, 600
"""The smallest window in which everything has its place."""

_ROOMY = 1240
_NAME_WIDTHS = {False: 120, True: 200}


class ToolRoom:
    """Names the tools, and the workspace in full, where the window is wide enough for that."""

    def __init__(self, toolbar: Toolbar, actions: Actions) -> None:
        self._toolbar = toolbar
        self._tools = actions.select, actions.circle, actions.polygon, actions.isochrone
        self._name = ""
        self._roomy = True

    def fit(self, window_width: int) -> None:
        """Show as much as a window of this width has room for."""
        self._roomy = window_width >= _ROOMY
        styles = Qt.ToolButtonStyle
        style = styles.ToolButtonTextBesideIcon if self._roomy else styles.ToolButtonIconOnly
        for made in (*map(self._toolbar.widgetForAction, self._tools), self._toolbar.view):
            if isinstance(made, QToolButton):
                made.setToolButtonStyle(style)
        self.show_workspace(self._name)

    def show_workspace(self, name: str) -> None:
        """Name the open workspace; a long name is shortened, and in the tip in full."""
        self._name, button = name, self._toolbar.workspace
        width = _NAME_WIDTHS[self._roomy]
        shown = button.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, width)
        self._toolbar.show_workspace(shown)
        button.setToolTip(name if shown != name else "")
