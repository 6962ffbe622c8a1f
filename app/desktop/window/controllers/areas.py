"""Areas in the window: using, building, downloading and removing them, and showing their streets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.areas import AreasDialog
from app.desktop.dialogs.ask import ask
from app.desktop.dialogs.files import EXTRACTS, FileChooser
from app.desktop.language import tr
from app.desktop.map import MapArea, MapView
from app.desktop.model.areas import NO_AREAS, Areas, again_text, displaced_text, names_text
from app.desktop.model.words import error_text
from app.desktop.operations import Lane
from app.desktop.session import Session
from app.desktop.window.actions.actions import Actions
from app.desktop.window.message import MessageLine, Offer
from app.desktop.window.status import StatusLine
from app.desktop.workspace_model import WorkspaceModel
from engine.areas.library import AreaLibrary, is_due
from engine.domain.area import Area
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.ports import Cancelled, Progress

type _Make = Callable[..., Area]
"""A function that builds an area and takes `progress`."""


class AreaController(QObject):
    """Shows the areas in use on the map and performs the operations of the dialog."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        map_view: MapView,
        status: StatusLine,
        files: FileChooser,
        message: MessageLine,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._map, self._status = window, model, map_view, status
        self._files, self._message = files, message
        self._fresh = False
        self._renewed: Session | None = None
        self._reported: tuple[Area, ...] = ()
        self._offered = 0
        self.areas = NO_AREAS
        self._dialog: AreasDialog | None = None
        model.opened.connect(self._on_opened)
        model.areas_changed.connect(self.look)
        model.users_loaded.connect(lambda _: self._on_loaded())

    @property
    def dialog(self) -> AreasDialog:
        """The dialog, created on first use."""
        if self._dialog is None:
            dialog = self._dialog = AreasDialog(self._window)
            dialog.use_requested.connect(self.use)
            dialog.go_requested.connect(self.go_to)
            dialog.remove_requested.connect(self.ask_to_remove)
            dialog.choose_requested.connect(self.choose)
            dialog.build_requested.connect(self.build)
            dialog.add_requested.connect(self.add)
            dialog.show_areas(self.areas)
        return self._dialog

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.areas.triggered.connect(lambda: self.open())
        actions.build_area.triggered.connect(lambda: self._open_to_choose())

    def open(self) -> None:
        """Open the dialog and refresh the areas, since another process may have built one in the meantime."""
        if self._model.session is None:
            return
        library = self._model.session.engine.areas
        self._model.operations.read(library.refresh, lambda _: self.look(), self._model.report_error)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def go_to(self, area: Area) -> None:
        """Zoom to a whole area."""
        self._map.fit(area.bounds)

    # Display

    def look(self) -> None:
        """Show the current areas."""
        session = self._model.session
        if session is None:
            return
        library = session.engine.areas

        def done(areas: Areas) -> None:
            if session is self._model.session:
                self._show(areas)

        self._model.operations.read(
            lambda: Areas(library.list(), library.in_use(), library.stale(), library.displaced()),
            done,
            self._model.report_error,
        )

    def _show(self, areas: Areas) -> None:
        before, self.areas = self.areas, areas
        if self._reported and areas.displaced != self._reported:
            self._reported = ()
            self._message.withdraw(self._offered)
        self._report_displaced(tuple(area for area in areas.displaced if before.uses(area)))
        if self._dialog is not None:
            self._dialog.show_areas(areas)
        self._status.show_areas(areas.in_use)
        self._map.set_areas(
            [MapArea(area.name, area.bounds, area.basemap) for area in areas.in_use if area.basemap is not None]
        )

        if areas.stale and self._renewed is not self._model.session:
            self._renew(areas.stale)

    def _renew(self, stale: tuple[Area, ...]) -> None:
        """Rebuild areas of an old format, or wait for a running rebuild, with progress; once per opened workspace."""
        session = self._renewed = self._model.session
        assert session is not None
        names = names_text(stale)

        def done(_: tuple[Area, ...]) -> None:
            if session is self._model.session:
                self.look()
                self._report_renewed(names, stale)

        def failed(error: Exception) -> None:
            if session is not self._model.session:
                return
            self.look()
            if isinstance(error, Cancelled):
                message = tr("Cancelled; {area_names} has an old format and is not in use.", area_names=names)
                self._message.show_info(message, tr("Areas…"), self.open)
            else:
                self._message.complain(error_text(error), tr("Areas…"), self.open)

        self._model.operations.aside(
            Lane.BUILDING, tr("Rebuilding {area_names}", area_names=names), session.engine.areas.renew, done, failed
        )

    def _report_renewed(self, names: str, stale: tuple[Area, ...]) -> None:
        only = stale[0] if len(stale) == 1 else None
        if only is not None:
            self._message.show_info(
                tr("The area {area_name} is ready.", area_name=names), tr("Go to it"), lambda: self.go_to(only)
            )
        else:
            self._message.show_info(tr("The areas {area_names} are ready.", area_names=names))

    def _report_displaced(self, displaced: tuple[Area, ...]) -> None:
        """Report the areas displaced by an area built here or elsewhere, unless the last report was the same."""
        if displaced and displaced != self._reported:
            self._reported = displaced
            self._keep(displaced_text(displaced), displaced)

    def _keep(self, text: str, displaced: tuple[Area, ...], second: Offer | None = None) -> None:
        self._message.keep(text, (tr("Undo"), lambda: self._use_again(displaced)), second)
        self._offered = self._message.number

    def _use_again(self, displaced: tuple[Area, ...]) -> None:
        """Use areas again in addition to the ones that displaced them."""
        library, names = self._library(), [area.name for area in displaced]

        def done(_: tuple[Area, ...]) -> None:
            self.look()
            self._message.show_info(again_text(displaced))

        self._model.operations.read(
            lambda: library.use([*(area.name for area in library.in_use()), *names]), done, self._model.report_error
        )

    def _on_opened(self) -> None:
        self._fresh = True
        self._reported = ()
        self._renewed = None
        self._show(NO_AREAS)
        self.look()

    def stay(self) -> None:
        """Keep the restored map view, even if the workspace has no content to show."""
        self._fresh = False

    def _on_loaded(self) -> None:
        """Zoom to the newest area if a newly opened workspace has no other content."""
        fresh, self._fresh = self._fresh, False
        newest = self.areas.newest
        if fresh and newest is not None and self._nothing_to_show():
            self.go_to(newest)

    def _nothing_to_show(self) -> bool:
        model = self._model
        has_fences = model.fences.is_waiting or len(model.fences)
        return not (has_fences or len(model.users) or len(model.events) or model.simulation.track)

    # Use and removal

    def use(self, name: str, used: bool) -> None:
        """Start or stop using an area."""
        library, names = self._library(), self.areas.names_with(name, used=used)
        due = any(is_due(area) for area in self.areas.all if area.name in names)

        def failed(error: Exception) -> None:
            self._show_error("area", error)
            self.look()

        if due:
            # The area is measured or rebuilt first, which takes time.
            self._model.operations.aside(
                Lane.BUILDING,
                tr("Building {area_name}", area_name=name),
                partial(library.use, names),
                lambda _: self.look(),
                failed,
            )
        else:
            self._model.operations.read(lambda: library.use(names), lambda _: self.look(), failed)

    def ask_to_remove(self, area: Area) -> None:
        """Remove an area after a confirmation, as rebuilding it takes time and may need the network."""
        details = tr("Its streets and routing are deleted from this workspace. Geofences are not affected.")
        answer = (tr("Remove"), lambda: self.remove(area))
        ask(
            self.dialog,
            tr("Remove an area"),
            tr("Remove the area {area_name}?", area_name=area.name),
            [answer],
            details=details,
        )

    def remove(self, area: Area) -> None:
        """Remove an area."""
        library = self._library()
        done = tr("Removed the area {area_name}.", area_name=area.name)
        self._model.operations.read(
            lambda: library.remove(area.name),
            lambda _: self._message.show_info(done),
            lambda error: self._show_error("area", error),
        )

    # New areas

    def choose(self) -> None:
        """Let the user choose an extract, to be built under a name that is entered afterwards."""
        self._files.open_file(tr("Build an area"), EXTRACTS, self.dialog.show_file)

    def _open_to_choose(self) -> None:
        self.open()
        self.choose()

    def build(self, file: Path, name: str = "") -> None:
        """Build an area from an extract and use it."""
        if self._model.session is not None:
            self.dialog.show_file(file)
            make = partial(self._library().build, file, name or None)
            self._make(tr("Building an area from {file_name}", file_name=file.name), "file", make)

    def add(self, region: str) -> None:
        """Download a region, build an area from it and use it."""
        self._make(tr("Building {region}", region=region), "region", partial(self._library().add, region))

    def _make(self, text: str, param: str, make: _Make) -> None:
        session = self._model.session
        assert session is not None
        library = session.engine.areas

        def work(progress: Progress) -> tuple[Area, tuple[Area, ...]]:
            before = library.displaced()
            area = make(progress=progress)
            displaced = tuple(each for each in library.displaced() if each not in before)
            used = [each.name for each in library.in_use()]
            if area.name not in used:
                library.use([*used, area.name])
            return area, displaced

        def done(made: tuple[Area, tuple[Area, ...]]) -> None:
            self.dialog.show_busy("")
            self.dialog.forget_inputs()
            if session is self._model.session:
                self._report_built(*made)

        def failed(error: Exception) -> None:
            self.dialog.show_busy("")
            self._on_failed(param, error)

        self.dialog.show_error("", "")
        self.dialog.show_busy(text)
        self._model.operations.aside(Lane.BUILDING, text, work, done, failed)

    def _report_built(self, area: Area, displaced: tuple[Area, ...]) -> None:
        ready, go = tr("The area {area_name} is ready.", area_name=area.name), partial(self.go_to, area)
        if displaced:
            self._reported = displaced
            self._keep(f"{ready} {displaced_text(displaced)}", displaced, (tr("Go to it"), go))
        else:
            self._message.show_info(ready, tr("Go to it"), go)
        if self._nothing_to_show():
            self.go_to(area)

    def _on_failed(self, param: str, error: Exception) -> None:
        if isinstance(error, Cancelled):
            self._message.show_info(tr("Cancelled; no area was built."))
        else:
            self._show_error(param, error)

    def _show_error(self, param: str, error: Exception) -> None:
        """Show an error at the field that it names, otherwise at the field `param`."""
        named = error.param if isinstance(error, InvalidParameter | Conflict | NotFound) else ""
        self.open()
        self.dialog.show_error(named if named in self.dialog.fields else param, error_text(error))

    def _library(self) -> AreaLibrary:
        assert self._model.session is not None
        return self._model.session.engine.areas
