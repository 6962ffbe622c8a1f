"""Import of a file of geofences or beacons, recognised by its contents."""

from engine.beacons.csv_import import is_beacon_table
from engine.domain.environment import Environment
from engine.domain.imports import DEFAULT_OPTIONS, ImportFile, ImportKind, ImportOptions, ImportReport
from engine.domain.ports import Progress, no_progress
from engine.engine import Engine


def import_file(
    engine: Engine,
    environment: Environment,
    file: ImportFile,
    options: ImportOptions = DEFAULT_OPTIONS,
    kind: ImportKind | None = None,
    *,
    dry_run: bool = False,
    progress: Progress = no_progress,
) -> ImportReport:
    """Import a file of geofences or a table of beacons; without a `kind`, the header determines it.

    See `Imports.run` and `Beacons.import_csv`.
    """
    if kind is None:
        kind = ImportKind.BEACONS if is_beacon_table(file.data) else ImportKind.GEOFENCES
    if kind is ImportKind.BEACONS:
        return engine.beacons.import_csv(
            environment, file.data, encoding=options.encoding, dry_run=dry_run, progress=progress
        )
    if dry_run:
        return engine.imports.preview(environment, file, options, progress)
    return engine.imports.run(environment, file, options, progress).report
