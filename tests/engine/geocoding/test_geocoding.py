"""Geocoders for an open workspace: created on demand, and again when other areas are in use."""

import gc
import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Barrier, Thread

import pytest

from engine import Engine
from engine.bundled import WORLD_FILE
from engine.domain.addresses.address import Address, AutocompleteQuery, ForwardQuery, ReverseQuery
from engine.domain.area import Area
from engine.domain.clock import ClockChange
from engine.domain.errors import GeocodingUnavailable, InvalidParameter, NoGeocodingData
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.geo.zones import time_zone_at
from engine.geocoding.geocoding import Geocoding
from tests.engine.geocoding.small import VADUZ, write_small

OPEN_FILES = Path("/proc/self/fd")
QUERY = ForwardQuery(text="120 East Main Street, Springfield, IL")
ENDLESS = "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more) SELECT count(*) FROM more"


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


def assert_nothing_to_look_in(geocoding: Geocoding) -> None:
    """Check that missing data raises an error instead of an empty result."""
    queries = (
        partial(geocoding.geocoder.forward, QUERY),
        partial(geocoding.geocoder.reverse, ReverseQuery(point=VADUZ)),
        partial(geocoding.geocoder.autocomplete, AutocompleteQuery(text="main")),
    )
    for ask in queries:
        with pytest.raises(NoGeocodingData, match="Run 'fencewright setup'"):
            ask()


@pytest.mark.parametrize(
    ("pack", "area", "url", "words"),
    [
        (True, True, None, None),
        (True, False, None, "No area in use has streets or places"),
        (False, True, None, "There is no world pack, so only the areas in use are searched"),
        (False, False, None, "no address, place or IP address can be found. Run 'fencewright setup'"),
        (False, False, "photon+http://h", "can be found except by the remote geocoder. Run 'fencewright setup'"),
    ],
)
def test_missing_data_is_reported_without_reading_anything(
    tmp_path: Path, pack: bool, area: bool, url: str | None, words: str | None
) -> None:
    (tmp_path / "world").mkdir()
    if pack:
        (tmp_path / "world" / WORLD_FILE).write_text("never read")
    areas = (area_at(tmp_path / "small"),) if area else ()
    geocoding = Geocoding(lambda: areas, url, world=tmp_path / "world")
    lack = geocoding.lack()
    assert (lack is None) == (words is None)
    assert lack is None or (words is not None and words in lack and "fencewright setup" in lack)


def test_results_follow_the_areas_in_use(tmp_path: Path) -> None:
    areas: list[Area] = []
    geocoding = Geocoding(lambda: tuple(areas), world=tmp_path / "none")
    assert_nothing_to_look_in(geocoding)
    areas.append(area_at(tmp_path / "small"))
    assert_nothing_to_look_in(geocoding)
    geocoding.look_again()
    assert geocoding.geocoder.forward(QUERY)[0].number == "120"
    before = geocoding.geocoder
    geocoding.look_again()
    assert geocoding.geocoder is before
    areas.clear()
    geocoding.look_again()
    assert_nothing_to_look_in(geocoding)
    # A client that began with the former areas finishes with them.
    assert before.forward(QUERY)[0].number == "120"
    geocoding.close()


def test_a_query_begun_before_several_changes_of_areas_ends_and_leaves_no_open_files(tmp_path: Path) -> None:
    areas = [area_at(tmp_path / "first")]
    geocoding = Geocoding(lambda: tuple(areas), world=tmp_path / "none")
    first = geocoding.geocoder
    for name in ("second", "third", "fourth"):
        areas[:] = [area_at(tmp_path / name)]
        geocoding.look_again()
        assert geocoding.geocoder.forward(QUERY)[0].number == "120"
    assert first.forward(QUERY)[0].number == "120"
    del first
    gc.collect()
    if OPEN_FILES.is_dir():
        targets = {file.readlink() for file in OPEN_FILES.iterdir() if file.is_symlink()}
        assert {file for file in targets if tmp_path in file.parents} == {tmp_path / "fourth" / "gazetteer.sqlite"}
    geocoding.close()


def test_a_thread_that_comes_after_its_area_was_removed_gets_an_error(tmp_path: Path) -> None:
    area = area_at(tmp_path / "small")
    geocoding = Geocoding(lambda: (area,), world=tmp_path / "none")
    assert geocoding.geocoder.forward(QUERY)[0].number == "120"
    shutil.rmtree(tmp_path / "small")
    with ThreadPoolExecutor(1) as other, pytest.raises(GeocodingUnavailable, match="cannot be opened"):
        other.submit(geocoding.geocoder.forward, QUERY).result()
    geocoding.close()


