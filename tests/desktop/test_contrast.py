"""Contrast required by WCAG AA, as read from the style sheet, the palette, the icons and the map's CSS."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import asdict
from PySide6.QtGui import QPalette

from app.desktop.model.map_layers.fences import STATE_COLORS, FenceState
from app.desktop.style import DARK, LIGHT, _palette, colors

ROOT: Final = Path(__file__).parents[2]
TEXT: Final = 4.5
GRAPHICS: Final = 3.0
THEMES: Final = {"light": asdict(LIGHT), "dark": asdict(DARK)}
GROUNDS: Final = ("panel", "window", "raised")
"""Backgrounds of text that has none of its own."""

CONTROLS: Final = re.compile(
    r"(QLineEdit|QDoubleSpinBox|QSpinBox|QComboBox|QDateTimeEdit|QPlainTextEdit|QPushButton|QCheckBox|QRadioButton|"
    r"::indicator|::handle:horizontal)(\[[^]]*\])?(:\w+|::\w+)*$"
)
INNER: Final = re.compile(
    r"^(QTableView|QAbstractSpinBox|QToolBar|QStatusBar|#\w+) |::(drop-down|down-arrow)|QScrollBar"
)
"""Selectors of parts of other controls, and of controls that look like text until the mouse is over them."""


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(one: str, other: str) -> float:
    lower, higher = sorted((luminance(one), luminance(other)))
    return (higher + 0.05) / (lower + 0.05)


def rules(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each selector of a style sheet with its declarations."""
    bare = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", bare):
        declared = dict(re.findall(r"([\w-]+)\s*:\s*([^;]+);?", body))
        for selector in selectors.split(","):
            yield " ".join(selector.split()), declared


def token(value: str | None) -> str | None:
    """Return the name of the colour in a declaration."""
    found = re.search(r"\$(\w+)", value or "")
    return None if found is None or found[1].endswith("_image") else found[1]


def styles() -> list[tuple[str, dict[str, str]]]:
    text = (ROOT / "resources/style/app.qss").read_text(encoding="utf-8")
    # Disabled controls are excluded, as in WCAG.
    found = [(selector, declared) for selector, declared in rules(text) if ":disabled" not in selector]
    assert len(found) > 100
    return found


@pytest.mark.parametrize("theme", THEMES)
def test_text_of_the_style_sheet_can_be_read(theme: str) -> None:
    c, poor, seen = THEMES[theme], [], 0
    for selector, declared in styles():
        text = token(declared.get("color"))
        if text is None:
            continue
        ground = token(declared.get("background"))
        for each in (ground,) if ground else GROUNDS:
            seen += 1
            if ratio(c[text], c[each]) < TEXT:
                poor.append((selector, text, each, round(ratio(c[text], c[each]), 2)))
    assert poor == []
    assert seen > 60


@pytest.mark.parametrize("theme", THEMES)
def test_selected_text_can_be_read(theme: str) -> None:
    c = THEMES[theme]
    pairs = {
        (declared.get("selection-color"), declared["selection-background-color"])
        for _, declared in styles()
        if token(declared.get("selection-background-color")) and token(declared.get("selection-color"))
    }
    assert pairs
    assert {(a, b) for a, b in pairs if ratio(c[str(token(a))], c[str(token(b))]) < TEXT} == set()


@pytest.mark.parametrize("theme", THEMES)
def test_the_edges_of_controls_are_seen(theme: str) -> None:
    """Controls with the focus, with a change pending for Live, or with an error are visible by their edge or their
    fill."""
    c, poor, seen = THEMES[theme], [], 0
    for selector, declared in styles():
        edge = token(declared.get("border")) or token(declared.get("border-color"))
        if edge is None or not CONTROLS.search(selector) or INNER.search(selector):
            continue
        seen += 1
        fill = token(declared.get("background")) or "panel"
        contrast = max(ratio(c[edge], c["panel"]), ratio(c[fill], c["panel"]))
        if contrast < GRAPHICS or ratio(c[edge], c["window"]) < GRAPHICS:
            poor.append((selector, edge, round(contrast, 2), round(ratio(c[edge], c["window"]), 2)))
    assert poor == []
    assert seen > 20


