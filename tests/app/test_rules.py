"""Settings, explanations and replays on the command line, on a closed workspace and on one open elsewhere."""

import re
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from app.desktop.model.project import GROUPS
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.tracking.beacon import BeaconChange
from engine.domain.tracking.trips import DestinationChange, TripChange
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.values import replace
from tests.app.commands import Commands, written
from tests.app.program import ROOT

HEADER = "description,type,tag,externalId,coordinates,radius\n"
CIRCLE = '{0},circle,store,{0},"[14.3577,45.7722]",{1}\n'

NORTH = 45.7722 + 160 / 111_150
"""10 m outside a circle of 150 m."""

TEST = Environment.TEST
NOTHING_ELSE = [
    "user.started_trip did not fire: the user is on no trip, and no trip waits for them",
    "user.entered_place did not fire: the setting places is off",
    "user.entered_region_country did not fire: the setting regions is off",
]
"""The text for other events if there are none to explain."""


class Project:
    """The command line on one workspace, with helpers that the tests share."""

    def __init__(self, fencewright: Commands, folder: Path, files: Path) -> None:
        self._fencewright = fencewright
        self._files = files
        self.folder = folder

    def run(self, command: str, *arguments: object) -> Any:
        return self._fencewright(command, *arguments, "--workspace", self.folder)

    def json(self, command: str, *arguments: object) -> Any:
        ended = self.run(command, *arguments, "--json")
        assert (ended.code, ended.err) == (0, ""), ended
        return ended.json

    def fence(self, name: str = "a", radius_m: float = 150, **rules: str) -> None:
        header = ",".join(["description,type,tag,externalId,coordinates,radius", *rules])
        row = ",".join([CIRCLE.format(name, radius_m).strip(), *rules.values()])
        table = written(self._files / "fences.csv", f"{header}\n{row}\n")
        assert self.run("import", table).code == 0

    def walk(self, *fixes: tuple[str, float], device: str = "phone", accuracy_m: float = 50, user: str = "") -> Any:
        """Move a device to latitudes at times of one day and return the events."""
        rows = "".join(f"2026-05-01T{time}Z,{latitude},14.3577\n" for time, latitude in fixes)
        track = written(self._files / "track.csv", "time,lat,lon\n" + rows)
        who = ("--user", user) if user else ()
        options = ("--device", device, "--accuracy", accuracy_m, *who, "--continue", "--json")
        return self.run("simulate", track, *options).events


@pytest.fixture
def project(fencewright: Commands, workspace: Path, tmp_path: Path) -> Project:
    return Project(fencewright, workspace, tmp_path)


class TestSettings:
    def test_they_are_shown_and_changed(self, project: Project) -> None:
        shown = project.json("settings")
        assert (shown["bufferEntries"], shown["minimumConfidence"], shown["rateLimit"]) == (False, 1, True)
        assert "defaultDwellThreshold" not in shown
        change = ("--set", "fraud=true", "defaultDwellThreshold=2.5", "--set", "blocked=ana, bor")
        changed = project.json("settings", *change)
        assert changed == shown | {"fraud": True, "defaultDwellThreshold": 2.5, "blocked": ["ana", "bor"]}
        assert project.json("settings") == changed
        assert project.json("settings", "--environment", "live") == shown
        reset = ("--set", "fraud=", "defaultDwellThreshold=", "blocked=")
        assert project.json("settings", *reset) == shown

    def test_for_people(self, project: Project) -> None:
        lines = dict(line.split(maxsplit=1) for line in project.run("settings", "--set", "fraud=true").out.splitlines())
        assert (lines["fraud"], lines["places"], lines["trustedProxyHeader"], lines["segments"]) == (
            *("true", "false"),
            *("-", "-"),
        )

    @pytest.mark.parametrize(
        ("wrong", "name"),
        [
            ("bufferEntry=true", "bufferEntry"),
            ("minimumConfidence=4", "minimumConfidence"),
            ("fraud=maybe", "fraud"),
            ("jumpedSpeed=0", "jumpedSpeed"),
            ("proxyAddresses=10.0.0.256", "proxyAddresses"),
            ("segments=[{}]", "segments"),
            ("segments=" + "[" * 20_000, "segments"),
            ("places=true", "places"),
        ],
    )
    def test_all_or_nothing(self, project: Project, wrong: str, name: str) -> None:
        before = project.json("settings")
        ended = project.run("settings", "--set", "bufferExits=true", "places=false", wrong)
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
        assert ended.err.startswith(f"fencewright: {name}: ")
        assert project.json("settings") == before

    def test_an_assignment_needs_a_name_and_a_value(self, project: Project) -> None:
        for wrong in ("bufferEntries", "=true"):
            ended = project.run("settings", "--set", wrong)
            assert (ended.code, "must be NAME=VALUE" in ended.err) == (2, True)


