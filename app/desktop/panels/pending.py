"""The bar below a form in Live with the pending changes and the buttons that apply or discard them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from app.desktop.language import tr
from app.desktop.model.editing.pending_words import Waiting
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.widgets import GRID, OneLine, button, restyle, tip_text
from engine.domain.geofence import GeofenceChange
from engine.domain.settings import SettingsChange

_NOTHING = tr("Live: changes wait here until you apply them.")


class PendingBar(QFrame):
    """A bar that describes the pending changes.

    The bar is visible throughout Live, so that no widget moves when a change becomes pending.
    """

    apply_requested = Signal()
    discard_requested = Signal()
    review_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("Pending")
        self.text = OneLine()
        self.apply = button(tr("Apply to Live"), self.apply_requested.emit, "live")
        self.discard = button(tr("Discard"), self.discard_requested.emit)
        self.review = button(tr("Review…"), self.review_requested.emit)
        self.review.setToolTip(tr("Show all pending changes"))
        in_column(
            self.text,
            in_row(self.apply, self.discard, STRETCH, self.review, spacing=GRID),
            of=self,
            margins=GRID,
            spacing=GRID,
        )

    def show_waiting(self, waiting: Waiting[GeofenceChange] | Waiting[SettingsChange]) -> None:
        """Show the pending changes of the record, or that there are none."""
        self.text.show_text(waiting.text or _NOTHING)
        self.text.setToolTip(tip_text("\n".join(waiting.details)))
        self.apply.setEnabled(waiting.ready)
        self.discard.setEnabled(waiting.ready)
        restyle(self, "state", "wrong" if waiting.wrong else "waiting" if waiting.text else "")
        restyle(self.text, "role", "error" if waiting.wrong else "" if waiting.text else "muted")
