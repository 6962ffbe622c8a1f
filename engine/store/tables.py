"""The tables. Times are milliseconds since 1970 in UTC, dictionaries are JSON text.

Only types and features that PostgreSQL has as well. Every table that holds an environment's data has `live` first
in its keys: Live and Test never mix.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData()

FIXED: Final = {"fixed": True}
"""Marks a column whose value never changes once its row is stored, so that an update does not touch its indexes."""

geofences = Table(
    "geofences",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("live", SmallInteger, nullable=False),
    Column("tag", Text, nullable=False),
    Column("external_id", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("type", String(16), nullable=False),
    Column("longitude", Float),
    Column("latitude", Float),
    Column("radius_m", Float),
    # Of an isochrone only, whose destination is the position above.
    Column("minutes", Float),
    Column("mode", String(16)),
    Column("metadata", Text, nullable=False),
    Column("enabled", SmallInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    # Hours, expiry, stop detection and what else a geofence sets; NULL for the many that set nothing.
    Column("rules", Text),
    Column("expires_at", BigInteger),
    Column("revision", BigInteger, nullable=False),
    # The ring of a polygon; see `rings`. Last, because it is long.
    Column("positions", LargeBinary),
    UniqueConstraint("live", "tag", "external_id", name="geofences_key"),
    Index("geofences_updated", "live", "updated_at"),
)

# The edits of very many geofences and of very many beacons that are being stored in portions, at most one of each. Once
# one is published, its records are in force, although they still have to be moved to where they belong.
staged_edits = Table(
    "staged_edits",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("live", SmallInteger, nullable=False),
    # The number of an edit of geofences, which distinguishes its former geofences from those of earlier edits.
    Column("revision", BigInteger, nullable=False),
    Column("published", SmallInteger, nullable=False),
    # The table of the records that are edited.
    Column("kind", String(16), nullable=False),
)


def _staged(records: Table) -> Table:
    """Return the table of what an edit makes of records; of those that it deletes, nothing but their identifier."""
    return Table(
        f"staged_{records.name}",
        metadata,
        Column("number", Integer, primary_key=True, autoincrement=True),
        Column("gone", SmallInteger, nullable=False),
        *(Column(each.name, each.type, nullable=each.name != "id") for each in records.columns),
    )


staged_geofences = _staged(geofences)

# What geofences were before an edit, or before they were deleted: from the revision `since` up to before `until`.
geofence_versions = Table(
    "geofence_versions",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("live", SmallInteger, nullable=False),
    Column("geofence", String(24), nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    # A box in degrees that holds the geofence; wider where that is simpler.
    Column("west", Float, nullable=False),
    Column("south", Float, nullable=False),
    Column("east", Float, nullable=False),
    Column("north", Float, nullable=False),
    Column("content", Text, nullable=False),
    Index("geofence_versions_until", "live", "until"),
    Index("geofence_versions_geofence", "geofence", "until"),
)

# Who or what made the edits of geofences, by their revisions.
edits = Table(
    "edits",
    metadata,
    Column("live", SmallInteger, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("source", String(16), nullable=False),
    Column("detail", Text, nullable=False),
    PrimaryKeyConstraint("live", "revision"),
    sqlite_with_rowid=False,
)

users = Table(
    "users",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("live", SmallInteger, nullable=False, info=FIXED),
    Column("device_id", Text, nullable=False, info=FIXED),
    # Changed by a statement of its own: its index would be written with every update otherwise.
    Column("user_id", Text, info=FIXED),
    Column("description", Text),
    Column("metadata", Text, nullable=False),
    Column("longitude", Float, nullable=False),
    Column("latitude", Float, nullable=False),
    Column("accuracy_m", Float, nullable=False),
    Column("foreground", SmallInteger, nullable=False),
    Column("stopped", SmallInteger, nullable=False),
    Column("device_type", String(16)),
    Column("ip", Text),
    # What few devices send or few projects ask for: model, altitude, fraud; NULL where there is nothing of it.
    Column("details", Text),
    Column("created_at", BigInteger, nullable=False, info=FIXED),
    Column("updated_at", BigInteger, nullable=False),
    # The number of the last update that was kept, which may have been deleted since.
    Column("last_kept", BigInteger),
    Index("users_device", "live", "device_id"),
    Index("users_user_id", "live", "user_id"),
    # No index by time: every update would have to move its entry, and the list of users is asked for rarely.
    sqlite_with_rowid=False,
)

# In which cell of the earth's surface each user is; a row changes only when its user comes into another one.
user_cells = Table(
    "user_cells",
    metadata,
    Column("live", SmallInteger, nullable=False),
    Column("cell", BigInteger, nullable=False),
    Column("user", String(24), nullable=False),
    PrimaryKeyConstraint("live", "cell", "user"),
    sqlite_with_rowid=False,
)

presences = Table(
    "presences",
    metadata,
    Column("user", String(24), nullable=False),
    Column("geofence", String(24), nullable=False),
    Column("entered_at", BigInteger, nullable=False),
    Column("dwelled", SmallInteger, nullable=False),
    # The number of the update that made it so: those after it came with this stay.
    Column("since", BigInteger, nullable=False),
    PrimaryKeyConstraint("user", "geofence"),
    Index("presences_geofence", "geofence"),
    sqlite_with_rowid=False,
)

# What presences were before they ended or changed: updates numbered above `since` and up to `until` came with them.
former_presences = Table(
    "former_presences",
    metadata,
    Column("live", SmallInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("user", String(24), nullable=False),
    Column("geofence", String(24), nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("entered_at", BigInteger, nullable=False),
    Column("dwelled", SmallInteger, nullable=False),
    # The oldest are forgotten together with their updates.
    PrimaryKeyConstraint("live", "until", "user", "geofence"),
    Index("former_presences_user", "user", "until", "since"),
    sqlite_with_rowid=False,
)

beacons = Table(
    "beacons",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("live", SmallInteger, nullable=False),
    Column("tag", Text, nullable=False),
    Column("external_id", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("type", String(16), nullable=False),
    # What it sends: UUID, major and minor of an iBeacon, UID and instance of an Eddystone, each in one spelling.
    Column("signal", String(64), nullable=False),
    Column("longitude", Float, nullable=False),
    Column("latitude", Float, nullable=False),
    Column("metadata", Text, nullable=False),
    Column("enabled", SmallInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    UniqueConstraint("live", "tag", "external_id", name="beacons_key"),
    UniqueConstraint("live", "type", "signal", name="beacons_signal"),
    Index("beacons_updated", "live", "updated_at"),
)

staged_beacons = _staged(beacons)

# Which beacons a user was near when they last reported any.
beacon_stays = Table(
    "beacon_stays",
    metadata,
    Column("user", String(24), nullable=False),
    Column("beacon", String(24), nullable=False),
    Column("entered_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("user", "beacon"),
    Index("beacon_stays_beacon", "beacon"),
    sqlite_with_rowid=False,
)

events = Table(
    "events",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(24), nullable=False, unique=True),
    Column("live", SmallInteger, nullable=False),
    Column("type", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("actual_created_at", BigInteger, nullable=False),
    Column("user", String(24), nullable=False),
    Column("user_id", Text),
    Column("device_id", Text, nullable=False),
    Column("user_metadata", Text, nullable=False),
    Column("geofence", String(24)),
    Column("tag", Text),
    Column("external_id", Text),
    Column("description", Text),
    Column("geofence_metadata", Text),
    Column("longitude", Float),
    Column("latitude", Float),
    Column("accuracy_m", Float),
    Column("confidence", SmallInteger),
    Column("duration_s", Float),
    Column("currently_operating", SmallInteger),
    # What only some kinds of event have: metadata, fraud, verification.
    Column("details", Text),
    Index("events_created", "live", "created_at"),
    Index("events_device", "live", "device_id"),
    Index("events_geofence", "live", "tag", "external_id"),
    # A number is never given again, not even that of the last event once it is deleted: streams go on by it.
    sqlite_autoincrement=True,
)

# Every location update as it was accepted, with the revision of the geofences and the number of the settings that
# decided it, so that it can be explained and run again later. The oldest are forgotten.
updates = Table(
    "updates",
    metadata,
    # Given out by who keeps updates, because presences tell by it since when they are. Never given again.
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("live", SmallInteger, nullable=False),
    Column("user", String(24), nullable=False),
    Column("device_id", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("received_at", BigInteger, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("settings", Integer, nullable=False),
    Column("longitude", Float, nullable=False),
    Column("latitude", Float, nullable=False),
    Column("accuracy_m", Float, nullable=False),
    # The user ID, the address, the flags, and at which place the user was before.
    Column("content", Text, nullable=False),
    # The number of the user's update that was kept before it, which may have been deleted since. From the last one on
    # these numbers lead to all of a user's updates. An index by user would take a page of its own for each update.
    Column("previous", BigInteger),
    Index("updates_live", "live"),
)

# The last updates of each user, by a hash, to recognize those that clients send again; with the events of the first
# time. No position can be read from it.
noted_updates = Table(
    "noted_updates",
    metadata,
    Column("user", String(24), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    # How far the time of the same update may differ.
    Column("spread_ms", SmallInteger, nullable=False),
    Column("digest", BigInteger, nullable=False),
    # Separated by spaces; NULL for the many that generated none.
    Column("event_ids", Text),
    PrimaryKeyConstraint("user", "number"),
    sqlite_with_rowid=False,
)

# The highest numbers of what may have been deleted since, so that they are not given again.
last_numbers = Table(
    "last_numbers",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("number", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# Every version of the settings; the last one of an environment is in force.
settings = Table(
    "settings",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("live", SmallInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("content", Text, nullable=False),
    Index("settings_live", "live"),
)

trips = Table(
    "trips",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("live", SmallInteger, nullable=False),
    Column("external_id", Text, nullable=False),
    Column("status", String(16), nullable=False),
    # The user's record, once the trip has started.
    Column("user", String(24)),
    Column("user_id", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("content", Text, nullable=False),
    Index("trips_external_id", "live", "external_id"),
    Index("trips_updated", "live", "updated_at"),
    Index("trips_user", "user"),
)

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("live", SmallInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("content", Text, nullable=False),
    Index("webhooks_live", "live"),
)

# Events on their way to webhooks, and what became of them: written in the transaction of the events. The numbers are
# given out by the outbox, so that a row and its body can be written together.
deliveries = Table(
    "deliveries",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("live", SmallInteger, nullable=False),
    Column("webhook", String(24), nullable=False),
    # Whose deliveries are made one after the other.
    Column("lane", Text, nullable=False),
    Column("device_id", Text, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("status", String(9), nullable=False),
    # Separated by spaces.
    Column("event_ids", Text, nullable=False),
    # As JSON: a conversion's type may be any text.
    Column("event_types", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("due_at", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("first_at", BigInteger),
    Column("last_at", BigInteger),
    Column("status_code", Integer),
    Column("error", Text),
    Column("duration_ms", Integer),
    Index("deliveries_webhook", "webhook", "number"),
    Index(
        "deliveries_queued",
        "webhook",
        "lane",
        "number",
        # That of PostgreSQL is in the migration: to name it here would load all that speaks to it, at every start.
        sqlite_where=text("status = 'queued'"),
    ),
)

# What is sent, apart from the rest because it is long and never changes. What has none is encoded when it is sent.
delivery_bodies = Table(
    "delivery_bodies",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
)

# The history of imports. What one stored has its `revision`, by which a later change is known.
imports = Table(
    "imports",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(24), nullable=False, unique=True),
    Column("live", SmallInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("channel", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("undone_at", BigInteger),
    Column("revision", BigInteger, nullable=False),
    # Whether what there was before is still kept.
    Column("undoable", SmallInteger, nullable=False),
    # The counts and the first errors.
    Column("content", Text, nullable=False),
    Index("imports_live", "live"),
)

# What geofences were before the import that changed them, so that it can be undone.
import_items = Table(
    "import_items",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("import_number", Integer, nullable=False),
    Column("geofence", String(24), nullable=False),
    # NULL for one that the import created.
    Column("content", Text),
    # A digest of what the import stored; NULL for one that it deleted.
    Column("stored", String(32)),
    Index("import_items_import", "import_number"),
)

# The settings of the nightly sync of an environment, without its secrets; `since` is when it last ran or was set.
sync_settings = Table(
    "sync_settings",
    metadata,
    Column("live", SmallInteger, primary_key=True, autoincrement=False),
    Column("since", BigInteger, nullable=False),
    Column("content", Text, nullable=False),
)

# What a file of a sync was like when it was last imported: where it is (hashed), and the keys of its rows.
sync_files = Table(
    "sync_files",
    metadata,
    Column("live", SmallInteger, primary_key=True, autoincrement=False),
    Column("source", String(64), primary_key=True),
    Column("etag", Text, nullable=False),
    Column("sha256", String(64), nullable=False),
    # Packed JSON; NULL where nobody asked for deletions.
    Column("keys", LargeBinary),
)

sync_runs = Table(
    "sync_runs",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("live", SmallInteger, nullable=False),
    Column("content", Text, nullable=False),
    Index("sync_runs_live", "live"),
)