class TestBuffers:
    """The case that docs/tracking.md and the settings dialog warn about."""

    STANDS = 45.7722 + 155 / 111_150
    """About 5 m outside a circle of 150 m."""

    @pytest.mark.parametrize(
        ("settings", "expected"),
        [
            (("bufferEntries=true",), ["entered", "exited"] * 10),
            (("bufferEntries=true", "minimumConfidence=2"), []),
            (("bufferEntries=true", "bufferExits=true"), ["entered"]),
            (("bufferExits=true",), []),
        ],
    )
    def test_a_device_that_stands_5_m_outside(
        self, project: Project, settings: tuple[str, ...], expected: list[str]
    ) -> None:
        project.fence()
        project.run("settings", "--set", *settings)
        events = project.walk(*((f"08:{minute:02}:00", self.STANDS) for minute in range(20)), accuracy_m=20)
        assert [event["type"] for event in events] == [f"user.{kind}_geofence" for kind in expected]
        (explanation,) = project.json("explain", "--device", "phone")["explanations"]
        assert explanation["distance"] == pytest.approx(5, abs=1)

    def test_repeated_entries_are_mentioned_in_hints_and_docs(self) -> None:
        settings = {setting.name: setting for _, group in GROUPS for setting in group}
        assert "Buffer exits" in settings["buffer_entries"].hint
        assert "enters and exits" in settings["buffer_entries"].hint
        assert "Buffer entries" in settings["buffer_exits"].hint
        for name in ("tracking", "api-settings"):
            page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
            assert re.search(r"enters\s+.*exits\s+.*(over\s+and\s+over|repeatedly)", page, re.DOTALL), name


