"""Lazy import of pyqtgraph, done when a plot is first shown because it takes a third of a second."""

import os
from collections.abc import Sequence

# Set explicitly because a second Qt binding in the process would crash it.
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"

import pyqtgraph

from app.desktop.language import number_text

# Its exit cleanup is for programs without one of their own, and Qt compresses fast mouse moves itself.
pyqtgraph.setConfigOptions(exitCleanup=False, antialias=False, mouseRateLimit=-1)

__all__ = ["LocalAxis", "pyqtgraph"]


class LocalAxis(pyqtgraph.AxisItem):  # type: ignore[misc]
    """An axis with numbers in the format of the window's language."""

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        """Return the labels of the ticks."""
        texts: list[str] = super().tickStrings(values, scale, spacing)
        return [number_text(text) for text in texts]
