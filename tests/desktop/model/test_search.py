"""Search results for a text: coordinates in common formats, geofences by their words, addresses in groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, cast

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from app.desktop.model.search import fences as search_fences
from app.desktop.model.search.addresses import find_addresses, found_here, with_category
from app.desktop.model.search.fences import FenceFinder
from app.desktop.model.search.finder import WITHOUT_DATA, Search
from app.desktop.model.search.outlines import DEFAULT_RADIUS_M, bounds_of, fence_of, polygon_of
from app.desktop.model.search.recent import RECENT_KEPT, decode_recent, encode_recent, with_newest
from app.desktop.model.search.results import Group, Kind, Question, SearchResult, distance_text
from app.desktop.model.search.words import marked
from app.desktop.model.tree import FenceTree
from engine.domain.addresses.address import (
    Address,
    AutocompleteQuery,
    ForwardQuery,
    Layer,
    MatchConfidence,
    ReverseQuery,
)
from engine.domain.geofence import Geofence
from engine.domain.geometry import MAX_RING_POSITIONS, Circle, Point
from engine.domain.values import replace
from engine.geo.written.positions import TypedPosition, typed_position
from tests.desktop.model.values import fence

VADUZ = Point(9.52, 47.14)
LJUBLJANA = Point(14.5, 46.0)

# Coordinates


@pytest.mark.parametrize(
    "text",
    [
        "47.14, 9.52",
        "47.14 9.52",
        "  47.14;9.52 ",
        "47,14 9,52",
        "47,14; 9,52",
        "47.14°, 9.52°",
        "47.14N 9.52E",
        "N 47.14 E 9.52",
        "n47.14, e9.52",
        "9.52 E, 47.14 N",
        "47°8'24\"N 9°31'12\"E",
        "47°08′24″ N, 9°31′12″ E",
        "47° 8' 24'' 9° 31' 12''",
        "47 8 24 N, 9 31 12 E",
        "N 47 8.4 E 9 31.2",
        "(47.14, 9.52)",
        "[47.14, 9.52]",
        "47,14, 9,52",
        "N47°08.400 E009°31.200",
        "47°8.4N 9°31.2E",
        "geo:47.14,9.52",
        "geo:47.14,9.52;u=35?z=15",
        "@47.14,9.52,15z",
        "https://maps.example/maps/@47.14,9.52,15z",
        "https://maps.example/maps/place/Vaduz/@47.0,9.0,15z/data=!4m5!3d47.14!4d9.52",
        "https://maps.example/maps?q=47.14%2C9.52",
        "https://map.example/?mlat=47.14&mlon=9.52#map=15/47.0/9.0",
        "https://map.example/#map=15/47.14/9.52",
        "POINT(9.52 47.14)",
        "SRID=4326;POINT (9.52 47.14)",
        "lat: 47.14 lng: 9.52",
        "lat=47.14, lon=9.52",
        "Longitude 9.52, latitude 47.14",
        '{"lat": 47.14, "lng": 9.52}',
    ],
)
def test_one_position_in_many_forms(text: str) -> None:
    assert typed_position(text) == TypedPosition(VADUZ)


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("-33.9 18.4", Point(18.4, -33.9)),
        ("33°54'S 18°24'W", Point(-18.4, -33.9)),
        ("-33°54' 18°24'", Point(18.4, -33.9)),
        ("90, 180", Point(180.0, 90.0)),
        ("−33.9, −18.4", Point(-18.4, -33.9)),
        ("POINT(-18.4 -33.9)", Point(-18.4, -33.9)),
        ("47.14° N, 9.52° O", VADUZ),
        ("٤٧٫١٤", None),
        ("٤٧ ٩", Point(9.0, 47.0)),
    ],
)
def test_signs_letters_and_digits(text: str, point: Point | None) -> None:
    typed = typed_position(text)
    assert (typed.point if typed else None) == point


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12",
        "Main Street 12 45",
        "1 2 3 4",
        "47°70'N 9°E",
        "10.0.0.1",
        "2026-11-21",
        "12 45b",
        "latin 4 long 5",
        "https://x.example/?q=a",
    ],
)
def test_text_without_a_position_is_searched_for(text: str) -> None:
    assert typed_position(text) is None


@pytest.mark.parametrize(
    ("text", "hint", "swapped"),
    [
        ("124.9, 60.1", "Latitude comes first and must be between -90 and 90, not 124.9.", Point(124.9, 60.1)),
        ("47.1, 200", "Longitude must be between -180 and 180, not 200.", None),
        ("95N 10E", "Latitude comes first and must be between -90 and 90, not 95.", None),
        ("5N 6N", "Give one latitude (N or S) and one longitude (E or W).", None),
    ],
)
def test_a_position_out_of_range_is_reported(text: str, hint: str, swapped: Point | None) -> None:
    assert typed_position(text) == TypedPosition(None, hint, swapped)


def test_an_ambiguous_letter_for_east_or_west_is_explained() -> None:
    typed = typed_position("47.14 N 9.52 O")
    assert typed is not None
    assert typed.point == VADUZ
    assert typed.hint.startswith("O is read as east")


@given(st.floats(-90, 90), st.floats(-180, 180))
def test_every_position_is_read_as_it_is_written(latitude: float, longitude: float) -> None:
    typed = typed_position(f"{latitude:.6f}, {longitude:.6f}")
    assert typed is not None
    point = typed.point
    assert point is not None
    assert (point.latitude, point.longitude) == pytest.approx((latitude, longitude), abs=1e-6)


@given(st.text())
def test_any_text_may_be_typed(text: str) -> None:
    typed_position(text)
    assert all(0 <= begin < end <= len(text) for begin, end in marked(text, text))
    Search.of(Question(text))


# Bold parts


@pytest.mark.parametrize(
    ("text", "typed", "parts"),
    [
        ("Kaisaniemi park", "kaisa", ["Kaisa"]),
        ("Städtle 35", "stadt 35", ["Städt", "35"]),
        ("Bahnhofstraße", "strasse", ["straße"]),
        ("Mare Straße", "ma s", ["Ma", "S"]),
        ("Banana", "n", []),
        ("東京タワー", "タワ", ["タワ"]),
        ("Vaduz", "", []),
        ("Vaduz", "bern", []),
        ("McDonald's", "mcdonalds", ["McDonald's"]),
        ("Depot, north", "depot,north", ["Depot", "north"]),
    ],
)
def test_the_typed_text_is_marked(text: str, typed: str, parts: list[str]) -> None:
    assert [text[begin:end] for begin, end in marked(text, typed)] == parts


# Geofences


def find(fences: list[Geofence], text: str, near: Point | None = None, limit: int = 4) -> Group:
    return FenceFinder().find(fences, Question(text, near), limit)


def test_geofences_are_found_by_all_their_texts() -> None:
    fences = [fence(1, "store", "Zürich Hauptbahnhof", metadata={"manager": "Ada"}), fence(2, "depot", "South gate")]
    for text in ("zurich", "ZÜRICH haupt", "store-1", "store zur", "f1", "ada", "manager"):
        assert [found.fence_id for found in find(fences, text).found] == ["f1"], text
    assert find(fences, "zurich gate").found == ()
    assert find(fences, " ").found == ()


def test_a_match_in_the_metadata_is_labelled() -> None:
    (found,) = find([fence(1, metadata={"manager": "Ada", "floor": 2})], "ada").found
    assert found.detail == "store / store-1 · Circle, 100 m · manager: Ada"


def test_the_name_itself_comes_first_then_beginnings_then_the_nearest() -> None:
    far = replace(fence(4, description="Depot west"), geometry=Circle(Point(20.0, 46.0), 50.0))
    fences = [
        far,
        fence(3, description="Old depot"),
        fence(2, description="Depot east"),
        fence(1, description="Depot"),
        fence(5, description="Superdepot"),
    ]
    group = find(fences, "depot", LJUBLJANA)
    assert [found.title for found in group.found] == ["Depot", "Depot east", "Depot west", "Old depot"]
    assert group.more == 1
    assert group.found[0].distance_m == 0.0
    assert find(fences, "depot", Point(21.0, 46.0)).found[1].title == "Depot west"


def with_id(number: int, fence_id: str, description: str) -> Geofence:
    made = fence(number, description=description)
    return replace(made, id=fence_id, summary=replace(made.summary, id=fence_id))


def test_an_id_is_found_as_a_whole_or_by_its_beginning() -> None:
    fences = [with_id(1, "69c1aa47d9", "Städtle 5")]
    for text in ("städtle 9", "47", "d9", "69c", "1aa4"):
        assert find(fences, text).found == (), text
    for text in ("69c1aa47d9", "69c1", "städtle 69C1AA"):
        assert find(fences, text).found, text


def test_as_many_are_listed_as_were_promised() -> None:
    fences = [with_id(n, f"{n * 7919:x}47{n:x}", f"Läden's store {n}") for n in range(300)]
    tree = FenceTree()
    for text in ("store 47", "laden", "ladens, 4", "1eef"):
        group = find(fences, text)
        tree.search(text)
        tree.rebuild(fences)
        assert len(tree) == len(group.found) + group.more > 0, text


def test_an_exact_number_comes_before_its_continuations() -> None:
    near = [fence(n, description=f"Store {n} Ringstrasse") for n in (4778, 4734, 471, 4797, 479)]
    far = replace(fence(47, description="Store 47 Landstrasse"), geometry=Circle(Point(20.0, 46.0), 50.0))
    assert find([*near, far], "store 47", LJUBLJANA).found[0].title == "Store 47 Landstrasse"
    assert find([*near, far], "47 land", LJUBLJANA).found[0].title == "Store 47 Landstrasse"


def test_an_address_with_the_very_number_comes_before_a_geofence_that_begins_with_it() -> None:
    search = Search.of(Question("städtle 9", VADUZ))
    search.fences = find([fence(1, description="Städtle 95")], "städtle 9", VADUZ)
    assert search.early
    search.addresses = (Group("Addresses", (SearchResult(kind=Kind.HOUSE, title="Städtle 9", point=VADUZ),)),)
    assert [group.title for group in search.groups] == ["Addresses", "Geofences"]
    search.fences = find([fence(1, description="Städtle 9 gate")], "städtle 9", VADUZ)
    assert [group.title for group in search.groups] == ["Geofences", "Addresses"]


def test_the_finder_follows_changes() -> None:
    finder = FenceFinder()
    before = fence(1, description="Alpha")
    assert finder.find([before], Question("alpha")).found
    changed = replace(before, summary=replace(before.summary, description="Beta"))
    assert not finder.find([changed], Question("alpha")).found
    assert finder.find([changed], Question("beta")).found


# Addresses


def address(label: str, layer: Layer = Layer.ADDRESS, **more: object) -> Address:
    fields: dict[str, object] = {"formatted": f"{label}, 9490 Vaduz LI", "country": "Liechtenstein"}
    return Address(point=VADUZ, layer=layer, label=label, country_code="LI", **{**fields, **more})  # type: ignore[arg-type]


@dataclass
class Book:
    """A geocoder with a few addresses."""

    known: list[Address]
    whole: list[Address] = field(default_factory=list)
    queries: list[AutocompleteQuery | ForwardQuery | ReverseQuery] = field(default_factory=list)

    def autocomplete(self, query: AutocompleteQuery) -> tuple[Address, ...]:
        self.queries.append(query)
        return tuple(each for each in self.known if each.layer in query.layers)[: query.limit]

    def forward(self, query: ForwardQuery) -> tuple[Address, ...]:
        self.queries.append(query)
        return tuple(self.whole)

    def reverse(self, query: ReverseQuery) -> tuple[Address, ...]:
        self.queries.append(query)
        return tuple(self.known[:1])


def test_addresses_and_places_are_groups_of_their_own() -> None:
    cafe = address("Städtle 3", Layer.PLACE, place_label="Café", formatted="Café, Städtle 3, 9490 Vaduz LI")
    book = Book([address("Städtle 35", number="35", street="Städtle"), address("Städtle"), cafe])
    addresses, places = find_addresses(book, Question("städ", LJUBLJANA))
    assert [(each.kind, each.title, each.detail) for each in addresses.found] == [
        (Kind.HOUSE, "Städtle 35", "9490 Vaduz, Liechtenstein"),
        (Kind.STREET, "Städtle", "9490 Vaduz, Liechtenstein"),
    ]
    assert [(each.kind, each.title, each.detail) for each in places.found] == [
        (Kind.PLACE, "Café", "Städtle 3, 9490 Vaduz, Liechtenstein")
    ]
    assert (addresses.title, places.title) == ("Addresses", "Places")
    assert addresses.found[0].distance_m == pytest.approx(402_000, rel=0.01)
    assert all(isinstance(query, AutocompleteQuery) and query.near == LJUBLJANA for query in book.queries)


def test_a_place_with_the_typed_name_stands_before_similar_addresses() -> None:
    museum = address("Städtle 32", Layer.PLACE, place_label="Kunstmuseum")
    town, street = address("Kunštát", Layer.LOCALITY), address("Kunstmattweg")
    titles = [group.title for group in find_addresses(Book([town, museum]), Question("kunstm"))]
    assert titles == ["Places", "Addresses"]
    titles = [group.title for group in find_addresses(Book([street, museum]), Question("kunstm"))]
    assert titles == ["Addresses", "Places"]
    titles = [group.title for group in find_addresses(Book([town, museum]), Question("kunszt"))]
    assert titles == ["Addresses", "Places"]


FAR = Point(2.35, 48.85)


@pytest.mark.parametrize(
    ("text", "town", "place", "first"),
    [
        ("hotel", address("Paris 04 Hôtel-de-Ville", Layer.LOCALITY), "Hotel Engel", "Places"),
        ("church", address("Church", Layer.LOCALITY), "Pfarrkirche", "Places"),
        ("castle", address("Castle", Layer.LOCALITY), "Schloss Vaduz", "Places"),
        ("mcdonalds", address("McDonald", Layer.LOCALITY), "McDonald’s", "Places"),
        ("NYU", address("Nyaung-U", Layer.LOCALITY), "New York University", "Places"),
        ("paris", address("Paris", Layer.LOCALITY), "Paris", "Addresses"),
        ("london", address("London", Layer.LOCALITY), "London Pub", "Addresses"),
        ("wien", address("Vienna", Layer.LOCALITY), "Pien", "Addresses"),
    ],
)
def test_places_next_door_stand_before_towns_elsewhere(text: str, town: Address, place: str, first: str) -> None:
    town = replace(town, point=FAR, formatted=str(town.label))
    shop = address("Städtle 3", Layer.PLACE, place_label=place, formatted=f"{place}, Städtle 3, 9490 Vaduz LI")
    groups = find_addresses(Book([town, shop]), Question(text, VADUZ))
    assert groups[0].title == first
    assert find_addresses(Book([town]), Question(text, VADUZ))[0].title == "Addresses"


def test_a_place_of_that_name_stands_before_a_street_in_that_town() -> None:
    street = address("Schloss-Stieg")
    names = ("Schlosskapelle Vaduz", "Parkplatz Schloss Vaduz", "Schloss Vaduz")
    places = [
        address(name, Layer.PLACE, place_label=name, formatted=f"{name}, 9490 Vaduz LI", place_id=name)
        for name in names
    ]
    first, second = find_addresses(Book([street, *places]), Question("schloss vaduz", VADUZ))
    assert (first.title, second.title) == ("Places", "Addresses")
    assert [found.title for found in first.found] == [
        "Schloss Vaduz",
        "Schlosskapelle Vaduz",
        "Parkplatz Schloss Vaduz",
    ]


@pytest.mark.parametrize(
    ("layer", "more", "kind", "detail"),
    [
        (Layer.LOCALITY, {"city": "Vaduz", "state": "Oberland"}, Kind.LOCALITY, "Oberland, Liechtenstein"),
        (Layer.POSTAL_CODE, {"city": "Vaduz"}, Kind.POSTAL_CODE, "Vaduz, Liechtenstein"),
        (Layer.COUNTRY, {"country": "It"}, Kind.COUNTRY, "Country"),
        (Layer.STATE, {"state": "It"}, Kind.STATE, "Liechtenstein"),
    ],
)
def test_a_second_line_shows_the_location(layer: Layer, more: dict[str, object], kind: Kind, detail: str) -> None:
    ((found,),) = (group.found for group in find_addresses(Book([address("It", layer, **more)]), Question("x")))
    assert (found.kind, found.title, found.detail) == (kind, "It", detail)


def test_without_suggestions_only_an_exact_address_is_found() -> None:
    exact, other = address("A", confidence=MatchConfidence.EXACT), address("B", confidence=MatchConfidence.FALLBACK)
    (group,) = find_addresses(Book([], [exact, other]), Question("a"))
    assert [found.title for found in group.found] == ["A"]
    assert find_addresses(Book([], [other]), Question("a")) == ()


def test_a_place_shows_its_category() -> None:
    place = SearchResult(kind=Kind.PLACE, title="Vaduz", detail="9490 Vaduz", point=VADUZ)
    path = ("arts-entertainment", "historic-site", "archaeological-site")
    assert with_category(place, path).detail == "Archaeological site · 9490 Vaduz"
    assert with_category(replace(place, title="Vaduz Castle"), ("castle",)).detail == "9490 Vaduz"
    assert with_category(place, ()) == place


def test_a_house_whose_number_is_not_known_is_about_there() -> None:
    house = address("Städtle 1z", number="1z", street="Städtle")
    placed = replace(house, confidence=MatchConfidence.INTERPOLATED)
    ((found,),) = (group.found for group in find_addresses(Book([house], [placed]), Question("städtle 1Z")))
    assert (found.title, found.detail) == ("Städtle 1z", "Approximate · 9490 Vaduz, Liechtenstein")
    assert fence_of(found, None).description == "Städtle"
    assert decode_recent(encode_recent([found])) == (found,)
    known = replace(house, confidence=MatchConfidence.EXACT)
    ((found,),) = (group.found for group in find_addresses(Book([house], [known]), Question("städtle 1z")))
    assert found.detail == "9490 Vaduz, Liechtenstein"
    assert fence_of(found, None).description == "Städtle 1z"


def test_a_match_of_only_the_number_is_no_answer() -> None:
    house = address("Städtle 35", number="35", street="Städtle")
    bus = address("Bus 35", Layer.PLACE, place_label="Bus 35", formatted="Bus 35, 9490 Vaduz LI")
    (group,) = find_addresses(Book([house, bus]), Question("städtle 35"))
    assert group.title == "Addresses"
    town = address("Marseille 12", Layer.LOCALITY)
    assert find_addresses(Book([town], [replace(town, confidence=MatchConfidence.FALLBACK)]), Question("xyz 12")) == ()
    # It may be the name in another language.
    exact = replace(town, confidence=MatchConfidence.EXACT)
    assert find_addresses(Book([town], [exact]), Question("massilia 12"))


def test_an_address_found_here_keeps_the_position() -> None:
    point = Point(9.521, 47.14)
    found = found_here(Book([address("Städtle 35", number="35")]), point)
    assert (found.title, found.point) == ("Städtle 35", point)
    assert found.detail == "9490 Vaduz, Liechtenstein · 76 m away"
    nothing = found_here(Book([]), point)
    assert (nothing.kind, nothing.detail) == (Kind.POSITION, "No address found here.")


# Everything together


def test_groups_keep_their_order_whichever_answers_first() -> None:
    search = Search.of(Question("47.14, 9.52"))
    assert search.first is not None
    assert search.first.kind is Kind.POSITION
    house = SearchResult(kind=Kind.HOUSE, title="A", point=VADUZ)
    search.addresses = (Group("Addresses", (house,)),)
    assert not search.complete
    search.fences = find([fence(1)], "fence")
    assert [group.title for group in search.groups] == ["Coordinates", "Geofences", "Addresses"]
    assert search.complete


def test_an_empty_result_explains_the_search() -> None:
    search = Search.of(Question("xyz"))
    assert search.note == "Searching…"
    search.fences, search.addresses, search.areas = Group("", ()), (), ("helsinki", "malta")
    assert search.note == (
        "Nothing found for “xyz”.\nStreets and places can be found in the areas in use: helsinki, malta."
    )
    search.areas = ()
    assert "No area is in use" in search.note
    search.unavailable = True
    assert search.note == "Nothing found for “xyz”.\nAddresses and places cannot be searched right now."
    search.without_data = True
    assert search.note == f"Nothing found for “xyz”.\n{WITHOUT_DATA}"


@pytest.mark.parametrize(
    ("metres", "text"),
    [(0.0, "0 m"), (8.4, "8 m"), (447.0, "450 m"), (949.0, "950 m"), (960.0, "1.0 km"), (2_497_400.0, "2497 km")],
)
def test_distances_are_as_exact_as_they_are_of_use(metres: float, text: str) -> None:
    assert distance_text(metres) == text


# Recent searches


def test_the_ten_newest_are_kept_each_once() -> None:
    recent: tuple[SearchResult, ...] = ()
    for number in range(14):
        recent = with_newest(recent, SearchResult(kind=Kind.HOUSE, title=f"House {number}", point=VADUZ))
    assert len(recent) == RECENT_KEPT
    again = with_newest(recent, replace(recent[4], distance_m=3.0))
    assert [each.title for each in again][:2] == ["House 9", "House 13"]
    assert len(again) == RECENT_KEPT


def test_recent_searches_survive_their_text() -> None:
    recent = (
        SearchResult(kind=Kind.FENCE, title="Ö, “x”", detail="a / b", point=VADUZ, fence_id="f1"),
        SearchResult(kind=Kind.PLACE, title="東京", point=LJUBLJANA, place_id="p1"),
    )
    assert decode_recent(encode_recent(recent)) == recent


@pytest.mark.parametrize("text", ["", "x", "{}", "[1]", '[{"kind":"moon"}]', "null"])
def test_a_memory_that_is_none_is_empty(text: str) -> None:
    assert decode_recent(text) == ()


# Geofences near results


def test_an_address_becomes_a_circle_with_its_name() -> None:
    change = fence_of(SearchResult(kind=Kind.HOUSE, title="Städtle 35", point=VADUZ), None)
    assert (change.type, change.coordinates, change.size) == ("circle", (9.52, 47.14), DEFAULT_RADIUS_M)
    assert change.description == "Städtle 35"
    assert not fence_of(SearchResult(kind=Kind.POSITION, title="47, 9", point=VADUZ), None).description


def test_an_outline_becomes_a_polygon() -> None:
    yard = shapely.box(0, 0, 2, 2).difference(shapely.box(0.5, 0.5, 1, 1))
    both = shapely.MultiPolygon([shapely.box(5, 5, 5.1, 5.1), yard])
    change = fence_of(SearchResult(kind=Kind.PLACE, title="Park", point=VADUZ), shapely.to_wkb(both))
    assert change.type == "polygon"
    (outer, hole), (other,) = cast(Any, change.coordinates)
    assert set(outer) == {(0.0, 0.0), (0.0, 2.0), (2.0, 2.0), (2.0, 0.0)}
    assert set(hole) == {(0.5, 0.5), (0.5, 1.0), (1.0, 1.0), (1.0, 0.5)}
    assert set(other) == {(5.0, 5.0), (5.0, 5.1), (5.1, 5.1), (5.1, 5.0)}
    assert bounds_of(shapely.to_wkb(both)) == (0, 0, 5.1, 5.1)


def test_an_outline_with_too_many_corners_is_simplified() -> None:
    circle = shapely.Point(9.5, 47.1).buffer(0.01, quad_segs=2_000)
    polygon = polygon_of(shapely.to_wkb(circle))
    assert polygon is not None
    ring = polygon.ring
    assert ring[0] == ring[-1]
    assert len(ring) <= MAX_RING_POSITIONS
    assert shapely.Polygon(ring).symmetric_difference(circle).area < 0.001 * circle.area


@pytest.mark.parametrize("shape", [b"", b"nonsense", shapely.to_wkb(shapely.Point(1, 2))])
def test_an_unusable_outline_stays_a_circle(shape: bytes) -> None:
    assert fence_of(SearchResult(kind=Kind.PLACE, title="Kiosk", point=VADUZ), shape).type == "circle"


def test_thousands_of_geofences_are_searched_at_once() -> None:
    random = Random(7)
    fences = [fence(n, description=f"Gate {random.randrange(10**6)}") for n in range(5_000)]
    group = find(fences, "gate", LJUBLJANA)
    assert (len(group.found), group.more) == (4, 4_996)


def test_while_thousands_are_made_ready_the_window_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(search_fences, "sleep", pauses.append)
    finder, fences = FenceFinder(), [fence(n) for n in range(1_000)]
    finder.find(fences, Question("fence"))
    assert len(pauses) >= 20
    pauses.clear()
    finder.find([*fences, fence(1_000)], Question("fence"))
    assert pauses == []