class TestExplain:
    def test_editing_the_fence_does_not_change_the_answer(self, project: Project) -> None:
        project.fence(stopDetection="true")
        assert project.walk(("08:00:00", 45.7722)) == []
        explained = project.json("explain", "--device", "phone")
        (explanation,) = explained["explanations"]
        assert explanation["decision"] == "entry withheld"
        assert [rule["rule"] for rule in explanation["rules"] if not rule["passed"]] == ["stopDetection"]
        assert (explained["update"]["updatedAt"], explained["update"]["stopped"]) == ("2026-05-01T08:00:00.000Z", False)

        project.fence(radius_m=5000, stopDetection="false")
        project.run("settings", "--set", "stopDetection=true")
        assert project.json("explain", "--device", "phone") == explained
        assert [event["type"] for event in project.walk(("08:01:00", 45.7722))] == ["user.entered_geofence"]
        at = ("--at", "2026-05-01T08:00:30Z")
        answer = project.json("explain", "--device", "phone", *at)
        assert answer["update"].pop("nextAt") == "2026-05-01T08:01:00.000Z"
        assert answer == explained
        assert project.json("explain", "--device", "phone")["explanations"][0]["decision"] == "entry"

    def test_a_late_update_is_explained_as_late(self, project: Project) -> None:
        project.fence()
        project.walk(("08:00:00", 45.7722), ("08:10:00", 45.7722))
        project.walk(("08:05:00", 45.7722))
        update = project.json("explain", "--device", "phone")["update"]
        assert update["lateAfter"] == "2026-05-01T08:10:00.000Z"
        lines = project.run("explain", "--device", "phone").out.splitlines()
        assert lines[1].startswith("late: its own time is before 2026-05-01T10:10:00+02:00 (Europe/Ljubljana), the")

    def test_for_people(self, project: Project) -> None:
        project.fence(stopDetection="true")
        project.walk(("08:00:00", 45.7722), user="ana")
        lines = project.run("explain", "--device", "phone", "--user", "ana").out.splitlines()
        assert lines[0].endswith("of device phone, user ana: 2026-05-01T10:00:00+02:00 (Europe/Ljubljana)")
        assert lines[1].startswith("latitude 45.772200, longitude 14.357700, accuracy 50 m")
        assert (
            lines[3]
            == "store/a  a: entry withheld (150.0 m inside, 100% of the accuracy circle is inside, confidence 3)"
        )
        assert any(line.startswith("  ✓ enabled: ") for line in lines[4:])
        assert any(line.startswith("  ✗ stopDetection: stop detection is on") for line in lines[4:])
        assert lines[-8:] == [
            "  an entry would have fired",
            "    → with the device stopped",
            "    → with the app in the foreground",
            "    → with the geofence's own stop detection off",
            "",
            *NOTHING_ELSE,
        ]
        explained = project.json("explain", "--device", "phone", "--user", "ana")
        (remedy, *_) = explained["explanations"][0]["remedies"]
        change = {"factor": "stopped", "text": "with the device stopped", "values": {}}
        assert remedy == {"changes": [change], "text": "with the device stopped"}

    def test_being_inside_is_a_fact_and_no_failure(self, project: Project) -> None:
        project.fence()
        project.walk(("08:00:00", 45.7722), ("08:01:00", 45.7722))
        lines = project.run("explain", "--device", "phone").out.splitlines()
        assert any(line.startswith("  • boundary: the location is inside") for line in lines)
        assert not any(line.startswith("  ✗") for line in lines)

    def test_far_from_all_geofences(self, project: Project) -> None:
        project.walk(("08:00:00", 12.0))
        lines = project.run("explain", "--device", "phone").out.splitlines()
        assert lines[-5:] == ["no geofence is nearby", "", *NOTHING_ELSE]

    def test_places_and_regions_have_their_reasons(self, project: Project) -> None:
        project.run("settings", "--set", "places=true", "regions=true")
        project.walk(("08:00:00", 45.7722))
        explained = project.json("explain", "--device", "phone")
        moving = "user.entered_place did not fire: the device is neither stopped nor in the foreground"
        assert explained["placeReason"].startswith(moving)
        assert explained["regionReason"]
        lines = project.run("explain", "--device", "phone").out.splitlines()
        assert moving in lines
        texts = [each["text"] for each in explained["eventExplanations"] if len(each["rules"]) == 1]
        assert [text for text in texts if not any(line.endswith(text) for line in lines)] == []

    def test_a_trip_and_a_beacon_have_their_reasons(self, fencewright: Commands, tmp_path: Path) -> None:
        project = Project(fencewright, tmp_path / "workspace", tmp_path)
        project.fence()
        uuid = "b9407f30-f5f8-466e-aff9-25556b57fe6d"
        with WorkspaceSession(project.folder) as session:
            trip = TripChange(external_id="order", device_id="phone", approaching_threshold_s=120)
            destination = DestinationChange(tag="store", external_id="a")
            session.engine.trips.create(TEST, replace(trip, destination=destination))
            door = BeaconChange(
                tag="door", external_id="1", description="Door", type="ibeacon", uuid=uuid, major=1, minor=1,
                geometry=Point(14.3577, 45.8),
            )  # fmt: skip
            session.engine.beacons.create(TEST, door)
            update = LocationUpdate("phone", Point(14.3577, 45.8), 20, beacons=())
            session.engine.tracking.track(TEST, update)
        lines = project.run("explain", "--device", "phone").out.splitlines()
        at = lines.index("trip order  user.approaching_trip_destination did not fire")
        assert lines[at + 1] == "  ✓ status: the status of the trip was started"
        assert lines[at + 2].startswith("  ✓ eta: the ETA of ")
        assert lines[at + 2].endswith(" m at 8 m/s, as the route is not computed yet")
        assert "s is above the threshold of 120 s, which is set by the trip" in lines[at + 3]
        assert lines[at + 3].startswith("  ✗ approachingThreshold: ")
        not_reported = "the device did not report the beacon, which is 0 m away (reported: none)"
        assert f"beacon door/1  user.entered_beacon did not fire: {not_reported}" in lines
        explained = project.json("explain", "--device", "phone")["eventExplanations"]
        (approaching,) = [each for each in explained if each["type"] == "user.approaching_trip_destination"]
        assert approaching["about"]["name"] == "order"
        assert approaching["rules"][-1]["values"] == approaching["rules"][-1]["values"] | {
            "threshold": 120.0,
            "source": "trip",
        }

    def test_a_command_is_a_request_from_this_machine(self, project: Project) -> None:
        project.fence(ip="127.0.0.1")
        assert len(project.walk(("08:00:00", 45.7722))) == 1
        assert project.json("explain", "--device", "phone")["update"]["ip"] == "127.0.0.1"

    AWAY = 45.7722 + 1_000 / 111_150
    """1 km from the centre of the circle."""

    @pytest.mark.parametrize(
        ("accuracy_m", "outside"), [(50, "100% of the accuracy circle is outside, confidence 3"), (851, "99% of the")]
    )
    def test_an_exit_states_how_much_is_outside(self, project: Project, accuracy_m: float, outside: str) -> None:
        project.fence()
        project.walk(("08:00:00", 45.7722), ("08:01:00", self.AWAY), accuracy_m=accuracy_m)
        lines = project.run("explain", "--device", "phone").out.splitlines()
        assert any("store/a  a: exit (850" in line and outside in line for line in lines), lines

    def test_times_are_shown_in_the_zone_of_the_geofence_or_the_one_given(self, project: Project) -> None:
        project.fence(disableAfter="2026-05-01T07:00:00Z")
        project.walk(("08:00:00.250", 45.7722))
        ended = project.run("explain", "--device", "phone")
        assert ended.out.splitlines()[0].endswith(": 2026-05-01T10:00:00.250+02:00 (Europe/Ljubljana)")
        assert "the geofence has been disabled since 2026-05-01T09:00:00+02:00 (Europe/Ljubljana)" in ended.out
        there = project.run("explain", "--device", "phone", "--zone", "America/New_York")
        assert there.out.splitlines()[0].endswith(": 2026-05-01T04:00:00.250-04:00 (America/New_York)")
        explained = project.json("explain", "--device", "phone")
        assert {explained["update"]["timeZone"], explained["explanations"][0]["timeZone"]} == {"Europe/Ljubljana"}
        (rule,) = [each for each in explained["explanations"][0]["rules"] if each["rule"] == "disableAfter"]
        assert rule["values"]["disableAfter"] == "2026-05-01T07:00:00.000Z"

    @pytest.mark.parametrize(
        ("time", "zone"),
        [
            ("2026-05-01T10:05", "Europe/Ljubljana"),
            ("2026-05-01T04:05", "America/New_York"),
            ("2026-05-01T10:05+02:00", "Asia/Tokyo"),
            ("2026-05-01T08:05Z", None),
        ],
    )
    def test_a_local_time_finds_the_update(self, project: Project, time: str, zone: str | None) -> None:
        project.walk(("07:00:00", 45.7722), ("08:04:00", 45.7722), ("08:06:00", 45.7722))
        given = ("--zone", zone) if zone else ()
        explained = project.json("explain", "--device", "phone", "--at", time, *given)
        assert explained["update"]["updatedAt"] == "2026-05-01T08:04:00.000Z"

    def test_a_time_without_a_zone_is_utc_and_mentioned(self, project: Project) -> None:
        project.walk(("08:04:00", 45.7722))
        ended = project.run("explain", "--device", "phone", "--at", "2026-05-01T08:05")
        assert (ended.code, ended.err) == (
            0,
            "fencewright: --at has no offset and is read as UTC, which is 2026-05-01T10:05:00+02:00 "
            "(Europe/Ljubljana); for a local time give its offset or --zone\n",
        )

    @pytest.mark.parametrize(
        ("time", "complaint"),
        [
            ("9999-12-31T23:59", "must be between 1971 and 2200."),
            ("0001-01-01T00:00", "must be between 1971 and 2200."),
            ("2026-03-29T02:30", "clocks in Europe/Ljubljana skip 2026-03-29 02:30:00; give another time."),
            (
                "2026-10-25T02:30",
                "clocks in Europe/Ljubljana show 2026-10-25 02:30:00 twice; give it with its offset, +02:00 or +01:00.",
            ),
        ],
    )
    def test_a_local_time_that_does_not_exist_once_is_refused(
        self, project: Project, time: str, complaint: str
    ) -> None:
        project.walk(("08:04:00", 45.7722))
        ended = project.run("explain", "--device", "phone", "--at", time, "--zone", "Europe/Ljubljana")
        assert (ended.code, ended.out, ended.err) == (1, "", f"fencewright: --at: {complaint}\n")

    def test_an_unknown_zone_gets_a_suggestion(self, project: Project) -> None:
        ended = project.run("explain", "--device", "phone", "--zone", "Europe/Lubljana")
        assert ended.code == 2
        assert "not 'Europe/Lubljana'; did you mean Europe/Ljubljana?" in ended.err
        assert project.run("explain", "--device", "phone", "--zone", "../Vienna").code == 2
        abbreviated = project.run("explain", "--device", "phone", "--zone", "CEST")
        assert abbreviated.err.splitlines()[0].endswith("such as Europe/Vienna, not 'CEST'")

    def test_an_update_far_from_the_requested_time_is_mentioned(self, project: Project) -> None:
        project.walk(("08:00:00", 45.7722), ("08:40:00", 45.7722))
        near = project.run("explain", "--device", "phone", "--at", "2026-05-01T10:10:00+02:00")
        assert (near.code, near.err) == (0, "")
        far = project.run("explain", "--device", "phone", "--at", "2026-05-01T10:10:01+02:00")
        assert (far.code, far.err) == (
            0,
            "fencewright: the update found is of 2026-05-01T10:00:00+02:00 (Europe/Ljubljana), 10 min 1 s before the "
            "time asked for; the next one is of 2026-05-01T10:40:00+02:00 (Europe/Ljubljana)\n",
        )
        last = project.run("explain", "--device", "phone", "--at", "2026-05-01T11:00:00+02:00", "--json")
        assert last.err.endswith("20 min before the time asked for; it is the last one\n")

    def test_an_unknown_device_gets_the_known_ones(self, project: Project) -> None:
        project.fence()
        ended = project.run("explain", "--device", "fone-1")
        assert ended.err.endswith("for the device 'fone-1'. No updates of any device are kept in Test.\n")
        for number in range(14):
            project.walk(("08:00:00", 45.7722), device=f"phone-{number}")
        for command in ("explain", "replay"):
            ended = project.run(command, "--device", "Fone-1")
            assert ended.code == 1
            assert "kept for the device 'Fone-1'. Did you mean 'phone-1'? Known devices: phone-0, phone-1" in ended.err
            assert ended.err.endswith(" and 4 more.\n")
        recorded = project.run("track", "record", "--device", "Fone-1", "-o", project.folder / "track.csv")
        assert recorded.code == 1
        assert "Did you mean 'phone-1'? Known devices: phone-0, phone-1" in recorded.err
        listed = project.run("events", "--device", "Fone-1")
        assert (listed.code, listed.out) == (0, "")
        assert "kept for the device 'Fone-1'. Did you mean 'phone-1'? Known devices: phone-0, phone-1" in listed.err
        # A device without such events is not unknown.
        quiet = project.run("events", "--device", "phone-1", "--type", "user.stopped_trip")
        assert (quiet.code, quiet.out, quiet.err) == (0, "", "")
        live = project.run("explain", "--device", "phone-1", "--environment", "live")
        assert live.err.endswith("'phone-1'. There are some in Test; give --environment test.\n")

    def test_updates_that_are_not_kept(self, project: Project) -> None:
        project.walk(("08:00:00", 45.7722))
        for whose in (("other",), ("phone", "--user", "ana"), ("phone", "--at", "2026-05-01T07:59:59Z")):
            ended = project.run("explain", "--device", *whose)
            assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
            assert "kept" in ended.err


