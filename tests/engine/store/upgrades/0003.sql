BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
CREATE TABLE "events" (
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
INSERT INTO "events" VALUES(1,'6b0a71b1bd2bffc3e90b26a0',0,'user.entered_geofence',1772445780000,1795846577354,'6b0a71b1bd2bffc3e90b269f','ann','phone','{"plan":"gold"}','6b0a71b1bd2bffc3e90b269a','store','1','Store 1','{"size":3,"open":true}',9.5209,47.141,10.0,3,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,'6b0a71b1bd2bffc3e90b26a1',0,'user.entered_geofence',1772445780000,1795846577354,'6b0a71b1bd2bffc3e90b269f','ann','phone','{"plan":"gold"}','6b0a71b1bd2bffc3e90b269c','zone','1','Zone — Süd','{}',9.5209,47.141,10.0,3,NULL,NULL,NULL);
INSERT INTO "events" VALUES(3,'6b0a71b1bd2bffc3e90b26a3',0,'user.entered_geofence',1772445960000,1795846577398,'6b0a71b1bd2bffc3e90b26a2',NULL,'tablet','{"plan":"gold"}','6b0a71b1bd2bffc3e90b269a','store','1','Store 1','{"size":3,"open":true}',9.5209,47.141,10.0,3,NULL,NULL,NULL);
INSERT INTO "events" VALUES(4,'6b0a71b1bd2bffc3e90b26a4',0,'user.entered_geofence',1772445960000,1795846577398,'6b0a71b1bd2bffc3e90b26a2',NULL,'tablet','{"plan":"gold"}','6b0a71b1bd2bffc3e90b269c','zone','1','Zone — Süd','{}',9.5209,47.141,10.0,3,NULL,NULL,NULL);
INSERT INTO "events" VALUES(5,'6b0a71b1bd2bffc3e90b26a5',0,'user.dwelled_in_geofence',1772446140000,1795846577426,'6b0a71b1bd2bffc3e90b269f','ann','phone','{"plan":"gold"}','6b0a71b1bd2bffc3e90b269a','store','1','Store 1','{"size":3,"open":true}',9.5209,47.141,10.0,3,NULL,NULL,NULL);
INSERT INTO "events" VALUES(6,'6b0a71b1bd2bffc3e90b26a6',0,'user.dwelled_in_geofence',1772446140000,1795846577426,'6b0a71b1bd2bffc3e90b269f','ann','phone','{"plan":"gold"}','6b0a71b1bd2bffc3e90b269c','zone','1','Zone — Süd','{}',9.5209,47.141,10.0,3,NULL,NULL,NULL);
INSERT INTO "events" VALUES(7,'6b0a71b1bd2bffc3e90b26a7',0,'user.exited_geofence',1772446320000,1795846577455,'6b0a71b1bd2bffc3e90b269f','ann','phone','{"plan":"gold"}','6b0a71b1bd2bffc3e90b269a','store','1','Store 1','{"size":3,"open":true}',9.7,47.141,10.0,3,540.0,NULL,NULL);
INSERT INTO "events" VALUES(8,'6b0a71b1bd2bffc3e90b26a8',0,'user.exited_geofence',1772446320000,1795846577455,'6b0a71b1bd2bffc3e90b269f','ann','phone','{"plan":"gold"}','6b0a71b1bd2bffc3e90b269c','zone','1','Zone — Süd','{}',9.7,47.141,10.0,3,540.0,NULL,NULL);
INSERT INTO "events" VALUES(9,'6b0a71b1bd2bffc3e90b26a9',0,'user.dwelled_in_geofence',1772446500000,1795846577478,'6b0a71b1bd2bffc3e90b26a2',NULL,'tablet','{"plan":"gold"}','6b0a71b1bd2bffc3e90b269a','store','1','Store 1','{"size":3,"open":true}',9.52,47.141,10.0,3,NULL,NULL,NULL);
INSERT INTO "events" VALUES(10,'6b0a71b1bd2bffc3e90b26aa',0,'user.dwelled_in_geofence',1772446500000,1795846577478,'6b0a71b1bd2bffc3e90b26a2',NULL,'tablet','{"plan":"gold"}','6b0a71b1bd2bffc3e90b269c','zone','1','Zone — Süd','{}',9.52,47.141,10.0,3,NULL,NULL,NULL);
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
CREATE TABLE "geofences" (
	id VARCHAR(24) NOT NULL, 
	live SMALLINT NOT NULL, 
	tag TEXT NOT NULL, 
	external_id TEXT NOT NULL, 
	description TEXT NOT NULL, 
	type VARCHAR(16) NOT NULL, 
	longitude FLOAT, 
	latitude FLOAT, 
	radius_m FLOAT, 
	metadata TEXT NOT NULL, 
	enabled SMALLINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	rules TEXT, 
	expires_at BIGINT, 
	revision BIGINT DEFAULT '0' NOT NULL, 
	positions BLOB, 
	PRIMARY KEY (id), 
	CONSTRAINT geofences_key UNIQUE (live, tag, external_id)
);
INSERT INTO "geofences" VALUES('6b0a71b1bd2bffc3e90b269a',0,'store','1','Store 1','circle',9.5209,47.141,100.0,'{"size":3,"open":true}',1,1795846577132,1795846577132,NULL,NULL,1,NULL);
INSERT INTO "geofences" VALUES('6b0a71b1bd2bffc3e90b269b',1,'store','1','Store 1','circle',9.5209,47.141,100.0,'{"size":3,"open":true}',1,1795846577176,1795846577176,NULL,NULL,1,NULL);
INSERT INTO "geofences" VALUES('6b0a71b1bd2bffc3e90b269c',0,'zone','1','Zone — Süd','polygon',NULL,NULL,NULL,'{}',1,1795846577191,1795846577191,NULL,NULL,2,X'85EB51B81E052340713D0AD7A39047408FC2F5285C0F2340713D0AD7A39047408FC2F5285C0F2340333333333393474085EB51B81E052340333333333393474085EB51B81E052340713D0AD7A3904740');
INSERT INTO "geofences" VALUES('6b0a71b1bd2bffc3e90b269d',0,'store','2','Closed','circle',9.6,47.2,50.0,'{}',0,1795846577210,1795846577210,NULL,NULL,3,NULL);
INSERT INTO "geofences" VALUES('6b0a71b1bd2bffc3e90b269e',0,'store','3','Hours','circle',9.55,47.14,80.0,'{}',1,1795846577226,1795846577226,'{"hours":{"Mon":[["09:00","17:00"]]},"dwell_threshold_s":300.0}',NULL,4,NULL);
CREATE TABLE presences (
	user VARCHAR(24) NOT NULL, 
	geofence VARCHAR(24) NOT NULL, 
	entered_at BIGINT NOT NULL, dwelled SMALLINT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (user, geofence)
)
 WITHOUT ROWID

;
INSERT INTO "presences" VALUES('6b0a71b1bd2bffc3e90b26a2','6b0a71b1bd2bffc3e90b269a',1772445960000,1);
INSERT INTO "presences" VALUES('6b0a71b1bd2bffc3e90b26a2','6b0a71b1bd2bffc3e90b269c',1772445960000,1);
CREATE TABLE settings (
	number INTEGER NOT NULL, 
	live SMALLINT NOT NULL, 
	changed_at BIGINT NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "settings" VALUES(1,0,1795846577244,'{"stop_detection":false,"buffer_entries":false,"buffer_exits":false,"operating_hours_restriction":false,"dwell_event":true,"default_dwell_threshold_s":60.0,"minimum_confidence":1,"regions":false,"places":false,"fraud":false,"rate_limit":false,"kept_updates":100000,"trusted_proxy_header":null,"jumped_speed_mps":300.0,"inaccurate_accuracy_m":1000.0,"sharing_window_s":3600.0,"proxy_addresses":null,"blocked":[],"bypassed":[],"segments":[]}');
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
INSERT INTO "updates" VALUES(1,0,'6b0a71b1bd2bffc3e90b269f','phone',1772445600000,1795846577286,4,1,9.5,47.141,10.0,'{"user_id":"ann","ip":"127.0.0.1","foreground":1}');
INSERT INTO "updates" VALUES(2,0,'6b0a71b1bd2bffc3e90b269f','phone',1772445780000,1795846577354,4,1,9.5209,47.141,10.0,'{"user_id":"ann","ip":"127.0.0.1","foreground":1}');
INSERT INTO "updates" VALUES(3,0,'6b0a71b1bd2bffc3e90b26a2','tablet',1772445960000,1795846577398,4,1,9.5209,47.141,10.0,'{"ip":"127.0.0.1","foreground":1}');
INSERT INTO "updates" VALUES(4,0,'6b0a71b1bd2bffc3e90b269f','phone',1772446140000,1795846577426,4,1,9.5209,47.141,10.0,'{"user_id":"ann","ip":"127.0.0.1","foreground":1,"presences":{"6b0a71b1bd2bffc3e90b269a":[1772445780000,0],"6b0a71b1bd2bffc3e90b269c":[1772445780000,0]}}');
INSERT INTO "updates" VALUES(5,0,'6b0a71b1bd2bffc3e90b269f','phone',1772446320000,1795846577455,4,1,9.7,47.141,10.0,'{"user_id":"ann","ip":"127.0.0.1","foreground":1,"presences":{"6b0a71b1bd2bffc3e90b269a":[1772445780000,1],"6b0a71b1bd2bffc3e90b269c":[1772445780000,1]}}');
INSERT INTO "updates" VALUES(6,0,'6b0a71b1bd2bffc3e90b26a2','tablet',1772446500000,1795846577478,4,1,9.52,47.141,10.0,'{"ip":"127.0.0.1","foreground":1,"presences":{"6b0a71b1bd2bffc3e90b269a":[1772445960000,0],"6b0a71b1bd2bffc3e90b269c":[1772445960000,0]}}');
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
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, details TEXT, 
	PRIMARY KEY (id)
)
 WITHOUT ROWID

;
INSERT INTO "users" VALUES('6b0a71b1bd2bffc3e90b269f',0,'phone','ann',NULL,'{"plan":"gold"}',9.7,47.141,10.0,1,0,NULL,'127.0.0.1',1795846577286,1772446320000,NULL);
INSERT INTO "users" VALUES('6b0a71b1bd2bffc3e90b26a2',0,'tablet',NULL,NULL,'{"plan":"gold"}',9.52,47.141,10.0,1,0,NULL,'127.0.0.1',1795846577398,1772446500000,NULL);
CREATE INDEX presences_geofence ON presences (geofence);
CREATE INDEX users_device ON users (live, device_id);
CREATE INDEX geofence_versions_until ON geofence_versions (live, until);
CREATE INDEX settings_live ON settings (live);
CREATE INDEX updates_device ON updates (live, device_id);
CREATE INDEX events_created ON events (live, created_at);
CREATE INDEX events_geofence ON events (live, tag, external_id);
CREATE INDEX events_device ON events (live, device_id);
CREATE INDEX geofences_updated ON geofences (live, updated_at);
COMMIT;
