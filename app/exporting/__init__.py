"""Events and users written to files: CSV, JSON lines and Parquet."""
