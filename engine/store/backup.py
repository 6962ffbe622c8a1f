"""Saving a copy of a workspace while it is in use."""

import shutil
from pathlib import Path
from tempfile import mkdtemp

from engine.domain.errors import WorkspaceError
from engine.domain.ports import Progress
from engine.store.database import Database
from engine.store.workspace import DATABASE, KEYS, SETTINGS, Workspace


def save_copy(workspace: Workspace, database: Database, folder: Path, progress: Progress) -> None:
    """Write the database as of now, the keys and the settings into the new folder `folder`.

    The folder appears whole or not at all. Raises `WorkspaceError` when it exists with something in it or cannot be
    written; `progress` may raise `Cancelled`.
    """
    folder = folder.expanduser().absolute()
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise WorkspaceError(f"{folder} exists already and is not an empty folder; choose a new name for the copy.")
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            database.copy_to(draft / DATABASE, progress)
            for name in (KEYS, SETTINGS):
                if (workspace.folder / name).exists():
                    shutil.copy2(workspace.folder / name, draft / name)
            draft.replace(folder)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
    except OSError as error:
        raise WorkspaceError(f"The copy {folder} cannot be written: {error.strerror}.") from error
