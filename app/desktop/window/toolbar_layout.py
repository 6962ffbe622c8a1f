"""The toolbar in the room that the window has for it.

The search is always at hand, whatever else is shortened for it.
"""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from app.desktop.panels.widgets import tip_text
from app.desktop.window.actions.actions import Actions
from app.desktop.window.toolbar import Toolbar

_FRAME = 6


class _Fit(Enum):
    """How much of the toolbar has room: all of it, the names of tools, icons alone, only what has no key."""

    FULL = auto()
    NAMES = auto()
    ICONS = auto()
    SPARE = auto()


_NAME_LETTERS = {_Fit.FULL: 26, _Fit.NAMES: 12, _Fit.ICONS: 16, _Fit.SPARE: 12}
"""How long the name of a workspace may be: it is shortened before the tools lose theirs."""


class ToolbarLayout:
    """Names the tools, and the workspace in full, where the window is wide enough for that.

    Where it is narrower, first the workspace's name is shortened; at last what has a key and a command leaves its place
    to the search.
    """

    def __init__(self, toolbar: Toolbar, actions: Actions) -> None:
        self._toolbar = toolbar
        self._tools = actions.select, actions.circle, actions.polygon, actions.isochrone
        self._name = ""
        self._window_width = 0
        self._needed: tuple[int, ...] = ()
        # Its parts are told after it is.
        toolbar.restyled.connect(self.measure, Qt.ConnectionType.QueuedConnection)

    def fit(self, window_width: int) -> None:
        """Show as much as a window of this width has room for."""
        self._window_width = window_width
        if not self._needed:
            self._needed = tuple(self._measure(fit) for fit in _Fit)
        fitting = (fit for fit, needed in zip(_Fit, self._needed, strict=True) if needed <= window_width)
        self._apply(next(fitting, _Fit.SPARE))

    def measure(self) -> None:
        """Fit again: letters have another size, or the workspace another name."""
        self._needed = ()
        if self._window_width:
            self.fit(self._window_width)

    def show_workspace(self, name: str) -> None:
        """Name the open workspace; a long name is shortened, and in the tip in full."""
        self._name = name
        self.measure()

    def _measure(self, fit: _Fit) -> int:
        self._apply(fit)
        return self._toolbar.sizeHint().width() + _FRAME

    def _apply(self, fit: _Fit) -> None:
        styles = Qt.ToolButtonStyle
        style = styles.ToolButtonTextBesideIcon if fit in (_Fit.FULL, _Fit.NAMES) else styles.ToolButtonIconOnly
        for made in (*map(self._toolbar.widgetForAction, self._tools), self._toolbar.view):
            if isinstance(made, QToolButton):
                made.setToolButtonStyle(style)
        self._toolbar.show_spare(shown=fit is not _Fit.SPARE)
        button = self._toolbar.workspace
        letters = button.fontMetrics()
        width = letters.averageCharWidth() * _NAME_LETTERS[fit]
        shown = letters.elidedText(self._name, Qt.TextElideMode.ElideMiddle, width)
        self._toolbar.show_workspace(shown)
        button.setToolTip(tip_text(self._name) if shown != self._name else "")
