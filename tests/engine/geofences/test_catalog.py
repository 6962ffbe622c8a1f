"""The catalog, compared with a plain dictionary, while it is edited and reloaded from the database."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Point, Polygon
from engine.domain.hours import parse_hours
from engine.domain.ip import parse_ip_ranges
from engine.domain.metadata import MetadataValue, matches
from engine.domain.queries import NearbyQuery
from engine.domain.values import replace
from engine.geo.earth import distance_m
from engine.geo.shapes import shape_of
from engine.geofences.catalog import Catalog
from engine.geofences.packed_store import load_packed_stores
from engine.geofences.parts import GeofencePart, part_of
from engine.store.geofences import remove, save
from engine.store.tables import metadata

TEST, LIVE = Environment.TEST, Environment.LIVE
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)

IDS = ("aa01", "aa02", "aa03", "aa04", "aa05", "aa06")
KEYS = (("store", "1"), ("store", "2"), ("stor", "e1"), ("Straße", "ü\n\U0001f600"), ("a", "b c"), (" ", "'"))

longitudes = st.one_of(st.sampled_from([-180.0, -179.9999, 179.9999, 180.0]), st.floats(-180, 180))
latitudes = st.one_of(st.sampled_from([-90.0, -89.95, 0.0, 89.95, 90.0]), st.floats(-90, 90))
points = st.builds(Point, longitudes, latitudes)
moments = st.one_of(st.none(), st.integers(-3, 3).map(lambda hours: NOON + timedelta(hours=hours)))


@st.composite
def polygons(draw: st.DrawFn) -> Polygon:
    """Return small polygons of any number of vertices, some of them across the antimeridian."""
    longitude, latitude = draw(st.sampled_from([-179.9, 9.1, 179.9])), draw(st.floats(-80, 80))
    norths = draw(st.lists(st.floats(0.001, 0.5), min_size=1, max_size=60))
    along = [(2 * i / len(norths), north) for i, north in enumerate(norths)]
    corners = [*along, (2.0, 0.0), (0.0, 0.0)]
    ring = [((longitude + east + 540) % 360 - 180, latitude + north) for east, north in corners]
    return Polygon((*ring, ring[0]))


rules = st.builds(
    GeofenceRules,
    operating_hours=st.sampled_from([None, parse_hours({"Mon": [["08:00", "12:00"]]})]),
    stop_detection=st.sampled_from([None, False, True]),
    disable_after=moments,
    delete_after=moments,
    user_ids=st.sampled_from([(), ("ann", "bob")]),
    ip=st.sampled_from([None, parse_ip_ranges("10.0.*.*, ::1")]),
    dwell_threshold_s=st.sampled_from([None, 90.5]),
)


@st.composite
def geofences(draw: st.DrawFn) -> Geofence:
    geofence_id, (tag, external_id) = draw(st.sampled_from(IDS)), draw(st.sampled_from(KEYS))
    return Geofence(
        id=geofence_id,
        environment=TEST,
        summary=GeofenceSummary(
            geofence_id, tag, external_id, draw(st.text(max_size=5)), draw(st.sampled_from([{}, {"a": 1, "ü": "b"}]))
        ),
        geometry=draw(st.one_of(st.builds(Circle, points, st.floats(10, 10_000)), polygons())),
        enabled=draw(st.booleans()),
        created_at=NOON,
        updated_at=NOON + timedelta(milliseconds=draw(st.integers(0, 5_000))),
        rules=draw(st.one_of(st.just(GeofenceRules()), rules)),
        revision=draw(st.integers(0, 9)),
    )


def _values(part: GeofencePart) -> list[list[object]]:
    """Return the columns of geofences without the factories."""
    words, shapes = part
    return [list(column) for column in (*words[:-1], *shapes)]


class EditedCatalog(RuleBasedStateMachine):
    """Edits that are stored and applied, and reloads, which must restore the same geofences."""

    def __init__(self) -> None:
        super().__init__()
        self.connection = sa.create_engine("sqlite://").connect()
        metadata.create_all(self.connection)
        other = GeofenceSummary("bb01", *KEYS[0], "of the other environment")
        save(self.connection, [Geofence("bb01", LIVE, other, Circle(Point(0, 0), 50), True, NOON, NOON)])
        self.model: dict[str, Geofence] = {}
        self.revision = 0
        self.open()

    def teardown(self) -> None:
        self.connection.close()
        self.connection.engine.dispose()

    @rule()
    def open(self) -> None:
        self.catalog = Catalog(TEST, load_packed_stores(self.connection)[TEST], self.revision)

    @rule(geofence=geofences())
    def put(self, geofence: Geofence) -> None:
        in_the_way = [each for each in self.model.values() if _key(each) == _key(geofence) and each.id != geofence.id]
        for each in in_the_way:
            remove(self.connection, [each.id])
            del self.model[each.id]
        self.model[geofence.id] = geofence
        save(self.connection, [geofence])
        self._apply([geofence], in_the_way)

    @precondition(lambda self: len(self.model) > 1)
    @rule(data=st.data())
    def swap_keys(self, data: st.DataObject) -> None:
        one, other = data.draw(st.permutations(sorted(self.model.values(), key=_id)))[:2]
        pair = [_with_key(one, _key(other)), _with_key(other, _key(one))]
        self.model |= {geofence.id: geofence for geofence in pair}
        for geofence in (one, other):
            remove(self.connection, [geofence.id])
        save(self.connection, pair)
        self._apply(pair, [])

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        geofence_id = data.draw(st.sampled_from(sorted(self.model)))
        remove(self.connection, [geofence_id])
        self._apply([], [self.model.pop(geofence_id)])

    def _apply(self, saved: list[Geofence], removed: list[Geofence]) -> None:
        self.revision += 1
        self.catalog.apply(saved, removed, self.revision)

    @invariant()
    def matches_the_store(self) -> None:
        assert {geofence.id: geofence for geofence in self.catalog.all()} == self.model
        assert len(self.catalog.all()) == len(self.model)
        for geofence_id in IDS:
            assert self.catalog.find(geofence_id) == self.model.get(geofence_id)
        by_key = {_key(geofence): geofence for geofence in self.model.values()}
        for key in KEYS:
            holder = by_key.get(key)
            assert self.catalog.find_by_key(*key) == holder
            assert self.catalog.holder_of_key(*key) == (holder and holder.id)

    @invariant()
    def holds_the_same_by_columns(self) -> None:
        found: dict[str, Geofence] = {}
        for part in self.catalog.parts(2):
            made = [part.columns.make(row) for row in range(len(part.columns.ids))]
            assert len(made) <= 2
            assert _values(part) == _values(part_of(made))
            found |= {geofence.id: geofence for geofence in made}
        assert found == self.model

    @invariant()
    def knows_the_box_around_all(self) -> None:
        around = self.catalog.bounds()
        if around is None:
            assert not self.model
            return
        for geofence in self.model.values():
            west, south, east, north = shape_of(geofence.geometry).bounds
            assert around.south <= south <= north <= around.north
            assert any(around.west <= west + turn <= east + turn <= around.east for turn in (-720, -360, 0, 360, 720))

    @invariant()
    def knows_the_expiries(self) -> None:
        moments = {key: at for key, geofence in self.model.items() if (at := geofence.expires_at) is not None}
        assert self.catalog.next_expiry() == min(moments.values(), default=None)
        for hours in (-3, -2, 0, 4):
            now = NOON + timedelta(hours=hours)
            assert {each.id for each in self.catalog.expired(now)} == {key for key, at in moments.items() if at < now}
            assert len(self.catalog.expired(now)) == len({each.id for each in self.catalog.expired(now)})

    @rule(point=points)
    def look(self, point: Point) -> None:
        found = self.catalog.index.at(point.longitude, point.latitude)
        inside = {entry.key for entry in found if entry.shape.contains(point.longitude, point.latitude)}
        alone = Catalog(TEST)
        alone.apply(self.model.values(), (), 1)
        expected = alone.index.near(point.longitude, point.latitude, 20_038_000.0)
        assert inside == {entry.key for entry in expected if entry.shape.contains(point.longitude, point.latitude)}

    @rule(
        near=points,
        limit=st.integers(1, 7),
        radius_m=st.sampled_from([None, 10.0, 50_000.0, 5e6]),
        tags=st.sampled_from([(), ("store",), ("a", "stor", "none")]),
        wanted=st.sampled_from([{}, {"a": 1}, {"ü": "b"}, {"a": True}, {"b": 1}]),
    )
    def search(
        self, near: Point, limit: int, radius_m: float | None, tags: tuple[str, ...], wanted: dict[str, MetadataValue]
    ) -> None:
        query = NearbyQuery(near=near, limit=limit, radius_m=radius_m, tags=frozenset(tags), metadata=wanted)
        measured = []
        for geofence in self.model.values():
            shape = shape_of(geofence.geometry)
            away_m = max(0.0, shape.distance_m(near.longitude, near.latitude))
            to_center_m = distance_m(near.longitude, near.latitude, shape.center.longitude, shape.center.latitude)
            if (not tags or geofence.tag in tags) and matches(geofence.metadata, wanted):
                measured.append((away_m, to_center_m, geofence.id))
        found = [each for each in sorted(measured) if radius_m is None or each[0] <= radius_m][:limit]
        answer = self.catalog.nearby(query)
        assert [(each.distance_m, each.geofence.id) for each in answer] == [(away_m, key) for away_m, _, key in found]

    @rule()
    def look_into_each(self) -> None:
        for key, geofence in self.model.items():
            assert key in {entry.key for entry in self.catalog.index.at(*_place_in(geofence.geometry))}


def _place_in(geometry: Geometry) -> tuple[float, float]:
    return (geometry.center.longitude, geometry.center.latitude) if isinstance(geometry, Circle) else geometry.ring[1]


def _id(geofence: Geofence) -> str:
    return geofence.id


def _key(geofence: Geofence) -> tuple[str, str]:
    return geofence.tag, geofence.external_id


def _with_key(geofence: Geofence, key: tuple[str, str]) -> Geofence:
    summary = GeofenceSummary(geofence.id, *key, geofence.description, geofence.metadata)
    return replace(geofence, summary=summary)


TestEditedCatalog = EditedCatalog.TestCase
TestEditedCatalog.settings = settings(stateful_step_count=20)


def test_the_last_edit_is_the_greatest_that_is_known() -> None:
    engine = sa.create_engine("sqlite://")
    with engine.connect() as connection:
        metadata.create_all(connection)
        summary = GeofenceSummary("aa01", "store", "1", "Store")
        save(connection, [Geofence("aa01", TEST, summary, Circle(Point(9, 47), 50), True, NOON, NOON, revision=7)])
        packed = load_packed_stores(connection)[TEST]
        assert (Catalog(TEST, packed, 3).revision, Catalog(TEST, packed, 9).revision) == (7, 9)
    engine.dispose()
