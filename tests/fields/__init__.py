"""The fields of all records, and every place that stores, transmits, writes, reads or shows them."""
