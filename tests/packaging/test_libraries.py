"""The lists of system libraries, compared with the needs of the installed Qt."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import PySide6
import pytest

from tests.packaging.checkout import ROOT

QT = Path(PySide6.__file__).parent / "Qt"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the lists are for Linux")

WINDOW = [
    *(f"lib/libQt6{name}.so.6" for name in ("Core", "Gui", "Widgets", "DBus", "Network", "Qml", "Quick", "Svg")),
    *(f"lib/libQt6{name}.so.6" for name in ("OpenGL", "WebChannel", "WebEngineCore", "WebEngineWidgets")),
    "libexec/QtWebEngineProcess",
    "plugins/platforms/libqoffscreen.so",
]
SCREEN = [
    "lib/libQt6XcbQpa.so.6",
    "plugins/platforms/libqxcb.so",
    "plugins/xcbglintegrations/libqxcb-egl-integration.so",
    "plugins/xcbglintegrations/libqxcb-glx-integration.so",
]
C_LIBRARY = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libresolv.so.2", "libpthread.so.0", "libdl.so.2", "librt.so.1"}
SAME_PACKAGE = {
    "libbrotlicommon.so.1": "libbrotlidec.so.1",
    "libgthread-2.0.so.0": "libglib-2.0.so.0",
    "libnssutil3.so": "libnss3.so",
    "libsmime3.so": "libnss3.so",
}


def needed(file: Path) -> set[str]:
    """Return the libraries that a 64-bit little-endian ELF file names (its DT_NEEDED entries)."""
    data = file.read_bytes()
    assert data[:6] == b"\x7fELF\x02\x01"
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    # Type, offset in the file, address in memory and size in the file of each segment.
    segments = [
        (*struct.unpack_from("<I", data, at), *struct.unpack_from("<QQ8xQ", data, at + 8))
        for at in range(table, table + size * count, size)
    ]
    (offset, length) = next((start, length) for kind, start, _, length in segments if kind == 2)
    entries = list(struct.iter_unpack("<qQ", data[offset : offset + length]))
    address = next(value for tag, value in entries if tag == 5)
    names = next(
        address - memory + start
        for kind, start, memory, length in segments
        if kind == 1 and memory <= address < memory + length
    )
    return {data[names + value : data.index(b"\0", names + value)].decode() for tag, value in entries if tag == 1}


def listed(part: str) -> set[str]:
    """Return the libraries of one part of the list."""
    lines = (ROOT / "resources/system/libraries.txt").read_text(encoding="ascii").splitlines()
    return {line.split()[1] for line in lines if line.startswith(f"{part} ")}


def foreign(files: list[str]) -> set[str]:
    """Return the libraries that these Qt files need and Qt does not ship."""
    names = set().union(*(needed(QT / file) for file in files))
    outside = {name for name in names if not (QT / "lib" / name).exists() and not name.startswith("ld-linux")}
    return {SAME_PACKAGE.get(name, name) for name in outside - C_LIBRARY}


def test_every_library_that_starting_needs_is_listed() -> None:
    assert foreign(WINDOW) - listed("window") == set()


def test_every_library_that_an_x_screen_needs_is_listed() -> None:
    assert foreign(SCREEN) - listed("window") - listed("x") == set()


def test_nothing_is_listed_that_is_not_needed() -> None:
    # xkb is chosen by name at run time, and so is GLX if there is no EGL.
    assert listed("window") - foreign(WINDOW) == set()
    assert listed("x") - foreign(SCREEN) == set()
