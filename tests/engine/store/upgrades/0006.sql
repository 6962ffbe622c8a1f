PRAGMA application_id=1179534167;
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0006');
CREATE TABLE beacon_stays (
	user VARCHAR(24) NOT NULL, 
	beacon VARCHAR(24) NOT NULL, 
	entered_at BIGINT NOT NULL, 
	PRIMARY KEY (user, beacon)
)
 WITHOUT ROWID

;
CREATE TABLE beacons (
	id VARCHAR(24) NOT NULL, 
	live SMALLINT NOT NULL, 
	tag TEXT NOT NULL, 
	external_id TEXT NOT NULL, 
	description TEXT NOT NULL, 
	type VARCHAR(16) NOT NULL, 
	signal VARCHAR(64) NOT NULL, 
	longitude FLOAT NOT NULL, 
	latitude FLOAT NOT NULL, 
	metadata TEXT NOT NULL, 
	enabled SMALLINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT beacons_key UNIQUE (live, tag, external_id), 
	CONSTRAINT beacons_signal UNIQUE (live, type, signal)
);
INSERT INTO "beacons" VALUES('6b0a71cf9b1343bdd60e20c2',0,'door','1','Door','ibeacon','b9407f30-f5f8-466e-aff9-25556b57fe6d 1 2',9.52,47.14,'{}',1,1795846607938,1795846607938);
CREATE TABLE events (
	number INTEGER NOT NULL, 
	id VARCHAR(24) NOT NULL, 
	live SMALLINT NOT NULL, 
	type TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	actual_created_at BIGINT NOT NULL, 
	user VARCHAR(24) NOT NULL, 
	user_id TEXT, 
	device_id TEXT NOT NULL, 
	user_metadata TEXT NOT NULL, 
	geofence VARCHAR(24), 
	tag TEXT, 
	external_id TEXT, 
	description TEXT, 
	geofence_metadata TEXT, 
	longitude FLOAT, 
	latitude FLOAT, 
	accuracy_m FLOAT, 
	confidence SMALLINT, 
	duration_s FLOAT, 
	currently_operating SMALLINT, 
	details TEXT, 
	PRIMARY KEY (number), 
	UNIQUE (id)
);
INSERT INTO "events" VALUES(1,'6b0a71d09b1343bdd60e20c5',0,'user.started_trip',1772445600000,1795846608025,'6b0a71d09b1343bdd60e20c4','ann','phone','{"plan":"gold"}',NULL,NULL,NULL,NULL,NULL,9.5,47.141,10.0,3,NULL,NULL,'{"trip":{"id":"6b0a71cf9b1343bdd60e20c3","external_id":"order","status":"started","created_at":1795846607975,"updated_at":1795846608025,"seen_at":1795846608025,"mode":"car","user_id":"ann","device_id":"phone","user":"6b0a71d09b1343bdd60e20c4","started_at":1795846608025,"destination":{"point":[9.55,47.14],"geofence_id":"6b0a71cf9b1343bdd60e20c0","tag":"store","external_id":"3"}}}');
INSERT INTO "events" VALUES(2,'6b0a71d09b1343bdd60e20c6',0,'user.entered_geofence',1772445780000,1795846608232,'6b0a71d09b1343bdd60e20c4','ann','phone','{"plan":"gold"}','6b0a71cf9b1343bdd60e20b8','store','1','Store 1','{"size":3,"open":true}',9.5209,47.141,10.0,3,NULL,NULL,'{"extent":{"type":"circle","center":[9.5209,47.141],"radius":100.0}}');
INSERT INTO "events" VALUES(3,'6b0a71d09b1343bdd60e20c7',0,'user.entered_geofence',1772445780000,1795846608232,'6b0a71d09b1343bdd60e20c4','ann','phone','{"plan":"gold"}','6b0a71cf9b1343bdd60e20bc','zone','1','Zone — Süd','{}',9.5209,47.141,10.0,3,NULL,NULL,'{"extent":{"type":"polygon","center":[9.519999999999982,47.14],"radius":1345.9168042440185}}');
INSERT INTO "events" VALUES(4,'6b0a71d09b1343bdd60e20c8',0,'user.arrived_at_wrong_trip_destination',1772445780000,1795846608232,'6b0a71d09b1343bdd60e20c4','ann','phone','{"plan":"gold"}','6b0a71cf9b1343bdd60e20b8','store','1','Store 1','{"size":3,"open":true}',9.5209,47.141,10.0,3,NULL,NULL,'{"trip":{"id":"6b0a71cf9b1343bdd60e20c3","external_id":"order","status":"started","created_at":1795846607975,"updated_at":1795846608232,"seen_at":1795846608232,"mode":"car","user_id":"ann","device_id":"phone","user":"6b0a71d09b1343bdd60e20c4","told_s":616.5978887053707,"started_at":1795846608025,"destination":{"point":[9.55,47.14],"geofence_id":"6b0a71cf9b1343bdd60e20c0","tag":"store","external_id":"3"},"eta":[2873.2844185988047,326.2246120971628,false]}}');
INSERT INTO "events" VALUES(5,'6b0a71d09b1343bdd60e20ca',0,'user.entered_geofence',1772445960000,1795846608286,'6b0a71d09b1343bdd60e20c9',NULL,'tablet','{"plan":"gold"}','6b0a71cf9b1343bdd60e20b8','store','1','Store 1','{"size":3,"open":true}',9.5209,47.141,10.0,3,NULL,NULL,'{"extent":{"type":"circle","center":[9.5209,47.141],"radius":100.0}}');
INSERT INTO "events" VALUES(6,'6b0a71d09b1343bdd60e20cb',0,'user.entered_geofence',1772445960000,1795846608286,'6b0a71d09b1343bdd60e20c9',NULL,'tablet','{"plan":"gold"}','6b0a71cf9b1343bdd60e20bc','zone','1','Zone — Süd','{}',9.5209,47.141,10.0,3,NULL,NULL,'{"extent":{"type":"polygon","center":[9.519999999999982,47.14],"radius":1345.9168042440185}}');
INSERT INTO "events" VALUES(7,'6b0a71d09b1343bdd60e20cc',0,'user.dwelled_in_geofence',1772446140000,1795846608295,'6b0a71d09b1343bdd60e20c4','ann','phone','{"plan":"gold"}','6b0a71cf9b1343bdd60e20b8','store','1','Store 1','{"size":3,"open":true}',9.5209,47.141,10.0,3,NULL,NULL,'{"extent":{"type":"circle","center":[9.5209,47.141],"radius":100.0}}');
INSERT INTO "events" VALUES(8,'6b0a71d09b1343bdd60e20cd',0,'user.dwelled_in_geofence',1772446140000,1795846608295,'6b0a71d09b1343bdd60e20c4','ann','phone','{"plan":"gold"}','6b0a71cf9b1343bdd60e20bc','zone','1','Zone — Süd','{}',9.5209,47.141,10.0,3,NULL,NULL,'{"extent":{"type":"polygon","center":[9.519999999999982,47.14],"radius":1345.9168042440185}}');
INSERT INTO "events" VALUES(9,'6b0a71d09b1343bdd60e20ce',0,'user.exited_geofence',1772446320000,1795846608302,'6b0a71d09b1343bdd60e20c4','ann','phone','{"plan":"gold"}','6b0a71cf9b1343bdd60e20b8','store','1','Store 1','{"size":3,"open":true}',9.7,47.141,10.0,3,540.0,NULL,'{"extent":{"type":"circle","center":[9.5209,47.141],"radius":100.0}}');
INSERT INTO "events" VALUES(10,'6b0a71d09b1343bdd60e20cf',0,'user.exited_geofence',1772446320000,1795846608302,'6b0a71d09b1343bdd60e20c4','ann','phone','{"plan":"gold"}','6b0a71cf9b1343bdd60e20bc','zone','1','Zone — Süd','{}',9.7,47.141,10.0,3,540.0,NULL,'{"extent":{"type":"polygon","center":[9.519999999999982,47.14],"radius":1345.9168042440185}}');
INSERT INTO "events" VALUES(11,'6b0a71d09b1343bdd60e20d0',0,'user.dwelled_in_geofence',1772446500000,1795846608331,'6b0a71d09b1343bdd60e20c9',NULL,'tablet','{"plan":"gold"}','6b0a71cf9b1343bdd60e20b8','store','1','Store 1','{"size":3,"open":true}',9.52,47.141,10.0,3,NULL,NULL,'{"extent":{"type":"circle","center":[9.5209,47.141],"radius":100.0}}');
INSERT INTO "events" VALUES(12,'6b0a71d09b1343bdd60e20d1',0,'user.dwelled_in_geofence',1772446500000,1795846608331,'6b0a71d09b1343bdd60e20c9',NULL,'tablet','{"plan":"gold"}','6b0a71cf9b1343bdd60e20bc','zone','1','Zone — Süd','{}',9.52,47.141,10.0,3,NULL,NULL,'{"extent":{"type":"polygon","center":[9.519999999999982,47.14],"radius":1345.9168042440185}}');
CREATE TABLE geofence_versions (
	number INTEGER NOT NULL, 
	live SMALLINT NOT NULL, 
	geofence VARCHAR(24) NOT NULL, 
	since BIGINT NOT NULL, 
	until BIGINT NOT NULL, 
	west FLOAT NOT NULL, 
	south FLOAT NOT NULL, 
	east FLOAT NOT NULL, 
	north FLOAT NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (number)
);
CREATE TABLE geofences (
	id VARCHAR(24) NOT NULL, 
	live SMALLINT NOT NULL, 
	tag TEXT NOT NULL, 
	external_id TEXT NOT NULL, 
	description TEXT NOT NULL, 
	type VARCHAR(16) NOT NULL, 
	longitude FLOAT, 
	latitude FLOAT, 
	radius_m FLOAT, 
	minutes FLOAT, 
	mode VARCHAR(16), 
	metadata TEXT NOT NULL, 
	enabled SMALLINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	rules TEXT, 
	expires_at BIGINT, 
	revision BIGINT NOT NULL, 
	positions BLOB, 
	PRIMARY KEY (id), 
	CONSTRAINT geofences_key UNIQUE (live, tag, external_id)
);
INSERT INTO "geofences" VALUES('6b0a71cf9b1343bdd60e20b8',0,'store','1','Store 1','circle',9.5209,47.141,100.0,NULL,NULL,'{"size":3,"open":true}',1,1795846607790,1795846607790,NULL,NULL,1,NULL);
INSERT INTO "geofences" VALUES('6b0a71cf9b1343bdd60e20ba',1,'store','1','Store 1','circle',9.5209,47.141,100.0,NULL,NULL,'{"size":3,"open":true}',1,1795846607815,1795846607815,NULL,NULL,1,NULL);
INSERT INTO "geofences" VALUES('6b0a71cf9b1343bdd60e20bc',0,'zone','1','Zone — Süd','polygon',NULL,NULL,NULL,NULL,NULL,'{}',1,1795846607834,1795846607834,NULL,NULL,2,X'85EB51B81E052340713D0AD7A39047408FC2F5285C0F2340713D0AD7A39047408FC2F5285C0F2340333333333393474085EB51B81E052340333333333393474085EB51B81E052340713D0AD7A3904740');
INSERT INTO "geofences" VALUES('6b0a71cf9b1343bdd60e20be',0,'store','2','Closed','circle',9.6,47.2,50.0,NULL,NULL,'{}',0,1795846607856,1795846607856,NULL,NULL,3,NULL);
INSERT INTO "geofences" VALUES('6b0a71cf9b1343bdd60e20c0',0,'store','3','Hours','circle',9.55,47.14,80.0,NULL,NULL,'{}',1,1795846607878,1795846607878,'{"hours":{"Mon":[["09:00","17:00"]]},"dwell_threshold_s":300.0}',NULL,4,NULL);
CREATE TABLE presences (
	user VARCHAR(24) NOT NULL, 
	geofence VARCHAR(24) NOT NULL, 
	entered_at BIGINT NOT NULL, 
	dwelled SMALLINT NOT NULL, 
	PRIMARY KEY (user, geofence)
)
 WITHOUT ROWID

