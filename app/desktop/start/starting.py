"""Start of the window: the map's page loads in its own process while the window's modules are imported."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from threading import Thread
from typing import Final

from PySide6.QtCore import QEventLoop, QObject, Qt, Signal

from app.desktop.map import MapProfile, MapView
from app.desktop.signals import on_signals

WINDOW: Final = "app.desktop.window.main_window"


class _Loading(QObject):
    """Modules that are imported in a thread."""

    _ended = Signal()

    def __init__(self, modules: Iterable[str]) -> None:
        super().__init__()
        self._modules = tuple(modules)
        self._error: BaseException | None = None
        self._interrupted = False
        self._loop = QEventLoop()
        self._ended.connect(self._loop.quit, Qt.ConnectionType.QueuedConnection)

    def run(self) -> None:
        """Import the modules while Qt processes events.

        Raises any error of the imports, and `KeyboardInterrupt` after a signal to terminate.
        """
        thread = Thread(target=self._load, name="loading", daemon=True)
        thread.start()
        with on_signals(self._interrupt):
            self._loop.exec()
        if self._interrupted:
            raise KeyboardInterrupt
        thread.join()
        if self._error is not None:
            raise self._error

    def _interrupt(self) -> None:
        self._interrupted = True
        self._loop.quit()

    def _load(self) -> None:
        try:
            for module in self._modules:
                import_module(module)
        except BaseException as error:  # noqa: BLE001 - raised again where the window would be made
            self._error = error
        finally:
            self._ended.emit()


def begin_map(modules: Iterable[str] = (WINDOW,), *, profile: MapProfile | None = None) -> MapView:
    """Return a map whose page is loading, after the window's modules have been imported.

    The page takes as long to load as the modules, and requests its files from this thread in the meantime.
    """
    view = MapView(profile=profile)
    view.prepare_world()
    try:
        _Loading(modules).run()
    except BaseException:
        view.shutdown()
        raise
    return view
