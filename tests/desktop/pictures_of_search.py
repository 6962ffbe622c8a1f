"""Pictures of the search: its results, their locations, and the text without results."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from app.desktop.model.search.results import Kind, SearchResult
from engine.domain.geometry import Point
from tests.desktop.pictures_of_areas import STATION, fill
from tests.desktop.studio import Studio

_RECENT = (
    SearchResult(
        kind=Kind.POSITION, title="60.16980, 24.93840", detail="Latitude, longitude", point=Point(24.9384, 60.1698)
    ),
    SearchResult(kind=Kind.LOCALITY, title="Vaduz", detail="Liechtenstein", point=Point(9.5215, 47.141)),
    SearchResult(
        kind=Kind.STREET, title="Mannerheimintie", detail="00100 Helsinki, Finland", point=Point(24.936, 60.17)
    ),
)


def search_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Yield the name of each picture when the window shows its subject."""
    window, search = studio.window, studio.window.search
    box = window.toolbar.search
    studio.open()
    studio.wait(lambda: bool(window.areas.areas.in_use), "the bundled area")
    assert window.model.session is not None
    fill(window.model.session.engine)
    studio.wait(lambda: len(window.model.fences) == 4, "the geofences")
    window.map.show_point(STATION.longitude, STATION.latitude, zoom=15)
    for found in _RECENT:
        search.remember(found)
    box.setFocus()
    search.open()
    yield "search-recent", None
    for name, text in (
        ("search", "kaisa"),
        ("search-fence", "depot"),
        ("search-coordinates", "60°10'19\"N 24°56'29\"E"),
        ("search-hint", "124.94, 60.17"),
        ("search-nothing", "zzzzqqqq"),
    ):
        _type(studio, text)
        yield name, None
    _type(studio, "mannerheimintie 4")
    box.entered.emit()
    studio.wait(lambda: window.search_result.found is not None, "what was found")
    yield "search-found", None
    window.map.context_requested.emit(STATION.longitude, STATION.latitude, QPoint(300, 260), None)
    studio.wait(window.search_result.menu.isVisible, "the menu")
    yield "search-menu", window.search_result.menu
    window.search_result.menu.close()
    window.map.show_point(STATION.longitude, STATION.latitude, zoom=16)
    window.search_result.ask_here(STATION)
    studio.wait(lambda: window.operations.under_way == 0, "the address")
    yield "search-here", None
    window.search_result.dismiss()
    box.clear()


def _type(studio: Studio, text: str) -> None:
    search = studio.window.search
    studio.window.toolbar.search.setText(text)
    search.open()
    studio.wait(lambda: search.answered, "the answer")
