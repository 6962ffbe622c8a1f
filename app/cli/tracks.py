"""``fencewright track``: show, edit and convert track files, and record tracks from a device."""

from argparse import Namespace
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

import orjson

from app.api.commands.tracking import recorded
from app.api.wire.common.encoding import encode_time
from app.cli.targets import existing_workspace
from app.cli.terminal.output import note, write_json, write_line
from app.cli.terminal.skipped import note_skipped
from app.cli.whatif.known import naming_known_devices
from app.cli.workspaces import reach_workspace, served_workspace
from app.files import write_file
from app.remote import RemoteWorkspace
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, NotFound, renamed
from engine.domain.tracking.tracks import RecordedQuery, Track
from engine.domain.values import replace
from engine.domain.words import brief_duration, count
from engine.simulation.editing import at_speed, cut, joined, part, resampled, reversed_track, shifted
from engine.simulation.formats.reading import parse_track, read_track
from engine.simulation.summary import TrackSummary, summary_of
from engine.simulation.writing.writing import TrackFormat, format_of, left_out, write_track

_OPTIONS: Final[Mapping[str, str]] = {
    "assume_speed_kmh": "--assume-speed",
    "from": "--from",
    "join": "--join",
    "gap": "--gap",
    "resample": "--resample",
    "keep_gaps": "--keep-gaps",
    "start": "--start",
    "device": "--device",
    "format": "--format",
    "output": "--output",
}
_AT_ONCE: Final = 1_000


def track(arguments: Namespace) -> int:
    """Run the subcommand; errors about an argument name its option."""
    parts = {"info": _info, "convert": _convert, "record": _record}
    try:
        return parts[arguments.part](arguments)
    except InvalidParameter as error:
        option = _OPTIONS.get(error.param, error.param)
        raise InvalidParameter(option, renamed(error.message, error.param, option)) from None


def _info(arguments: Namespace) -> int:
    found = read_track(arguments.file, arguments.device)
    summary = summary_of(found)
    if arguments.json:
        write_json(_encoded(found, summary), indented=True)
        return 0
    for name, text in _lines(summary):
        write_line(f"{name:<10} {text}")
    note_skipped(found)
    return 0


def _convert(arguments: Namespace) -> int:
    track_format = _format(arguments)
    found = read_track(arguments.file, arguments.device)
    note_skipped(found)
    return _write(_edited(found, arguments), arguments, track_format)


def _edited(found: Track, arguments: Namespace) -> Track:
    for file in arguments.join:
        other = read_track(file, arguments.device)
        note_skipped(other)
        found = joined(found, other, arguments.gap)
    if arguments.assume_speed is not None:
        start = arguments.start or found.points[0].at
        if start is None:
            raise InvalidParameter("start", "start: is required with --assume-speed, because the track has no times.")
        found = at_speed(found, arguments.assume_speed, start)
    elif arguments.start is not None:
        found = shifted(found, arguments.start)
    if arguments.after is not None or arguments.before is not None:
        found = cut(found, arguments.after, arguments.before)
    if arguments.first is not None or arguments.last is not None:
        found = part(found, arguments.first or 1, arguments.last)
    if arguments.reverse:
        found = reversed_track(found)
    if arguments.resample is not None:
        found = resampled(found, arguments.resample, arguments.keep_gaps)
    return found


def _record(arguments: Namespace) -> int:
    track_format = _format(arguments)
    query = RecordedQuery(
        device_id=arguments.device, user_id=arguments.user, after=arguments.after, before=arguments.before
    )
    folder = existing_workspace(arguments)
    if arguments.requests:
        found = _of_requests(served_workspace(folder, "is no request log"), query, arguments.environment)
    else:
        with (
            reach_workspace(folder) as workspace,
            naming_known_devices(workspace, arguments.environment, [query.device_id]),
        ):
            found = parse_track(workspace.run(recorded, query, arguments.environment), query.device_id)
    note_skipped(found)
    return _write(found, arguments, track_format)


def _of_requests(workspace: RemoteWorkspace, query: RecordedQuery, environment: Environment) -> Track:
    """Return a device's track from the request log, for Test only and while a server is running."""
    if environment is not Environment.TEST:
        raise InvalidParameter(
            "environment", "--environment: must be test with --requests; the request log holds only Test requests."
        )
    user = "" if query.user_id is None else f"&userId={quote(query.user_id, safe='')}"
    path = f"/v1/requests?path=/v1/track&deviceId={quote(query.device_id, safe='')}{user}&order=asc&limit={_AT_ONCE}"
    records: list[dict[str, Any]] = []
    page: list[dict[str, Any]] = [{"number": 0}]
    while page:
        page = workspace.ask_v1("GET", f"{path}&since={page[-1]['number']}", environment)["requests"]
        records += page
    if not records:
        raise NotFound("device", f"The request log has no location update from the device {query.device_id!r}.")
    found = parse_track(orjson.dumps({"requests": records}), query.device_id, query.device_id)
    if query.after is None and query.before is None:
        return found
    return replace(cut(found, query.after, query.before), name=query.device_id)


def _format(arguments: Namespace) -> TrackFormat:
    chosen: TrackFormat | None = arguments.format
    return chosen or format_of(arguments.output)


def _write(found: Track, arguments: Namespace, track_format: TrackFormat) -> int:
    write_file(arguments.output, write_track(found, track_format), owner_only=True)
    for message in left_out(found, track_format):
        note(f"{arguments.output.name}: {message}")
    note(f"{count(len(found.points), 'position')} written to {arguments.output}")
    return 0


def _lines(summary: TrackSummary) -> list[tuple[str, str]]:
    rows = [("positions", f"{summary.positions:,}"), ("length", _length(summary.length_m))]
    if summary.first is not None and summary.last is not None:
        lasts = brief_duration((summary.last - summary.first).total_seconds())
        rows.append(("time", f"{encode_time(summary.first)} to {encode_time(summary.last)} ({lasts})"))
    else:
        rows.append(("time", f"{summary.untimed}; to play it, give a speed" if summary.untimed else "none"))
    if summary.longest_gap_s is not None:
        usual_gap, longest_gap = brief_duration(summary.usual_gap_s or 0), brief_duration(summary.longest_gap_s)
        rows.append(("gaps", f"typically {usual_gap}, {longest_gap} at most"))
    if summary.accuracies is not None:
        least, usual, most = summary.accuracies
        known = "" if summary.with_accuracy == summary.positions else f", of {count(summary.with_accuracy, 'position')}"
        rows.append(("accuracy", f"{least:g} to {most:g} m, typically {usual:g} m{known}"))
    else:
        rows.append(("accuracy", "none"))
    return rows


def _encoded(found: Track, summary: TrackSummary) -> dict[str, Any]:
    encoded: dict[str, Any] = {
        "name": found.name,
        "positions": summary.positions,
        "lengthMeters": round(summary.length_m, 1),
        "timed": summary.untimed is None,
        "positionsWithAccuracy": summary.with_accuracy,
        "skipped": list(found.skipped),
    }
    if summary.first is not None and summary.last is not None:
        encoded |= {"from": encode_time(summary.first), "to": encode_time(summary.last)}
    if summary.longest_gap_s is not None:
        encoded["longestGapSeconds"] = round(summary.longest_gap_s, 3)
    if summary.accuracies is not None:
        names = ("min", "median", "max")
        encoded["accuracyMeters"] = dict(zip(names, summary.accuracies, strict=True))
    return encoded


def _length(metres: float) -> str:
    return f"{metres:.0f} m" if metres < 1000 else f"{metres / 1000:,.2f} km"
