BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
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
	geofence VARCHAR(24) NOT NULL, 
	tag TEXT NOT NULL, 
	external_id TEXT NOT NULL, 
	description TEXT NOT NULL, 
	geofence_metadata TEXT NOT NULL, 
	longitude FLOAT NOT NULL, 
	latitude FLOAT NOT NULL, 
	accuracy_m FLOAT NOT NULL, 
	confidence SMALLINT NOT NULL, 
	duration_s FLOAT, 
	PRIMARY KEY (number), 
	UNIQUE (id)
);
INSERT INTO "events" VALUES(1,'6b0a719558ef2be8200e337c',0,'user.entered_geofence',1772445780000,1795846549065,'6b0a719558ef2be8200e337b','ann','phone','{"plan":"gold"}','6b0a719458ef2be8200e3377','store','1','Store 1','{"size":3,"open":true}',9.5209,47.141,10.0,3,NULL);
INSERT INTO "events" VALUES(2,'6b0a719558ef2be8200e337d',0,'user.entered_geofence',1772445780000,1795846549065,'6b0a719558ef2be8200e337b','ann','phone','{"plan":"gold"}','6b0a719558ef2be8200e3379','zone','1','Zone — Süd','{}',9.5209,47.141,10.0,3,NULL);
INSERT INTO "events" VALUES(3,'6b0a719558ef2be8200e337f',0,'user.entered_geofence',1772445960000,1795846549080,'6b0a719558ef2be8200e337e',NULL,'tablet','{"plan":"gold"}','6b0a719458ef2be8200e3377','store','1','Store 1','{"size":3,"open":true}',9.5209,47.141,10.0,3,NULL);
INSERT INTO "events" VALUES(4,'6b0a719558ef2be8200e3380',0,'user.entered_geofence',1772445960000,1795846549080,'6b0a719558ef2be8200e337e',NULL,'tablet','{"plan":"gold"}','6b0a719558ef2be8200e3379','zone','1','Zone — Süd','{}',9.5209,47.141,10.0,3,NULL);
INSERT INTO "events" VALUES(5,'6b0a719558ef2be8200e3381',0,'user.exited_geofence',1772446320000,1795846549096,'6b0a719558ef2be8200e337b','ann','phone','{"plan":"gold"}','6b0a719458ef2be8200e3377','store','1','Store 1','{"size":3,"open":true}',9.7,47.141,10.0,3,540.0);
INSERT INTO "events" VALUES(6,'6b0a719558ef2be8200e3382',0,'user.exited_geofence',1772446320000,1795846549096,'6b0a719558ef2be8200e337b','ann','phone','{"plan":"gold"}','6b0a719558ef2be8200e3379','zone','1','Zone — Süd','{}',9.7,47.141,10.0,3,540.0);
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
	ring TEXT, 
	metadata TEXT NOT NULL, 
	enabled SMALLINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT geofences_key UNIQUE (live, tag, external_id)
);
INSERT INTO "geofences" VALUES('6b0a719458ef2be8200e3377',0,'store','1','Store 1','circle',9.5209,47.141,100.0,NULL,'{"size":3,"open":true}',1,1795846548976,1795846548976);
INSERT INTO "geofences" VALUES('6b0a719558ef2be8200e3378',1,'store','1','Store 1','circle',9.5209,47.141,100.0,NULL,'{"size":3,"open":true}',1,1795846549004,1795846549004);
INSERT INTO "geofences" VALUES('6b0a719558ef2be8200e3379',0,'zone','1','Zone — Süd','polygon',NULL,NULL,NULL,'[[9.51,47.13],[9.53,47.13],[9.53,47.15],[9.51,47.15],[9.51,47.13]]','{}',1,1795846549013,1795846549013);
INSERT INTO "geofences" VALUES('6b0a719558ef2be8200e337a',0,'store','2','Closed','circle',9.6,47.2,50.0,NULL,'{}',0,1795846549022,1795846549022);
CREATE TABLE presences (
	user VARCHAR(24) NOT NULL, 
	geofence VARCHAR(24) NOT NULL, 
	entered_at BIGINT NOT NULL, 
	PRIMARY KEY (user, geofence)
)
 WITHOUT ROWID

;
INSERT INTO "presences" VALUES('6b0a719558ef2be8200e337e','6b0a719458ef2be8200e3377',1772445960000);
INSERT INTO "presences" VALUES('6b0a719558ef2be8200e337e','6b0a719558ef2be8200e3379',1772445960000);
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
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (id)
)
 WITHOUT ROWID

;
INSERT INTO "users" VALUES('6b0a719558ef2be8200e337b',0,'phone','ann',NULL,'{"plan":"gold"}',9.7,47.141,10.0,1,0,NULL,'127.0.0.1',1795846549048,1772446320000);
INSERT INTO "users" VALUES('6b0a719558ef2be8200e337e',0,'tablet',NULL,NULL,'{"plan":"gold"}',9.52,47.141,10.0,1,0,NULL,'127.0.0.1',1795846549080,1772446500000);
CREATE INDEX events_created ON events (live, created_at);
CREATE INDEX events_device ON events (live, device_id);
CREATE INDEX events_geofence ON events (live, tag, external_id);
CREATE INDEX geofences_updated ON geofences (live, updated_at);
CREATE INDEX presences_geofence ON presences (geofence);
CREATE INDEX users_device ON users (live, device_id);
COMMIT;
