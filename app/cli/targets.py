"""Which workspace a command is about."""

from argparse import Namespace
from pathlib import Path

from app.settings import workspace_to_open
from engine.store.workspace import MEMORY


def chosen_workspace(arguments: Namespace) -> Path | str:
    """Return the workspace of ``--workspace``, else the one that was open last; ":memory:" stays as it is."""
    given: str | None = arguments.workspace
    if given == MEMORY:
        return MEMORY
    return Path(given).expanduser().absolute() if given else workspace_to_open()