class TestReplay:
    def test_other_settings_add_an_event_and_store_nothing(self, project: Project) -> None:
        project.fence()
        assert project.walk(("08:00:00", 46.0), ("08:01:00", NORTH), ("08:02:00", 46.0)) == []
        before = project.json("settings"), project.json("explain", "--device", "phone")
        report = project.json("replay", "--device", "phone", "--set", "bufferEntries=true")
        assert (report["updates"], report["before"], report["removed"]) == (3, [], [])
        assert report["added"] == report["after"]
        assert [(event["type"], event["createdAt"]) for event in report["added"]] == [
            ("user.entered_geofence", "2026-05-01T08:01:00.000Z"),
            ("user.exited_geofence", "2026-05-01T08:02:00.000Z"),
        ]
        assert (project.json("settings"), project.json("explain", "--device", "phone")) == before
        assert project.json("replay", "--device", "phone")["after"] == []
        removed = project.json("clear", "--yes")
        assert (removed["events"], removed["updates"]) == (0, 3)

    def test_for_people(self, project: Project) -> None:
        project.fence()
        project.walk(("08:00:00", 45.7722), ("08:10:00", 46.0))
        ended = project.run("replay", "--device", "phone", "--set", "stopDetection=true")
        assert ended.out.splitlines() == [
            "- 2026-05-01T08:00:00.000Z  phone  entered  store/a  a  (confidence 3)",
            "- 2026-05-01T08:10:00.000Z  phone  exited   store/a  a  (confidence 3, after 10 min)",
            "2 updates: 2 events before, 0 after (0 more, 2 fewer)",
        ]

    def test_several_devices_and_geofences_of_a_sandbox(self, project: Project, tmp_path: Path) -> None:
        project.fence()
        for device in ("phone", "watch"):
            project.walk(("08:00:00", NORTH), ("08:01:00", 45.7722), ("08:02:00", 46.0), device=device)
        before = project.json("explain", "--device", "phone")
        both = ("replay", "--device", "phone", "--device", "watch", "--geofence-set", "store/a:radius=200")
        assert project.json("replay", "--all-devices", *both[5:]) == project.json(*both)
        report = project.json(*both)
        assert (report["updates"], report["gained"], report["lost"]) == (6, [], [])
        assert [each["seconds"] for each in report["moved"]] == [-60, -60]
        assert len(report["added"]) == len(report["removed"]) == 2
        (moved, _) = report["moved"]
        assert (moved["before"]["type"], moved["explanation"]["decision"]) == ("user.entered_geofence", "entry")

        lines = project.run(*both, "--explain").out.splitlines()
        assert lines[0].startswith("~ 2026-05-01T08:00:00.000Z  phone  entered  store/a  a  (confidence ")
        assert lines[0].endswith(")  1 min earlier, was 2026-05-01T08:01:00.000Z")
        assert lines[1].startswith("    entry: the location is inside")
        assert lines[-1] == "6 updates: 4 events before, 4 after (0 more, 0 fewer, 2 moved)"

        disabled = project.json("replay", "--device", "phone", "--geofence-set", "store/a:enabled=false")
        assert [each["explanation"]["text"] for each in disabled["lost"]] == ["outside: the geofence is disabled"] * 2
        deleted = project.json("replay", "--device", "phone", "--geofence-delete", "store/a")
        assert ["explanation" in each for each in deleted["lost"]] == [False, False]
        file = tmp_path / "more.csv"
        header = "tag,externalId,description,type,coordinates,radius"
        file.write_text(f'{header}\nstore,b,B,circle,"[14.3577,{NORTH}]",50\n')
        for content, wrong in (
            (f"{header},size\n", "more.csv: row 1: unknown column 'size'."),
            (f'{header}\nstore,b,B,circle,"[1,2]",5\n', "more.csv: row 2: radius: the radius of a circle must be"),
        ):
            (tmp_path / "wrong").mkdir(exist_ok=True)
            (tmp_path / "wrong" / "more.csv").write_text(content)
            refused = project.run("replay", "--device", "phone", "--fences-file", tmp_path / "wrong" / "more.csv")
            assert refused.err.startswith(f"fencewright: {wrong}")
        more = project.json("replay", "--device", "phone", "--fences-file", file)
        assert [each["after"]["geofence"]["externalId"] for each in more["gained"]] == ["b", "b"]
        assert (more["lost"], more["moved"]) == ([], [])
        assert project.json("explain", "--device", "phone") == before

    def test_a_track_that_was_never_sent(self, project: Project, tmp_path: Path) -> None:
        project.fence()
        track = tmp_path / "walk.csv"
        rows = [("2026-05-01T08:00:00Z", NORTH), ("2026-05-01T08:01:00Z", 45.7722), ("2026-05-01T08:02:00Z", 46.0)]
        track.write_text("time,latitude,longitude\n" + "".join(f"{at},{north},14.3577\n" for at, north in rows))
        tried = ("replay", "--track", track, "--accuracy", 5, "--geofence-set", "store/a:radius=200")
        report = project.json(*tried)
        assert (report["updates"], len(report["before"]), len(report["moved"])) == (3, 2, 1)
        assert project.json("clear", "--yes")["updates"] == 0
        assert project.run("replay", "--track", track).err.startswith("fencewright: --accuracy: ")
        for option, value in (("--after", "2026-05-01"), ("--before", "2026-05-01"), ("--geofences", "now")):
            refused = project.run("replay", "--track", track, "--accuracy", 5, option, value)
            assert (
                refused.err == f"fencewright: {option}: cannot be given together with --track, whose fixes come now.\n"
            )

    @pytest.mark.parametrize(
        ("options", "code", "named"),
        [
            (("--geofence-set", "store/z:radius=200"), 1, "There is no geofence with the _id or the tag/externalId"),
            (("--geofence-set", "Stroe/a:radius=200"), 1, "tag/externalId 'Stroe/a'; did you mean store/a?"),
            (("--geofence-delete", "store/aa"), 1, "tag/externalId 'store/aa'; did you mean store/a?"),
            (("--geofence-set", "beach:radius=200"), 1, "tag/externalId 'beach'.\n"),
            (("--geofence-set", "store/a:radius=2"), 1, "store/a:radius: the radius of a circle must be between"),
            (("--geofence-set", "store/a:radius=wide"), 1, "fencewright: store/a:radius: 'wide' is not a number."),
            (
                ("--geofence-set", "store/a:size=2"),
                1,
                "fencewright: store/a:size: is no field of a geofence; fields are",
            ),
            (
                ("--geofence-set", "store/a:raduis=200"),
                1,
                "fencewright: store/a:raduis: is no field of a geofence; did you mean radius?",
            ),
            (("--geofence-set", "store/a:tag=2"), 1, "tag: identifies the geofence"),
            (("--geofence-set", "radius=2"), 2, "must be ID:FIELD=VALUE"),
            (("--all-devices",), 2, "not allowed with argument"),
            (("--device", "nobody"), 1, "No location updates are kept for the device 'nobody'."),
            (("--noise", "indoor"), 1, "--noise: requires --track; stored updates are replayed as they were sent."),
            (("--seed", 1), 1, "--seed: requires --track"),
            (("--derive-motion",), 1, "--derive-motion: requires --track"),
            (("--accuracy", 5), 1, "--accuracy: requires --track"),
            (("--assume-speed", 5), 1, "--assume-speed: requires --track"),
            (
                ("--after", "2026-05-01T08:00:00Z"),
                1,
                "No location updates are kept for the device 'phone' after 2026-05-01T08:00:00.000Z; "
                "there is 1 update of 2026-05-01T08:00:00.000Z.",
            ),
            (
                ("--user", "ann"),
                1,
                "No location updates are kept for the user 'ann' on the device 'phone'; "
                "there is 1 update of other users.",
            ),
        ],
    )
    def test_invalid_options_of_a_replay(
        self, project: Project, options: tuple[str, ...], code: int, named: str
    ) -> None:
        project.fence()
        project.walk(("08:00:00", NORTH))
        ended = project.run("replay", "--device", "phone", *options)
        assert (ended.code, ended.out) == (code, "")
        assert named in ended.err

    def test_the_geofences_of_now(self, project: Project) -> None:
        project.fence()
        project.walk(("08:00:00", NORTH))
        project.fence(radius_m=200)
        assert project.json("replay", "--device", "phone")["added"] == []
        (event,) = project.json("replay", "--device", "phone", "--geofences", "now")["added"]
        assert event["type"] == "user.entered_geofence"

    def test_a_part_of_the_updates(self, project: Project) -> None:
        project.walk(*((f"08:0{minute}:00", 45.0) for minute in range(5)))
        beyond = project.run("replay", "--device", "phone", "--before", "2026-04-01", "--after", "2026-03-01")
        span = "after 2026-03-01T00:00:00.000Z and before 2026-04-01T00:00:00.000Z"
        kept = "there are 5 updates from 2026-05-01T08:00:00.000Z to 2026-05-01T08:04:00.000Z"
        assert beyond.err == f"fencewright: No location updates are kept for the device 'phone' {span}; {kept}.\n"
        options = ("--after", "2026-05-01T08:00:30Z", "--before", "2026-05-01T08:03:30Z")
        assert project.json("replay", "--device", "phone", *options)["updates"] == 3

    def test_an_unknown_setting_is_named(self, project: Project) -> None:
        project.walk(("08:00:00", 45.0))
        ended = project.run("replay", "--device", "phone", "--set", "bufferEntry=true")
        assert (ended.code, ended.out) == (1, "")
        assert ended.err.startswith("fencewright: bufferEntry: ")

    def test_a_device_that_was_never_there(self, project: Project) -> None:
        project.run("settings")
        ended = project.run("replay", "--device", "phone")
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)


