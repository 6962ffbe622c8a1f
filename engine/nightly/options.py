"""Validation of the options with which single files of a sync are read."""

from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.imports import check_line_width
from engine.domain.metadata import MAX_GEOFENCE_KEYS
from engine.domain.nightly.settings import MAX_NAME, FileOptions, SyncSettings
from engine.geofences.imports.rows import FORMAT
from engine.outbound.urls import shown_url

MAX_FIELDS: Final = 100
MAX_FIXED: Final = 10_000
"""Maximum length of a value for all rows of a file."""


def check_options(settings: SyncSettings) -> None:
    """Raise `InvalidParameter` for ``file_options``, naming the file and the option, if options cannot be used."""
    files, seen = {*settings.urls, *settings.object_keys}, set[str]()
    for each in settings.file_options:
        if each.file not in files:
            raise _refused(each, "it is not among the files of the sync.")
        if each.file in seen:
            raise _refused(each, "must be given once.")
        seen.add(each.file)
        _check_sizes(each)
        try:
            FORMAT.check_fields(each.import_options())
            if each.line_width_m is not None:
                check_line_width(each.line_width_m, "lineWidth")
        except InvalidParameter as error:
            raise _refused(each, error.message) from None


def _check_sizes(each: FileOptions) -> None:
    names = {
        "layer": [each.layer or "-"],
        "sheet": [each.sheet or "-"],
        "map": [name for name in each.mapping.values() if name],
        "metadata": [*each.metadata],
        "id": [each.id or "-"],
    }
    for option, given in names.items():
        if any(not name.strip() or len(name) > MAX_NAME for name in given):
            raise _refused(each, f"{option}: a name must have 1 to {MAX_NAME:,} characters.")
    if len(each.metadata) > MAX_GEOFENCE_KEYS:
        raise _refused(each, f"metadata: at most {MAX_GEOFENCE_KEYS} columns are allowed.")
    if len(each.mapping) + len(each.fixed) > MAX_FIELDS:
        raise _refused(each, f"map: at most {MAX_FIELDS} fields are allowed.")
    if any(len(value) > MAX_FIXED for value in each.fixed.values()):
        raise _refused(each, f"set: a value may have at most {MAX_FIXED:,} characters.")


def _refused(each: FileOptions, reason: str) -> InvalidParameter:
    return InvalidParameter("file_options", f"file_options: {shown_url(each.file)}: {reason}")
