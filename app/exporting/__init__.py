"""Export of events and users to files: CSV, JSON lines and Parquet."""
