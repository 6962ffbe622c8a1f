"""The user's own imagery: choosing and editing it, and showing it on the map after a confirmation.

Imagery is stored with the user's settings and not with a workspace, because workspaces are copied and shared. Each user
decides whether a server may see the places they view, and the keys in URLs are private.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.ask import ask, while_open
from app.desktop.dialogs.map_layers.imagery import ImageryDialog
from app.desktop.dialogs.map_layers.wms_layers import WmsLayersDialog
from app.desktop.language import tr
from app.desktop.map import ImageryChoice, MapImagery, MapView
from app.desktop.memory import Memory
from app.desktop.model.imagery.book import ImageryBook, read_imagery, write_imagery
from app.desktop.model.imagery.capabilities import WmsLayer
from app.desktop.model.imagery.server import ImageryServer, ask_layers
from app.desktop.model.imagery.sources import (
    TILE_SIZES,
    ImagerySource,
    Kind,
    check_server,
    host_of,
    is_encrypted,
    secrets_of,
)
from app.desktop.model.words import error_text
from app.desktop.operations import Lane
from app.desktop.window.actions.actions import Actions
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled, Progress
from engine.domain.values import replace

_OPEN_TO_ALL: Final = tr(" The connection is not encrypted: others on the network can see the requests, too.")


class ImageryController(QObject):
    """Performs the user's choices in the dialog and in the list of layers on the map."""

    def __init__(
        self, window: QWidget, model: WorkspaceModel, map_view: MapView, memory: Memory, message: MessageLine
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._map, self._message = window, model, map_view, message
        self._file = memory.imagery_file
        self._servers: dict[str, ImageryServer] = {}
        self.book = ImageryBook()
        self.dialog: ImageryDialog | None = None
        self.layers: WmsLayersDialog | None = None
        map_view.imagery_requested.connect(self.show_source)
        map_view.imagery_list_requested.connect(self.open)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action and show the layers that were visible last."""
        actions.imagery.triggered.connect(lambda: self.open())
        if self._file is not None:
            self.book, problem = read_imagery(self._file)
            if problem:
                self._message.complain(problem)
            self._show()

    @property
    def secrets(self) -> tuple[str, ...]:
        """Parts of the URLs that must not be disclosed."""
        return tuple(secret for source in self.book.sources for secret in secrets_of(source))

    def open(self) -> None:
        """Show the dialog."""
        if self.dialog is None:
            self.dialog = dialog = ImageryDialog(self._window)
            dialog.save_requested.connect(self._save)
            dialog.shown_requested.connect(self.show_source)
            dialog.opacity_chosen.connect(self._set_opacity)
            dialog.move_requested.connect(lambda source_id, by: self._change(self.book.moved(source_id, by)))
            dialog.removal_requested.connect(lambda source_id: self._change(self.book.without(source_id)))
            dialog.layers_requested.connect(self._choose_layers)
        self.dialog.show_book(self.book)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def show_source(self, source_id: str, shown: bool) -> None:
        """Show a source on the map or hide it.

        Before the first request to its server, the user is asked for consent.
        """
        source = self.book.get(source_id)
        if source is None:
            return
        if shown and not self.book.may_ask(source):
            self._show()
            self._ask_consent(source)
            return
        self._change(self.book.with_shown(source_id, shown=shown))

    def stop(self) -> None:
        """Stop all requests to servers because the window closes."""
        self._map.set_imagery((), ())
        servers, self._servers = self._servers, {}
        for server in servers.values():
            server.close()

    # Changes

    def _save(self, source: ImagerySource) -> None:
        assert self.dialog is not None
        try:
            book = self.book.with_source(source)
        except InvalidParameter as error:
            self.dialog.show_error(error.param, error.message.removeprefix(f"{error.param}: "))
            return
        self._change(book)
        kept = book.get(source.id)
        if source.shown and kept is not None and not kept.shown:
            self._ask_consent(kept)

    def _set_opacity(self, source_id: str, opacity: float) -> None:
        source = self.book.get(source_id)
        if source is not None:
            self._change(self.book.with_source(replace(source, opacity=opacity)))

    def _ask_consent(self, source: ImagerySource) -> None:
        host = host_of(source)
        details = tr(
            "Fencewright will ask {host} for the imagery of each region that you look at on the map, "
            "now and when you start it again. The server sees which region that is and the IP "
            "address of this computer.",
            host=host,
        )
        text = tr("Show imagery from {host}?", host=host)
        details += "" if is_encrypted(source) else _OPEN_TO_ALL
        ask(self._parent(), tr("Show imagery"), text, [(tr("Show"), lambda: self._agree(source))], details=details)

    def _agree(self, source: ImagerySource) -> None:
        # The consent is only for this source, which may have been changed or removed in the meantime.
        if self.book.get(source.id) == source:
            self._change(self.book.with_agreement(source).with_shown(source.id, shown=True))

    def _parent(self) -> QWidget:
        return self.dialog if self.dialog is not None and self.dialog.isVisible() else self._window

    def _change(self, book: ImageryBook) -> None:
        self.book = book
        self._show()
        file = self._file
        if file is not None:
            self._model.operations.change(lambda: write_imagery(file, book), lambda _: None, self._on_not_kept)

    def _on_not_kept(self, error: Exception) -> None:
        self._message.complain(tr("The imagery could not be saved. {error}", error=error_text(error)))

    def _show(self) -> None:
        shown = self.book.shown()
        former = self._servers
        self._servers = {source.id: _server_for(source, former.get(source.id)) for source in shown}
        self._map.set_imagery(
            [
                MapImagery(
                    each.attribution,
                    each.min_zoom,
                    each.max_zoom,
                    each.opacity,
                    self._servers[each.id],
                    each.tile_size if each.kind is Kind.XYZ else TILE_SIZES[0],
                )
                for each in shown
            ],
            [ImageryChoice(each.id, each.name, each in shown) for each in self.book.sources],
        )
        for source_id, server in former.items():
            if self._servers.get(source_id) is not server:
                server.close()
        if self.dialog is not None:
            self.dialog.show_book(self.book)

    # WMS layers

    def _choose_layers(self, source: ImagerySource) -> None:
        assert self.dialog is not None
        dialog = self.dialog
        try:
            check_server(source.url)
        except InvalidParameter as error:
            dialog.show_error(error.param, error.message.removeprefix(f"{error.param}: "))
            return
        dialog.show_error("", "")
        if self.book.may_ask(source):
            self._ask_layers(source)
            return
        host = host_of(source)
        details = tr(
            "The server sees the IP address of this computer.{encryption_note}",
            encryption_note="" if is_encrypted(source) else _OPEN_TO_ALL,
        )
        text = tr("Ask {host} for its layers?", host=host)
        ask(dialog, tr("Choose layers"), text, [(tr("Ask"), lambda: self._ask_layers(source))], details=details)

    def _ask_layers(self, source: ImagerySource) -> None:
        assert self.dialog is not None
        dialog = self.dialog

        def work(progress: Progress) -> tuple[WmsLayer, ...]:
            progress(0, 0)
            return ask_layers(source.url, source.version)

        def done(layers: tuple[WmsLayer, ...]) -> None:
            self.layers = chooser = WmsLayersDialog(dialog, layers, source.layers.split(","))
            chooser.chosen.connect(dialog.form.take_layers)
            chooser.open()

        def failed(error: Exception) -> None:
            if not isinstance(error, Cancelled):
                dialog.show_error("layers", error_text(error))

        self._model.operations.aside(
            Lane.CHECKING,
            tr("Asking {host} for its layers", host=host_of(source)),
            work,
            while_open(dialog, done),
            while_open(dialog, failed),
        )


def _server_for(source: ImagerySource, former: ImageryServer | None) -> ImageryServer:
    """Return the server of a source, reusing the former one if its requests would be the same."""
    return (
        former if former is not None and _request_key(former.source) == _request_key(source) else ImageryServer(source)
    )


def _request_key(source: ImagerySource) -> tuple[Kind, str, str, str, str, bool]:
    return source.kind, source.url, source.layers, source.version, source.image_format, source.transparent
