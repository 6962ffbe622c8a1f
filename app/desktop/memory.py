"""Settings of the window that persist between runs: geometry, panels, theme, recent workspaces and searches."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from PySide6.QtCore import QByteArray, QSettings

from app.desktop.language.catalogue import ENGLISH, KEPT, SYSTEM
from app.desktop.style import ThemeChoice
from app.endpoint import EndpointOptions
from app.settings import load_settings, remember_workspace

_WINDOW_FILE = "window.ini"
_SETTINGS_FILE = "settings.json"
_IMAGERY_FILE = "imagery.json"
_STATE_VERSION = 2
_CHOICES = ("light", "dark", "system")


class Memory:
    """Stores settings in a folder, or nothing without one (in tests and in the demo)."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._window = QSettings(str(folder / _WINDOW_FILE), QSettings.Format.IniFormat) if folder else None

    @property
    def remembers(self) -> bool:
        """Whether settings persist between runs."""
        return self._folder is not None

    def recent(self) -> tuple[Path, ...]:
        """Return the workspaces that were open, latest first."""
        return load_settings(self._folder / _SETTINGS_FILE).recent if self._folder else ()

    def remember_workspace(self, folder: Path) -> None:
        """Move a workspace to the top of the recent ones."""
        if self._folder is not None:
            remember_workspace(folder, self._folder / _SETTINGS_FILE)

    @property
    def theme(self) -> ThemeChoice:
        """The chosen theme."""
        found = self._window.value("theme", "system") if self._window else "light"
        return cast(ThemeChoice, found) if found in _CHOICES else "system"

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        if self._window is not None:
            self._window.setValue("theme", choice)

    @property
    def language(self) -> str:
        """The chosen language."""
        return str(self._window.value(KEPT, SYSTEM)) if self._window else ENGLISH

    @language.setter
    def language(self, choice: str) -> None:
        if self._window is not None:
            self._window.setValue(KEPT, choice)

    @property
    def online_tiles(self) -> bool:
        """Whether the online map was shown."""
        return self._window is not None and self._window.value("online-tiles", "false") == "true"

    @online_tiles.setter
    def online_tiles(self, on: bool) -> None:
        if self._window is not None:
            self._window.setValue("online-tiles", "true" if on else "false")

    @property
    def imagery_file(self) -> Path | None:
        """The file for the user's own imagery, or None if settings do not persist."""
        return self._folder / _IMAGERY_FILE if self._folder else None

    @property
    def fence_names(self) -> bool:
        """Whether the map shows the names of geofences."""
        return self._window is None or self._window.value("fence-names", "true") == "true"

    @fence_names.setter
    def fence_names(self, on: bool) -> None:
        if self._window is not None:
            self._window.setValue("fence-names", "true" if on else "false")

    @property
    def searches(self) -> str:
        """The recent searches, in their stored form."""
        return str(self._window.value("searches", "")) if self._window else ""

    @searches.setter
    def searches(self, text: str) -> None:
        if self._window is not None:
            self._window.setValue("searches", text)
            self._window.sync()

    @property
    def columns(self) -> str:
        """Mappings of the columns of imported files, in their stored form."""
        return str(self._window.value("import-columns", "")) if self._window else ""

    @columns.setter
    def columns(self, text: str) -> None:
        if self._window is not None:
            self._window.setValue("import-columns", text)
            self._window.sync()

    @property
    def table_columns(self) -> tuple[str, ...]:
        """Names of the columns in the table of geofences, or empty for the default ones."""
        return tuple(str(self._window.value("table-columns", "")).split("\n")) if self._window else ()

    @table_columns.setter
    def table_columns(self, names: Sequence[str]) -> None:
        if self._window is not None:
            # A key with a line break would lose its column, but such keys do not occur.
            self._window.setValue("table-columns", "\n".join(names))
            self._window.sync()

    @property
    def tour_seen(self) -> bool:
        """Whether the guided tour of the first start has begun before."""
        return self._window is None or self._window.value("tour-seen", "false") == "true"

    @tour_seen.setter
    def tour_seen(self, seen: bool) -> None:
        if self._window is not None:
            self._window.setValue("tour-seen", "true" if seen else "false")
            self._window.sync()

    @property
    def data_declined(self) -> bool:
        """Whether the user declined the download of the world data, which is not offered again."""
        return self._window is None or self._window.value("data-declined", "false") == "true"

    @data_declined.setter
    def data_declined(self, declined: bool) -> None:
        if self._window is not None:
            self._window.setValue("data-declined", "true" if declined else "false")
            self._window.sync()

    @property
    def snapping(self) -> bool:
        """Whether drawing snaps to nearby geofences."""
        return self._window is not None and self._window.value("snapping", "false") == "true"

    @snapping.setter
    def snapping(self, on: bool) -> None:
        if self._window is not None:
            self._window.setValue("snapping", "true" if on else "false")

    @property
    def road_snapping(self) -> bool:
        """Whether drawing also snaps to roads, if it snaps at all."""
        return self._window is not None and self._window.value("road-snapping", "false") == "true"

    @road_snapping.setter
    def road_snapping(self, on: bool) -> None:
        if self._window is not None:
            self._window.setValue("road-snapping", "true" if on else "false")

    @property
    def longitude_first(self) -> bool:
        """Whether coordinates are shown longitude first."""
        return self._window is not None and self._window.value("longitude-first", "false") == "true"

    @longitude_first.setter
    def longitude_first(self, on: bool) -> None:
        if self._window is not None:
            self._window.setValue("longitude-first", "true" if on else "false")

    @property
    def tls(self) -> bool:
        """Whether the endpoint speaks HTTPS."""
        return self._window is not None and self._window.value("endpoint-tls", "false") == "true"

    @property
    def allow_hosts(self) -> tuple[str, ...]:
        """The host names that the endpoint accepts in addition to the machine's own."""
        text = str(self._window.value("endpoint-hosts", "")) if self._window else ""
        return tuple(text.split())

    def remember_endpoint(self, options: EndpointOptions) -> None:
        """Store the endpoint's options except its host: opening it to a network must be chosen each time."""
        if self._window is not None:
            self._window.setValue("endpoint-tls", "true" if options.tls else "false")
            self._window.setValue("endpoint-hosts", " ".join(options.allow_hosts))
            self._window.sync()

    @property
    def layout(self) -> str:
        """The chosen layout, or "" if none was chosen. Panels saved before there were layouts are that for testing."""
        if self._window is None:
            return ""
        return str(self._window.value("layout", "test" if self.place() is not None else ""))

    @layout.setter
    def layout(self, name: str) -> None:
        if self._window is not None:
            self._window.setValue("layout", name)
            self._window.sync()

    def panels(self, layout: str) -> tuple[QByteArray, tuple[tuple[str, ...], ...]] | None:
        """Return the saved state of the panels in a layout, and the names of those that are collapsed, by group."""
        if self._window is None or self._window.value("version") != str(_STATE_VERSION):
            return None
        state = self._window.value(f"panels-{layout}")
        if state is None and layout == self.layout:
            state = self._window.value("panels")
        folded = str(self._window.value(f"folded-{layout}", "")).splitlines()
        return (state, tuple(tuple(group.split("\t")) for group in folded)) if isinstance(state, QByteArray) else None

    def save_panels(self, layout: str, state: QByteArray, folded: Sequence[Sequence[str]]) -> None:
        """Store the state of the panels in a layout, and the names of those that are collapsed, by group."""
        if self._window is not None:
            self._window.setValue(f"panels-{layout}", state)
            self._window.setValue(f"folded-{layout}", "\n".join("\t".join(group) for group in folded))

    def place(self) -> tuple[QByteArray, QByteArray] | None:
        """Return the saved geometry of the window and the state of its panels."""
        if self._window is None or self._window.value("version") != str(_STATE_VERSION):
            return None
        geometry, state = self._window.value("geometry"), self._window.value("panels")
        if isinstance(geometry, QByteArray) and isinstance(state, QByteArray):
            return geometry, state
        return None

    def save_place(self, geometry: QByteArray, state: QByteArray) -> None:
        """Store the window's geometry and the state of its panels."""
        if self._window is not None:
            self._window.setValue("version", str(_STATE_VERSION))
            self._window.setValue("geometry", geometry)
            self._window.setValue("panels", state)
            self._window.sync()
