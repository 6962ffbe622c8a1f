"""What finds addresses for an open workspace: made when asked for, made anew when other areas are in use."""

import gc
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest

from engine import Engine
from engine.domain.address import Address, ForwardQuery, ReverseQuery
from engine.domain.area import Area
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.errors import GeocodingUnavailable, InvalidParameter
from engine.domain.geometry import Point
from engine.geocoders import Geocoders
from tests.engine.geocoding.small import VADUZ, write_small

OPEN_FILES = Path("/proc/self/fd")
QUERY = ForwardQuery(text="120 East Main Street, Springfield, IL")


def area_at(folder: Path) -> Area:
    folder.mkdir()
    write_small(folder / "gazetteer.sqlite")
    return Area(
        name=folder.name,
        folder=folder,
        bounds=(-90, 39, -89, 40),
        roads=folder / "roads.tar",
        basemap=None,
        built_at=datetime(2026, 1, 1, tzinfo=UTC),
        source="made up",
        format=2,
        gazetteer=folder / "gazetteer.sqlite",
    )


def test_what_is_found_follows_the_areas_in_use(tmp_path: Path) -> None:
    areas: list[Area] = []
    geocoders = Geocoders(lambda: tuple(areas), world=tmp_path / "none")
    assert geocoders.geocoder.forward(QUERY) == ()
    areas.append(area_at(tmp_path / "small"))
    assert geocoders.geocoder.forward(QUERY) == ()
    geocoders.look_again()
    assert geocoders.geocoder.forward(QUERY)[0].number == "120"
    before = geocoders.geocoder
    geocoders.look_again()
    assert geocoders.geocoder is before
    areas.clear()
    geocoders.look_again()
    assert geocoders.geocoder.forward(QUERY) == ()
    # Who had begun with the former areas ends with them.
    assert before.forward(QUERY)[0].number == "120"
    geocoders.close()


def test_whoever_began_before_areas_changed_several_times_ends_and_leaves_no_open_files(tmp_path: Path) -> None:
    areas = [area_at(tmp_path / "first")]
    geocoders = Geocoders(lambda: tuple(areas), world=tmp_path / "none")
    first = geocoders.geocoder
    for name in ("second", "third", "fourth"):
        areas[:] = [area_at(tmp_path / name)]
        geocoders.look_again()
        assert geocoders.geocoder.forward(QUERY)[0].number == "120"
    assert first.forward(QUERY)[0].number == "120"
    del first
    gc.collect()
    if OPEN_FILES.is_dir():
        targets = {file.readlink() for file in OPEN_FILES.iterdir() if file.is_symlink()}
        assert {file for file in targets if tmp_path in file.parents} == {tmp_path / "fourth" / "gazetteer.sqlite"}
    geocoders.close()


def test_a_thread_that_comes_after_its_area_was_removed_is_told_so(tmp_path: Path) -> None:
    area = area_at(tmp_path / "small")
    geocoders = Geocoders(lambda: (area,), world=tmp_path / "none")
    assert geocoders.geocoder.forward(QUERY)[0].number == "120"
    shutil.rmtree(tmp_path / "small")
    with ThreadPoolExecutor(1) as other, pytest.raises(GeocodingUnavailable, match="cannot be opened"):
        other.submit(geocoders.geocoder.forward, QUERY).result()
    geocoders.close()


def test_an_area_that_was_built_anew_in_its_place_is_read_anew(tmp_path: Path) -> None:
    areas = [area_at(tmp_path / "small")]
    geocoders = Geocoders(lambda: tuple(areas), world=tmp_path / "none")
    before, regions = geocoders.geocoder, geocoders.regions
    areas[:] = [replace(areas[0], built_at=datetime(2026, 2, 1, tzinfo=UTC))]
    geocoders.look_again()
    assert geocoders.geocoder is not before
    assert geocoders.regions is not regions
    geocoders.close()


def test_an_area_without_a_gazetteer_is_left_out(tmp_path: Path) -> None:
    without = replace(area_at(tmp_path / "small"), gazetteer=None)
    (tmp_path / "small" / "gazetteer.sqlite").unlink()
    geocoders = Geocoders(lambda: (without,), world=tmp_path / "none")
    assert geocoders.geocoder.forward(QUERY) == ()
    geocoders.close()


def test_many_threads_may_ask_at_once(tmp_path: Path) -> None:
    area = area_at(tmp_path / "small")
    geocoders = Geocoders(lambda: (area,), world=tmp_path / "none")
    found: list[tuple[Address, ...]] = []

    def ask() -> None:
        for _ in range(50):
            found.append(geocoders.geocoder.forward(QUERY))
            found.append(geocoders.geocoder.reverse(ReverseQuery(point=VADUZ)))

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    geocoders.close()
    assert len(found) == 800
    assert len(set(found)) == 2


def test_threads_that_have_ended_leave_no_open_files(tmp_path: Path) -> None:
    area = area_at(tmp_path / "small")
    geocoders = Geocoders(lambda: (area,), world=tmp_path / "none")
    geocoders.geocoder.forward(QUERY)
    if not OPEN_FILES.is_dir():
        pytest.skip("only Linux lists the open files of a process")
    before = len(list(OPEN_FILES.iterdir()))
    for _ in range(20):
        thread = Thread(target=lambda: geocoders.geocoder.forward(QUERY))
        thread.start()
        thread.join()
    assert len(list(OPEN_FILES.iterdir())) <= before + 4
    geocoders.close()


def test_a_server_that_is_none_is_refused(tmp_path: Path) -> None:
    geocoders = Geocoders(lambda: (), url="http://localhost:1", world=tmp_path / "none")
    with pytest.raises(InvalidParameter, match="geocoder"):
        geocoders.geocoder.forward(QUERY)


def test_the_time_zone_is_told_by_the_clock_of_the_environment(engine: Engine) -> None:
    engine.set_clock(ClockChange(now=datetime(2026, 7, 1, 12, tzinfo=UTC), frozen=True))
    summer = engine.time_zone(Point(-77.86, 40.79), Environment.TEST)
    assert (summer.id, summer.name, summer.code) == ("America/New_York", "Eastern Daylight Time", "EDT")
    assert (summer.utc_offset_s, summer.dst_offset_s) == (-14_400, 3_600)
    assert summer.now.isoformat() == "2026-07-01T08:00:00-04:00"
    engine.set_clock(ClockChange(now=datetime(2026, 12, 1, 12, tzinfo=UTC), frozen=True))
    winter = engine.time_zone(Point(9.52, 47.14), Environment.TEST)
    assert (winter.code, winter.utc_offset_s, winter.dst_offset_s) == ("CET", 3_600, 0)
    assert engine.time_zone(Point(-30, 0), Environment.TEST).name == "GMT-2"
