-- Geofences and location updates in PostgreSQL with PostGIS. As in Fencewright, a single transaction stores an update,
-- changes the user's last position and presences, and adds the entries and exits.

CREATE EXTENSION postgis;

CREATE TABLE fences (
    id integer PRIMARY KEY,
    tag text NOT NULL,
    external_id text NOT NULL,
    description text NOT NULL,
    -- The ring of a polygon, or the bounding box of a circle, whose centre and radius determine what is inside.
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

-- Stores the events and presences of a move from some geofences to others, and returns the events.
CREATE FUNCTION move(
    device text, previous integer[], inside integer[], lon double precision, lat double precision,
    accuracy double precision, moment timestamptz
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
    new_events json;
BEGIN
    WITH exits AS (
        DELETE FROM presences WHERE device_id = device AND fence <> ALL (inside) RETURNING fence, entered_at
    ), entries AS (
        INSERT INTO presences SELECT device, each, moment FROM unnest(inside) AS each WHERE each <> ALL (previous)
        RETURNING fence
    ), changes AS (
        SELECT 'user.exited_geofence' AS type, fence, extract(epoch FROM moment - entered_at) AS duration_s FROM exits
        UNION ALL
        SELECT 'user.entered_geofence', fence, NULL FROM entries
    ), stored AS (
        INSERT INTO events (
            type, created_at, device_id, fence, tag, external_id, description, longitude, latitude, accuracy_m,
            duration_s
        )
        SELECT type, moment, device, fence, tag, external_id, description, lon, lat, accuracy, duration_s
        FROM changes JOIN fences ON id = fence
        RETURNING *
    ), formatted AS (
        SELECT
            number AS "_id", type, created_at AS "createdAt", duration_s / 60 AS duration,
            (SELECT row_to_json(g) FROM (SELECT tag, external_id AS "externalId", description) AS g) AS geofence
        FROM stored
    )
    SELECT json_agg(row_to_json(formatted)) INTO new_events FROM formatted;
    RETURN new_events;
END
$$;

-- Stores a location update and returns the response. The last `max_updates` updates are kept, or none if it is 0.
CREATE FUNCTION track(
    device text, lon double precision, lat double precision, accuracy double precision, kind text,
    is_stopped boolean, address text, max_updates integer
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    spot geometry := ST_SetSRID(ST_MakePoint(lon, lat), 4326);
    previous integer[];
    inside integer[];
    update_number bigint;
    first_seen timestamptz;
    new_events json := '[]';
    current_geofences json := '[]';
BEGIN
    -- Done first, so that updates of the same device wait for each other.
    INSERT INTO users AS before VALUES (device, lon, lat, accuracy, is_stopped, kind, address, moment, moment)
    ON CONFLICT (device_id) DO UPDATE SET
        longitude = lon, latitude = lat, accuracy_m = accuracy, stopped = is_stopped, device_type = kind,
        ip = address, updated_at = moment
    RETURNING created_at INTO first_seen;
    -- Not in a separate function, since plans of functions in plain SQL are not cached.
    inside := ARRAY(
        SELECT id FROM fences
        WHERE area && spot AND CASE
            WHEN radius_m IS NULL THEN ST_Intersects(area, spot)
            ELSE ST_DWithin(center, spot::geography, radius_m)
        END
        ORDER BY id
    );
    previous := ARRAY(SELECT fence FROM presences WHERE device_id = device ORDER BY fence);
    IF previous <> inside THEN
        new_events := move(device, previous, inside, lon, lat, accuracy, moment);
    END IF;
    IF max_updates > 0 THEN
        INSERT INTO updates (device_id, at, longitude, latitude, accuracy_m, stopped, ip)
        VALUES (device, moment, lon, lat, accuracy, is_stopped, address) RETURNING number INTO update_number;
        IF update_number % 1000 = 0 THEN
            DELETE FROM updates WHERE number <= update_number - max_updates;
        END IF;
    END IF;
    IF inside <> '{}' THEN
        SELECT json_agg(row_to_json(g)) INTO current_geofences FROM (
            SELECT id AS "_id", tag, external_id AS "externalId", description FROM fences WHERE id = ANY (inside)
        ) AS g;
    END IF;
    -- Built as text, which takes a tenth of the time of building it from records.
    RETURN '{"meta":{"code":200},"user":{"deviceId":' || to_json(device)
        || ',"deviceType":' || coalesce(to_json(kind)::text, 'null') || ',"stopped":' || is_stopped
        || ',"locationAccuracy":' || accuracy || ',"location":{"type":"Point","coordinates":[' || lon || ',' || lat
        || ']},"ip":' || to_json(address) || ',"createdAt":' || to_json(first_seen) || ',"updatedAt":' || to_json(moment)
        || ',"geofences":' || current_geofences || '},"events":' || new_events || '}';
END
$$;
