"""Export of a timeline: the visible part as a picture, or all fixes as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from app.desktop.dialogs.files import FileChooser
from app.desktop.language import tr
from app.desktop.model.timeline.timeline import Overlay, Timeline
from app.desktop.model.timeline.words import cut_texts, table_text
from app.desktop.model.words import error_text
from app.desktop.operations import Operations
from app.desktop.timeline.panel import EXPORTS, TimelinePanel
from app.desktop.window.message import MessageLine
from app.files import write_file
from engine.tracking.series.curves import Curve

type Content = tuple[Timeline, Overlay, Sequence[Curve]]


class TimelineExport:
    """Writes the displayed timeline with its overlay and visible curves to a file."""

    def __init__(
        self,
        panel: TimelinePanel,
        content: Callable[[], Content],
        files: FileChooser,
        operations: Operations,
        message: MessageLine,
    ) -> None:
        self._panel, self._content = panel, content
        self._files, self._operations, self._message = files, operations, message
        panel.export_requested.connect(self.choose_file)

    def choose_file(self, kind: str) -> None:
        """Ask the user for the file of the export."""
        timeline, _, _ = self._content()
        suggestion = f"timeline-{Path(timeline.name).stem or 'track'}.{kind.lower()}"
        self._files.save_file(
            tr("Export the timeline as {file_format}", file_format=kind),
            suggestion,
            EXPORTS[kind],
            lambda file: self.export(file, kind),
        )

    def export(self, file: Path, kind: str) -> None:
        """Write the visible part as a picture, or all fixes as a table."""
        timeline, overlay, curves = self._content()
        drawn = self._picture(timeline.name, kind) if kind != "CSV" else b""
        cut, _ = cut_texts(overlay.cuts)
        message = tr("Exported the timeline to {file_path}", file_path=file) + (
            f", {cut[:1].lower()}{cut[1:]}." if cut else "."
        )
        self._operations.preview(
            lambda: write_file(file, drawn or table_text(timeline, overlay, curves).encode(), owner_only=True),
            lambda _: self._message.show_info(message),
            lambda error: self._message.complain(error_text(error)),
        )

    def _picture(self, name: str, kind: str) -> bytes:
        from app.desktop.timeline.pictures import png_of, svg_of

        graph = self._panel.graph
        assert graph is not None
        return (svg_of if kind == "SVG" else png_of)(graph, name)
