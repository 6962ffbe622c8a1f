"""PostgreSQL with PostGIS, to compare with: a cluster, geofences and location updates in SQL, an endpoint."""
