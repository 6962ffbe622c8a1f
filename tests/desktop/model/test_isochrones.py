"""Requests to a router for an isochrone, the meaning of its responses, and both in words, and the areas in words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest

from app.desktop.model.areas import Areas, about, content_text, is_extract, size_text, summary
from app.desktop.model.drops import FileKind, kind_by_name
from app.desktop.model.isochrones import Trial, band_minutes, edge_text, reach, reached, travel_text
from engine.domain.area import Area
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Isochrone, Point
from engine.domain.routing import Edge, Isochrones, Router
from engine.domain.travel import TravelMode
from engine.domain.values import replace

RING = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0))
SMALL = ((0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.0))
PLACE = Point(0.4, 0.3)


def area(name: str, day: int, *, bundled: bool = False) -> Area:
    return Area(
        name=name,
        folder=Path(name),
        bounds=(9.5, 47.0, 9.6, 47.3),
        roads=Path(name) / "roads.tar",
        basemap=None,
        built_at=datetime(2026, 5, day, tzinfo=UTC),
        source=f"{name}.osm.pbf",
        format=1,
        bundled=bundled,
    )


@pytest.mark.parametrize(
    ("minutes", "bands"),
    [
        (15, (15, 10, 5)),
        (10, (10, 5)),
        (20, (20, 15, 10, 5)),
        (12, (12, 10, 5)),
        (5, (5, 4, 2)),
        (1, (1,)),
        (60, (60, 45, 30, 15)),
        (120, (120, 90, 60, 30)),
        (0.5, (0.5,)),
    ],
)
def test_bands_are_round_and_few(minutes: float, bands: tuple[float, ...]) -> None:
    assert band_minutes(minutes) == bands


@pytest.mark.parametrize("minutes", range(1, 121))
def test_bands_fall_from_the_minutes_and_are_never_many(minutes: int) -> None:
    bands = band_minutes(minutes)
    assert bands[0] == minutes
    assert list(bands) == sorted(set(bands), reverse=True)
    assert 1 <= len(bands) <= 5


def test_of_each_time_the_largest_ring_is_shown() -> None:
    trial = Trial(PLACE, 10.0, TravelMode.FOOT, bands=True)
    found = reached(trial, Isochrones(((RING, SMALL), (SMALL,)), 12.0, "town"))
    assert [(band.minutes, band.ring) for band in found.bands] == [(10, RING), (5, SMALL)]
    assert [band.minutes for band in reached(trial, Isochrones(((RING,), ()), 12.0, "town")).bands] == [10]


def test_the_distance_to_the_road_is_shown_if_it_is_large() -> None:
    trial = Trial(PLACE, 10.0, TravelMode.FOOT)
    notes = [reached(trial, Isochrones(((RING,),), metres, "town")).note for metres in (0, 100, 101, 4321.4)]
    assert notes == ["", "", "101 m from the nearest road", "4321 m from the nearest road"]


class Ends:
    """A router in an area whose edge is reached after some minutes by each mode."""

    def __init__(self, **inside: int) -> None:
        self.inside = inside

    def isochrones(self, center: Point, minutes: Sequence[float], mode: TravelMode) -> Isochrones:
        if mode.value not in self.inside:
            raise InvalidParameter("coordinates", "coordinates: no roads.")
        return Isochrones(tuple((RING,) for _ in minutes), 0.0, "town")

    def edge(self, isochrone: Isochrone) -> Edge | None:
        inside = self.inside[isochrone.mode.value]
        return Edge("town", isochrone.minutes, isochrone.mode, inside) if isochrone.minutes > inside else None


@pytest.mark.parametrize(
    ("inside", "mode", "minutes"),
    [
        ({"car": 90, "foot": 90}, TravelMode.CAR, 15),
        ({"car": 9, "foot": 90}, TravelMode.CAR, 9),
        ({"car": 3, "foot": 90}, TravelMode.FOOT, 15),
        ({"car": 1, "foot": 6}, TravelMode.FOOT, 6),
        ({"car": 2, "foot": 2}, TravelMode.CAR, 2),
        ({"car": 2}, TravelMode.CAR, 2),
        ({"car": 0, "foot": 0}, TravelMode.CAR, 15),
    ],
)
def test_the_default_stays_inside_the_area(inside: dict[str, int], mode: TravelMode, minutes: float) -> None:
    router = cast(Router, Ends(**inside))
    trial = Trial(PLACE, 15.0, TravelMode.CAR, proposed=True)
    found = reach(trial, router)
    taken = found.instead or trial
    assert (taken.mode, taken.minutes) == (mode, minutes)
    assert (found.edge is None) == any(inside.values())
    chosen = reach(replace(trial, proposed=False), router)
    assert chosen.instead is None
    assert (chosen.edge is None) == (inside["car"] >= 15)


def test_an_edge_is_named_with_the_time_inside() -> None:
    edge = Edge("town", 15, TravelMode.FOOT, 6)
    assert edge_text(edge) == "Too small: the roads of the area town end here. Up to 6 min on foot stay inside."
    assert edge_text(replace(edge, inside=0)).endswith("even for 1 min.")
    assert edge_text(None) == ""


def test_an_unreachable_point_is_reported() -> None:
    with pytest.raises(InvalidParameter, match="nothing can reach this point within 10 min on foot") as caught:
        reached(Trial(PLACE, 10.0, TravelMode.FOOT), Isochrones(((),), 12.0, "town"))
    assert caught.value.param == "coordinates"


def test_a_trial_becomes_a_change() -> None:
    change = Trial(PLACE, 7.5, TravelMode.BIKE).change
    assert (change.type, change.coordinates, change.size, change.mode) == ("isochrone", (0.4, 0.3), 7.5, "bike")


def test_travel_in_words() -> None:
    assert [travel_text(15.0, mode) for mode in TravelMode] == [
        "15 min by car",
        "15 min by truck",
        "15 min on foot",
        "15 min by bike",
        "15 min by motorbike",
    ]


def test_areas_in_words() -> None:
    assert (size_text(704_000), size_text(10_650_000)) == ("704 kB", "10.7 MB")
    assert about(area("a", 1)).startswith("Built from a.osm.pbf\n47.0000, 9.5000")
    assert "roads" not in about(area("a", 1)) + content_text(area("a", 1))
    houses = replace(area("a", 1), roads=None)
    assert about(houses).endswith("Its extract has no roads, so there are no routes or isochrones.")
    assert content_text(houses) == f"{size_text(houses.size_bytes)}, no roads"
    assert about(area("a", 1, bundled=True)).startswith("Bundled, from a.osm.pbf")
    assert summary([]) == "No area"
    assert summary([area("a", 1)]) == "Area: a"
    assert summary([area("a", 1), area("b", 1)]) == "2 areas"


def test_which_areas_are_used_with_one_more_or_less() -> None:
    a, b, c = area("a", 1), area("b", 3), area("c", 2)
    areas = Areas((a, b, c), (a, b))
    assert areas.names_with("c", used=True) == ("a", "b", "c")
    assert areas.names_with("a", used=False) == ("b",)
    assert areas.names_with("a", used=True) == ("b", "a")
    assert areas.uses(b)
    assert not areas.uses(c)
    assert areas.newest == b
    assert Areas().newest is None


def test_an_extract_is_known_by_its_name() -> None:
    assert is_extract(Path("Malta-latest.OSM.PBF"))
    assert not is_extract(Path("pbf.csv"))
    assert kind_by_name(Path("malta.osm.pbf")) is FileKind.EXTRACT
    assert kind_by_name(Path("walk.gpx")) is FileKind.UNSURE
