"""The tables. Times are milliseconds since 1970 in UTC, and dictionaries are JSON text.

Only types and features that PostgreSQL also has are used. Every table with data of an environment has `live` first in
its keys, because Live and Test never mix.
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
"""Marks a column whose value never changes after its row was stored, so that updates do not touch its indexes."""

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
    # Only for an isochrone. The position above is its destination.
    Column("minutes", Float),
    Column("mode", String(16)),
    Column("metadata", Text, nullable=False),
    Column("enabled", SmallInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    # Hours, expiry, stop detection and other rules of a geofence, or NULL for the many that set none.
    Column("rules", Text),
    Column("expires_at", BigInteger),
    Column("revision", BigInteger, nullable=False),
    # The rings of a polygon, one after the other; see `rings`. They are among the last columns because they are long.
    Column("positions", LargeBinary),
    # The numbers of positions in each ring of each part, as JSON, or NULL for a single ring.
    Column("rings", Text),
    UniqueConstraint("live", "tag", "external_id", name="geofences_key"),
    Index("geofences_updated", "live", "updated_at"),
)

# The edits of very many geofences and of very many beacons that are being stored in portions, at most one of each. Once
# an edit is published, its records are in force, although they still have to be moved to their table.
staged_edits = Table(
    "staged_edits",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("live", SmallInteger, nullable=False),
    # The revision of an edit of geofences, which distinguishes its former geofences from those of earlier edits.
    Column("revision", BigInteger, nullable=False),
    Column("published", SmallInteger, nullable=False),
    # The table of the edited records.
    Column("kind", String(16), nullable=False),
)


def _staged(records: Table) -> Table:
    """Return the table of records staged by an edit. Deleted records have only their identifier."""
    return Table(
        f"staged_{records.name}",
        metadata,
        Column("number", Integer, primary_key=True, autoincrement=True),
        Column("gone", SmallInteger, nullable=False),
        *(Column(each.name, each.type, nullable=each.name != "id") for each in records.columns),
    )


staged_geofences = _staged(geofences)

# Geofences before they were edited or deleted: from the revision `since` up to, but not including, `until`.
geofence_versions = Table(
    "geofence_versions",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("live", SmallInteger, nullable=False),
    Column("geofence", String(24), nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    # A box in degrees that contains the geofence. It may be larger if that is simpler.
    Column("west", Float, nullable=False),
    Column("south", Float, nullable=False),
    Column("east", Float, nullable=False),
    Column("north", Float, nullable=False),
    Column("content", Text, nullable=False),
    Index("geofence_versions_until", "live", "until"),
    Index("geofence_versions_geofence", "geofence", "until"),
)

# Authors of the edits of geofences by revision.
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
    # Changed by a separate statement, because otherwise its index would be written with every update.
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
    # Properties that few devices send or few projects use, such as model, altitude and fraud, or NULL.
    Column("details", Text),
    Column("created_at", BigInteger, nullable=False, info=FIXED),
    Column("updated_at", BigInteger, nullable=False),
    # The number of the last kept update, which may have been deleted since.
    Column("last_kept", BigInteger),
    # Changed like the user ID. Conversions find users by it.
    Column("install_id", Text, info=FIXED),
    Index("users_device", "live", "device_id"),
    Index("users_user_id", "live", "user_id"),
    Index("users_install_id", "live", "install_id"),
    # There is no index by time, because each update would have to move its entry, and the list of users is rarely
    # requested.
    sqlite_with_rowid=False,
)

# The cell of the earth's surface in which each user is. A row changes only when its user moves to another cell.
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
    # The number of the update that caused the presence, which applies to later updates.
    Column("since", BigInteger, nullable=False),
    PrimaryKeyConstraint("user", "geofence"),
    Index("presences_geofence", "geofence"),
    sqlite_with_rowid=False,
)

# Presences before they ended or changed. They apply to the updates numbered above `since` and up to `until`.
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
    # The oldest are deleted together with their updates.
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
    # The signal: UUID, major and minor of an iBeacon, UID and instance of an Eddystone, in canonical form.
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

# The beacons near a user when they last reported any.
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
    # Properties of only some types of events: metadata, fraud, verification.
    Column("details", Text),
    Index("events_created", "live", "created_at"),
    Index("events_device", "live", "device_id"),
    Index("events_geofence", "live", "tag", "external_id"),
    # Numbers are never reused, not even that of a deleted last event, because streams resume from them.
    sqlite_autoincrement=True,
)

# All accepted location updates, with the geofence revision and the settings version that decided them, so that they can
# be explained and replayed. The oldest are deleted.
updates = Table(
    "updates",
    metadata,
    # Assigned by the code that keeps updates, because presences refer to it. Numbers are never reused.
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
    # The user ID, the address, the flags, and the user's previous place.
    Column("content", Text, nullable=False),
    # The number of the same user's previous kept update, which may have been deleted since. Starting with the last
    # update, these numbers lead to all updates of a user. An index by user would write a separate page for each update.
    Column("previous", BigInteger),
    Index("updates_live", "live"),
)

# Hashes of the last updates of each user, used to recognise updates that clients send again, with the events of the
# first time. They reveal no positions.
noted_updates = Table(
    "noted_updates",
    metadata,
    Column("user", String(24), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    # How much the time of a repeated update may differ.
    Column("spread_ms", SmallInteger, nullable=False),
    Column("digest", BigInteger, nullable=False),
    # Separated by spaces, or NULL for the many updates without events.
    Column("event_ids", Text),
    PrimaryKeyConstraint("user", "number"),
    sqlite_with_rowid=False,
)

# The highest numbers of records that may have been deleted since, so that they are not reused.
last_numbers = Table(
    "last_numbers",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("number", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# All versions of the settings. The last one of an environment is in force.
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
    # The user's record, set once the trip has started.
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

# Events queued for webhooks and the outcomes of their deliveries, written in the transaction of the events. The numbers
# are assigned by the outbox, so that a row and its body can be written together.
deliveries = Table(
    "deliveries",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("live", SmallInteger, nullable=False),
    Column("webhook", String(24), nullable=False),
    # Deliveries of one lane are sent one after the other.
    Column("lane", Text, nullable=False),
    Column("device_id", Text, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("status", String(9), nullable=False),
    # Separated by spaces.
    Column("event_ids", Text, nullable=False),
    # JSON, because the type of a conversion may be any text.
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
        # The condition for PostgreSQL is in the migration, because naming it here would load that dialect at every
        # start.
        sqlite_where=text("status = 'queued'"),
    ),
)

# The payloads, stored separately because they are long and never change. A missing one is encoded when it is sent.
delivery_bodies = Table(
    "delivery_bodies",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
)

# The history of imports. Records stored by an import have its `revision`, so that later changes can be detected.
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
    # Whether the former geofences are still kept.
    Column("undoable", SmallInteger, nullable=False),
    # The counts and first errors.
    Column("content", Text, nullable=False),
    # All errors, compressed, if there are more.
    Column("problems", LargeBinary),
    Index("imports_live", "live"),
)

# Geofences before the import that changed them, so that it can be undone.
import_items = Table(
    "import_items",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("import_number", Integer, nullable=False),
    Column("geofence", String(24), nullable=False),
    # NULL for a geofence created by the import.
    Column("content", Text),
    # A digest of the geofence that the import stored, or NULL if it deleted it.
    Column("stored", String(32)),
    Index("import_items_import", "import_number"),
)

# Dismissed findings of checks: the check, the severity, and the identifiers of the geofences with their digest.
dismissed_findings = Table(
    "dismissed_findings",
    metadata,
    Column("live", SmallInteger, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("digest", String(32), nullable=False),
    Column("severity", String(16), nullable=False),
    Column("geofences", Text, nullable=False),
    Column("dismissed_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("live", "kind", "digest"),
    sqlite_with_rowid=False,
)

# Settings of the nightly sync of an environment, without its secrets; `since` is when it last ran or was set.
sync_settings = Table(
    "sync_settings",
    metadata,
    Column("live", SmallInteger, primary_key=True, autoincrement=False),
    Column("since", BigInteger, nullable=False),
    Column("content", Text, nullable=False),
)

# States of the sync's files when they were last imported: the hashed location, and the keys of the rows.
sync_files = Table(
    "sync_files",
    metadata,
    Column("live", SmallInteger, primary_key=True, autoincrement=False),
    Column("source", String(64), primary_key=True),
    Column("etag", Text, nullable=False),
    Column("sha256", String(64), nullable=False),
    # Packed JSON, or NULL unless the sync deletes geofences.
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
