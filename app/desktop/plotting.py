"""The door to pyqtgraph: imported when a plot is first shown, since it takes a third of a second."""

import os
from collections.abc import Sequence

# Whatever else is installed: two bindings of Qt in one process end it.
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"

import pyqtgraph

from app.desktop.language import number_text

# Its way of leaving is for programs that take none themselves, and Qt gathers quick moves of the mouse by itself.
pyqtgraph.setConfigOptions(exitCleanup=False, antialias=False, mouseRateLimit=-1)

__all__ = ["LocalAxis", "pyqtgraph"]


class LocalAxis(pyqtgraph.AxisItem):  # type: ignore[misc]
    """An axis with its numbers as the language of the window writes them."""

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        """Return the numbers beside the marks."""
        texts: list[str] = super().tickStrings(values, scale, spacing)
        return [number_text(text) for text in texts]
