"""The packages that only the window needs, which a headless installation leaves out."""

import sys
from importlib.util import find_spec
from shlex import quote
from typing import Final

PACKAGES: Final = ("PySide6", "folium", "pyqtgraph", "qtawesome")
"""Modules of the extra "desktop" of the project. Outside `app.desktop`, nothing requires them."""


def missing_packages() -> tuple[str, ...]:
    """Return those that are not installed."""
    return tuple(name for name in PACKAGES if find_spec(name) is None)


def advice() -> str:
    """Return a sentence that the desktop is not installed, with the command that adds it to this environment."""
    python = quote(sys.executable)
    install = f"{python} -m pip install" if find_spec("pip") is not None else f"uv pip install --python {python}"
    return (
        "The desktop is not installed here; every command other than desktop and demo works without it. "
        f"Add it with: {install} 'fencewright[desktop]'"
    )
