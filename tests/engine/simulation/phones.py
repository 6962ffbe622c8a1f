"""Small files in the formats of phones, receivers and servers, each with the same three positions.

The device was at `HERE` at noon, with an accuracy of 5 m if the format has one, at `THERE` 10 s later with 20 m, and
after a gap of an hour at `FAR` with 65 m.
"""

import json
import struct
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any, Final

from engine.domain.geometry import Point

NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
TIMES: Final = (NOON, NOON + timedelta(seconds=10), NOON + timedelta(hours=1))
HERE, THERE, FAR = Point(14.5, 46.05), Point(14.501, 46.051), Point(14.6, 46.1)
POSITIONS: Final = (HERE, THERE, FAR)
ACCURACIES: Final = (5.0, 20.0, 65.0)
FIXES: Final = tuple(zip(POSITIONS, TIMES, ACCURACIES, strict=True))
UNIX: Final = tuple(int(at.timestamp()) for at in TIMES)
ISO: Final = tuple(at.strftime("%Y-%m-%dT%H:%M:%S.000Z") for at in TIMES)


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def kml() -> bytes:
    whens = "".join(f"<when>{at}</when>" for at in ISO)
    coords = "".join(f"<gx:coord>{p.longitude} {p.latitude} 300</gx:coord>" for p in POSITIONS)
    values = "".join(f"<gx:value>{metres}</gx:value>" for metres in ACCURACIES)
    data = f'<gx:SimpleArrayData name="accuracy">{values}</gx:SimpleArrayData>'
    return (
        '<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2" '
        'xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><Placemark><name>Walk</name>'
        "<LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark><Placemark><gx:MultiTrack>"
        f"<gx:Track>{whens}{coords}<ExtendedData><SchemaData>{data}</SchemaData></ExtendedData></gx:Track>"
        "</gx:MultiTrack></Placemark></Document></kml>"
    ).encode()


def kmz() -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("doc.kml", kml())
    return out.getvalue()


FIT_EPOCH: Final = int(datetime(1989, 12, 31, tzinfo=UTC).timestamp())


def fit() -> bytes:
    """Return a FIT file of `record` messages: position in semicircles, timestamp, gps_accuracy."""
    definition = struct.pack("<BBBHB", 0x40, 0, 0, 20, 4)
    definition += bytes((253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 31, 1, 0x02))
    records = b""
    for point, at, metres in zip(POSITIONS, UNIX, ACCURACIES, strict=True):
        semicircles = (round(degrees * 2**31 / 180) for degrees in (point.latitude, point.longitude))
        records += struct.pack("<BIiiB", 0, at - FIT_EPOCH, *semicircles, int(metres))
    # In a tunnel: a record without a position.
    records += struct.pack("<BIiiB", 0, UNIX[2] + 1 - FIT_EPOCH, 0x7FFFFFFF, 0x7FFFFFFF, 0xFF)
    body = definition + records
    head = struct.pack("<BBHI4s", 14, 0x20, 2132, len(body), b".FIT")
    head += struct.pack("<H", fit_crc(head))
    return head + body + struct.pack("<H", fit_crc(head + body))


