"""The door to pyqtgraph: imported when a plot is first shown, since it takes a third of a second."""

import os

# Whatever else is installed: two bindings of Qt in one process end it.
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"

import pyqtgraph

# Its way of leaving is for programs that take none themselves, and Qt gathers quick moves of the mouse by itself.
pyqtgraph.setConfigOptions(exitCleanup=False, antialias=False, mouseRateLimit=-1)

__all__ = ["pyqtgraph"]