;
INSERT INTO "presences" VALUES('6b0a71d09b1343bdd60e20c9','6b0a71cf9b1343bdd60e20b8',1772445960000,1);
INSERT INTO "presences" VALUES('6b0a71d09b1343bdd60e20c9','6b0a71cf9b1343bdd60e20bc',1772445960000,1);
CREATE TABLE settings (
	number INTEGER NOT NULL, 
	live SMALLINT NOT NULL, 
	changed_at BIGINT NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "settings" VALUES(1,0,1795846607901,'{"stop_detection":false,"buffer_entries":false,"buffer_exits":false,"operating_hours_restriction":false,"dwell_event":true,"default_dwell_threshold_s":60.0,"minimum_confidence":1,"regions":false,"places":false,"fraud":false,"rate_limit":false,"endpoint_rate_limits":false,"kept_updates":100000,"trusted_proxy_header":null,"jumped_speed_mps":300.0,"inaccurate_accuracy_m":1000.0,"sharing_window_s":3600.0,"proxy_addresses":null,"blocked":[],"bypassed":[],"segments":[],"chains":[],"place_chains":[],"place_categories":[],"sdk_log_level":null,"sdk_features":[],"tracking_options":null,"trip_approaching_threshold_s":300.0,"trip_expiry_s":86400.0,"rehearsed_error":null,"hourly_limit":null,"daily_limit":null,"blocked_countries":[]}');
CREATE TABLE trips (
	id VARCHAR(24) NOT NULL, 
	live SMALLINT NOT NULL, 
	external_id TEXT NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	user VARCHAR(24), 
	user_id TEXT, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "trips" VALUES('6b0a71cf9b1343bdd60e20c3',0,'order','started','6b0a71d09b1343bdd60e20c4','ann',1795846607975,1795846608302,'{"id":"6b0a71cf9b1343bdd60e20c3","external_id":"order","status":"started","created_at":1795846607975,"updated_at":1795846608302,"seen_at":1795846608302,"mode":"car","user_id":"ann","device_id":"phone","user":"6b0a71d09b1343bdd60e20c4","told_s":326.2246120971628,"started_at":1795846608025,"destination":{"point":[9.55,47.14],"geofence_id":"6b0a71cf9b1343bdd60e20c0","tag":"store","external_id":"3"},"eta":[14792.700289324293,369.81750723310734,false]}');
CREATE TABLE updates (
	number INTEGER NOT NULL, 
	live SMALLINT NOT NULL, 
	user VARCHAR(24) NOT NULL, 
	device_id TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	received_at BIGINT NOT NULL, 
	revision BIGINT NOT NULL, 
	settings INTEGER NOT NULL, 
	longitude FLOAT NOT NULL, 
	latitude FLOAT NOT NULL, 
	accuracy_m FLOAT NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "updates" VALUES(1,0,'6b0a71d09b1343bdd60e20c4','phone',1772445600000,1795846608025,4,1,9.5,47.141,10.0,'{"user_id":"ann","ip":"127.0.0.1","foreground":1}');
INSERT INTO "updates" VALUES(2,0,'6b0a71d09b1343bdd60e20c4','phone',1772445780000,1795846608232,4,1,9.5209,47.141,10.0,'{"user_id":"ann","ip":"127.0.0.1","foreground":1}');
INSERT INTO "updates" VALUES(3,0,'6b0a71d09b1343bdd60e20c9','tablet',1772445960000,1795846608286,4,1,9.5209,47.141,10.0,'{"ip":"127.0.0.1","foreground":1}');
INSERT INTO "updates" VALUES(4,0,'6b0a71d09b1343bdd60e20c4','phone',1772446140000,1795846608295,4,1,9.5209,47.141,10.0,'{"user_id":"ann","ip":"127.0.0.1","foreground":1,"presences":{"6b0a71cf9b1343bdd60e20b8":[1772445780000,0],"6b0a71cf9b1343bdd60e20bc":[1772445780000,0]}}');
INSERT INTO "updates" VALUES(5,0,'6b0a71d09b1343bdd60e20c4','phone',1772446320000,1795846608302,4,1,9.7,47.141,10.0,'{"user_id":"ann","ip":"127.0.0.1","foreground":1,"presences":{"6b0a71cf9b1343bdd60e20b8":[1772445780000,1],"6b0a71cf9b1343bdd60e20bc":[1772445780000,1]}}');
INSERT INTO "updates" VALUES(6,0,'6b0a71d09b1343bdd60e20c9','tablet',1772446500000,1795846608331,4,1,9.52,47.141,10.0,'{"ip":"127.0.0.1","foreground":1,"presences":{"6b0a71cf9b1343bdd60e20b8":[1772445960000,0],"6b0a71cf9b1343bdd60e20bc":[1772445960000,0]}}');
CREATE TABLE users (
	id VARCHAR(24) NOT NULL, 
	live SMALLINT NOT NULL, 
	device_id TEXT NOT NULL, 
	user_id TEXT, 
	description TEXT, 
	metadata TEXT NOT NULL, 
	longitude FLOAT NOT NULL, 
	latitude FLOAT NOT NULL, 
	accuracy_m FLOAT NOT NULL, 
	foreground SMALLINT NOT NULL, 
	stopped SMALLINT NOT NULL, 
	device_type VARCHAR(16), 
	ip TEXT, 
	details TEXT, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (id)
)
 WITHOUT ROWID

;
INSERT INTO "users" VALUES('6b0a71d09b1343bdd60e20c4',0,'phone','ann',NULL,'{"plan":"gold"}',9.7,47.141,10.0,1,0,NULL,'127.0.0.1','{"actual_updated_at":1795846608302}',1795846608025,1772446320000);
INSERT INTO "users" VALUES('6b0a71d09b1343bdd60e20c9',0,'tablet',NULL,NULL,'{"plan":"gold"}',9.52,47.141,10.0,1,0,NULL,'127.0.0.1','{"actual_updated_at":1795846608331}',1795846608286,1772446500000);
CREATE INDEX geofences_updated ON geofences (live, updated_at);
CREATE INDEX geofence_versions_until ON geofence_versions (live, until);
CREATE INDEX users_device ON users (live, device_id);
CREATE INDEX presences_geofence ON presences (geofence);
CREATE INDEX beacons_updated ON beacons (live, updated_at);
CREATE INDEX beacon_stays_beacon ON beacon_stays (beacon);
CREATE INDEX events_geofence ON events (live, tag, external_id);
CREATE INDEX events_device ON events (live, device_id);
CREATE INDEX events_created ON events (live, created_at);
CREATE INDEX updates_device ON updates (live, device_id);
CREATE INDEX settings_live ON settings (live);
CREATE INDEX trips_updated ON trips (live, updated_at);
CREATE INDEX trips_user ON trips (user);
CREATE INDEX trips_external_id ON trips (live, external_id);
COMMIT;
