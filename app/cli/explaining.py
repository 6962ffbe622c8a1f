"""``fencewright explain``: the reasons why a location update fired events or did not."""

from argparse import Namespace
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from app.api.commands import tracking
from app.api.wire.common.encoding import Encoded
from app.cli.targets import existing_workspace
from app.cli.terminal.output import note, write_json, write_line
from app.cli.whatif.known import naming_known_devices
from app.cli.workspaces import reach_workspace
from engine.domain.clock import EARLIEST, LATEST
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.decision import FACTS, Outcome, shown_share, would_have
from engine.domain.tracking.explaining import UpdateQuery
from engine.domain.tracking.verdicts import FIRED, NOT_FIRED
from engine.domain.words import brief_duration
from engine.geo.zones import zoned_text

_FAR_S: Final = 600.0
"""Time between an update and the time asked for from which it may not be the one that is meant, in seconds."""


def explain(arguments: Namespace) -> int:
    """Write the outcome of the update for each nearby geofence, and the rules that decided."""
    at = None if arguments.at is None else _moment(arguments.at, arguments.zone)
    query = UpdateQuery(device_id=arguments.device, user_id=arguments.user, at=at)
    with (
        reach_workspace(existing_workspace(arguments)) as workspace,
        naming_known_devices(workspace, arguments.environment, [arguments.device]),
    ):
        explained = workspace.run(tracking.explain, query, arguments.environment)
    zone = arguments.zone or ZoneInfo(_zone_name(explained))
    if at is not None:
        _note_time(at, arguments.at, explained["update"], zone)
    if arguments.json:
        write_json(explained, indented=True)
    else:
        _write(explained, zone)
    return 0


def _moment(at: datetime, zone: ZoneInfo | None) -> datetime:
    """Return the moment of ``--at``, by ``--zone`` if it has no offset. Raises `InvalidParameter` if it is not one."""
    if not EARLIEST.year <= at.year < LATEST.year:
        raise InvalidParameter("--at", f"--at: must be between {EARLIEST:%Y} and {LATEST:%Y}.")
    if at.tzinfo is not None or zone is None:
        return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    one, other = (at.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if one.utcoffset() == other.utcoffset():
        return one
    if one.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != at:
        raise InvalidParameter("--at", f"--at: clocks in {zone.key} skip {at.isoformat(sep=' ')}; give another time.")
    offsets = " or ".join(each.isoformat()[-6:] for each in (one, other))
    raise InvalidParameter(
        "--at", f"--at: clocks in {zone.key} show {at.isoformat(sep=' ')} twice; give it with its offset, {offsets}."
    )


def _zone_name(explained: Encoded) -> str:
    """Return the time zone of the nearest geofence, or of the update if there is none."""
    nearest = explained["explanations"][0] if explained["explanations"] else explained["update"]
    return str(nearest["timeZone"])


def _note_time(at: datetime, given: datetime, update: Encoded, zone: ZoneInfo) -> None:
    """Mention how the time was read, and if the update found is far from it."""
    if given.tzinfo is None and at.tzinfo is UTC and at.astimezone(zone).utcoffset():
        read = zoned_text(at, zone)
        note(f"--at has no offset and is read as UTC, which is {read}; for a local time give its offset or --zone")
    found = datetime.fromisoformat(update["updatedAt"])
    away_s = (at - found).total_seconds()
    if away_s > _FAR_S:
        following = (
            f"the next one is of {_local(update['nextAt'], zone)}" if "nextAt" in update else "it is the last one"
        )
        away = brief_duration(away_s)
        note(f"the update found is of {zoned_text(found, zone)}, {away} before the time asked for; {following}")


def _local(time: str, zone: ZoneInfo) -> str:
    return zoned_text(datetime.fromisoformat(time), zone)


def _write(explained: Encoded, zone: ZoneInfo) -> None:
    _write_update(explained["update"], zone)
    for explanation in explained["explanations"]:
        write_line("")
        _write_explanation(explanation)
    if not explained["explanations"]:
        write_line("no geofence is nearby")
    if explained["eventExplanations"]:
        write_line("")
    for explanation in explained["eventExplanations"]:
        _write_event(explanation)


def _write_update(update: Encoded, zone: ZoneInfo) -> None:
    longitude, latitude = update["location"]["coordinates"]
    user = f", user {update['user']['userId']}" if "userId" in update["user"] else ""
    address = f", from {update['ip']}" if "ip" in update else ""
    state = ", ".join(name for name in ("foreground", "stopped", "replayed") if update[name])
    at = _local(update["updatedAt"], zone)
    write_line(f"update {update['number']} of device {update['deviceId']}{user}: {at}")
    if "lateAfter" in update:
        newest = _local(update["lateAfter"], zone)
        write_line(f"late: its own time is before {newest}, the user's newest one; it has the server's time")
    write_line(
        f"latitude {latitude:.6f}, longitude {longitude:.6f}, accuracy {update['locationAccuracy']:g} m"
        f"{', ' + state if state else ''}{address}"
    )


def _write_explanation(explanation: Encoded) -> None:
    geofence, distance = explanation["geofence"], explanation["distance"]
    offset = f"{abs(distance):.1f} m {'outside' if distance > 0 else 'inside'}"
    part, is_inside = shown_share(Outcome(explanation["decision"]), explanation["share"], distance)
    share = f"{part:.0%} of the accuracy circle is {'inside' if is_inside else 'outside'}"
    measured = f"{offset}, {share}, confidence {explanation['confidence']}"
    name = f"{geofence['tag']}/{geofence['externalId']}  {geofence['description']}"
    write_line(f"{name}: {explanation['decision']} ({measured})")
    for rule in explanation["rules"]:
        write_line(f"  {_mark(rule)} {rule['rule']}: {rule['text']}")
    if explanation["remedies"]:
        write_line(f"  {would_have(Outcome(explanation['decision']))}")
        for remedy in explanation["remedies"]:
            write_line(f"    → {remedy['text']}")


def _write_event(explanation: Encoded) -> None:
    about = explanation.get("about")
    name = "" if about is None else f"{about['type']} {about['name']}  "
    if len(explanation["rules"]) == 1:
        write_line(f"{name}{explanation['text']}")
        return
    write_line(f"{name}{explanation['type']} {FIRED if explanation['fired'] else NOT_FIRED}")
    for rule in explanation["rules"]:
        mark = "✓" if rule["passed"] else "•" if rule["fact"] else "✗"
        write_line(f"  {mark} {rule['rule']}: {rule['text']}")


def _mark(rule: Encoded) -> str:
    """Return ✓ for a rule that passed, ✗ for one that failed, and • for a fact that is neither."""
    if rule["passed"]:
        return "✓"
    return "•" if rule["rule"] in FACTS else "✗"
