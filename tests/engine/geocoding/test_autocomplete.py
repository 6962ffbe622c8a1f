"""Autocompletion of a text that a user is typing."""

from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.addresses.address import (
    COARSE,
    DEFAULT_LAYERS,
    FINE,
    Address,
    AutocompleteQuery,
    ForwardQuery,
    Layer,
)
from engine.domain.geometry import Point
from engine.gazetteer.writer import Context, GazetteerWriter, Street
from engine.geocoding.embedded import EmbeddedGeocoder
from tests.copied_addresses import Copied, write_copies
from tests.engine.geocoding.small import ROCHESTER, SPRINGFIELD, house_at, write_small
from tests.osm_addresses import RealAddress


@pytest.fixture(scope="module")
def geocoder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([write_small(tmp_path_factory.mktemp("small") / "gazetteer.sqlite")])
    yield opened
    opened.close()


def ask(
    geocoder: EmbeddedGeocoder,
    text: str,
    near: Point | None = None,
    layers: frozenset[Layer] = DEFAULT_LAYERS,
    limit: int = 10,
) -> list[Address]:
    return list(geocoder.autocomplete(AutocompleteQuery(text=text, near=near, layers=layers, limit=limit)))


@pytest.mark.parametrize("length", range(2, len("Springfield") + 1))
def test_a_name_is_found_from_its_second_letter_on(geocoder: EmbeddedGeocoder, length: int) -> None:
    assert ask(geocoder, "Springfield"[:length])[0].label == "Springfield"


@pytest.mark.parametrize(
    "text", ["120 e m", "120 East Ma", "120 e main st", "120 east main street spri", "120 e main spr"]
)
def test_a_number_that_is_already_typed_leads_to_the_house(geocoder: EmbeddedGeocoder, text: str) -> None:
    best = ask(geocoder, text, SPRINGFIELD)[0]
    assert (best.label, best.city, best.point) == (
        "120 East Main Street",
        "Springfield",
        house_at(SPRINGFIELD, 0, 120),
    )


@pytest.mark.parametrize("text", ["120 E. MAIN ST., SPRINGFIELD, IL", "Suite 300, 120 E Main St, 62701"])
def test_a_complete_address_leaves_nothing_else_to_complete(geocoder: EmbeddedGeocoder, text: str) -> None:
    assert [each.formatted for each in ask(geocoder, text)] == ["120 East Main Street, Springfield, IL 62701 US"]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Saint Marks Place xyz", ["Saint Marks Place"]),
        ("East Main Street Ohio", ["East Main Street", "East Main Street"]),
        ("Place xyz uvw", []),
        ("Marks uvw xyz", []),
    ],
)
def test_one_unknown_word_does_not_end_the_completion(geocoder: EmbeddedGeocoder, text: str, labels: list[str]) -> None:
    assert [each.label for each in ask(geocoder, text)] == labels


def test_a_number_that_is_being_typed_offers_those_that_begin_so(geocoder: EmbeddedGeocoder) -> None:
    numbers = [each.number for each in ask(geocoder, "East Main Street 11", SPRINGFIELD) if each.city == "Springfield"]
    assert numbers == ["117", "118", "119"]


@pytest.mark.parametrize(("near", "first"), [(SPRINGFIELD, "Springfield"), (ROCHESTER, "Rochester")])
def test_nearby_results_come_first(geocoder: EmbeddedGeocoder, near: Point, first: str) -> None:
    found = ask(geocoder, "120 East Main", near)
    assert found[0].city == first
    assert len({each.city for each in found}) == 2
    assert found[0].distance_m is not None
    assert found[0].distance_m < 10_000


@pytest.mark.parametrize("text", ["s", "sa", "lane s"])
def test_of_very_many_names_with_a_beginning_the_nearest_come_first(tmp_path: Path, text: str) -> None:
    names = [f"Sa{one}{two}o Lane" for one in ascii_lowercase for two in ascii_lowercase[:20]]
    with GazetteerWriter(tmp_path / "gazetteer.sqlite", {}) as writer:
        context = writer.context(Context(country_code="US"))
        for number, name in enumerate(names):
            point = Point(SPRINGFIELD.longitude + number / 1_000, SPRINGFIELD.latitude)
            writer.street(Street(name=name, point=point, context=context))
    crowded = EmbeddedGeocoder([tmp_path / "gazetteer.sqlite"])
    for number in (0, 250, len(names) - 1):
        here = Point(SPRINGFIELD.longitude + (number + 0.1) / 1_000, SPRINGFIELD.latitude)
        nearest = sorted(range(len(names)), key=lambda other: abs(number + 0.1 - other))
        assert [each.label for each in ask(crowded, text, here, limit=3)] == [names[other] for other in nearest[:3]]
    crowded.close()


@pytest.mark.parametrize("text", ["Sprnig", "Sprimgf", "Sringfie", "120 East Mian", "Äulestrsse", "aeulestrsa"])
def test_a_slip_of_the_finger_is_forgiven(geocoder: EmbeddedGeocoder, text: str) -> None:
    labels = {each.label for each in ask(geocoder, text, layers=DEFAULT_LAYERS)}
    assert labels & {"Springfield", "120 East Main Street", "Äulestrasse"}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Äul", "Äulestrasse"),
        ("aeul", "Äulestrasse"),
        ("st mar", "Saint Marks Place"),
        ("62", "62701"),
        ("渋", "Shibuya"),
    ],
)
def test_beginnings_are_found_however_they_are_spelled(geocoder: EmbeddedGeocoder, text: str, label: str) -> None:
    assert ask(geocoder, text)[0].label == label


