"""PostgreSQL with PostGIS, to compare with: a cluster of its own, geofences and location updates in SQL, an endpoint."""
