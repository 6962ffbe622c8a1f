"""Request of a replay, between a command and the process that has the workspace open."""

from base64 import b64encode
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Base64Bytes, Field

from app.api.wire.common.encoding import Encoded, encode_time
from app.api.wire.common.fields import Identifier, Moment, Text
from app.api.wire.common.requests import RequestModel
from app.api.wire.settings.request import decode_settings_change
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.imports import ImportFile
from engine.domain.tracking.explaining import ReplayFences, ReplayQuery
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.tracking.whatif import AskedEdits, Assignment

MAX_DEVICES = 10_000
MAX_EDITS = 100_000
MAX_UPDATES = 1_000_000


class AssignmentBody(RequestModel):
    """A field of a geofence, as text."""

    geofence: Text
    field: Text
    value: str

    def assignment(self) -> Assignment:
        """Return what the engine is asked."""
        return Assignment(self.geofence, self.field, self.value)


class FileBody(RequestModel):
    """A file of geofences."""

    name: Text
    data: Base64Bytes

    def file(self) -> ImportFile:
        """Return what the engine is asked."""
        return ImportFile(self.data, self.name)


class UpdateBody(RequestModel):
    """A fix that was never sent."""

    device_id: Identifier
    user_id: Identifier | None = None
    latitude: Annotated[float, Field(ge=-90, le=90)]
    longitude: Annotated[float, Field(ge=-180, le=180)]
    accuracy: Annotated[float, Field(gt=0)]
    updated_at: Moment
    foreground: bool | None = None
    stopped: bool | None = None

    def update(self) -> LocationUpdate:
        """Return what the engine is asked."""
        return LocationUpdate(
            self.device_id,
            Point(self.longitude, self.latitude),
            self.accuracy,
            self.user_id,
            self.updated_at,
            foreground=self.foreground,
            stopped=self.stopped,
        )


class ReplayBody(RequestModel):
    """Updates to run again, with the settings (those that differ) and geofences."""

    environment: Literal["test", "live"] = "test"
    device_ids: Annotated[list[Identifier], Field(max_length=MAX_DEVICES)]
    user_id: Identifier | None = None
    after: Moment | None = None
    before: Moment | None = None
    settings: dict[str, Any] | None = None
    fences: Literal["then", "now"] = "then"
    assignments: Annotated[list[AssignmentBody], Field(max_length=MAX_EDITS)] | None = None
    files: list[FileBody] | None = None
    removed: Annotated[list[Text], Field(max_length=MAX_EDITS)] | None = None
    updates: Annotated[list[UpdateBody], Field(max_length=MAX_UPDATES)] | None = None

    def query(self) -> ReplayQuery:
        """Return what the engine is asked."""
        return ReplayQuery(
            device_ids=tuple(self.device_ids),
            user_id=self.user_id,
            after=self.after,
            before=self.before,
            change=decode_settings_change(self.settings or {}),
            fences=ReplayFences(self.fences),
            updates=None if self.updates is None else tuple(each.update() for each in self.updates),
        )

    def edits(self) -> AskedEdits:
        """Return the geofences that are to be otherwise."""
        return AskedEdits(
            assignments=tuple(each.assignment() for each in self.assignments or ()),
            files=tuple(each.file() for each in self.files or ()),
            removed=tuple(self.removed or ()),
        )


def encode_replay_body(
    environment: Environment, query: ReplayQuery, settings: Mapping[str, object], edits: AskedEdits
) -> Encoded:
    """Return what is asked, as `ReplayBody` reads it."""
    updates = None if query.updates is None else [_encode_update(each) for each in query.updates]
    return {
        "environment": environment.value,
        "deviceIds": query.device_ids,
        "userId": query.user_id,
        "after": _time(query.after),
        "before": _time(query.before),
        "settings": settings,
        "fences": query.fences.value,
        "assignments": [
            {"geofence": each.geofence, "field": each.field, "value": each.value} for each in edits.assignments
        ],
        "files": [{"name": file.name, "data": b64encode(file.data).decode()} for file in edits.files],
        "removed": edits.removed,
        "updates": updates,
    }


def _encode_update(update: LocationUpdate) -> Encoded:
    return {
        "deviceId": update.device_id,
        "userId": update.user_id,
        "latitude": update.point.latitude,
        "longitude": update.point.longitude,
        "accuracy": update.accuracy_m,
        "updatedAt": _time(update.at),
        "foreground": update.foreground,
        "stopped": update.stopped,
    }


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else encode_time(moment)
