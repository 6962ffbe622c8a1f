import pytest

from engine.backtest.reading.names import layout_of
from engine.domain.errors import InvalidParameter


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (
            "_id,userId,deviceId,location.coordinates.0,location.coordinates.1,locationAccuracy,foreground,stopped,updatedAt,actualUpdatedAt,ip",
            {
                "user": "userId",
                "device": "deviceId",
                "longitude": "location.coordinates.0",
                "latitude": "location.coordinates.1",
                "accuracy": "locationAccuracy",
                "foreground": "foreground",
                "stopped": "stopped",
                "time": "updatedAt",
                "received": "actualUpdatedAt",
                "ip": "ip",
            },
        ),
        (
            "radar_user_id,radar_device_id,radar_location_longitude,radar_location_latitude,radar_updated_at",
            {
                "user": "radar_user_id",
                "device": "radar_device_id",
                "longitude": "radar_location_longitude",
                "latitude": "radar_location_latitude",
                "time": "radar_updated_at",
            },
        ),
        (
            "id,deviceId,protocol,serverTime,deviceTime,fixTime,valid,latitude,longitude,altitude,speed,accuracy",
            {
                "device": "deviceId",
                "received": "serverTime",
                "time": "fixTime",
                "latitude": "latitude",
                "longitude": "longitude",
                "accuracy": "accuracy",
            },
        ),
        (
            "tst,topic,lat,lon,acc,vel",
            {"time": "tst", "device": "topic", "latitude": "lat", "longitude": "lon", "accuracy": "acc"},
        ),
        (
            "id,context_device_id,context_location_latitude,context_location_longitude,context_ip,original_timestamp,"
            "received_at,sent_at,timestamp,user_id",
            {
                "device": "context_device_id",
                "latitude": "context_location_latitude",
                "longitude": "context_location_longitude",
                "ip": "context_ip",
                "received": "received_at",
                "time": "timestamp",
                "user": "user_id",
            },
        ),
        (
            "device_id,event_timestamp,latitude,longitude",
            {"device": "device_id", "time": "event_timestamp", "latitude": "latitude", "longitude": "longitude"},
        ),
        ("vehicle_id,ts,lon,lat", {"device": "vehicle_id", "time": "ts", "longitude": "lon", "latitude": "lat"}),
        ("vehicle_id,t,x,y", {"device": "vehicle_id", "time": "t", "longitude": "x", "latitude": "y"}),
        (
            "uuid,coords.latitude,coords.longitude,coords.accuracy,timestamp,device",
            {
                "latitude": "coords.latitude",
                "longitude": "coords.longitude",
                "accuracy": "coords.accuracy",
                "time": "timestamp",
                "device": "device",
            },
        ),
        (
            "device,date,time,Latitude (deg),Longitude (deg),geofence.latitude",
            {
                "device": "device",
                "date": "date",
                "time": "time",
                "latitude": "Latitude (deg)",
                "longitude": "Longitude (deg)",
            },
        ),
        (
            "device,date,lat,lon",
            {"device": "device", "time": "date", "latitude": "lat", "longitude": "lon"},
        ),
    ],
)
def test_names_in_use(header: str, expected: dict[str, str]) -> None:
    assert dict(layout_of(header.split(","), {}, {}).columns) == expected


@pytest.mark.parametrize("header", ["device,time,x,y", "topic,time,lat,lon", "device,t,lat,lon"])
def test_ambiguous_names_are_not_taken(header: str) -> None:
    with pytest.raises(InvalidParameter, match="there is no column for"):
        layout_of(header.split(","), {}, {})


def test_mapped_columns() -> None:
    names = ["Unit No", "device", "time", "lat", "lon", "lat2"]
    layout = layout_of(names, {}, {"device": "unit_no", "latitude": "lat2"})
    assert layout.columns["device"] == "Unit No"
    assert layout.columns["latitude"] == "lat2"
    assert layout.unused == ("device", "lat")


def test_a_mapped_column_that_does_not_exist() -> None:
    with pytest.raises(InvalidParameter) as caught:
        layout_of(["vehicle", "time", "lat", "lon"], {}, {"device": "vehicel"})
    assert caught.value.param == "columns"
    assert caught.value.message == (
        "there is no column 'vehicel', which is mapped to device; did you mean vehicle? "
        "The columns are vehicle, time, lat, lon."
    )


def test_missing_columns_are_named_with_advice() -> None:
    with pytest.raises(InvalidParameter) as caught:
        layout_of(["name", "time", "lat"], {}, {})
    assert caught.value.message == (
        "there is no column for device and longitude; its columns are name, time, lat. "
        "Name the columns with --columns device=COLUMN --columns longitude=COLUMN."
    )


def test_folders_give_fields() -> None:
    names = ["time", "lat", "lon"]
    assert layout_of(names, {"device": "a"}, {}).constants == {"device": "a"}
    assert layout_of(names, {"vehicle": "a"}, {"device": "vehicle"}).constants == {"device": "a"}
    both = layout_of(["device", *names], {"device": "a", "date": "2026-01-01"}, {})
    assert (both.constants, both.unused) == ({}, ("the folders device=…",))
    assert layout_of([*names], {"device": "a", "date": "2026-01-01", "time": "x"}, {}).columns["time"] == "time"


def test_the_note_names_the_columns() -> None:
    layout = layout_of(["time", "lat", "lon", "speed"], {"device": "a"}, {})
    assert layout.described() == (
        "time from time, latitude from lat, longitude from lon, device from the folders. Not used: speed"
    )
