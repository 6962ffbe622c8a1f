"""The possible ends of a text that somebody is typing."""

from collections.abc import Iterator

import pytest

from engine.domain.addresses.address import COARSE, DEFAULT_LAYERS, FINE, Address, AutocompleteQuery, Layer
from engine.domain.geometry import Point
from engine.geocoding.embedded import EmbeddedGeocoder
from tests.engine.geocoding.small import ROCHESTER, SPRINGFIELD, house_at, write_small


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


def test_a_number_that_is_being_typed_offers_those_that_begin_so(geocoder: EmbeddedGeocoder) -> None:
    numbers = [each.number for each in ask(geocoder, "East Main Street 11", SPRINGFIELD) if each.city == "Springfield"]
    assert numbers == ["117", "118", "119"]


@pytest.mark.parametrize(("near", "first"), [(SPRINGFIELD, "Springfield"), (ROCHESTER, "Rochester")])
def test_what_is_near_comes_first(geocoder: EmbeddedGeocoder, near: Point, first: str) -> None:
    found = ask(geocoder, "120 East Main", near)
    assert found[0].city == first
    assert len({each.city for each in found}) == 2
    assert found[0].distance_m is not None
    assert found[0].distance_m < 10_000


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


def test_places_are_answered_when_asked_for(geocoder: EmbeddedGeocoder) -> None:
    best = ask(geocoder, "mcdo", layers=frozenset({Layer.PLACE}))[0]
    assert (best.place_label, best.label) == ("McDonald's", "122 East Main Street")
    assert all(each.layer is not Layer.PLACE for each in ask(geocoder, "mcdo"))


@pytest.mark.parametrize("layer", list(Layer))
def test_only_the_layers_asked_for_are_answered(geocoder: EmbeddedGeocoder, layer: Layer) -> None:
    for text in ("s", "e", "m", "6", "li", "120", "120 e", "ä"):
        assert {each.layer for each in ask(geocoder, text, SPRINGFIELD, frozenset({layer}))} <= {layer}


def test_only_the_countries_asked_for_are_answered(geocoder: EmbeddedGeocoder) -> None:
    query = AutocompleteQuery(text="s", countries=frozenset({"JP"}), layers=COARSE | FINE)
    assert {each.country_code for each in geocoder.autocomplete(query)} == {"JP"}


def test_the_limit_and_the_order_hold(geocoder: EmbeddedGeocoder) -> None:
    everything = ask(geocoder, "s", SPRINGFIELD, COARSE | FINE)
    assert ask(geocoder, "s", SPRINGFIELD, COARSE | FINE, limit=2) == everything[:2]
    assert ask(geocoder, "s", SPRINGFIELD, COARSE | FINE) == everything


def test_no_confidence_and_no_distance_without_a_position(geocoder: EmbeddedGeocoder) -> None:
    for each in ask(geocoder, "spring"):
        assert (each.confidence, each.distance_m) == (None, None)
