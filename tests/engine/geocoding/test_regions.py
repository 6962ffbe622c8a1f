"""Regions of positions, compared with addresses on the map, and the results without data."""

from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.addresses.address import NO_REGIONS, RegionType
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer
from engine.geocoding.regions import DMA_FILE, RegionFinder, read_market_areas
from engine.geocoding.world import World
from tests.engine.geocoding.addresses import tagged
from tests.shared import SharedData

TIMES_SQUARE = Point(-73.9855, 40.7580)


@pytest.mark.parametrize(
    ("longitude", "latitude", "country", "state"),
    [
        (9.5215, 47.1410, "LI", None),
        (-79.3832, 43.6532, "CA", "ON"),
        (-73.5673, 45.5017, "CA", "QC"),
        (-83.0364, 42.3149, "CA", "ON"),  # Windsor, across the river from ...
        (-83.0458, 42.3314, "US", "MI"),  # ... Detroit
        (-157.8583, 21.3069, "US", "HI"),
        (-149.9003, 61.2181, "US", "AK"),
        (131.8855, 43.1155, "RU", None),
        (-52.3266, 4.9224, "GF", None),
        (139.6917, 35.6895, "JP", None),
        (178.4419, -18.1416, "FJ", None),
    ],
)
def test_countries_everywhere_and_states_in_the_north(
    world: World, longitude: float, latitude: float, country: str, state: str | None
) -> None:
    regions = RegionFinder(world).regions_at(Point(longitude, latitude))
    assert regions.country is not None
    assert (regions.country.code, regions.state.code if regions.state else None) == (country, state)
    assert regions.dma is None
    assert (regions.postal_code is not None) == (country == "US")


def test_at_sea_the_nearest_country_counts_as_far_as_its_waters(world: World) -> None:
    finder = RegionFinder(world)
    pier = finder.regions_at(Point(-74.05, 40.52))  # Lower New York Bay
    assert pier.country is not None
    assert pier.country.code == "US"
    assert finder.regions_at(Point(-30, 40)) == NO_REGIONS


@pytest.mark.slow
@pytest.mark.parametrize(("name", "state"), [("state-college", "PA"), ("nyc-lower", "NY")])
def test_addresses_lie_in_their_states(world: World, shared_data: SharedData, name: str, state: str) -> None:
    addresses = [each for each in tagged(shared_data.extract(name)) if each.state in (None, state)][::7]
    finder = RegionFinder(world)
    found = [finder.regions_at(each.point) for each in addresses]
    assert len(found) > 1_000
    right = sum(regions.state is not None and regions.state.code == state for regions in found)
    assert right / len(found) >= 0.995


@pytest.mark.slow
def test_postal_codes_are_those_of_the_houses_around(
    world: World, state_college: Gazetteer, shared_data: SharedData
) -> None:
    addresses = list(tagged(shared_data.extract("state-college")))[::11]
    with_houses = RegionFinder(world, [state_college])
    without = RegionFinder(world)

    def share(finder: RegionFinder) -> float:
        codes = [(each.postal_code[:5], finder.regions_at(each.point).postal_code) for each in addresses]
        return sum(found is not None and found.code == code for code, found in codes) / len(codes)

    assert len(addresses) > 1_000
    assert share(with_houses) >= 0.99
    # The centres of the county's postal codes alone only give a guess, as the docs say.
    assert 0.4 <= share(without) <= share(with_houses)


def test_nothing_is_known_without_the_pack(state_college: Gazetteer) -> None:
    assert RegionFinder(None, [state_college]).regions_at(Point(-77.86, 40.79)) == NO_REGIONS


@given(st.floats(-180, 180), st.floats(-90, 90))
def test_any_position_has_an_answer(world: World, longitude: float, latitude: float) -> None:
    regions = RegionFinder(world).regions_at(Point(longitude, latitude))
    assert all(region.id == f"{region.type}-{region.code}" for region in regions.all)
    assert regions.country is not None or regions == NO_REGIONS


def market(code: object = "501", name: object = "New York", ring: object = None) -> dict[str, object]:
    around = [[-75, 40], [-73, 40], [-73, 42], [-75, 42], [-75, 40]]
    geometry = {"type": "Polygon", "coordinates": [ring or around]}
    return {"type": "Feature", "properties": {"code": code, "name": name}, "geometry": geometry}


def write(folder: Path, *features: object) -> Path:
    content = {"type": "FeatureCollection", "features": list(features)}
    (folder / DMA_FILE).write_bytes(orjson.dumps(content))
    return folder


DEEP = orjson.dumps({"features": [market()]})[:-1] + b', "more": ' + b"[" * 200 + b"]" * 200 + b"}"


class TestMarketAreas:
    """Files supplied by the user."""

    def test_positions_in_them_have_them(self, world: World, tmp_path: Path) -> None:
        finder = RegionFinder(world, dma=read_market_areas(write(tmp_path, market(501))))
        found = finder.regions_at(TIMES_SQUARE).dma
        assert found is not None
        assert (found.type, found.code, found.name) == (RegionType.DMA, "501", "New York")
        assert finder.regions_at(Point(-77.86, 40.79)).dma is None

    def test_without_the_file_there_are_none(self, world: World, tmp_path: Path) -> None:
        assert read_market_areas(tmp_path) is None
        assert RegionFinder(world).regions_at(TIMES_SQUARE).dma is None

    @pytest.mark.parametrize(
        ("feature", "expected"),
        [
            ({"type": "Feature"}, "features[0].properties"),
            (market(code=""), "features[0].properties.code"),
            (market(name=None), "features[0].properties.name"),
            (market(code=True), "features[0].properties.code"),
            (market() | {"geometry": None}, "features[0].geometry"),
            (market() | {"geometry": {"type": "Point", "coordinates": [1, 2]}}, "features[0].geometry"),
            (market(ring=[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]), "features[0].geometry is not valid"),
            ("text", "features[0].properties"),
        ],
    )
    def test_an_invalid_feature_is_reported(self, tmp_path: Path, feature: object, expected: str) -> None:
        with pytest.raises(InvalidParameter) as caught:
            read_market_areas(write(tmp_path, feature))
        assert caught.value.param == "dma"
        assert expected in caught.value.message

    @pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"features": []}', b"\xff", DEEP])
    def test_a_file_that_is_none_is_refused(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / DMA_FILE).write_bytes(content)
        with pytest.raises(InvalidParameter, match="dma"):
            read_market_areas(tmp_path)
