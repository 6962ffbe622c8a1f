"""GPX 1.1, and the variant of GPX from which Xcode simulates locations."""

from collections.abc import Iterator
from html import escape
from typing import Final

from engine.domain.clock import utc_text
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.simulation.writing.texts import degrees, flag, one_line

_OWN: Final = "urn:fencewright:track"
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Fencewright" xmlns="{}"{}>\n'
_GPX: Final = "http://www.topografix.com/GPX/1/1"


def write_gpx(track: Track) -> bytes:
    """Return a track as GPX; fields without a GPX element are written as extensions."""
    head = _HEAD.format(_GPX, f' xmlns:fencewright="{_OWN}"')
    name = f"<trk><name>{escape(one_line(track.name), quote=False)}</name><trkseg>\n"
    return "".join((head, name, *map(_track_point, track.points), "</trkseg></trk>\n</gpx>\n")).encode()


def write_xcode(track: Track) -> bytes:
    """Return waypoints with times in whole seconds; Xcode reads nothing else, and moves at their pace."""
    return "".join((_HEAD.format(_GPX, ""), *map(_waypoint, track.points), "</gpx>\n")).encode()


def _track_point(point: TrackPoint) -> str:
    time = "" if point.at is None else f"<time>{utc_text(point.at, 'auto')}</time>"
    own = "".join(_extensions(point))
    extensions = f"<extensions>{own}</extensions>" if own else ""
    return f"<trkpt {_attributes(point)}>{time}{extensions}</trkpt>\n"


def _attributes(point: TrackPoint) -> str:
    return f'lat="{degrees(point.point.latitude)}" lon="{degrees(point.point.longitude)}"'


def _extensions(point: TrackPoint) -> Iterator[str]:
    accuracy = "" if point.accuracy_m is None else degrees(point.accuracy_m)
    speed = "" if point.speed_mps is None else degrees(point.speed_mps)
    flags = ("foreground", flag(point.foreground)), ("stopped", flag(point.stopped))
    values = ("accuracy", accuracy), *flags, ("speed", speed)
    for name, text in values:
        if text:
            yield f"<fencewright:{name}>{text}</fencewright:{name}>"


def _waypoint(point: TrackPoint) -> str:
    time = "" if point.at is None else f"<time>{utc_text(point.at, 'seconds')}</time>"
    return f"<wpt {_attributes(point)}>{time}</wpt>\n"
