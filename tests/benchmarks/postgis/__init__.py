"""PostgreSQL with PostGIS for comparison: a cluster, geofences and location updates in SQL, and an endpoint."""