def fit_crc(data: bytes) -> int:
    """Return the checksum of https://developer.garmin.com/fit/protocol/."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0xA001 if crc & 1 else crc >> 1
    return crc


def google_android() -> bytes:
    """Return a timeline: the last two positions were measured; the first is the end of an older path."""
    signals = [
        {"wifiScan": {"deliveryTime": ISO[1], "devicesRecords": [{"mac": 1, "rawRssi": -71}]}},
        *(
            {
                "position": {
                    "LatLng": f"{point.latitude}°, {point.longitude}°",
                    "accuracyMeters": int(metres),
                    "altitudeMeters": 300.1,
                    "source": "WIFI",
                    "timestamp": at.astimezone().isoformat(timespec="milliseconds"),
                    "speedMetersPerSecond": 0.0,
                }
            }
            for point, at, metres in FIXES[1:]
        ),
    ]
    path = {
        "startTime": "2026-01-01T11:00:00.000Z",
        "endTime": "2026-01-01T13:00:00.000Z",
        "timelinePath": [{"point": f"{HERE.latitude}°, {HERE.longitude}°", "time": ISO[0]}],
    }
    return _json({"semanticSegments": [path], "rawSignals": signals, "userLocationProfile": {}})


def google_ios() -> bytes:
    path = [
        {"point": f"geo:{point.latitude},{point.longitude}", "durationMinutesOffsetFromStartTime": str(minutes)}
        for point, minutes in ((HERE, 0), (THERE, 1 / 6), (FAR, 60))
    ]
    return _json([{"endTime": "2026-01-01T14:00:00.000+01:00", "startTime": ISO[0], "timelinePath": path}])


def takeout_records() -> bytes:
    records = [
        {
            "latitudeE7": round(point.latitude * 1e7),
            "longitudeE7": round(point.longitude * 1e7),
            "accuracy": int(metres),
            "source": "WIFI",
            "deviceTag": -577680260,
            "timestamp": at,
            "activity": [{"activity": [{"type": "STILL", "confidence": 62}], "timestamp": at}],
        }
        for point, at, metres in zip(POSITIONS, ISO, ACCURACIES, strict=True)
    ]
    tablet = {"latitudeE7": 1, "longitudeE7": 1, "accuracy": 9, "deviceTag": 7, "timestampMs": "1767268800000"}
    return _json({"locations": [*records, tablet]})


def takeout_semantic() -> bytes:
    def e7(point: Point) -> dict[str, int]:
        return {"latitudeE7": round(point.latitude * 1e7), "longitudeE7": round(point.longitude * 1e7)}

    raw = {"latE7": round(THERE.latitude * 1e7), "lngE7": round(THERE.longitude * 1e7), "accuracyMeters": 20}
    segment = {
        "startLocation": e7(HERE),
        "endLocation": e7(FAR),
        "duration": {"startTimestamp": ISO[0], "endTimestampMs": str(UNIX[2] * 1000)},
        "activityType": "WALKING",
        "simplifiedRawPath": {"points": [{**raw, "timestamp": ISO[1]}]},
    }
    return _json({"timelineObjects": [{"activitySegment": segment}]})


def owntracks() -> list[dict[str, Any]]:
    messages = [
        {
            "_type": "location",
            "acc": int(metres),
            "batt": 85,
            "conn": "w",
            "lat": point.latitude,
            "lon": point.longitude,
            "t": "u",
            "tid": "an",
            "topic": "owntracks/ann/phone",
            "tst": at,
        }
        for point, at, metres in zip(POSITIONS, UNIX, ACCURACIES, strict=True)
    ]
    return [messages[0], {"_type": "lwt", "tst": UNIX[0]}, *messages[1:]]


def owntracks_lines() -> bytes:
    return b"\n".join(map(_json, owntracks()))


def owntracks_rec() -> bytes:
    return b"".join(f"{ISO[0][:19]}Z\t*                 \t".encode() + _json(each) + b"\n" for each in owntracks())


GPSLOGGER_HEADER: Final = (
    "time,lat,lon,elevation,accuracy,bearing,speed,satellites,provider,hdop,vdop,pdop,geoidheight,ageofdgpsdata,dgpsid,"
    "activity,battery,annotation,timestamp_ms,time_offset,distance,starttimestamp_ms,profile_name,battery_charging"
)


def gpslogger_csv() -> bytes:
    rows = [
        f"{iso},{point.latitude},{point.longitude},300.0,{metres},,0.0,7,gps,,,,,,,,85,,{at}000,{iso},0,{UNIX[0]}000,"
        "Default Profile,false"
        for point, iso, at, metres in zip(POSITIONS, ISO, UNIX, ACCURACIES, strict=True)
    ]
    return "\n".join((GPSLOGGER_HEADER, *rows, "")).encode()


def gpslogger_gpx() -> bytes:
    """Return GPX 1.0 with a dilution of precision, of which 1 means 5 m."""
    points = "".join(
        f'<trkpt lat="{point.latitude}" lon="{point.longitude}"><ele>300</ele><time>{at}</time><src>gps</src>'
        f"<sat>7</sat><hdop>{metres / 5}</hdop></trkpt>"
        for point, at, metres in zip(POSITIONS, ISO, ACCURACIES, strict=True)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" ?><gpx version="1.0" creator="GPSLogger 132" '
        f'xmlns="http://www.topografix.com/GPX/1/0"><time>{ISO[0]}</time><trk><trkseg>{points}</trkseg></trk></gpx>'
    ).encode()


def _traccar() -> list[dict[str, Any]]:
    return [
        {
            "id": number,
            "attributes": {"batteryLevel": 85, "motion": True},
            "deviceId": 3,
            "protocol": "osmand",
            "serverTime": ISO[2],
            "deviceTime": at,
            "fixTime": at[:-1] + "+0000",
            "outdated": False,
            "valid": True,
            "latitude": point.latitude,
            "longitude": point.longitude,
            "altitude": 300.0,
            "speed": 0.0,
            "course": 0.0,
            "address": None,
            "accuracy": metres,
            "network": None,
        }
        for number, (point, at, metres) in enumerate(zip(POSITIONS, ISO, ACCURACIES, strict=True))
    ]


def traccar_json() -> bytes:
    return _json(_traccar())


def traccar_csv() -> bytes:
    names = [name for name in _traccar()[0] if name not in ("attributes", "network")]
    rows = [";".join("" if each[name] is None else str(each[name]) for name in names) for each in _traccar()]
    return "\n".join((";".join(names), *rows, "")).encode()


def sentence(body: str) -> str:
    """Return an NMEA 0183 sentence with its checksum."""
    total = 0
    for byte in body.encode():
        total ^= byte
    return f"${body}*{total:02X}"


def _degrees(value: float, width: int) -> str:
    whole = int(value)
    return f"{whole:0{width}d}{(value - whole) * 60:08.5f}"


def nmea(*, dated: bool = True) -> bytes:
    lines = ["$GPTXT,01,01,02,u-blox*00"]
    for point, at, metres in FIXES:
        clock = at.strftime("%H%M%S.00")
        position = f"{_degrees(point.latitude, 2)},N,{_degrees(point.longitude, 3)},E"
        lines.append(sentence(f"GNGGA,{clock},{position},1,08,{metres / 5:.1f},300.0,M,46.9,M,,"))
        lines.append(sentence("GPGSV,1,1,01,07,05,200,22"))
        if dated:
            lines.append(sentence(f"GNRMC,{clock},A,{position},0.0,0.0,{at.strftime('%d%m%y')},,,A"))
    return "\r\n".join((*lines, "")).encode()


def logged(number: int, at: str, body: Mapping[str, Any], status: int = 200) -> dict[str, Any]:
    """Return a request of the log as in the response of ``GET /v1/requests``."""
    return {
        "number": number,
        "createdAt": at,
        "durationMs": 2.9,
        "method": "POST",
        "path": "/v1/track",
        "environment": "test",
        "deviceId": body.get("deviceId"),
        "headers": [{"name": "Content-Type", "value": "application/json"}],
        "body": json.dumps(body),
        "bodySize": 96,
        "response": {"status": status, "headers": [], "body": "{}", "bodySize": 2},
        "events": [],
        "nearMisses": [],
    }


def request_log() -> bytes:
    records = [
        logged(
            number,
            ISO[2],
            {
                "deviceId": "phone-1",
                "latitude": point.latitude,
                "longitude": point.longitude,
                "accuracy": metres,
                "updatedAt": at,
            },
        )
        for number, (point, at, metres) in enumerate(zip(POSITIONS, ISO, ACCURACIES, strict=True), 1)
    ]
    return _json({"meta": {"code": 200}, "requests": list(reversed(records))})


def tcx() -> bytes:
    points = "".join(
        f"<Trackpoint><Time>{at}</Time><Position><LatitudeDegrees>{point.latitude}</LatitudeDegrees>"
        f"<LongitudeDegrees>{point.longitude}</LongitudeDegrees></Position><HeartRateBpm><Value>90</Value>"
        "</HeartRateBpm></Trackpoint>"
        for point, at in zip(POSITIONS, ISO, strict=True)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><TrainingCenterDatabase '
        'xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Running"><Lap>'
        f"<Track>{points}</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
    ).encode()


def overland() -> bytes:
    """Return an Overland batch, as https://github.com/aaronpk/Overland-iOS describes it."""
    features = [
        {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": [point.longitude, point.latitude]},
            "properties": {
                "timestamp": at,
                "altitude": 300,
                "speed": -1,
                "horizontal_accuracy": metres,
                "vertical_accuracy": 3,
                "motion": ["driving"],
                "battery_state": "unplugged",
                "device_id": "phone",
                "wifi": "",
            },
        }
        for point, at, metres in zip(POSITIONS, ISO, ACCURACIES, strict=True)
    ]
    return _json({"locations": features, "current": features[-1], "trip": {"mode": "bicycle"}})


ALL: Final = {
    "walk.kml": kml,
    "walk.kmz": kmz,
    "walk.fit": fit,
    "Timeline.json": google_android,
    "location-history.json": google_ios,
    "Records.json": takeout_records,
    "2026_JANUARY.json": takeout_semantic,
    "owntracks.json": lambda: _json(owntracks()),
    "recorder-api.json": lambda: _json({"count": 4, "data": owntracks()}),
    "owntracks.jsonl": owntracks_lines,
    "2026-01.rec": owntracks_rec,
    "gpslogger.csv": gpslogger_csv,
    "gpslogger.gpx": gpslogger_gpx,
    "traccar.json": traccar_json,
    "traccar.csv": traccar_csv,
    "receiver.nmea": nmea,
    "requests.json": request_log,
    "walk.tcx": tcx,
    "overland.json": overland,
}

WITHOUT_ACCURACY: Final = {
    "Timeline.json": {0},
    "location-history.json": {0, 1, 2},
    "2026_JANUARY.json": {0, 2},
    "walk.tcx": {0, 1, 2},
}
"""The positions in a format without accuracy."""