def test_places_are_returned_when_requested(geocoder: EmbeddedGeocoder) -> None:
    best = ask(geocoder, "mcdo", layers=frozenset({Layer.PLACE}))[0]
    assert (best.place_label, best.label) == ("McDonald's", "122 East Main Street")
    assert all(each.layer is not Layer.PLACE for each in ask(geocoder, "mcdo"))


@pytest.mark.parametrize("layer", list(Layer))
def test_only_the_requested_layers_are_returned(geocoder: EmbeddedGeocoder, layer: Layer) -> None:
    for text in ("s", "e", "m", "6", "li", "120", "120 e", "ä"):
        assert {each.layer for each in ask(geocoder, text, SPRINGFIELD, frozenset({layer}))} <= {layer}


@pytest.mark.parametrize("text", ["East Main Street 120", "120 East Main Street"])
def test_a_house_number_is_ignored_if_only_streets_are_requested(geocoder: EmbeddedGeocoder, text: str) -> None:
    found = ask(geocoder, text, SPRINGFIELD, frozenset({Layer.STREET}))
    assert [(each.layer, each.street, each.number) for each in found[:1]] == [(Layer.STREET, "East Main Street", None)]


def test_only_the_requested_countries_are_returned(geocoder: EmbeddedGeocoder) -> None:
    query = AutocompleteQuery(text="s", countries=frozenset({"JP"}), layers=COARSE | FINE)
    assert {each.country_code for each in geocoder.autocomplete(query)} == {"JP"}


def test_the_limit_and_the_order_hold(geocoder: EmbeddedGeocoder) -> None:
    everything = ask(geocoder, "s", SPRINGFIELD, COARSE | FINE)
    assert ask(geocoder, "s", SPRINGFIELD, COARSE | FINE, limit=2) == everything[:2]
    assert ask(geocoder, "s", SPRINGFIELD, COARSE | FINE) == everything


def test_no_confidence_and_no_distance_without_a_position(geocoder: EmbeddedGeocoder) -> None:
    for each in ask(geocoder, "spring"):
        assert (each.confidence, each.distance_m) == (None, None)


COPIES = 36


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> list[Copied]:
    """Addresses of adjacent towns that all have the same streets, in the module's shared file."""
    file = _copies_file(tmp_path_factory)
    streets = ["Hauptstraße", "Hauptplatz", *(f"Haupt{chr(97 + at)}weg" for at in range(20))]
    addresses = [
        RealAddress("x", str(number), street, None, None, 8.0 + number * 0.0003, 49.0 + at * 0.002)
        for at, street in enumerate(streets)
        for number in range(1, 21)
    ]
    return list(write_copies(file, addresses, COPIES, "DE"))


def _copies_file(factory: pytest.TempPathFactory) -> Path:
    return factory.getbasetemp() / "copies.sqlite"


@pytest.fixture(scope="module")
def large(copied: list[Copied], tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([_copies_file(tmp_path_factory)])
    yield opened
    opened.close()


@pytest.mark.parametrize("text", ["Hauptstraße 12", "12 Hauptstr", "Hauptstrase 12", "Hauptst", "hau"])
def test_of_many_streets_of_one_name_the_near_one_is_offered(
    large: EmbeddedGeocoder, copied: list[Copied], text: str
) -> None:
    for each in copied:
        if (each.street, each.number) == ("Hauptstraße", "12"):
            near = Point(each.point.longitude + 0.007, each.point.latitude)
            offered = [(at.street, at.city) for at in ask(large, text, near)][:5]
            assert ("Hauptstraße", each.town) in offered


def test_as_many_are_offered_as_are_requested(large: EmbeddedGeocoder, copied: list[Copied]) -> None:
    near = copied[0].point
    every = ask(large, "Hauptstraße 12", near, limit=100)
    assert len({each.city for each in every if each.number == "12"}) == COPIES
    distances = [each.distance_m for each in every if each.number == "12" and each.distance_m is not None]
    assert distances[0] < 1_000
    assert distances == sorted(distances)


@pytest.mark.parametrize("text", ["120 s m", "121 East Main Street", "120 s Main", "12 Main Street", "12b Äulestr"])
def test_no_house_is_offered_that_is_not_there(geocoder: EmbeddedGeocoder, text: str) -> None:
    houses = {each.label for each in ask(geocoder, text, SPRINGFIELD) if each.number is not None}
    assert houses <= {
        *(f"{number} East Main Street" for number in (120, 122, 126)),
        "120 West Main Street",
        "Äulestrasse 12",
    }


@given(
    text=st.sampled_from(
        [
            "120 East Main Street",
            "East Main Street 11",
            "Äulestrasse 12",
            "5th Avenue 10",
            "Saint Marks Place 8",
            "120 s m",
        ]
    ),
    length=st.integers(1, 20),
    near=st.sampled_from([None, SPRINGFIELD, ROCHESTER]),
)
def test_an_offered_address_is_found_at_the_same_place(
    geocoder: EmbeddedGeocoder, text: str, length: int, near: Point | None
) -> None:
    for offered in ask(geocoder, text[:length].strip(), near):
        found = geocoder.forward(ForwardQuery(text=offered.formatted, limit=1))
        assert [each.point for each in found] == [offered.point], offered.formatted
