"""Requests of the control routes."""

from typing import Literal

import orjson

from app.api.wire.common.fields import Identifier, Moment, Text
from app.api.wire.common.requests import RequestModel
from app.exports import RecordFilter
from engine.domain.errors import InvalidParameter
from engine.domain.imports import ImportOptions
from engine.domain.tracking.explaining import UpdateQuery
from engine.domain.tracking.tracks import RecordedQuery
from engine.geofences.imports.exporting import ExportQuery


class ImportQuery(RequestModel):
    """Where to import, what, and whether for real."""

    environment: Literal["test", "live"] = "test"
    kind: Literal["geofences", "beacons"] | None = None
    dry_run: bool = False
    preview: bool = False
    file_name: Text = "table.csv"
    keep_good_rows: bool = False
    layer: Text | None = None
    map: Text = "{}"
    set: Text = "{}"

    def options(self) -> ImportOptions:
        """Return how the file is read."""
        return ImportOptions(
            layer=self.layer,
            mapping=_texts(self.map, "map"),
            fixed=_texts(self.set, "set"),
            keep_good_rows=self.keep_good_rows,
        )


class ExportQueryModel(RequestModel):
    """Which geofences to export, and as what."""

    environment: Literal["test", "live"] = "test"
    format: Literal["csv", "geojson", "kml", "gpkg"] = "csv"
    tags: Text = "[]"
    enabled: bool | None = None

    def query(self) -> ExportQuery:
        """Return what the engine is asked."""
        tags = orjson.loads(self.tags)
        return ExportQuery(tags=frozenset(map(str, tags)), enabled=self.enabled)


class SyncQuery(RequestModel):
    """Which environment to sync, and whether unchanged files as well."""

    environment: Literal["test", "live"] = "test"
    force: bool = False


class RotateQuery(RequestModel):
    """Which key to replace."""

    environment: Literal["test", "live"]
    level: Literal["publishable", "secret"]


class EnvironmentQuery(RequestModel):
    """Which environment."""

    environment: Literal["test", "live"] = "test"


class RecordsBody(RequestModel):
    """Which events or users."""

    environment: Literal["test", "live"] = "test"
    kind: Literal["events", "users"]
    user_id: str | None = None
    device_id: str | None = None
    types: list[str] | None = None
    tags: list[str] | None = None
    after: Moment | None = None
    before: Moment | None = None

    def wanted(self) -> RecordFilter:
        """Return what the engine is asked."""
        return RecordFilter(
            user_id=self.user_id,
            device_id=self.device_id,
            types=frozenset(self.types or ()),
            tags=frozenset(self.tags or ()),
            after=self.after,
            before=self.before,
        )


class ExplainBody(RequestModel):
    """Which update to explain: the device's last one at or before `at`, or its last of all."""

    environment: Literal["test", "live"] = "test"
    device_id: Identifier
    user_id: Identifier | None = None
    at: Moment | None = None

    def query(self) -> UpdateQuery:
        """Return what the engine is asked."""
        return UpdateQuery(device_id=self.device_id, user_id=self.user_id, at=self.at)


class RecordedBody(RequestModel):
    """Whose kept updates are to be a track."""

    environment: Literal["test", "live"] = "test"
    device_id: Identifier
    user_id: Identifier | None = None
    after: Moment | None = None
    before: Moment | None = None

    def query(self) -> RecordedQuery:
        """Return what the engine is asked."""
        return RecordedQuery(device_id=self.device_id, user_id=self.user_id, after=self.after, before=self.before)


class ClearBody(RequestModel):
    """Test data to remove: everything tracked, or one device's; with `geofences` and `beacons` these too."""

    device_id: Identifier | None = None
    geofences: bool = False
    beacons: bool = False


def _texts(text: str, param: str) -> dict[str, str]:
    """Return a dictionary of texts that is written as JSON."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        value = None
    if not (isinstance(value, dict) and all(isinstance(item, str) for item in value.values())):
        raise InvalidParameter(param, f"{param}: must be a JSON object with string values.")
    return value