@pytest.mark.parametrize("theme", THEMES)
def test_the_keyboard_is_seen(theme: str) -> None:
    c = THEMES[theme]
    focused = [(selector, declared) for selector, declared in styles() if ":focus" in selector]
    assert len(focused) > 12
    for selector, declared in focused:
        mark = token(declared.get("border")) or token(declared.get("border-color")) or token(declared.get("background"))
        assert mark is not None, selector
        assert all(ratio(c[mark], c[ground]) >= GRAPHICS for ground in GROUNDS), selector


@pytest.mark.parametrize("theme", THEMES)
def test_the_palette_can_be_read(qapp: object, theme: str) -> None:
    roles = QPalette.ColorRole
    palette = _palette(colors("dark" if theme == "dark" else "light"))
    pairs = (
        (roles.WindowText, roles.Window),
        (roles.Text, roles.Base),
        (roles.Text, roles.AlternateBase),
        (roles.ButtonText, roles.Button),
        (roles.PlaceholderText, roles.Base),
        (roles.HighlightedText, roles.Highlight),
        (roles.ToolTipText, roles.ToolTipBase),
        (roles.Link, roles.Base),
    )
    poor = [(a, b) for a, b in pairs if ratio(palette.color(a).name(), palette.color(b).name()) < TEXT]
    assert poor == []


@pytest.mark.parametrize("theme", THEMES)
def test_icons_are_seen(theme: str) -> None:
    c = THEMES[theme]
    for color in ("muted", "text", "danger"):
        for ground in (*GROUNDS, "hover", "accent_soft"):
            assert ratio(c[color], c[ground]) >= GRAPHICS, (color, ground)
    for file in sorted((ROOT / "resources/style").glob(f"*-{theme}.svg")):
        (stroke,) = re.findall(r'stroke="(#\w{6})"', file.read_text(encoding="utf-8"))
        ground = "accent" if file.name.startswith("check") else "panel"
        assert ratio(stroke, c[ground]) >= GRAPHICS, file.name


def variables(theme: str) -> Mapping[str, str]:
    """Return the colours of the map's page."""
    text = (ROOT / "app/desktop/map/web/map.css").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for selector, _ in rules(text):
        if selector == ":root" or (theme == "dark" and selector == ':root[data-theme="dark"]'):
            body = text.split(f"{selector} {{", 1)[1].split("}", 1)[0]
            found |= dict(re.findall(r"--fw-(\w+):\s*([^;]+);", body))
    return found


def over(paper: str, below: str) -> str:
    """Return the colour of a translucent background over another colour."""
    red, green, blue, alpha = (float(part) for part in re.findall(r"[\d.]+", paper))
    parts = (int(below[at : at + 2], 16) for at in (1, 3, 5))
    mixed = (round(own * alpha + other * (1 - alpha)) for own, other in zip((red, green, blue), parts, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


@pytest.mark.parametrize("theme", THEMES)
def test_the_controls_of_the_map_can_be_read(theme: str) -> None:
    """The text must be legible over any part of the map."""
    known = variables(theme)
    assert {"paper", "ink", "quiet", "accent", "warning", "sea"} <= known.keys()
    for below in ("#000000", "#ffffff", known["sea"]):
        ground = over(known["paper"], below)
        for name in ("ink", "quiet", "warning"):
            assert ratio(known[name], ground) >= TEXT, (name, below)
        assert ratio(known["accent"], ground) >= GRAPHICS, below


@pytest.mark.parametrize("theme", THEMES)
def test_states_are_seen_on_the_map_and_in_lists(theme: str) -> None:
    look = json.loads((ROOT / "resources/map/look.json").read_text(encoding="utf-8"))["themes"][theme]
    grounds = [look["land"], look["sea"], *(THEMES[theme][ground] for ground in GROUNDS)]
    poor = [(s, ground) for s, c in STATE_COLORS.items() for ground in grounds if ratio(c, ground) < GRAPHICS]
    assert poor == []
    assert len(set(STATE_COLORS.values())) == len(FenceState)


@pytest.mark.parametrize("theme", THEMES)
def test_rules_of_the_map_with_colours_of_their_own_can_be_read(theme: str) -> None:
    known = variables(theme)
    found = 0
    for selector, declared in rules((ROOT / "app/desktop/map/web/map.css").read_text(encoding="utf-8")):
        text, ground = declared.get("color", ""), declared.get("background", "")
        if re.fullmatch(r"#\w{6}", text) and re.fullmatch(r"#\w{6}", ground):
            found += 1
            assert ratio(text, ground) >= TEXT, selector
    assert found
    assert known["accent"] == THEMES[theme]["accent"], "one accent for the window and its map"
