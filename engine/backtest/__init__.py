"""Back-tests: months of location updates against geofences and settings, on one machine or on a Dask cluster."""
