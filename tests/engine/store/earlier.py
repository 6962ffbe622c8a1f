"""Small workspaces of earlier versions, as SQL.

Each was created by the program of its version: geofences of both kinds in Test and Live, settings, a beacon, a webhook
and a trip (from the version that introduced them), and six location updates of two devices.

Schema 0005 is not included, since no version was released with it. 0007 is a step that is now called 0010; 0012 has the
first form of `import_items`, which was changed before schema 0014.
"""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from engine.store.workspace import DATABASE

_FOLDER: Final = Path(__file__).with_name("upgrades")

VERSIONS: Final = tuple(sorted(file.stem for file in _FOLDER.glob("*.sql")))
EARLIER: Final = VERSIONS[:-1]

MADE_BEFORE: Final = datetime(2026, 11, 28, 22, tzinfo=UTC)
"""A time a day after the last update in these workspaces, when the engine ends the trip in each."""


def make(folder: Path, version: str) -> Path:
    """Write the workspace's database as that version did, and return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / DATABASE
    with closing(sqlite3.connect(file)) as database:
        database.executescript((_FOLDER / f"{version}.sql").read_text(encoding="utf-8"))
        database.execute("PRAGMA journal_mode=WAL")
    return file


def dump(file: Path) -> list[str]:
    """Return the contents of a database as SQL; Alembic creates the indexes of a table in any order."""
    with closing(sqlite3.connect(file)) as database:
        return sorted(database.iterdump())
