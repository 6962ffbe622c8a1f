"""The layout of the toolbar in the width of the window.

The search is always accessible; other parts are shortened for it if necessary.
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
    """The content of the toolbar: everything, the names of tools, icons only, or only actions without a key."""

    FULL = auto()
    NAMES = auto()
    ICONS = auto()
    SPARE = auto()


_NAME_LETTERS = {_Fit.FULL: 26, _Fit.NAMES: 12, _Fit.ICONS: 16, _Fit.SPARE: 12}
"""Maximum length of the workspace's name, in characters; it is shortened before the tools lose their names."""


class ToolbarLayout:
    """Shows the names of the tools and the full name of the workspace if the window is wide enough.

    In a narrower window the name of the workspace is shortened first. As a last step, tools that are also available by
    key and command make room for the search.
    """

    def __init__(self, toolbar: Toolbar, actions: Actions) -> None:
        self._toolbar = toolbar
        self._tools = actions.select, actions.circle, actions.polygon, actions.isochrone
        self._name = ""
        self._window_width = 0
        self._needed: tuple[int, ...] = ()
        # The toolbar's parts are notified of the change after the toolbar.
        toolbar.restyled.connect(self.measure, Qt.ConnectionType.QueuedConnection)

    def fit(self, window_width: int) -> None:
        """Show as much as fits in a window of this width."""
        self._window_width = window_width
        if not self._needed:
            self._needed = tuple(self._measure(fit) for fit in _Fit)
        fitting = (fit for fit, needed in zip(_Fit, self._needed, strict=True) if needed <= window_width)
        self._apply(next(fitting, _Fit.SPARE))

    def measure(self) -> None:
        """Measure and fit again after a change of the font or of the workspace's name."""
        self._needed = ()
        if self._window_width:
            self.fit(self._window_width)

    def show_workspace(self, name: str) -> None:
        """Show the name of the open workspace, shortened if necessary, and in full in the tooltip."""
        self._name = name
        self.measure()

    def _measure(self, fit: _Fit) -> int:
        self._apply(fit)
        return self._toolbar.sizeHint().width() + _FRAME

    def _apply(self, fit: _Fit) -> None:
        styles = Qt.ToolButtonStyle
        style = styles.ToolButtonTextBesideIcon if fit in (_Fit.FULL, _Fit.NAMES) else styles.ToolButtonIconOnly
        for made in (*map(self._toolbar.widgetForAction, self._tools), self._toolbar.layouts):
            if isinstance(made, QToolButton):
                made.setToolButtonStyle(style)
        self._toolbar.show_spare(shown=fit is not _Fit.SPARE)
        button = self._toolbar.workspace
        letters = button.fontMetrics()
        width = letters.averageCharWidth() * _NAME_LETTERS[fit]
        shown = letters.elidedText(self._name, Qt.TextElideMode.ElideMiddle, width)
        self._toolbar.show_workspace(shown)
        button.setToolTip(tip_text(self._name) if shown != self._name else "")
