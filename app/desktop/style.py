"""Appearance: one style sheet and two colour schemes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from string import Template
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import asdict
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QScrollBar

from app.desktop.map.values import Theme

FUSION: Final = "fusion"
"""The Qt style that the style sheet extends."""

type ThemeChoice = Literal["light", "dark", "system"]


class Colors(Struct, frozen=True):
    """The colours of a theme, as ``#rrggbb``.

    `border` and `strong_border` are for separators, `control` is for the edges of controls, and `live_strong` for such
    edges in Live. The last two have enough contrast to be distinguished from their surroundings by all users.
    """

    window: str
    panel: str
    raised: str
    border: str
    strong_border: str
    control: str
    text: str
    muted: str
    faint: str
    accent: str
    on_accent: str
    accent_soft: str
    hover: str
    danger: str
    danger_soft: str
    good: str
    test: str
    test_soft: str
    live: str
    live_strong: str
    live_soft: str
    on_live: str


LIGHT = Colors(
    window="#eef1f4",
    panel="#ffffff",
    raised="#f6f8fa",
    border="#dde3e8",
    strong_border="#c3ccd4",
    control="#7a8794",
    text="#1b2530",
    muted="#5d6b78",
    faint="#8a96a2",
    accent="#1a61d1",
    on_accent="#ffffff",
    accent_soft="#e3edfd",
    hover="#e9eef3",
    danger="#c42b1c",
    danger_soft="#fdecea",
    good="#167443",
    test="#7fa9e0",
    test_soft="#e3edfd",
    live="#e69f00",
    live_strong="#8a5a00",
    live_soft="#fff3d6",
    on_live="#3a2800",
)
DARK = Colors(
    window="#12171c",
    panel="#1a2027",
    raised="#20272f",
    border="#2b343d",
    strong_border="#3d4852",
    control="#727f8a",
    text="#e6ebf0",
    muted="#9aa7b3",
    faint="#75828e",
    accent="#62a0ff",
    on_accent="#0b1523",
    accent_soft="#1f3350",
    hover="#27303a",
    danger="#ff7b6b",
    danger_soft="#3b2222",
    good="#4cc38a",
    test="#35598a",
    test_soft="#1f3350",
    live="#e69f00",
    live_strong="#e69f00",
    live_soft="#3d3013",
    on_live="#2a1d00",
)
_THEMES: dict[Theme, Colors] = {"light": LIGHT, "dark": DARK}


def colors(theme: Theme) -> Colors:
    """Return the colours of a theme."""
    return _THEMES[theme]


def resolve(choice: ThemeChoice) -> Theme:
    """Return the theme for a choice. "system" follows the desktop."""
    if choice != "system":
        return choice
    return "dark" if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"


def apply_theme(application: QApplication, theme: Theme) -> None:
    """Apply a theme to the whole application, unless it is already in use.

    Applying it again would style every widget again.
    """
    before, sheet = application.styleSheet(), style_sheet(theme)
    if sheet == before:
        return
    if not before and application.style().name() != FUSION:
        application.setStyle(FUSION)
    with _scrolled_as_before(application):
        # When one style sheet replaces another, Qt styles a widget once for each sheet. Clearing it first takes a
        # quarter of the time.
        application.setStyleSheet("")
        application.setPalette(_palette(colors(theme)))
        application.setStyleSheet(sheet)


@contextmanager
def _scrolled_as_before(application: QApplication) -> Iterator[None]:
    """Restore the positions of scroll bars afterwards.

    Rows without a style are lower, so the ranges of scroll bars shrink in the meantime.
    """
    bars = [each for each in application.allWidgets() if isinstance(each, QScrollBar) and each.value() > each.minimum()]
    scrolled = [(bar, bar.maximum(), bar.value()) for bar in bars]
    yield
    for bar, maximum, value in scrolled:
        if bar.value() != value:
            bar.setMaximum(maximum)
            bar.setValue(value)


def style_sheet(theme: Theme) -> str:
    """Return the style sheet of a theme."""
    folder = files("resources") / "style"
    images = {f"{name}_image": str(folder / f"{name}-{theme}.svg") for name in ("check", "down", "left", "right", "up")}
    return _template().substitute(asdict(colors(theme)), **{k: v.replace("\\", "/") for k, v in images.items()})


@cache
def _template() -> Template:
    return Template((files("resources") / "style" / "app.qss").read_text("utf-8"))


def _palette(c: Colors) -> QPalette:
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: c.window,
        QPalette.ColorRole.WindowText: c.text,
        QPalette.ColorRole.Base: c.panel,
        QPalette.ColorRole.AlternateBase: c.raised,
        QPalette.ColorRole.Text: c.text,
        QPalette.ColorRole.PlaceholderText: c.muted,
        QPalette.ColorRole.Button: c.panel,
        QPalette.ColorRole.ButtonText: c.text,
        QPalette.ColorRole.ToolTipBase: c.text,
        QPalette.ColorRole.ToolTipText: c.panel,
        QPalette.ColorRole.Highlight: c.accent,
        QPalette.ColorRole.HighlightedText: c.on_accent,
        QPalette.ColorRole.Link: c.accent,
        QPalette.ColorRole.Light: c.raised,
        QPalette.ColorRole.Mid: c.border,
        QPalette.ColorRole.Dark: c.strong_border,
        QPalette.ColorRole.Shadow: c.strong_border,
    }
    for role, color in roles.items():
        palette.setColor(role, QColor(color))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(c.faint))
    return palette
