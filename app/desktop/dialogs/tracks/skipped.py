"""The parts of a track file that were left out."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QWidget

from app.desktop.language import tr, translated
from app.desktop.model.words import capital
from app.desktop.panels.layouts import in_dialog
from app.desktop.panels.widgets import label
from engine.domain.tracking.tracks import Track


def skipped_text(track: Track) -> str:
    """Return a line about the skipped parts of a track."""
    first, rest = translated(track.skipped[0]), len(track.skipped) - 1
    more = tr(" And {more:,} more.", more=rest) if rest else ""
    return tr(
        "{track_name} was not read in full. {first_reason}{more_reasons}",
        track_name=track.name,
        first_reason=capital(first),
        more_reasons=more,
    )


class SkippedDialog(QDialog):
    """Lists the skipped parts, which can be read and copied."""

    def __init__(self, parent: QWidget, track: Track) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Left out of {track_name}", track_name=track.name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(560, 320)
        self.lines = QPlainTextEdit("\n".join(map(translated, track.skipped)))
        self.lines.setAccessibleName(tr("What was left out"))
        self.lines.setReadOnly(True)
        layout = in_dialog(
            self, label(tr("Parts that could not be read, or do not belong to the track."), wrap=True), (self.lines, 1)
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