class TestSweep:
    @pytest.fixture
    def track(self, tmp_path: Path) -> Path:
        rows = (f"2026-05-01T08:{number:02d}:00Z,{45.7700 + 0.0002 * number:.4f},14.3577\n" for number in range(30))
        (file := tmp_path / "walk.csv").write_text("time,latitude,longitude\n" + "".join(rows))
        return file

    def test_a_radius(self, project: Project, track: Path) -> None:
        project.fence()
        arguments = (
            "sweep",
            "--geofence",
            "store/a",
            "--track",
            track,
            "--parameter",
            "radius",
            "--from",
            100,
            "--to",
            200,
        )
        few = ("--steps", 3, "--seeds", 4, "--noise", "open-sky")
        swept = project.json(*arguments, *few)
        assert [(point["value"], point["runs"], point["rate"]) for point in swept["points"]] == [
            *((100, 4, 1), (150, 4, 1), (200, 4, 1)),
        ]
        assert (swept["unit"], swept["wanted"], swept["best"]) == ("m", 0.99, 100)
        assert project.json(*arguments, *few) == swept
        lines = project.run(*arguments, *few).out.splitlines()
        assert lines[0] == "    radius  detected  median delay    p95 delay  false events"
        assert lines[1].startswith("     100 m    100.0%  ")
        assert (len(lines), lines[-1]) == (5, "Radius 100 m catches 99 %, with no false events.")
        rows = project.run(*arguments, *few, "--csv").out.splitlines()
        assert rows[0] == "value,label,runs,expected,detected,rate,false_events,median_delay_s,late_delay_s"
        assert rows[1].startswith("100,100 m,4,4,4,1,")
        assert project.json("clear", "--yes")["updates"] == 0

    def test_a_track_that_makes_no_event(self, project: Project, track: Path) -> None:
        project.fence(userIds="ana")
        arguments = ("sweep", "--geofence", "store/a", "--track", track, "--parameter", "buffer", "--seeds", 1)
        lines = project.run(*arguments).out.splitlines()
        assert [line.split()[0] for line in lines[1:-1]] == ["off", "entries", "exits", "both"]
        why = "entry withheld: the geofence has userIds, and no user is logged in"
        assert lines[-1] == f"The track without noise generates no such event ({why}), so there is nothing to detect."
        assert project.json(*arguments)["reason"] == why
        assert (
            project.run(*arguments, "--user", "ana").out.splitlines()[-1].startswith("Buffer off catches 99 %, with ")
        )

    @pytest.mark.parametrize(
        ("options", "named"),
        [
            (("--parameter", "radius"), "--from: is required for the parameter radius"),
            (("--parameter", "radius", "--from", 5, "--to", 50), "--from: the radius of a circle must be between"),
            (("--parameter", "radius", "--from", 50, "--to", 20), "--from: must be greater than 0 and at most 20"),
            (("--parameter", "buffer", "--to", 20), "--to: buffer has no range"),
            (("--parameter", "buffer", "--geofence", "store/z"), "There is no geofence"),
        ],
    )
    def test_invalid_options(self, project: Project, track: Path, options: tuple[object, ...], named: str) -> None:
        project.fence()
        ended = project.run("sweep", "--geofence", "store/a", "--track", track, *options)
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
        assert named in ended.err


