"""All kinds of files as one stream of rows: CSV, GeoJSON, WKT, KML, GPX waypoints, Shapefile, GeoPackage."""
