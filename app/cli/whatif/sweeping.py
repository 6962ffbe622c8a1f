"""The ``fencewright sweep`` command: a parameter over a range of values, each with many noisy runs of a track."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

from app.api.commands import workspace as commands
from app.api.v1.geofences import change_of
from app.api.wire.common.encoding import Encoded
from app.api.wire.settings.request import decode_settings_change
from app.api.wire.snapshot import SeedGeofence
from app.api.wire.sweep import encode_sweep
from app.cli.settings import read_assignments
from app.cli.targets import existing_workspace
from app.cli.terminal.output import note, progress_bar, write_json, write_line
from app.cli.workspaces import ReachedWorkspace, reach_workspace
from app.sweeps import DEFAULT_ACCURACY_M, SweepRequest, run_sweep, table_text
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, NotFound, renamed
from engine.domain.fields.geofence import RULES
from engine.domain.fields.settings import changed_settings
from engine.domain.geofence import UNSET, Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Point
from engine.domain.settings import DEFAULT_SETTINGS
from engine.domain.tracking.sweep import SweepParameter, SweepPoint, SweepResult
from engine.domain.tracking.updates import EventType, Subject
from engine.geofences.changes import polygon_of
from engine.simulation.formats.reading import read_track

_OPTIONS: Final = {
    "from": "--from",
    "to": "--to",
    "steps": "--steps",
    "seeds": "--seeds",
    "geofence": "--geofence",
    "assume_speed_kmh": "--assume-speed",
    "radius_m": "--from",
    "dwell_threshold_s": "--from",
    "error_m": "--from",
}
_EVENTS: Final = {
    "entered": EventType.ENTERED_GEOFENCE,
    "exited": EventType.EXITED_GEOFENCE,
    "dwelled": EventType.DWELLED_IN_GEOFENCE,
}


def sweep(arguments: Namespace) -> int:
    """Write the result of each value, and the value that catches 99 %."""
    settings = read_assignments(arguments.set)
    try:
        _check_range(arguments)
        with reach_workspace(existing_workspace(arguments)) as workspace:
            request = _request(arguments, workspace, settings)
        result = run_sweep(request, progress_bar("sweeping", lambda: None))
    except InvalidParameter as error:
        option = _OPTIONS.get(error.param, error.param)
        raise InvalidParameter(option, renamed(error.message, error.param, option)) from None
    if arguments.json:
        write_json(encode_sweep(result), indented=True)
    elif arguments.csv:
        sys.stdout.write(table_text(result))
        if result.reason is not None:
            note(result.verdict)
    else:
        _write(result)
    return 0


def _check_range(arguments: Namespace) -> None:
    """Raise `InvalidParameter` unless the range is given exactly if the parameter has one."""
    has_range = SweepParameter(arguments.parameter) is not SweepParameter.BUFFER
    for value, option in ((arguments.low, "--from"), (arguments.high, "--to")):
        if has_range and value is None:
            raise InvalidParameter(option, f"{option}: is required for the parameter {arguments.parameter}.")
        if not has_range and value is not None:
            raise InvalidParameter(option, f"{option}: buffer has no range: it is off, entries, exits or both.")


def _request(arguments: Namespace, workspace: ReachedWorkspace, change: dict[str, object]) -> SweepRequest:
    present = workspace.run(commands.settings, None, arguments.environment)
    stored = changed_settings(DEFAULT_SETTINGS, decode_settings_change(present))
    return SweepRequest(
        parameter=SweepParameter(arguments.parameter),
        low=arguments.low or 0.0,
        high=arguments.high or 0.0,
        steps=arguments.steps,
        seeds=arguments.seeds,
        geofence=_geofence(workspace, arguments.environment, arguments.geofence),
        settings=changed_settings(stored, decode_settings_change(change)),
        subject=Subject(arguments.user),
        event_type=_EVENTS.get(arguments.event),
        track=read_track(arguments.track),
        noise=arguments.noise,
        now=workspace.now(arguments.environment),
        assume_speed_kmh=arguments.assume_speed,
        accuracy_m=arguments.accuracy or DEFAULT_ACCURACY_M,
        tolerance_s=arguments.tolerance,
    )


def _geofence(workspace: ReachedWorkspace, environment: Environment, name: str) -> Geofence:
    """Return a geofence by its ``tag/externalId`` or its ``_id``, or raise `NotFound`."""
    tag, slash, external_id = name.partition("/")
    path = f"/{quote(tag, safe='')}/{quote(external_id, safe='')}" if slash else f"/{quote(name, safe='')}"
    try:
        answer = workspace.ask_v1("GET", f"/v1/geofences{path}", environment)
    except NotFound:
        text = f"There is no geofence with the _id or the tag/externalId {name[:120]!r}."
        raise NotFound("geofence", text) from None
    return geofence_of(answer["geofence"], environment)


def geofence_of(record: Encoded, environment: Environment) -> Geofence:
    """Return the geofence of a response; an isochrone is returned as its outline."""
    body = SeedGeofence.model_validate(record)
    change = change_of(body)
    given = {row.name: value for row in RULES if (value := getattr(change, row.name)) is not UNSET}
    rules = GeofenceRules(**given)
    identifier = str(record["_id"])
    geometry: Geometry
    if body.type == "circle":
        assert body.geometry_center is not None
        assert body.geometry_radius is not None
        geometry = Circle(Point(*body.geometry_center.coordinates), body.geometry_radius)
    else:
        geometry = polygon_of(_outline(body))
    assert body.created_at is not None
    assert body.updated_at is not None
    return Geofence(
        identifier,
        environment,
        GeofenceSummary(identifier, body.tag, body.external_id, body.description),
        geometry,
        bool(body.enabled),
        body.created_at,
        body.updated_at,
        rules,
    )


def _outline(body: SeedGeofence) -> Sequence[Any]:
    """Return the ring of an isochrone, or the coordinates of a polygon."""
    found = body.given_outline() or body.given_coordinates()
    assert found is not None
    return found


def _write(result: SweepResult) -> None:
    write_line(f"{result.parameter:>10}  detected  median delay    p95 delay  false events")
    for point in result.points:
        write_line(_line(result, point))
    write_line(result.verdict)


def _line(result: SweepResult, point: SweepPoint) -> str:
    rate = "-" if point.rate is None else f"{point.rate:.1%}"
    median, late = _seconds(point.median_delay_s), _seconds(point.late_delay_s)
    return f"{result.label(point.value):>10}  {rate:>8}  {median:>12}  {late:>11}  {point.false_rate:>6.2f} per run"


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:g} s"