@pytest.mark.parametrize(("option", "most"), [("--steps", "200"), ("--seeds", "10,000")])
def test_the_limits_of_a_sweep(fencewright: Commands, option: str, most: str) -> None:
    for given in (0, 10_001):
        ended = fencewright("sweep", "--geofence", "a", "--track", "a", "--parameter", "buffer", option, given)
        assert f"{option}: must be a whole number from 1 to {most}, not '{given}'" in ended.err
        assert ended.code == 2


class Terminal(StringIO):
    """Standard input of a user."""

    def isatty(self) -> bool:
        return True


class TestClear:
    @pytest.fixture
    def used(self, project: Project) -> Project:
        project.fence()
        for device in ("phone", "watch"):
            project.walk(("08:00:00", 45.7722), ("08:01:00", 46.0), device=device)
        return project

    def test_all_of_test(self, used: Project) -> None:
        nothing = {"trips": 0, "geofences": 0, "beacons": 0}
        assert used.json("clear", "--yes") == {"users": 2, "events": 4, "updates": 4, **nothing}
        assert used.run("explain", "--device", "phone").code == 1
        assert len(used.walk(("08:00:00", 45.7722))) == 1  # the geofence still exists, and the device starts again
        assert used.json("clear", "--yes", "--geofences")["geofences"] == 1
        assert used.walk(("08:00:00", 45.7722)) == []

    def test_one_device(self, used: Project) -> None:
        ended = used.run("clear", "--yes", "--device", "phone")
        assert ended.out == "removed: 1 user, 2 events, 2 updates, 0 trips, 0 geofences, 0 beacons\n"
        assert used.run("explain", "--device", "watch").code == 0

    def test_live_stays(self, used: Project, tmp_path: Path) -> None:
        track = tmp_path / "track.csv"
        used.run("simulate", track, "--device", "phone", "--accuracy", 5, "--environment", "live")
        assert used.json("clear", "--yes", "--geofences")["users"] == 2
        assert used.run("explain", "--device", "phone", "--environment", "live").code == 0
        assert used.run("clear", "--yes", "--environment", "live").code == 2

    @pytest.mark.parametrize(
        ("answer", "code", "left"), [("y\n", 0, 0), ("YES\n", 0, 0), ("n\n", 1, 2), ("\n", 1, 2), ("", 1, 2)]
    )
    def test_a_user_is_prompted(
        self, used: Project, monkeypatch: pytest.MonkeyPatch, answer: str, code: int, left: int
    ) -> None:
        monkeypatch.setattr(sys, "stdin", Terminal(answer))
        ended = used.run("clear")
        assert ended.code == code
        assert "Remove the users, events, location updates and trips of all devices in Test from" in ended.err
        assert used.json("clear", "--yes")["users"] == left

    def test_a_script_must_pass_yes(self, used: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", StringIO("y\n"))
        ended = used.run("clear")
        assert (ended.code, ended.out, "--yes" in ended.err) == (2, "", True)
        assert used.json("clear", "--yes")["users"] == 2

    def test_geofences_are_not_of_one_device(self, used: Project) -> None:
        for option in ("--geofences", "--beacons"):
            assert used.run("clear", "--yes", "--device", "phone", option).code == 2


@pytest.mark.parametrize("command", [("explain", "--device", "d"), ("replay", "--device", "d"), ("clear", "--yes")])
def test_a_workspace_that_is_not_there_is_not_made(
    fencewright: Commands, tmp_path: Path, command: tuple[str, ...]
) -> None:
    ended = fencewright(*command, "--workspace", tmp_path / "typo")
    assert (ended.code, ended.err) == (1, f"fencewright: There is no workspace in {tmp_path / 'typo'}.\n")
    assert not (tmp_path / "typo").exists()


def test_a_failed_check_for_fraud_is_an_event_without_a_geofence(project: Project) -> None:
    project.run("settings", "--set", "fraud=true")
    track = written(
        project.folder.parent / "jump.csv", "time,lat,lon\n2026-05-01T08:00:00Z,45,14\n2026-05-01T08:00:01Z,46,14\n"
    )
    ended = project.run("simulate", track, "--device", "phone", "--accuracy", 5)
    assert ended.out == "2026-05-01T08:00:01.000Z  failed_fraud  (confidence 3)\n"
