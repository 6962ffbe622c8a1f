"""Lower Manhattan, with a piece of Brooklyn: the streets that tests search for, some of them only as names."""

from tests.drawn.drawing import Drawing

BROOKLYN = {"city": "Brooklyn", "code": "11201"}
EAST = {"code": "10002"}
STARBUCKS = {"amenity": "cafe", "brand": "Starbucks", "brand:wikidata": "Q37158"}


def draw_manhattan() -> Drawing:
    """Return both sides of the East River. The origin is the junction of Broadway and Wall Street."""
    drawn = Drawing(-74.0116, 40.7078, "New York", "10005", {"addr:state": "NY"})
    _draw_divisions(drawn)
    _draw_south(drawn)
    _draw_north(drawn)
    _draw_brooklyn(drawn)
    return drawn


def _draw_divisions(drawn: Drawing) -> None:
    drawn.boundary((500, 1_000), 2_400, 7, "Manhattan", border_type="borough")
    drawn.point((500, 1_500), place="city", name="New York", population="8804190", alt_name="New York City")
    drawn.point((500, 1_400), place="borough", name="Manhattan")
    drawn.point((4_600, -1_500), place="borough", name="Brooklyn", population="2736074")
    suburbs = {"Financial District": (150, -300), "Two Bridges": (1_100, 500), "Greenwich Village": (500, 2_600)}
    for name, place in suburbs.items():
        drawn.point(place, place="neighbourhood", name=name)


def _draw_south(drawn: Drawing) -> None:
    broadway = {"highway": "primary", "code": "10006"}
    drawn.street("Broadway", (0, -500), (0, 300), "1 25 26 39 45 50 61 64 71", **broadway)
    drawn.street("Broadway", (0, 300), (0, 3_000), "100 118 120:office 122 140 200 233 280", **broadway)
    drawn.street("Wall Street", (0, 0), (200, 0), "14 11 23 37 40")
    drawn.street("Broad Street", (100, -500), (100, 0), "85 75 60 30 20", code="10004")
    drawn.street("New Street", (50, -300), (50, 0), "20 40")
    drawn.street("Liberty Street", (0, 300), (400, 300), "28 55 59")
    drawn.street("Nassau Street", (200, 0), (200, 600), "15 33 100", code="10038")
    drawn.street("Fulton Street", (0, 600), (600, 600), "100 130 150", code="10038")
    drawn.street("Water Street", (200, -700), (200, 0), "1 17 55:office 77 85 100", code="10004")
    drawn.street("Police Plaza", (600, 600), (600, 800), "1", code="10038")
    drawn.street("World Trade Center", (-300, 600), (0, 600), "7:office", code="10007")
    drawn.street("Madison Street", (600, 800), (1_800, 800), "100 150 200", **EAST)
    drawn.street("Market Street", (1_200, 400), (1_200, 800), "20 40", **EAST)


def _draw_north(drawn: Drawing) -> None:
    drawn.street("Pitt Street", (1_800, 800), (1_800, 2_200), "15 17 19_1/2 21 30", **EAST)
    drawn.street("Delancey Street", (700, 1_500), (2_200, 1_500), "80 100 120", **EAST, highway="primary")
    drawn.street("Allen Street", (900, 800), (900, 2_200), "50 80 120", **EAST)
    drawn.area((915, 1_515), 8, name="Allen Street & Delancey Street", leisure="park", **{"addr:postcode": "10002"})
    drawn.street("East Houston Street", (0, 2_200), (2_200, 2_200), "20 80 172 180 220", **EAST, highway="primary")
    drawn.street("West Houston Street", (-900, 2_140), (0, 2_140), "20 60 100", code="10012", highway="primary")
    drawn.street("2nd Avenue", (700, 1_500), (700, 3_000), "30 36 41_1/2 43 80", code="10003")
    drawn.street("8th Avenue", (-900, 2_140), (-900, 3_000), highway="primary")
    for number, north in (("3rd", 2_500), ("4th", 2_700), ("5th", 2_900)):
        drawn.street(f"East {number} Street", (0, north), (1_500, north), "10 30 50 70", code="10003")
    for east, north in ((30, 40), (30, 900), (730, 2_300)):
        drawn.point((east, north), name="Starbucks", **STARBUCKS)


def _draw_brooklyn(drawn: Drawing) -> None:
    drawn.street("Columbia Heights", (1_300, -1_500), (1_300, -500), "10 20 100", **BROOKLYN)
    drawn.street("Tillary Street", (1_300, -1_500), (3_000, -1_500), "50 100 200", **BROOKLYN)
    drawn.street("York Street", (1_300, -500), (3_000, -500), "60 100 139 150", **BROOKLYN)
    drawn.street("Jay Street", (2_000, -1_500), (2_000, -500), "20 100", **BROOKLYN)
    drawn.point(
        (1_600, -1_480),
        name="Bank of America Merrill Lynch",
        office="financial",
        **drawn.address("70", "Tillary Street", **BROOKLYN),
    )
    drawn.street("Kent Avenue", (4_300, 300), (4_300, 1_200), "420 430 440 450", city="Brooklyn", code="11249")
    drawn.point((4_300, 930), **drawn.address("440", "Kent Avenue", code="11249"))
