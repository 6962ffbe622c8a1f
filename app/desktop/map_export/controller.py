"""Export of the map to a file and printing: a page draws the ground, a worker the rest.

The drawing modules are imported at the first export, to keep the start of the window fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QDialog, QWidget
from shiboken6 import isValid

from app.desktop.dialogs.files import FileChooser
from app.desktop.language import tr
from app.desktop.map import MapBeacon, MapEvent, MapView
from app.desktop.map.still import Ground, GroundCamera
from app.desktop.map.values import MapFence, Theme
from app.desktop.map_export.composing import Room, compose, view_at_ratio
from app.desktop.map_export.content import ShownDevice, Snapshot
from app.desktop.map_export.dialog import MapExportDialog
from app.desktop.map_export.preview import MapPreviewer
from app.desktop.map_export.writing import Format, layout_of, paint_page, pdf, written
from app.desktop.model.fences import BookedFence, made_of
from app.desktop.model.map_layers.fences import STATE_COLORS, state_of
from app.desktop.model.words import error_text, workspace_name
from app.desktop.operations import Task
from app.desktop.shapes import map_fence
from app.desktop.window.actions.actions import Actions
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from app.files import write_file
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled, Progress
from engine.domain.values import replace

if TYPE_CHECKING:
    from PySide6.QtGui import QPageLayout
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter

    from app.desktop.map_export.options import MapExportOptions
    from app.desktop.map_export.sheet import Sheet

_KINDS: Final = {"png": tr("PNG (*.png)"), "svg": tr("SVG (*.svg)"), "pdf": tr("PDF (*.pdf)")}
_VECTOR_SCALE: Final = 2
"""Resolution of the ground in formats in which the rest is drawn as vectors."""

_LOOK_EVERY_MS: Final = 50

type Finish = Callable[[Sheet, Progress], None]


class MarksOnMap(Protocol):
    """The contents of the map other than beacons and the track."""

    def fences_shown(self) -> list[BookedFence]:
        """Return the geofences that no layer hides."""
        ...

    def colors_by_state(self) -> bool:
        """Whether geofences have the colours of their states."""
        ...

    def events_shown(self) -> list[MapEvent]:
        """Return the marks of events."""
        ...

    def devices_shown(self) -> list[ShownDevice]:
        """Return the devices."""
        ...


class MapExportController(QObject):
    """Lets the user choose, then makes one sheet at a time. The window stays usable, and the work can be cancelled."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        map_view: MapView,
        marks: MarksOnMap,
        files: FileChooser,
        message: MessageLine,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._map, self._marks = window, model, map_view, marks
        self._files, self._message = files, message
        self._camera: GroundCamera | None = None
        self._task: Task | None = None
        self._not_done = ""
        self._theme: Theme = "light"
        self._watch = QTimer(self, interval=_LOOK_EVERY_MS)
        self._watch.timeout.connect(self._look)
        self.dialog: MapExportDialog | None = None
        self.print_dialog: QPrintDialog | None = None

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.export_map.triggered.connect(lambda: self.open())
        actions.print_map.triggered.connect(lambda: self.open(to_print=True))

    def set_theme(self, theme: Theme) -> None:
        """Set the theme that the dialog suggests."""
        self._theme = theme

    def open(self, *, to_print: bool = False) -> None:
        """Open the dialog to export the map, or to print it."""
        session = self._model.session
        if session is None:
            return
        if self._task is not None:
            self._message.complain(tr("A map is being exported. Wait until it is done, or cancel it."))
            return
        theme: Theme = "light" if to_print else self._theme
        title = f"{workspace_name(session.engine.workspace)} ({self._model.environment.capitalize()})"
        self.dialog = MapExportDialog(self._window, title, theme, to_print=to_print)
        self.dialog.chosen.connect(self._choose_printer if to_print else self._choose_file)
        self.dialog.open()
        MapPreviewer(self._model, self._map, self.dialog, self._snapshot(), self._date())

    def _choose_file(self, options: MapExportOptions) -> None:
        end = options.output.format
        name = "".join(each if each.isalnum() or each in " -_()" else "-" for each in options.title) or "map"
        self._files.save_file(
            tr("Export map"), f"{name}.{end}", _KINDS[end], lambda file: self.export(file, options), suffix=str(end)
        )

    def _choose_printer(self, options: MapExportOptions) -> None:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(options.title or "Map")
        dialog = self.print_dialog = QPrintDialog(printer, self._window)
        dialog.setWindowTitle(tr("Print map"))
        dialog.accepted.connect(lambda: self.print_on(printer, options))
        dialog.finished.connect(lambda _: dialog.deleteLater())
        # The class's own `open` expects a receiver by the name of a method.
        QDialog.open(dialog)

    # Work

    def export(self, file: Path, options: MapExportOptions) -> None:
        """Write the map to a file, in the format of its extension if that is a known one."""
        named = file.suffix.lower().removeprefix(".")
        if named in {str(each) for each in Format}:
            options = replace(options, output=replace(options.output, format=Format(named)))
        output = options.output
        scale = output.scale if output.format is Format.PNG else _VECTOR_SCALE

        def finish(sheet: Sheet, progress: Progress) -> None:
            # Restrict access to the file if it may hold positions of users.
            write_file(file, written(sheet, options.title, output, progress), owner_only=sheet.shows_users)

        message = tr("Exported the map to {file_path}.", file_path=file)
        is_paper = output.format is Format.PDF
        page = layout_of(output.paper, wide=self._map.width() > self._map.height()) if is_paper else None
        self._begin(
            tr("Exporting the map"),
            options,
            scale,
            finish,
            message,
            tr("{file_name} was not written.", file_name=file.name),
            page,
        )

    def print_on(self, printer: QPrinter, options: MapExportOptions) -> None:
        """Print the map; printing to a file writes it as an export does."""
        file = printer.outputFileName()

        def finish(sheet: Sheet, progress: Progress) -> None:
            if file:
                content = pdf(sheet, options.title, printer.pageLayout(), progress)
                write_file(Path(file), content, owner_only=sheet.shows_users)
            else:
                paint_page(sheet, printer, _aborting(printer, progress))

        message = (
            tr("Printed the map to {file_path}.", file_path=file)
            if file
            else tr("The map was sent to {printer_name}.", printer_name=printer.printerName())
        )
        page = printer.pageLayout()
        self._begin(tr("Printing the map"), options, _VECTOR_SCALE, finish, message, tr("Nothing was printed."), page)

    def stop(self) -> None:
        """Cancel the running export before the window closes."""
        self._watch.stop()
        if self.dialog is not None and isValid(self.dialog):
            self.dialog.reject()
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.stop()

    def _begin(
        self,
        text: str,
        options: MapExportOptions,
        scale: int,
        finish: Finish,
        message: str,
        not_done: str,
        page: QPageLayout | None,
    ) -> None:
        if self._task is not None:
            return
        room = Room.of(page) if page is not None and options.ratio is not None else None
        try:
            view = view_at_ratio(self._map.center(), options.ratio, room) if room and options.ratio else None
        except InvalidParameter as error:
            self._message.complain(error_text(error))
            return
        snapshot, profile = self._snapshot(), self._map.profile
        self._task = self._model.operations.begin(text)
        self._not_done = not_done

        def go_on(ground: Ground | None) -> None:
            self._camera = None
            self._watch.stop()
            if ground is None:
                self._end_waiting()
                self._message.complain(tr("The map could not be drawn. {consequence}", consequence=not_done))
                return
            self._draw(text, ground, snapshot, options, finish, message + self._missing_of(ground), room)

        self._camera = GroundCamera(self._map, profile, options.theme, scale, go_on, view)
        self._watch.start()

    def _missing_of(self, ground: Ground) -> str:
        trouble = self._map.imagery_trouble
        if ground.complete:
            return tr(" {imagery_error} It is missing in places.", imagery_error=trouble) if trouble else ""
        return tr(" Parts of the street map or of the imagery did not load in time and are missing.")

    def _look(self) -> None:
        """Cancel the picture of the ground if the user cancels the export."""
        if self._task is not None and self._task.cancelled:
            not_done = self._not_done
            self.stop()
            self._end_waiting()
            self._message.show_info(tr("The map was cancelled. {consequence}", consequence=not_done))

    def _end_waiting(self) -> None:
        task, self._task, self._not_done = self._task, None, ""
        if task is not None:
            self._model.operations.end(task)

    def _draw(
        self,
        text: str,
        ground: Ground,
        snapshot: Snapshot,
        options: MapExportOptions,
        finish: Finish,
        message: str,
        room: Room | None,
    ) -> None:
        date = self._date()

        def work(progress: Progress) -> None:
            finish(compose(ground, snapshot, options, date, room, progress), progress)

        waiting, not_done, self._not_done = self._task, self._not_done, ""

        def done(_: None) -> None:
            self._task = None
            self._message.show_info(message)

        def failed(error: Exception) -> None:
            self._task = None
            if isinstance(error, Cancelled):
                self._message.show_info(tr("The map was cancelled. {consequence}", consequence=not_done))
            else:
                self._message.complain(error_text(error))

        self._task = self._model.operations.long(text, work, done, failed)
        if waiting is not None:
            cancelled = waiting.cancelled
            self._model.operations.end(waiting)
            if cancelled:
                self._task.cancel()

    def _date(self) -> str:
        now = self._model.now()
        return tr("{day} {date:%B %Y}", day=now.day, date=now)

    def _snapshot(self) -> Snapshot:
        """Return the displayed contents of the map; slow steps are left to the worker."""
        model, hidden = self._model, self._map.hidden_layers
        stored = [] if "fences" in hidden else self._marks.fences_shown()
        colors = {tag: model.fences.color(tag) for tag in model.fences.tags()}
        closed, locks, by_state = model.openings.is_closed, model.fences.locks.is_locked, self._marks.colors_by_state()

        def fences() -> Iterator[tuple[str, MapFence]]:
            for fence in map(made_of, stored):
                state = state_of(fence, model.now, closed=closed(fence.id))
                color = STATE_COLORS[state] if by_state else colors[fence.tag]
                is_locked = locks(fence.id)
                yield fence.tag, map_fence(fence, color, closed=closed(fence.id), locked=is_locked, state=state)

        fixes = () if "track" in hidden or model.simulation.track is None else model.simulation.fixes
        beacons = () if "beacons" in hidden else model.beacons.all()
        return Snapshot(
            len(stored),
            fences,
            colors,
            [(fix.point.longitude, fix.point.latitude) for fix in fixes],
            [] if "events" in hidden else self._marks.events_shown(),
            [MapBeacon(each.id, each.point.longitude, each.point.latitude, "", each.enabled) for each in beacons],
            self._marks.devices_shown(),
            self._map.way,
            by_state,
            self._map.has_heat,
        )


def _aborting(printer: QPrinter, progress: Progress) -> Progress:
    """Return a progress callback that also aborts the print job on cancellation."""

    def report(done: int, total: int) -> None:
        try:
            progress(done, total)
        except Cancelled:
            printer.abort()
            raise

    return report
