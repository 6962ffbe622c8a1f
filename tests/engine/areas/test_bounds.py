"""Tests of the bounds of areas, which come from the nodes even if the header of the extract is wrong."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from time import process_time

import orjson
import pytest

from engine import Engine
from engine.areas.build import measure_area
from engine.areas.extract import bounds_of
from engine.areas.folder import FORMAT, OUTDATED, SOURCE, read_area
from engine.areas.gazetteer.build import build_gazetteer
from engine.areas.library import AreaLibrary
from engine.domain.area import Area, Bounds
from engine.domain.geometry import Point
from engine.domain.ports import Cancelled, no_progress
from engine.domain.routing import Fixed, RouteOptions, TravelMode
from tests.engine.areas.extracts import place, town
from tests.shared import SharedData

QUARTER: Bounds = (0.0, 0.0, 180.0, 90.0)
"""Bounds in the header of openrouteservice's Heidelberg."""

TOWN: Bounds = (*place(0, 0), *place(5, 5.5))
SOUTH_WEST: Bounds = (*place(-1, -1), *place(3, 2))


@pytest.mark.parametrize(
    ("stated", "bounds"),
    [
        (None, TOWN),
        (QUARTER, TOWN),
        ((-180.0, -90.0, 180.0, 90.0), TOWN),
        (SOUTH_WEST, (*place(0, 0), *place(3, 2))),
        ((*place(1, 1), *place(2, 2)), (*place(1, 1), *place(2, 2))),
        ((100.0, 10.0, 101.0, 11.0), TOWN),
        ((0.0, 0.0, 0.0, 0.0), TOWN),
    ],
    ids=["nothing", "a quarter of the world", "the world", "a part", "a smaller part", "somewhere else", "null"],
)
@pytest.mark.parametrize("name", ["town.osm.pbf", "town.osm"])
def test_bounds_are_at_the_nodes_within_the_bounds_of_the_header(
    name: str, stated: Bounds | None, bounds: Bounds, tmp_path: Path
) -> None:
    file = town().write(tmp_path / name, stating=stated)
    assert bounds_of(file) == pytest.approx(bounds, abs=1e-6)


@pytest.mark.slow
def test_heidelberg_is_in_germany(shared_data: SharedData) -> None:
    assert bounds_of(shared_data.extract("heidelberg")) == pytest.approx((7.708, 49.307, 9.105, 49.517), abs=0.001)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_an_area_with_a_wrong_header_is_not_found_elsewhere(shared_data: SharedData, tmp_path: Path) -> None:
    """Regression test: bounds of 0,0 to 180,90 caused no match in Monaco, and located this machine in China."""
    monaco = shared_data.extract("monaco")
    lying = town().write(tmp_path / "lying.osm.pbf", stating=QUARTER)
    with Engine.open(tmp_path / "workspace") as engine:
        engine.areas.build(lying)
        assert engine.areas.get("lying").covers(Point(*place(2, 2)))
        located = engine.geocoding.locate_ip("127.0.0.1")
        assert located.address is not None
        assert located.address.country_code == "SI"
        engine.areas.build(monaco)
        engine.areas.use(["lying", "monaco"])
        way = engine.routing.route(Point(7.4195, 43.7329), Point(7.4275, 43.7403), RouteOptions())
        assert way is not None
        path = [Fixed(Point(*position)) for position in way.line]
        assert engine.routing.match(path, TravelMode.CAR).distance_m == pytest.approx(way.travel.distance_m, rel=0.1)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_wide_bounds_do_not_make_a_gazetteer_slow(shared_data: SharedData, tmp_path: Path) -> None:
    """The part of the world within the bounds is searched once, not for each address."""
    heidelberg = shared_data.extract("heidelberg")

    def seconds(name: str, bounds: Bounds) -> float:
        folder = tmp_path / name
        folder.mkdir()
        began = process_time()
        build_gazetteer(heidelberg, bounds, folder, name, _world(), no_progress)
        return process_time() - began

    # It took 18 times as long when each of 45,000 localities was looked up separately; now 4 times, up to 8 under load.
    assert seconds("wide", QUARTER) < 12 * seconds("right", (7.7, 49.3, 9.1, 49.6))


def _world() -> Path:
    from engine.areas.build import WORLD

    if not WORLD.is_file():
        pytest.skip("the world pack has not been made; the set-up does it")
    return WORLD


