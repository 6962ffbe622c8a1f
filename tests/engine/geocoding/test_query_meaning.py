"""The meaning of queries for distant places, for a code or for a beginning: real areas and the world pack."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.addresses.address import (
    DEFAULT_LAYERS,
    FINE,
    Address,
    AutocompleteQuery,
    ForwardQuery,
    Layer,
    MatchConfidence,
)
from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer
from engine.gazetteer.text import fold
from engine.geocoding.embedded import EmbeddedGeocoder
from tests.engine.areas.gazetteers import real_gazetteer
from tests.shared import SharedData

EXACT, FALLBACK = MatchConfidence.EXACT, MatchConfidence.FALLBACK


@pytest.fixture(scope="module")
def everywhere(
    state_college_file: Path, manhattan_file: Path, liechtenstein_file: Path, pack: Path
) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([state_college_file, manhattan_file, liechtenstein_file], pack / "world.sqlite")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def alpine(liechtenstein_file: Path, pack: Path) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([liechtenstein_file], pack / "world.sqlite")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def palatine(
    shared_data: SharedData, tmp_path_factory: pytest.TempPathFactory, pack: Path
) -> Iterator[EmbeddedGeocoder]:
    world = pack / "world.sqlite"
    opened = EmbeddedGeocoder([real_gazetteer(shared_data, tmp_path_factory, "heidelberg", world)], world)
    yield opened
    opened.close()


def ask(geocoder: EmbeddedGeocoder, text: str) -> list[Address]:
    return list(geocoder.forward(ForwardQuery(text=text)))


def typed(geocoder: EmbeddedGeocoder, text: str) -> list[Address]:
    return list(geocoder.autocomplete(AutocompleteQuery(text=text)))


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("123 Main St Springfield IL", "Springfield, IL US"),
        ("10 Downing Street London", "London GB"),
        ("10 Downing Street, Westminster, London", "London GB"),
        ("10 Downing Street, London SW1A 2AA, UK", "London GB"),
        ("1600 Pennsylvania Ave Washington DC", "Washington, DC US"),
        ("120 Broadway Los Angeles CA", "Los Angeles, CA US"),
        ("1 Wall St, Boston MA", "Boston, MA US"),
        ("Landstrasse 5 Zürich", "Zürich CH"),
        ("Main Street Vaduz", "Vaduz LI"),
        ("221b Baker Street London", "London GB"),
        ("Rue de Rivoli 1 Paris", "Paris FR"),
        ("742 Evergreen Terrace, Springfield, MO", "Springfield, MO US"),
        ("123 Main St, Springfield, IL 62701", "Springfield, IL 62701 US"),
        # The city counts, not the wrong or foreign postal code: these are in Iowa and Texas.
        ("120 East Main Street, Springfield, IL 52701", "Springfield, IL US"),
        ("12 Rue de Rivoli, 75001 Paris FR", "Paris FR"),
        # A town of nine thousand inhabitants, and smaller ones.
        ("Main Street Lititz", "Lititz, PA US"),
        ("12 Main Street Lititz", "Lititz, PA US"),
        ("Lititz, 12 Main Street", "Lititz, PA US"),
        ("Walnut Street, Swartzville", "Swartzville, PA US"),
        ("Zyzzyva, Swartzville", "Swartzville, PA US"),
        ("Landstrasse 5, Gontenschwil", "Gontenschwil CH"),
        # A street type follows the town, after a comma.
        ("Gontenschwil, Landstrasse 5", "Gontenschwil CH"),
        ("Swartzville, Avenue C 5", "Swartzville, PA US"),
    ],
)
def test_a_street_in_another_city_is_not_the_answer(everywhere: EmbeddedGeocoder, text: str, formatted: str) -> None:
    found = ask(everywhere, text)
    assert (found[0].formatted, found[0].confidence) == (formatted, FALLBACK)
    assert all(each.layer is not Layer.ADDRESS for each in found)


def test_a_street_in_a_village_far_away_is_not_the_answer(everywhere: EmbeddedGeocoder) -> None:
    source = random.Random(16)
    streets = [row for area in everywhere.areas for row in source.sample(_houses(area), 12)]
    villages = source.sample(_villages(everywhere), len(streets))
    named = 0
    for (street, number), village in zip(streets, villages, strict=True):
        for text in (f"{street}, {village}", f"{number} {street}, {village}", f"{village}, {street} {number}"):
            best = ask(everywhere, text)[:1]
            named += all(each.layer is not Layer.ADDRESS for each in best)
    # Some names are also those of a local business.
    assert named >= 0.95 * 3 * len(streets)


def _houses(area: Gazetteer) -> list[tuple[str, str]]:
    sql = "SELECT s.name, min(h.number) FROM streets s JOIN houses h ON h.street = s.id GROUP BY s.id ORDER BY s.id"
    return [(street, number) for street, number in area.rows(sql)]


def _villages(geocoder: EmbeddedGeocoder) -> list[str]:
    """Return the one-word names of localities with a few thousand inhabitants in France, which has no area here."""
    assert geocoder.world is not None
    sql = (
        "SELECT DISTINCT d.name FROM divisions d JOIN contexts c ON c.id = d.context WHERE d.layer = 'locality'"
        " AND c.country_code = 'FR' AND d.population BETWEEN 1000 AND 9000 ORDER BY d.name"
    )
    return [name for (name,) in geocoder.world.rows(sql) if name.isalpha()]


@pytest.mark.parametrize(
    "text",
    [
        "Statue of Liberty",
        "Liberty Island",
        "Empire State Building",
        "Golden Gate Bridge",
        "Tower Bridge",
        "Great Wall",
    ],
)
def test_a_sight_is_no_street_that_shares_a_word_with_it(everywhere: EmbeddedGeocoder, text: str) -> None:
    assert ask(everywhere, text) == []
    inside = ask(everywhere, f"{text}, New York")
    assert inside[0].formatted == "New York, NY US"
    assert not any("Liberty" in (each.label or "") for each in inside)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Vaduz Aulestrase", "Äulestrasse"),
        ("Libery Street", "Liberty Street"),
        ("Brodway New York", "Broadway"),
        ("Tower Street", "Tower Road"),
        ("Main Street Entenhausen", "Main Street"),
    ],
)
def test_a_street_with_more_or_other_letters_is_still_found(
    everywhere: EmbeddedGeocoder, text: str, label: str
) -> None:
    assert ask(everywhere, text)[0].label == label


@pytest.mark.parametrize("text", ["Tower Bridge", "12 Tower Bridge", "Tower Street"])
def test_a_known_word_is_not_taken_for_another_one(everywhere: EmbeddedGeocoder, text: str) -> None:
    for found in (ask(everywhere, text), typed(everywhere, text)):
        assert not any("lower" in fold(each.label or "") for each in found)


@pytest.mark.parametrize("text", ["Pentagon", "The Pentagon"])
def test_an_unknown_name_does_not_find_a_similar_village(everywhere: EmbeddedGeocoder, text: str) -> None:
    assert ask(everywhere, text) == []


@pytest.mark.parametrize("text", ["Tillary Street Merrill", "Tillary Street, Merrill"])
def test_a_business_that_has_a_towns_name_amid_its_own_is_not_at_a_street(
    everywhere: EmbeddedGeocoder, text: str
) -> None:
    found = ask(everywhere, text)
    assert (found[0].formatted, found[0].confidence) == ("Merrill, WI US", FALLBACK)
    assert all(each.layer is not Layer.ADDRESS for each in found)


@pytest.mark.usefixtures("real_extracts")
@pytest.mark.parametrize(
    ("text", "formatted", "small"),
    [
        ("10 Downing Street London", "London GB", "London, KY US"),
        ("London, 10 Downing Street", "London GB", "London, KY US"),
        ("120 East Main Street, Springfield, Texas", "Texas, US", "Texas MX"),
    ],
)
def test_one_word_means_no_small_namesake_of_a_place_that_it_names(
    everywhere: EmbeddedGeocoder, text: str, formatted: str, small: str
) -> None:
    found = [each.formatted for each in ask(everywhere, text)]
    assert found[0] == formatted
    assert small not in found


@pytest.mark.slow
@pytest.mark.parametrize("text", ["Hauptstraße Ehingen", "Hauptstrasse 12, Ehingen"])
def test_a_town_that_is_there_is_no_misspelling_of_one_nearer(palatine: EmbeddedGeocoder, text: str) -> None:
    # Edingen is near Heidelberg, and Ehingen on the Danube.
    assert {(each.label, each.confidence) for each in ask(palatine, text)} == {("Ehingen", FALLBACK)}
    assert ask(palatine, "Hauptstraße Edngen")[0].city == "Edingen-Neckarhausen"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("One Police Plaza", "1 Police Plaza"),
        ("one Police Plaza, New York, NY 10038", "1 Police Plaza"),
        ("Seven World Trade Center", "7 World Trade Center"),
        ("Äulestrasse 51 FL", "Äulestrasse 51"),
        ("Äulestrasse 51, Vaduz, FL", "Äulestrasse 51"),
    ],
)
def test_numbers_in_words_and_the_signs_of_countries_are_understood(
    everywhere: EmbeddedGeocoder, text: str, label: str
) -> None:
    found = ask(everywhere, text)[0]
    assert (found.label, found.confidence) == (label, EXACT)


def test_a_number_in_words_may_stand_behind_a_comma(everywhere: EmbeddedGeocoder) -> None:
    assert ask(everywhere, "NYPD, One Police Plaza, New York, NY")[0].label == "1 Police Plaza"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("One Police", "1 Police Plaza"),
        ("one police pl", "1 Police Plaza"),
        ("One Police Plaza, New Y", "1 Police Plaza"),
        ("Seven World Trade Cen", "7 World Trade Center"),
    ],
)
def test_a_number_in_words_is_understood_while_it_is_typed(everywhere: EmbeddedGeocoder, text: str, label: str) -> None:
    assert label in [each.label for each in typed(everywhere, text)[:3]]


def test_an_exact_name_is_offered_before_a_number_in_words(everywhere: EmbeddedGeocoder) -> None:
    assert typed(everywhere, "Two Bri")[0].label == "Two Bridges"


@pytest.mark.parametrize(("text", "label"), [("Two Bridges", "Two Bridges"), ("FL", "Florida"), ("Miami FL", "Miami")])
def test_an_exact_name_comes_before_a_number_in_words_and_a_sign(
    everywhere: EmbeddedGeocoder, text: str, label: str
) -> None:
    assert ask(everywhere, text)[0].label == label


@pytest.mark.usefixtures("real_extracts")
def test_a_house_on_a_street_called_otherwise_is_not_the_answer(everywhere: EmbeddedGeocoder) -> None:
    # The data has 10 Columbia Heights, and towns called Columbus.
    assert ask(everywhere, "10 Columbus Circle") == []


def test_the_city_is_found_without_a_similar_street(alpine: EmbeddedGeocoder) -> None:
    assert ask(alpine, "123 Main St Springfield IL")[0].formatted == "Springfield, IL US"


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        # Neighbouring towns and postal codes, and an unknown one.
        ("120 E Beaver Ave, Boalsburg, PA", "120 East Beaver Avenue, State College, PA 16801 US"),
        ("120 E Beaver Ave, Lemont, PA", "120 East Beaver Avenue, State College, PA 16801 US"),
        ("120 E Beaver Ave, Bellefonte, PA 16823", "120 East Beaver Avenue, State College, PA 16801 US"),
        ("120 E Beaver Ave, State College, NY", "120 East Beaver Avenue, State College, PA 16801 US"),
        ("120 E Beaver Ave, Entenhausen", "120 East Beaver Avenue, State College, PA 16801 US"),
        ("120 E Beaver Ave, Midtown", "120 East Beaver Avenue, State College, PA 16801 US"),
        ("Äulestrasse 12 Schaan", "Äulestrasse 12, 9490 Vaduz LI"),
        ("Landstrasse 5 Feldkirch", "Landstrasse 5, 9494 Schaan LI"),
    ],
)
def test_a_town_nearby_contradicts_nothing(everywhere: EmbeddedGeocoder, text: str, formatted: str) -> None:
    best = ask(everywhere, text)[0]
    assert (best.formatted, best.confidence) == (formatted, FALLBACK)


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("Centre County", "Centre County, PA US"),
        ("Centre County, PA", "Centre County, PA US"),
        ("New York County", "New York County, NY US"),
        ("Oberland", "Oberland, LI"),
        ("PA", "Pennsylvania, US"),
        ("NY", "New York, US"),
        ("US", "United States"),
        ("LI", "Liechtenstein"),
        ("New York", "New York, NY US"),
        ("New York City", "New York, NY US"),
        ("Springfield, IL", "Springfield, IL US"),
    ],
)
def test_divisions_are_found_by_name_and_code(everywhere: EmbeddedGeocoder, text: str, formatted: str) -> None:
    best = ask(everywhere, text)[0]
    assert (best.formatted, best.confidence) == (formatted, EXACT)


@pytest.mark.parametrize(
    ("text", "formatted", "layer"),
    [
        # Not il Cairo, nor places by old names or villages.
        ("Cairo IL", "Cairo, IL US", Layer.LOCALITY),
        ("White House", "White House, TN US", Layer.LOCALITY),
        ("Korea", "North Korea", Layer.COUNTRY),
        ("Congo", "Congo - Brazzaville", Layer.COUNTRY),
        ("Cairo", "Cairo EG", Layer.LOCALITY),
        ("Bombay", "Mumbai IN", Layer.LOCALITY),
        # Not Schwandorf in Bayern.
        ("Bayern", "Bavaria, DE", Layer.STATE),
    ],
)
def test_the_one_that_people_mean_comes_first(
    alpine: EmbeddedGeocoder, text: str, formatted: str, layer: Layer
) -> None:
    best = ask(alpine, text)[0]
    assert (best.formatted.endswith(formatted), best.layer) == (True, layer)


@pytest.mark.usefixtures("real_extracts")
def test_a_city_comes_before_the_state_of_its_name(alpine: EmbeddedGeocoder) -> None:
    best = ask(alpine, "St. Gallen")[0]
    assert (best.formatted.endswith("Gallen CH"), best.layer) == (True, Layer.LOCALITY)


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("FL-9490 Vaduz, Städtle 37", "Städtle 37, 9490 Vaduz LI"),
        ("fl-9490 vaduz städtle 37", "Städtle 37, 9490 Vaduz LI"),
        ("Städtle Nr 37", "Städtle 37, 9490 Vaduz LI"),
        ("n.º 37, Städtle, Vaduz", "Städtle 37, 9490 Vaduz LI"),
        ("Städtle №37 Vaduz", "Städtle 37, 9490 Vaduz LI"),
        ("Hausnummer 37 Städtle", "Städtle 37, 9490 Vaduz LI"),
        ("Städtle - 37, Vaduz", "Städtle 37, 9490 Vaduz LI"),
        ("41½ 2nd Avenue, New York", "41 1/2 2nd Avenue, New York, NY 10003 US"),
        ("41 1/2 2nd Avenue, New York", "41 1/2 2nd Avenue, New York, NY 10003 US"),
    ],
)
def test_numbers_and_codes_are_read_as_people_write_them(
    everywhere: EmbeddedGeocoder, text: str, formatted: str
) -> None:
    best = ask(everywhere, text)[0]
    assert (best.formatted, best.confidence) == (formatted, EXACT)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Wall & Broad", "Wall Street & Broad Street"),
        ("Broadway/Wall", "Broadway & Wall Street"),
        ("Water St.55, New York", "55 Water Street"),
        ("120 Bway, New York", "120 Broadway"),
    ],
)
def test_streets_called_like_a_type_and_missing_spaces(everywhere: EmbeddedGeocoder, text: str, label: str) -> None:
    best = ask(everywhere, text)[0]
    assert (best.label, best.confidence) == (label, EXACT)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "4050-253 Porto, Rua de Santa Catarina 112",
        "Porto, Rua de Santa Catarina 112",
        "Rua de Santa Catarina, 112, Porto",
        "RUA DE SANTA CATARINA 112, 4050-253 PORTO",
    ],
)
def test_the_end_of_a_streets_name_is_no_city(
    shared_data: SharedData, tmp_path_factory: pytest.TempPathFactory, pack: Path, text: str
) -> None:
    file = real_gazetteer(shared_data, tmp_path_factory, "porto", pack / "world.sqlite")
    geocoder = EmbeddedGeocoder([file], pack / "world.sqlite")
    assert ask(geocoder, text)[0].formatted == "Rua de Santa Catarina, Porto PT"
    # Even if neither number nor code is known, the street comes before the city.
    assert ask(geocoder, "Pç. da Liberdade 999, 4000-999 Porto")[0].label == "Praça da Liberdade"
    geocoder.close()


@pytest.mark.parametrize("text", ["casa da mus", "main stre lit", "tower bridge lond"])
def test_a_name_that_shares_half_of_the_words_is_not_offered(everywhere: EmbeddedGeocoder, text: str) -> None:
    assert typed(everywhere, text) == []


@pytest.mark.parametrize("text", ["State College", "STATE COLLEGE"])
def test_a_city_of_two_words_is_no_street_with_the_second_one(everywhere: EmbeddedGeocoder, text: str) -> None:
    for found in (ask(everywhere, text), typed(everywhere, text)):
        assert found[0].formatted == "State College, PA US"
        assert not any((each.street or "").startswith("College View") for each in found)


def test_whose_code_it_is_depends_on_the_areas_in_use(everywhere: EmbeddedGeocoder, alpine: EmbeddedGeocoder) -> None:
    assert [each.label for each in ask(everywhere, "PA")[:2]] == ["Pennsylvania", "Panama"]
    assert ask(alpine, "PA")[0].label == "Panama"
    assert ask(everywhere, "CA")[0].label == "California"
    assert ask(alpine, "CA")[0].label == "Canada"


def test_a_code_is_no_abbreviation(everywhere: EmbeddedGeocoder) -> None:
    assert "São Tomé & Príncipe" not in {each.label for each in ask(everywhere, "Paris Street 5 Springfield")}


@pytest.mark.parametrize("text", ["42", "57"])
def test_a_number_is_no_code_of_a_state(alpine: EmbeddedGeocoder, text: str) -> None:
    # In Italy these are the codes of Liguria and Marche.
    assert ask(alpine, text) == []
    assert all(each.layer is not Layer.STATE for each in typed(alpine, text))


@pytest.mark.parametrize(("text", "label"), [("Londn", "London"), ("Londinium", "London")])
def test_another_spelling_is_no_exact_answer(everywhere: EmbeddedGeocoder, text: str, label: str) -> None:
    best = ask(everywhere, text)[0]
    assert (best.label, best.confidence) == (label, FALLBACK)


@pytest.mark.parametrize("text", ["Munich", "東京", "Deutschland", "Allemagne"])
def test_a_name_of_a_language_is_one(everywhere: EmbeddedGeocoder, text: str) -> None:
    assert ask(everywhere, text)[0].confidence is EXACT


def test_a_city_of_two_sources_is_answered_once(everywhere: EmbeddedGeocoder, alpine: EmbeddedGeocoder) -> None:
    for found in (ask(everywhere, "New York"), typed(everywhere, "new yo"), typed(everywhere, "New York Ci")):
        cities = [each.label for each in found if each.layer is Layer.LOCALITY]
        assert cities[0] == "New York"
        assert "New York City" not in cities
    assert (typed(alpine, "new yo")[0].layer, ask(alpine, "New York")[0].layer) == (Layer.LOCALITY, Layer.LOCALITY)


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("vad", "Vaduz LI"),
        ("va", "Vaduz LI"),
        ("lond", "London GB"),
        ("new yo", "New York, NY US"),
        ("berl", "Berlin DE"),
        ("state", "State College, PA US"),
        ("pa", "Pennsylvania, US"),
    ],
)
def test_a_prefix_finds_nearby_or_well_known_names(everywhere: EmbeddedGeocoder, text: str, formatted: str) -> None:
    assert typed(everywhere, text)[0].formatted == formatted


@pytest.mark.parametrize("text", ["vad", "lond", "berl", "stat"])
def test_names_that_begin_with_the_text_come_first(alpine: EmbeddedGeocoder, text: str) -> None:
    begins = [f" {text}" in f" {fold(each.label or '')}" for each in typed(alpine, text)]
    assert begins == sorted(begins, reverse=True)
    assert begins.count(True) >= 8


@pytest.mark.parametrize("text", ["JFK", "xqz", "qzx"])
def test_short_words_are_not_corrected(everywhere: EmbeddedGeocoder, text: str) -> None:
    assert ask(everywhere, text) == []
    assert typed(everywhere, text) == []


def test_words_that_are_repeated_are_looked_at_twice(everywhere: EmbeddedGeocoder) -> None:
    best = ask(everywhere, "main street " * 80)[0]
    assert best.street == "Main Street"
    assert ask(everywhere, "Baden-Baden")[0].confidence is EXACT


@pytest.mark.parametrize("text", ["JFK", "jfk", "John F Kennedy International Airport"])
def test_an_airport_is_a_place(everywhere: EmbeddedGeocoder, text: str) -> None:
    places = frozenset({Layer.PLACE})
    best = everywhere.forward(ForwardQuery(text=text, layers=places))[0]
    assert (best.place_label, best.confidence) == ("John F Kennedy International Airport", EXACT)
    assert (best.city, best.country_code, best.country) == ("New York", "US", "United States")
    assert (best.point.longitude, best.point.latitude) == pytest.approx((-73.7787, 40.6399), abs=0.001)
    beginning = AutocompleteQuery(text=text.upper(), layers=places)
    assert everywhere.autocomplete(beginning)[0].place_label == best.place_label
    abroad = everywhere.forward(ForwardQuery(text=text, layers=places, countries=frozenset({"LI"})))
    assert all(each.country_code == "LI" for each in abroad)


def test_three_letters_begin_a_word_before_they_are_an_airport_far_away(everywhere: EmbeddedGeocoder) -> None:
    new_york, far = Point(-74.0, 40.72), Point(9.52, 47.14)
    layers = DEFAULT_LAYERS | FINE

    def first(text: str, near: Point) -> str | None:
        found = everywhere.autocomplete(AutocompleteQuery(text=text, near=near, layers=layers))[0]
        return found.place_label or found.label

    assert first("cen", new_york) != "Ciudad Obregon International Airport"
    assert first("vad", far) != "Moody AFB Airport"
    assert first("CEN", far) == "Ciudad Obregon International Airport"
    assert first("jfk", new_york) == "John F Kennedy International Airport"


@pytest.mark.parametrize("text", ["120 E Beaver Ave", "16801 120 e beaver ave", "120 e beaver ave state college"])
def test_a_direction_is_no_part_of_the_number(everywhere: EmbeddedGeocoder, text: str) -> None:
    best = ask(everywhere, text)[0]
    assert (best.number, best.street, best.confidence) == ("120", "East Beaver Avenue", EXACT)


@pytest.mark.parametrize(
    ("text", "label"), [("Rhein", "Rhine"), ("Naafkopf", "Naafkopf"), ("Samina, Triesenberg", "Samina")]
)
def test_rivers_and_peaks_are_places(alpine: EmbeddedGeocoder, text: str, label: str) -> None:
    found = alpine.forward(ForwardQuery(text=text, layers=FINE))
    assert (found[0].layer, found[0].label) == (Layer.PLACE, label)


@pytest.mark.parametrize(
    "text",
    [
        *("139 East 33rd Street, New York", "139 East 33rd Street, New York, NY 10016", "139 E 33 St New York"),
        *("139 East 33rd Street, New York, NY 10019", "20 W 34th St, New York, NY 10001"),
    ],
)
def test_a_street_that_has_only_a_word_of_the_city_is_not_the_answer(everywhere: EmbeddedGeocoder, text: str) -> None:
    found = ask(everywhere, text)
    assert found[0].city == "New York"
    assert {each.layer for each in found} <= {Layer.POSTAL_CODE, Layer.LOCALITY, Layer.STATE}
    # The same applies to places with a word of the street and part of the city's name: East York, East New York.
    assert {each.label for each in found if each.layer is Layer.LOCALITY} <= {"New York", "New York Mills"}
    assert found[0].confidence is FALLBACK
    called = ask(everywhere, "139 York Street, New York, NY")[0]
    assert (called.label, called.city) == ("139 York Street", "Brooklyn")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        *("Hauptstraße 118, 69118 Heidelberg", "Hauptstr. 120, 69118 Heidelberg", "Hauptstraße 118 69118 Heidelberg"),
        *("Hauptstraße, 69118 Heidelberg", "Hauptstraße 118, 69120 Heidelberg", "69118 Heidelberg, Hauptstraße 118"),
    ],
)
def test_a_wrong_code_leaves_the_street_if_the_number_is_not_known(palatine: EmbeddedGeocoder, text: str) -> None:
    found = ask(palatine, text)
    assert (found[0].label, found[0].postal_code, found[0].city) == ("Hauptstraße", "69117", "Heidelberg")
    assert {(each.country_code, each.confidence) for each in found} == {("DE", FALLBACK)}
    elsewhere = ask(palatine, "Hauptstraße 118, 69118 Heidelberg, South Africa")
    assert {each.country_code for each in elsewhere if each.layer is Layer.LOCALITY} == {"ZA"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Kurfürstenanlage 10, Heidelberg", "Kurfürsten-Anlage"),
        ("Dr.-Friedrich-Ebert-Anlage 10", "Friedrich-Ebert-Anlage"),
        ("Hauptstraße 118 Altstadt", "Hauptstraße"),
    ],
)
def test_the_street_that_has_most_of_the_words_is_the_answer(palatine: EmbeddedGeocoder, text: str, label: str) -> None:
    found = ask(palatine, text)[0]
    assert (found.label, found.city, found.number, found.confidence) == (label, "Heidelberg", None, FALLBACK)


@pytest.mark.slow
def test_a_misspelling_is_in_no_namesake_of_the_areas_city(palatine: EmbeddedGeocoder) -> None:
    assert {each.country_code for each in ask(palatine, "Uniplatz Heidelberg")} == {"DE"}
    assert {each.country_code for each in ask(palatine, "Heidelberg")} >= {"DE", "ZA"}


@pytest.mark.parametrize(
    "text", ["Central Park, New York", "East River", "Union Depot", "Acropolis", "Alcatraz Island"]
)
def test_former_names_and_parts_of_names_of_far_towns_do_not_match(everywhere: EmbeddedGeocoder, text: str) -> None:
    found = ask(everywhere, text)
    assert all(each.city == "New York" or each.label == "New York" for each in found)


def test_a_name_in_another_order_is_another_name(everywhere: EmbeddedGeocoder) -> None:
    best = ask(everywhere, "Hyde Park, New York")[0]
    assert (best.label, best.confidence) == ("Hyde Park", EXACT)
    assert [each.label for each in ask(everywhere, "Market Street") if each.layer is not Layer.ADDRESS] == []
    assert ask(everywhere, "Greenwich Village, New York")[0].layer is not Layer.ADDRESS


def test_the_state_comes_before_villages_far_away(everywhere: EmbeddedGeocoder) -> None:
    assert ask(everywhere, "Houston Street, Texas")[0].formatted == "Texas, US"


@pytest.mark.parametrize("text", ["120-A Broadway, New York", "120 A Broadway, New York", "120A Broadway, New York"])
def test_a_letter_may_stand_behind_a_hyphen(everywhere: EmbeddedGeocoder, text: str) -> None:
    best = ask(everywhere, text)[0]
    assert (best.street, best.confidence) == ("Broadway", MatchConfidence.INTERPOLATED)


@pytest.mark.parametrize("text", ["120 s al", "5 germ", "11 walls"])
def test_a_number_in_front_begins_an_address(everywhere: EmbeddedGeocoder, text: str) -> None:
    found = typed(everywhere, text)
    assert not [each.formatted for each in found if each.layer in (Layer.COUNTRY, Layer.STATE)]
    # A distant town has no house either.
    assert {each.city for each in found} <= {each.city for each in found if each.layer is Layer.ADDRESS}


@pytest.mark.parametrize(("text", "label"), [("1010 wien", "Vienna"), ("8001 zür", "Zürich")])
def test_a_longer_number_in_front_may_be_a_postal_code(everywhere: EmbeddedGeocoder, text: str, label: str) -> None:
    assert label in [each.label for each in typed(everywhere, text)]


@pytest.mark.parametrize("text", ["New York Avenue", "New York Street", "120 Broadway, York", "120 Broadway, States"])
def test_a_part_of_a_citys_name_makes_nothing_exact(everywhere: EmbeddedGeocoder, text: str) -> None:
    found = ask(everywhere, text)
    assert {each.confidence for each in found} == {FALLBACK}


@pytest.mark.slow
def test_a_street_beside_a_city_of_its_name_is_exact(everywhere: EmbeddedGeocoder, palatine: EmbeddedGeocoder) -> None:
    assert ask(everywhere, "York Street, New York")[0].confidence is EXACT
    assert "New Street" not in {each.label for each in ask(everywhere, "York Street, New York")}
    assert ask(everywhere, "North Street, New York")[0].layer is Layer.LOCALITY
    # People call the town by the beginning of its longer name.
    begun = ask(palatine, "Hauptstraße, Edingen")[0]
    assert (begun.city, begun.confidence) == ("Edingen-Neckarhausen", EXACT)


def test_a_direction_places_no_house_on_the_other_side(everywhere: EmbeddedGeocoder) -> None:
    assert "196 E" not in {each.number for each in ask(everywhere, "196 E Houston")}
    assert ask(everywhere, "196 E Houston")[0].street == "East Houston Street"
