-- Geofences and location updates in PostgreSQL with PostGIS. As here, an update changes the user's last position and
-- where they are inside, adds the entries and exits, and is kept, all in one transaction.

CREATE EXTENSION postgis;

CREATE TABLE fences (
    id integer PRIMARY KEY,
    tag text NOT NULL,
    external_id text NOT NULL,
    description text NOT NULL,
    -- The ring of a polygon; a box around a circle, whose centre and radius say what is inside.
    area geometry(Polygon, 4326) NOT NULL,
    center geography(Point, 4326),
    radius_m double precision
);

CREATE TABLE users (
    device_id text PRIMARY KEY,
    longitude double precision NOT NULL,
    latitude double precision NOT NULL,
    accuracy_m double precision NOT NULL,
    stopped boolean NOT NULL,
    device_type text,
    ip text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE presences (
    device_id text NOT NULL,
    fence integer NOT NULL,
    entered_at timestamptz NOT NULL,
    PRIMARY KEY (device_id, fence)
);

CREATE TABLE events (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    type text NOT NULL,
    created_at timestamptz NOT NULL,
    device_id text NOT NULL,
    fence integer NOT NULL,
    tag text NOT NULL,
    external_id text NOT NULL,
    description text NOT NULL,
    longitude double precision NOT NULL,
    latitude double precision NOT NULL,
    accuracy_m double precision NOT NULL,
    duration_s double precision
);
CREATE INDEX events_created ON events (created_at);
CREATE INDEX events_device ON events (device_id);
CREATE INDEX events_geofence ON events (tag, external_id);

CREATE TABLE updates (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    device_id text NOT NULL,
    at timestamptz NOT NULL,
    longitude double precision NOT NULL,
    latitude double precision NOT NULL,
    accuracy_m double precision NOT NULL,
    stopped boolean NOT NULL,
    ip text
);
CREATE INDEX updates_device ON updates (device_id);

-- Returns the events that a move from some geofences to others makes, and stores them with the presences.
CREATE FUNCTION move(
    device text, was integer[], inside integer[], lon double precision, lat double precision,
    accuracy double precision, moment timestamptz
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
    happened json;
BEGIN
    WITH gone AS (
        DELETE FROM presences WHERE device_id = device AND fence <> ALL (inside) RETURNING fence, entered_at
    ), come AS (
        INSERT INTO presences SELECT device, each, moment FROM unnest(inside) AS each WHERE each <> ALL (was)
        RETURNING fence
    ), changes AS (
        SELECT 'user.exited_geofence' AS type, fence, extract(epoch FROM moment - entered_at) AS duration_s FROM gone
        UNION ALL
        SELECT 'user.entered_geofence', fence, NULL FROM come
    ), stored AS (
        INSERT INTO events (
            type, created_at, device_id, fence, tag, external_id, description, longitude, latitude, accuracy_m,
            duration_s
        )
        SELECT type, moment, device, fence, tag, external_id, description, lon, lat, accuracy, duration_s
        FROM changes JOIN fences ON id = fence
        RETURNING *
    ), worded AS (
        SELECT
            number AS "_id", type, created_at AS "createdAt", duration_s / 60 AS duration,
            (SELECT row_to_json(g) FROM (SELECT tag, external_id AS "externalId", description) AS g) AS geofence
        FROM stored
    )
    SELECT json_agg(row_to_json(worded)) INTO happened FROM worded;
    RETURN happened;
END
$$;

-- Stores a location update and returns the answer to it. The last `most` updates are kept, or none.
CREATE FUNCTION track(
    device text, lon double precision, lat double precision, accuracy double precision, kind text,
    is_stopped boolean, address text, most integer
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    spot geometry := ST_SetSRID(ST_MakePoint(lon, lat), 4326);
    was integer[];
    inside integer[];
    kept_as bigint;
    since timestamptz;
    happened json := '[]';
    around json := '[]';
BEGIN
    -- First, so that updates of one device wait for each other.
    INSERT INTO users AS before VALUES (device, lon, lat, accuracy, is_stopped, kind, address, moment, moment)
    ON CONFLICT (device_id) DO UPDATE SET
        longitude = lon, latitude = lat, accuracy_m = accuracy, stopped = is_stopped, device_type = kind,
        ip = address, updated_at = moment
    RETURNING created_at INTO since;
    -- Here, not in a function of its own: the plans of those in plain SQL are not kept.
    inside := ARRAY(
        SELECT id FROM fences
        WHERE area && spot AND CASE
            WHEN radius_m IS NULL THEN ST_Intersects(area, spot)
            ELSE ST_DWithin(center, spot::geography, radius_m)
        END
        ORDER BY id
    );
    was := ARRAY(SELECT fence FROM presences WHERE device_id = device ORDER BY fence);
    IF was <> inside THEN
        happened := move(device, was, inside, lon, lat, accuracy, moment);
    END IF;
    IF most > 0 THEN
        INSERT INTO updates (device_id, at, longitude, latitude, accuracy_m, stopped, ip)
        VALUES (device, moment, lon, lat, accuracy, is_stopped, address) RETURNING number INTO kept_as;
        IF kept_as % 1000 = 0 THEN
            DELETE FROM updates WHERE number <= kept_as - most;
        END IF;
    END IF;
    IF inside <> '{}' THEN
        SELECT json_agg(row_to_json(g)) INTO around FROM (
            SELECT id AS "_id", tag, external_id AS "externalId", description FROM fences WHERE id = ANY (inside)
        ) AS g;
    END IF;
    -- As text, which takes a tenth of the time that making it of records takes.
    RETURN '{"meta":{"code":200},"user":{"deviceId":' || to_json(device)
        || ',"deviceType":' || coalesce(to_json(kind)::text, 'null') || ',"stopped":' || is_stopped
        || ',"locationAccuracy":' || accuracy || ',"location":{"type":"Point","coordinates":[' || lon || ',' || lat
        || ']},"ip":' || to_json(address) || ',"createdAt":' || to_json(since) || ',"updatedAt":' || to_json(moment)
        || ',"geofences":' || around || '},"events":' || happened || '}';
END
$$;