def test_an_area_that_was_rebuilt_in_its_place_is_read_again(tmp_path: Path) -> None:
    areas = [area_at(tmp_path / "small")]
    geocoding = Geocoding(lambda: tuple(areas), world=tmp_path / "none")
    before, regions = geocoding.geocoder, geocoding.regions
    areas[:] = [replace(areas[0], built_at=datetime(2026, 2, 1, tzinfo=UTC))]
    geocoding.look_again()
    assert geocoding.geocoder is not before
    assert geocoding.regions is not regions
    geocoding.close()


def test_an_area_without_a_gazetteer_is_left_out(tmp_path: Path) -> None:
    without = replace(area_at(tmp_path / "small"), gazetteer=None)
    (tmp_path / "small" / "gazetteer.sqlite").unlink()
    geocoding = Geocoding(lambda: (without,), world=tmp_path / "none")
    assert_nothing_to_look_in(geocoding)
    assert not geocoding.has_data
    geocoding.close()


def test_many_threads_may_ask_at_once(tmp_path: Path) -> None:
    area = area_at(tmp_path / "small")
    geocoding = Geocoding(lambda: (area,), world=tmp_path / "none")
    found: list[tuple[Address, ...]] = []

    def ask() -> None:
        for _ in range(50):
            found.append(geocoding.geocoder.forward(QUERY))
            found.append(geocoding.geocoder.reverse(ReverseQuery(point=VADUZ)))

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    geocoding.close()
    assert len(found) == 800
    assert len(set(found)) == 2


def test_queries_while_the_files_are_closed_get_an_error(tmp_path: Path) -> None:
    """A window that closes while it looks up an address takes this path."""
    area = area_at(tmp_path / "small")
    geocoding = Geocoding(lambda: (area,), world=tmp_path / "none")
    (gazetteer,) = geocoding.embedded.areas
    begun = Barrier(5)

    def ask() -> str:
        gazetteer.rows("SELECT 1")
        begun.wait()
        with pytest.raises(GeocodingUnavailable) as refused:
            gazetteer.rows(ENDLESS)
        return str(refused.value)

    with ThreadPoolExecutor(4) as others:
        futures = [others.submit(ask) for _ in range(4)]
        begun.wait()
        geocoding.close()
        assert {"no longer open" in each.result(60) for each in futures} == {True}
    with pytest.raises(GeocodingUnavailable, match="no longer open"):
        gazetteer.rows("SELECT 1")


def test_threads_that_have_ended_leave_no_open_files(tmp_path: Path) -> None:
    area = area_at(tmp_path / "small")
    geocoding = Geocoding(lambda: (area,), world=tmp_path / "none")
    geocoding.geocoder.forward(QUERY)
    if not OPEN_FILES.is_dir():
        pytest.skip("only Linux lists the open files of a process")
    before = len(list(OPEN_FILES.iterdir()))
    for _ in range(20):
        thread = Thread(target=lambda: geocoding.geocoder.forward(QUERY))
        thread.start()
        thread.join()
    assert len(list(OPEN_FILES.iterdir())) <= before + 4
    geocoding.close()


def test_a_server_that_is_none_is_refused(tmp_path: Path) -> None:
    geocoding = Geocoding(lambda: (), url="http://localhost:1", world=tmp_path / "none")
    with pytest.raises(InvalidParameter, match="geocoder"):
        geocoding.geocoder.forward(QUERY)


def test_the_time_zone_follows_the_clock(engine: Engine) -> None:
    engine.set_clock(ClockChange(now=datetime(2026, 7, 1, 12, tzinfo=UTC), frozen=True))
    summer = time_zone_at(Point(-77.86, 40.79), engine.clock.now())
    assert (summer.id, summer.name, summer.code) == ("America/New_York", "Eastern Daylight Time", "EDT")
    assert (summer.utc_offset_s, summer.dst_offset_s) == (-14_400, 3_600)
    assert summer.now.isoformat() == "2026-07-01T08:00:00-04:00"
    engine.set_clock(ClockChange(now=datetime(2026, 12, 1, 12, tzinfo=UTC), frozen=True))
    winter = time_zone_at(Point(9.52, 47.14), engine.clock.now())
    assert (winter.code, winter.utc_offset_s, winter.dst_offset_s) == ("CET", 3_600, 0)
    assert time_zone_at(Point(-30, 0), engine.clock.now()).name == "GMT-2"
