"""State College, Pennsylvania: the streets around Beaver and Allen, several chain stores, and the surroundings."""

from tests.drawn.drawing import Drawing, Place

NORTH = {"code": "16803"}
MCDONALDS = {"amenity": "fast_food", "cuisine": "burger", "brand": "McDonald's", "brand:wikidata": "Q38076"}
STARBUCKS = {"amenity": "cafe", "cuisine": "coffee_shop", "brand": "Starbucks", "brand:wikidata": "Q37158"}
SUBWAY = {"amenity": "fast_food", "cuisine": "sandwich", "brand": "Subway", "brand:wikidata": "Q244457"}
RESTAURANTS = ("Corner Room", "Spats", "Mad Mex", "Faccia Luna", "Sauly's", "Pho 11", "Baby's", "Federal Taphouse")
CAFES = ("Saint's Cafe", "Irving's", "Webster's", "Little's", "Rothrock")


def draw_state_college() -> Drawing:
    """Return the town. Its origin is the junction of Beaver Avenue and Allen Street."""
    drawn = Drawing(-77.8603, 40.7934, "State College", "16801", {"addr:state": "PA"})
    _draw_streets(drawn)
    _draw_north(drawn)
    _draw_places(drawn)
    _draw_around(drawn)
    return drawn


def _draw_streets(drawn: Drawing) -> None:
    east = "100 104 110 118:retail 120:apartments 124 126 130 134:yes 200:retail 208 212 222"
    drawn.street("East Beaver Avenue", (0, 0), (800, 0), east, highway="secondary")
    drawn.street("West Beaver Avenue", (-1_000, 0), (0, 0), "400 316 300 220 210 105 101", highway="secondary")
    drawn.street("South Allen Street", (0, -900), (0, 0), "400 330 220 202 140 120 110 102")
    drawn.street("North Allen Street", (0, 0), (0, 300))
    drawn.street("East College Avenue", (0, 150), (1_000, 150), "100:retail 112:retail 118:retail 200:yes 220")
    drawn.street("West College Avenue", (-1_000, 150), (0, 150), "300 228 206 102", highway="secondary")
    drawn.street("South Atherton Street", (-600, -900), (-600, 300), "1200 900 700 500 221 210", highway="primary")
    drawn.street("Pennsylvania Avenue", (-1_000, -600), (0, -600), "10 12 14 16")
    drawn.street("West Foster Avenue", (-1_000, -150), (0, -150), "130 120 110 104")
    flats = drawn.address("112", "West Foster Avenue") | {"addr:flats": "101-130"}
    drawn.area((-150, -162), 6, building="apartments", **flats)
    drawn.street("East Foster Avenue", (0, -150), (1_000, -150), "100 110 120 130")
    drawn.street("South Pugh Street", (250, -900), (250, 150), "440 330 210 120 100")
    drawn.street("Blue Course Drive", (-1_000, -900), (0, -900), "1000 1010 1020")
    drawn.street("Tower Road", (1_000, -150), (1_000, 900))


def _draw_north(drawn: Drawing) -> None:
    drawn.street("North Atherton Street", (-600, 300), (-600, 2_400), "600 1000 1400 1800", **NORTH, highway="primary")
    drawn.street("West Mitchell Avenue", (-1_500, 784), (-600, 784), "140 136 132 128 122 118 114", **NORTH)
    drawn.house(drawn.place_of(-77.87531, 40.80056), "126", "West Mitchell Avenue", building="house", **NORTH)
    drawn.street("Vairo Boulevard", (-1_500, 2_200), (-600, 2_200), "2 4 12 20", **NORTH)
    for unit in range(1, 101):
        place = (-900.0 + unit % 10, 2_215.0 + unit // 10)
        drawn.point(place, **drawn.address("10", "Vairo Boulevard", code="16803"), **{"addr:unit": str(unit)})
    drawn.street("East Park Avenue", (-600, 900), (1_000, 900), "201 301 401", code="16803", highway="secondary")


def _draw_places(drawn: Drawing) -> None:
    diner = drawn.place_of(-77.8560, 40.7985)
    drawn.area(
        diner, 12, building="retail", name="McDonald's", **MCDONALDS, **drawn.address("442", "East College Avenue")
    )
    for place in ((-2_500.0, -2_500.0), (-588.0, 1_500.0), (3_500.0, -1_500.0)):
        number = str(abs(round(place[0])))
        tags = MCDONALDS | drawn.address(number, "North Atherton Street", code="16803")
        drawn.area(place, 12, building="retail", name="McDonald's", **tags)
    around: list[Place] = [(diner[0] - 150 + 35 * index, diner[1] - 60) for index in range(8)]
    drawn.points(around, RESTAURANTS, amenity="restaurant")
    drawn.points([(east + 10, north - 80) for east, north in around[:5]], CAFES, amenity="cafe")
    for place in ((diner[0] + 120, diner[1] + 30), (60.0, 140.0), (-588.0, 1_800.0)):
        drawn.point(place, name="Starbucks", **STARBUCKS)
    for place in ((90.0, 160.0), drawn.place_of(-77.8905, 40.8195)):
        drawn.point(place, name="Subway", **SUBWAY)
    drawn.area((-400, -170), 14, name="Parkway Plaza Building C", building="apartments", amenity="community_centre")
    drawn.area((-300, -915), 14, name="1028 Blue Course Drive", building="yes", office="company")
    drawn.point((70, 15), name="Rinaldo's Barber", shop="hairdresser", **drawn.address("110", "East Beaver Avenue"))
    drawn.area(
        (780, 15),
        5,
        building="retail",
        shop="bicycle",
        name="The Bicycle Shop",
        **drawn.address("500", "East Beaver Avenue"),
    )


def _draw_around(drawn: Drawing) -> None:
    drawn.point((0, 50), place="town", name="State College", population="40501")
    for name, place in (("Boalsburg", (5_000, -2_000)), ("Lemont", (4_000, 2_000)), ("Bellefonte", (6_000, 11_000))):
        drawn.point(place, place="village", name=name, population="4000")
    boalsburg, bellefonte = {"city": "Boalsburg", "code": "16827"}, {"city": "Bellefonte", "code": "16823"}
    drawn.street("East Main Street", (5_000, -2_000), (5_500, -2_000), "100 116 120", **boalsburg)
    drawn.street("Main Street", (4_500, -2_000), (5_000, -2_000), "101 103 105", **boalsburg)
    drawn.street("West High Street", (6_000, 11_000), (6_600, 11_000), "100 110 120 130", **bellefonte)
    drawn.street("Boalsburg Road", (1_000, -900), (4_500, -2_000), highway="primary")
    drawn.street("South Road", (0, -900), (1_000, -900), highway="primary")
    drawn.point(drawn.place_of(-77.8480, 40.8500), name="Penn Valley Cafe", amenity="cafe")
