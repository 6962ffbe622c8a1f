"""Geofences of files for a back-test, read and checked as by an import, without a workspace on disk."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from app.files import read_import
from engine.backtest.backtest import FenceSet
from engine.domain.clock import EARLIEST
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence
from engine.domain.imports import ImportFile
from engine.domain.ports import Progress, no_progress
from engine.domain.tracking.whatif import RequestedEdits
from engine.domain.values import replace
from engine.engine import Engine
from engine.store.workspace import MEMORY


def fences_of_files(files: Sequence[Path], progress: Progress = no_progress) -> FenceSet:
    """Return the geofences of files in any format that can be imported.

    Raises `InvalidParameter` naming the file, the row and the field of the first error, for a geofence that is in two
    files, and if there are no geofences.
    """
    found: dict[tuple[str, str], Geofence] = {}
    origins: dict[tuple[str, str], str] = {}
    # At the earliest time no geofence has expired, so that each is as the file has it until its end.
    with Engine.open(MEMORY, frozen_at=EARLIEST) as engine:
        for path in files:
            for geofence in _of_file(engine, read_import(path), progress):
                key = geofence.tag, geofence.external_id
                if key in found:
                    name = "/".join(key)
                    raise InvalidParameter("file", f"{path.name}: the geofence {name} is also in {origins[key]}.")
                found[key], origins[key] = _with_stable_id(geofence), path.name
    return FenceSet(name=", ".join(path.name for path in files), geofences=tuple(found.values()))


def _with_stable_id(geofence: Geofence) -> Geofence:
    """Return a geofence with an ID by its name, since a back-test with other IDs would not be continued."""
    name = f"{geofence.tag}\0{geofence.external_id}".encode()
    stable = sha256(name).hexdigest()[: len(geofence.id)]
    return replace(geofence, id=stable, summary=replace(geofence.summary, id=stable))


def _of_file(engine: Engine, file: ImportFile, progress: Progress) -> Sequence[Geofence]:
    edits = engine.imports.tried(Environment.TEST, RequestedEdits(files=(file,)), progress)
    if not edits.saved:
        raise InvalidParameter("file", f"{file.name}: has no geofences.")
    return edits.saved