class TestAreasOfFormerVersions:
    """Areas with bounds from the header are measured, and only rebuilt if the header was far off."""

    @pytest.fixture
    def believed(self, town_area: Area, tmp_path: Path) -> Callable[[Bounds], Path]:
        """Return a factory of areas as earlier versions left them."""

        def make(stated: Bounds) -> Path:
            folder = tmp_path / "workspace" / "areas" / "town"
            shutil.copytree(town_area.folder, folder)
            town().write(folder / SOURCE, stating=stated)
            manifest = folder / "area.json"
            content = orjson.loads(manifest.read_bytes()) | {"bounds": stated}
            del content["measured"]
            manifest.write_bytes(orjson.dumps(content))
            (folder / "mark").touch()  # removed by a rebuild
            return folder

        return make

    @pytest.fixture
    def reopened(self, tmp_path: Path) -> Callable[..., AreaLibrary]:
        def reopen(changed: Callable[[], None] = lambda: None) -> AreaLibrary:
            return AreaLibrary(tmp_path / "workspace", bundled=tmp_path / "none", changed=changed)

        return reopen

    def test_one_that_covered_half_the_world_is_rebuilt(
        self, believed: Callable[[Bounds], Path], reopened: Callable[..., AreaLibrary]
    ) -> None:
        folder = believed(QUARTER)
        library = reopened()
        assert [area.bounds for area in library.in_use()] == [QUARTER], "it can be used until it is known to be wrong"
        (area,) = _settled(library)
        assert area.bounds == pytest.approx(TOWN, abs=1e-6)
        assert (area.format, area.measured) == (FORMAT, True)
        assert not area.covers(Point(7.42, 43.74)), "Monaco"
        assert not (folder / "mark").exists()
        library.close()

    def test_one_that_was_about_right_is_only_put_right(
        self, believed: Callable[[Bounds], Path], reopened: Callable[..., AreaLibrary]
    ) -> None:
        west, south, east, north = TOWN
        folder = believed((west - 0.2, south, east, north + 0.1))
        changes = threading.Event()
        library = reopened(changes.set)
        library.in_use()
        assert changes.wait(60)
        (area,) = library.in_use()
        assert area.bounds == pytest.approx(TOWN, abs=1e-6)
        assert area.measured
        assert (folder / "mark").exists()
        library.close()

    @pytest.mark.parametrize("side", range(4), ids=["west", "south", "east", "north"])
    @pytest.mark.parametrize(("beyond", "form"), [(0.29, FORMAT), (0.31, OUTDATED), (-0.001, FORMAT)])
    def test_it_is_outdated_if_it_extended_far_beyond_any_side(
        self, believed: Callable[[Bounds], Path], side: int, beyond: float, form: int
    ) -> None:
        stated = list(TOWN)
        stated[side] += beyond if side > 1 else -beyond
        folder = believed((stated[0], stated[1], stated[2], stated[3]))
        # The header does not matter; the extract has nodes up to the bounds of the town.
        town().write(folder / SOURCE)
        measure_area(folder)
        area = read_area(folder)
        assert area is not None
        assert area.format == form
        assert area.bounds == pytest.approx(TOWN, abs=1e-6)

    def test_one_that_was_right_is_left_alone(
        self, believed: Callable[[Bounds], Path], reopened: Callable[..., AreaLibrary]
    ) -> None:
        folder = believed(TOWN)
        notifications: list[None] = []
        library = reopened(lambda: notifications.append(None))
        (before,) = library.in_use()
        (after,) = _settled(library)
        assert after == before
        assert after.measured
        assert (folder / "mark").exists()
        assert not notifications, "a router would be recreated for nothing"
        library.close()

    def test_one_that_is_chosen_is_measured_at_once(
        self, believed: Callable[[Bounds], Path], reopened: Callable[..., AreaLibrary]
    ) -> None:
        believed(QUARTER)
        library = reopened()
        (area,) = library.use(["town"])
        assert area.bounds == pytest.approx(TOWN, abs=1e-6)
        assert area.measured
        library.close()

    @pytest.mark.slow
    def test_a_rebuild_reports_its_progress_and_can_be_cancelled(
        self, believed: Callable[[Bounds], Path], reopened: Callable[..., AreaLibrary]
    ) -> None:
        folder = believed(QUARTER)
        found_wrong = threading.Event()
        library = reopened(found_wrong.set)
        library.in_use()
        assert found_wrong.wait(60)
        assert [area.name for area in library.stale()] == ["town"]
        assert library.in_use() == ()

        def cancel(_done: int, _total: int) -> None:
            raise Cancelled

        with pytest.raises(Cancelled):
            library.renew(cancel)
        assert orjson.loads((folder / "area.json").read_bytes())["format"] == OUTDATED
        library.close()
        later = reopened()
        (area,) = later.renew()
        assert area.bounds == pytest.approx(TOWN, abs=1e-6)
        later.close()

    @pytest.mark.parametrize("damage", [Path.unlink, lambda file: file.write_bytes(b"no extract")])
    def test_one_that_cannot_be_measured_stays_as_it_is(
        self,
        believed: Callable[[Bounds], Path],
        reopened: Callable[..., AreaLibrary],
        damage: Callable[[Path], object],
    ) -> None:
        damage(believed(QUARTER) / SOURCE)
        library = reopened()
        (area,) = library.use(["town"])
        assert area.bounds == QUARTER
        assert _settled(library) == (area,)
        library.close()


def _settled(library: AreaLibrary) -> tuple[Area, ...]:
    """Return the areas in use after all automatic work has ended."""
    library.in_use()
    for thread in threading.enumerate():
        if thread.name == "fencewright-areas":
            thread.join(100)
    return library.in_use()
